package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/envelope"
	"example.com/ambit/internal/conformance"
)

// exampleFleet is a copy of the example fleet that a test may change.
func exampleFleet(t testing.TB) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join(repositoryRoot(t), "examples", "fleet"))); err != nil {
		t.Fatal(err)
	}
	return root
}

func fileOf(root, agent string) string {
	return filepath.Join(root, envelope.Folder, agent, envelope.FileName)
}

// The JSON of every verb, whole: keys, order, spelling, indentation.
func TestEnvelopeJSON(t *testing.T) {
	env := []string{"AMBIT_ROOT=" + exampleFleet(t), "AMBIT_NOW=2026-07-06T10:00:00Z"}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"get release-bot", 0, `{
  "version": 1,
  "agent": "release-bot",
  "owner": "platform-team",
  "updated": "2026-07-01T09:00:00Z",
  "defaultState": "needsFullSupervision",
  "taskTypes": [
    {
      "id": "changelog",
      "label": "changelog",
      "state": "fullyApproved",
      "stateSince": "2026-06-15T07:31:00Z",
      "operatorNote": "Reviewed.",
      "recorded": true
    },
    {
      "id": "tag-release",
      "label": "tag-release",
      "state": "checkBeforeCommitting",
      "stateSince": "2026-06-15T07:32:00Z",
      "operatorNote": "Show the tag and the diff since the last one.",
      "recorded": true
    }
  ],
  "warnings": []
}
`},
		{"get dave code-dispatch", 0, `{
  "version": 1,
  "agent": "dave",
  "owner": "barry",
  "updated": "2026-07-05T14:45:30Z",
  "defaultState": "needsFullSupervision",
  "taskType": {
    "id": "code-dispatch",
    "label": "Code implementation dispatch",
    "state": "fullyApproved",
    "stateSince": "2026-07-05T14:30:00Z",
    "operatorNote": null,
    "recorded": true
  },
  "warnings": []
}
`},
		{"get dave new", 0, `{
  "version": 1,
  "agent": "dave",
  "owner": "barry",
  "updated": "2026-07-05T14:45:30Z",
  "defaultState": "needsFullSupervision",
  "taskType": {
    "id": "new",
    "label": "new",
    "state": "needsFullSupervision",
    "stateSince": null,
    "operatorNote": null,
    "recorded": false
  },
  "warnings": []
}
`},
		{"list maya", 0, `{
  "version": 1,
  "asOf": "2026-07-06T10:00:00Z",
  "staleAfterDays": 30,
  "agents": [
    {
      "agent": "maya",
      "owner": "Barry and Zoë",
      "updated": "2026-05-11T08:12:00Z",
      "ageDays": 56,
      "stale": true,
      "counts": {
        "fullyApproved": 1,
        "checkBeforeCommitting": 0,
        "needsFullSupervision": 1
      },
      "warnings": [],
      "error": null
    }
  ]
}
`},
		{"list erin", 3, `{
  "version": 1,
  "asOf": "2026-07-06T10:00:00Z",
  "staleAfterDays": 30,
  "agents": [
    {
      "agent": "erin",
      "owner": null,
      "updated": null,
      "ageDays": null,
      "stale": null,
      "counts": null,
      "warnings": [],
      "error": {
        "code": "bad-value",
        "message": "agents/erin/autonomy-envelope.md: line 12: taskTypes[1].state: unknown state \"fullyaproved\"; allowed: needsFullSupervision, checkBeforeCommitting, fullyApproved"
      }
    }
  ]
}
`},
		{"list dave --now 2026-01-01T00:00:00Z", 0, `{
  "version": 1,
  "asOf": "2026-01-01T00:00:00Z",
  "staleAfterDays": 30,
  "agents": [
    {
      "agent": "dave",
      "owner": "barry",
      "updated": "2026-07-05T14:45:30Z",
      "ageDays": 0,
      "stale": false,
      "counts": {
        "fullyApproved": 1,
        "checkBeforeCommitting": 1,
        "needsFullSupervision": 2
      },
      "warnings": [
        {
          "code": "future-updated",
          "message": "updated is 2026-07-05T14:45:30Z, which is still to come"
        }
      ],
      "error": null
    }
  ]
}
`},
		{"init kim --owner x", 0, `{
  "version": 1,
  "agent": "kim",
  "path": "agents/kim/autonomy-envelope.md",
  "created": true
}
`},
		{"init kim", 1, `{
  "version": 1,
  "agent": "kim",
  "path": "agents/kim/autonomy-envelope.md",
  "created": false
}
`},
		{"get kim", 0, `{
  "version": 1,
  "agent": "kim",
  "owner": "x",
  "updated": "2026-07-06T10:00:00Z",
  "defaultState": "needsFullSupervision",
  "taskTypes": [],
  "warnings": []
}
`},
		{"set dave code-dispatch checkBeforeCommitting", 0, `{
  "version": 1,
  "agent": "dave",
  "id": "code-dispatch",
  "changed": true,
  "created": false,
  "from": "fullyApproved",
  "to": "checkBeforeCommitting",
  "updated": "2026-07-06T10:00:00Z",
  "warnings": []
}
`},
		{"set dave code-dispatch checkBeforeCommitting --now 2026-07-07T10:00:00Z", 0, `{
  "version": 1,
  "agent": "dave",
  "id": "code-dispatch",
  "changed": false,
  "created": false,
  "from": "checkBeforeCommitting",
  "to": "checkBeforeCommitting",
  "updated": "2026-07-06T10:00:00Z",
  "warnings": []
}
`},
	} {
		code, out, _ := run(t, "", env, append(strings.Fields("envelope "+tt.args), "--format", "json")...)
		if code != tt.code {
			t.Errorf("%s: exit %d, want %d", tt.args, code, tt.code)
		}
		if diff := cmp.Diff(tt.want, out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.args, diff)
		}
	}
	for _, args := range []string{"get nobody", "get erin", "set erin x fullyApproved", "list nobody", "get Dave", "set dave x maybe"} {
		if _, out, errs := run(t, "", env, append(strings.Fields("envelope "+args), "--format=json")...); out != "" || !json.Valid([]byte(errs)) {
			t.Errorf("%s: stdout %q, stderr %q", args, out, errs)
		}
	}
}

// The same file gives the same bytes, whatever the clock says. // R44
func TestEnvelopeGetDoesNotDependOnTheClock(t *testing.T) {
	root := exampleFleet(t)
	for _, format := range []string{"text", "json"} {
		_, first, _ := run(t, "", []string{"AMBIT_NOW=2000-01-01T00:00:00Z"}, "envelope", "get", "dave", "--root", root, "--format", format)
		_, second, _ := run(t, "", nil, "envelope", "get", "dave", "--root", root, "--format", format)
		if first != second || first == "" {
			t.Errorf("%s differs", format)
		}
	}
}

// Each failure has its exit code and its code, and the first that applies wins. // R9
func TestEnvelopeExits(t *testing.T) {
	root := exampleFleet(t)
	if err := os.WriteFile(filepath.Join(root, "plain"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		exit int
		code string
	}{
		{[]string{"get", "Dave"}, 1, "bad-name"},
		{[]string{"get", "dave", "X"}, 1, "bad-name"},
		{[]string{"get", "dave", "x", "y"}, 1, "usage"},
		{[]string{"get", "dave", "--root", ""}, 1, "usage"},
		{[]string{"get", "dave", "--root", filepath.Join(root, "nowhere")}, 3, "no-root"},
		{[]string{"get", "dave", "--root", filepath.Join(root, "plain")}, 3, "no-root"},
		{[]string{"get", "nobody"}, 2, "unknown-agent"},
		{[]string{"get", "erin"}, 3, "bad-value"},
		{[]string{"set", "Dave", "x", "bad", "--root", "nowhere"}, 1, "bad-name"},
		{[]string{"set", "dave", "x", "bad", "--note", "a\nb", "--root", "nowhere"}, 1, "usage"},
		{[]string{"set", "dave", "x", "bad", "--note", strings.Repeat("x", 2001)}, 1, "usage"},
		{[]string{"set", "dave", "x", "bad", "--root", "nowhere"}, 2, "invalid-state"},
		{[]string{"set", "nobody", "x", "fullyApproved", "--root", "nowhere"}, 3, "no-root"},
		{[]string{"set", "nobody", "x", "fullyApproved"}, 2, "unknown-agent"},
		{[]string{"set", "erin", "x", "fullyApproved"}, 3, "bad-value"},
		{[]string{"set", "dave", "x"}, 1, "usage"},
		{[]string{"set", "dave", "x", "fullyApproved", "--now", "0000-01-01T00:00:00+01:00"}, 1, "usage"},
		{[]string{"init", "dave"}, 1, "exists"},
		{[]string{"init", "aux"}, 1, "bad-name"},
		{[]string{"init", "x", "--owner", "a\u202eb"}, 1, "usage"},
		{[]string{"init", "x", "--root", "nowhere"}, 3, "no-root"},
		{[]string{"list", "nobody"}, 2, "unknown-agent"},
		{[]string{"list"}, 3, "bad-value"},
		{[]string{"list", "--root", t.TempDir()}, 3, "no-root"},
		{[]string{"check", "--root", t.TempDir()}, 3, "no-root"},
		{[]string{"check"}, 2, "bad-value"},
		{[]string{"check", "nothing.md"}, 3, "io"},
		{[]string{"check", filepath.Join(root, "agents", "nobody", "autonomy-envelope.md")}, 3, "unknown-agent"},
		{[]string{"check", root}, 3, "not-regular"},
	} {
		exit, _, errs := run(t, "", []string{"AMBIT_ROOT=" + root}, append(append([]string{"envelope"}, tt.args...), "--format", "json")...)
		var said struct{ Problems []problem }
		if err := json.Unmarshal([]byte(errs), &said); err != nil || len(said.Problems) == 0 {
			t.Errorf("%q: %v in %q", tt.args, err, errs)
			continue
		}
		if exit != tt.exit || said.Problems[0].Code != tt.code {
			t.Errorf("%q: exit %d, code %s; want %d, %s: %s", tt.args, exit, said.Problems[0].Code, tt.exit, tt.code, said.Problems[0].Message)
		}
	}
}

// Control characters in a file reach no terminal. // R53
func TestEnvelopeTextIsPrintable(t *testing.T) {
	root := exampleFleet(t)
	file := fileOf(root, "dave")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("owner: barry"), []byte(`owner: "barry\u202e"`), 1)
	data = bytes.Replace(data, []byte("operatorNote: Never on Fridays; ask first."), []byte(`operatorNote: "red \e[31m and \u202Eflipped\nnext"`), 1)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, _ := run(t, "", nil, "envelope", "get", "dave", "--root", root)
	if code != 0 || strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, `red \x1b[31m and \u202eflipped next`) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// An agent without an envelope is told from one whose name is mistyped; nobody is told to mean what they wrote.
func TestEnvelopeUnknownAgent(t *testing.T) {
	root := exampleFleet(t)
	if err := os.MkdirAll(filepath.Join(root, "agents", "bare"), 0o755); err != nil {
		t.Fatal(err)
	}
	hints := map[string]string{"bare": "ambit envelope init bare", "bar": "", "dvae": "did you mean dave?", "zzzzzzzz": ""}
	if err := os.MkdirAll(filepath.Join(root, "agents", "loose"), 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Symlink("nowhere", fileOf(root, "loose")) == nil {
		hints["loose"] = "leads nowhere"
	}
	for agent, want := range hints {
		code, out, errs := run(t, "", nil, "envelope", "get", agent, "--root", root)
		_, hint, _ := strings.Cut(errs, "hint: ")
		if code != 2 || out != "" || !strings.Contains(hint, want) || (want == "") != (hint == "") {
			t.Errorf("%s: exit %d, %q, %s", agent, code, out, errs)
		}
	}
}

func TestEnvelopeOwner(t *testing.T) {
	root := t.TempDir()
	for i, tt := range []struct {
		env  []string
		args []string
		want string
	}{
		{nil, nil, "unknown"}, {[]string{"AMBIT_OWNER=zoe"}, nil, "zoe"}, {[]string{"AMBIT_OWNER="}, nil, "unknown"},
		{[]string{"AMBIT_OWNER=zoe"}, []string{"--owner", "no"}, `"no"`},
	} {
		agent := "a" + string(rune('0'+i))
		if code, _, errs := run(t, "", tt.env, append([]string{"envelope", "init", agent, "--root", root}, tt.args...)...); code != 0 {
			t.Fatal(errs)
		}
		data, err := os.ReadFile(fileOf(root, agent))
		if err != nil || !strings.Contains(string(data), "\nowner: "+tt.want+"\n") {
			t.Errorf("%v %v:\n%s", tt.env, tt.args, data)
		}
	}
}

func TestEnvelopeCheckFixes(t *testing.T) {
	root := exampleFleet(t)
	file := fileOf(root, "dave")
	sound, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	drifted := bytes.Replace(sound, []byte("| fullyApproved |"), []byte("| needsFullSupervision |"), 1)
	if err := os.WriteFile(file, drifted, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(t, "", nil, "envelope", "check", file); code != 2 || !strings.Contains(out, "a person must look") || !strings.Contains(errs, "table") {
		t.Errorf("drift: %d %q %q", code, out, errs)
	}
	type report struct {
		Version int
		Files   []struct {
			File     string
			Valid    bool
			Problems []problem
			Warnings []envelope.Warning
			Fixed    bool
		}
	}
	code, out, _ := run(t, "", nil, "envelope", "check", "--fix", file, fileOf(root, "erin"), "--format", "json")
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 2 || r.Version != 1 || len(r.Files) != 2 {
		t.Fatalf("%d %v %s", code, err, out)
	}
	if f := r.Files[0]; !f.Valid || !f.Fixed || len(f.Problems) != 0 || len(f.Warnings) != 0 || f.File != file {
		t.Errorf("fixed: %+v", f)
	}
	if f := r.Files[1]; f.Valid || f.Fixed || len(f.Problems) != 1 || f.Problems[0].Code != "bad-value" || *f.Problems[0].Line != 12 {
		t.Errorf("broken: %+v", f)
	}
	if data, _ := os.ReadFile(file); !bytes.Equal(data, sound) {
		t.Errorf("the file after the fix:\n%s", data)
	}
	if code, out, errs := run(t, "", nil, "envelope", "check", file, "--fix"); code != 0 || errs != "" || !strings.HasSuffix(out, ": ok\n") {
		t.Errorf("sound: %d %q %q", code, out, errs)
	}
	// Below a root; drift of the history is not fixed, it is a person's.
	if err := os.WriteFile(file, bytes.Replace(drifted, []byte("code-dispatch promoted to fullyApproved"), []byte("code-dispatch promoted to checkBeforeCommitting"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, "", nil, "envelope", "check", "--root", root, "--fix")
	if code != 2 || !strings.Contains(out, "agents/dave/autonomy-envelope.md: a person must look\n") || !strings.Contains(out, "agents/maya/autonomy-envelope.md: ok\n") || !strings.Contains(errs, "newest history entry") {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("full") }

// Half an answer must not pass for one. // R62
func TestEnvelopeStdoutThatCannotBeWritten(t *testing.T) {
	var errs bytes.Buffer
	code := Main([]string{"envelope", "get", "dave", "--root", exampleFleet(t)}, strings.NewReader(""), brokenPipe{}, &errs, nil)
	if code != exitIO || !strings.Contains(errs.String(), "standard output") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

// TestEnvelopeRecordedFiles does with the command what the recorded rows say: read the file, then set.
func TestEnvelopeRecordedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("not one of the quick tests")
	}
	type row struct {
		Name  string
		Files conformance.Tree
	}
	type expect struct {
		Agent         string
		Valid         bool
		States        map[string]string
		ErrorContains *string `json:"error_contains"`
		Set           *struct {
			Task, State, Now string
			Note             *string
			ExpectedFile     *string `json:"expected_file"`
			OrRefuse         bool    `json:"or_refuse"`
			RefuseContains   string  `json:"refuse_contains"`
		}
	}
	dir, _ := conformance.Dir(t)
	lines := bytes.Split(bytes.TrimSpace(conformance.File(t, "envelope/files.jsonl")), []byte("\n"))
	if len(lines) == 0 {
		t.Fatalf("no rows in %s", dir)
	}
	for _, l := range lines {
		var r row
		if err := json.Unmarshal(l, &r); err != nil {
			t.Fatal(err)
		}
		t.Run(r.Name, func(t *testing.T) {
			var x expect
			if err := json.Unmarshal(r.Files["expect.json"].Bytes(), &x); err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			conformance.Tree{envelope.Folder + "/" + x.Agent + "/" + envelope.FileName: r.Files[envelope.FileName]}.Write(t, root)
			env := []string{"AMBIT_ROOT=" + root}
			code, out, errs := run(t, "", env, "envelope", "get", x.Agent)
			list, _, _ := run(t, "", env, "envelope", "list")
			if !x.Valid {
				if code != exitIO || out != "" || x.ErrorContains != nil && !strings.Contains(errs, *x.ErrorContains) || list != exitIO {
					t.Errorf("get: exit %d, %q, %q; list: exit %d", code, out, errs, list)
				}
			} else if code != exitOK || list != exitOK {
				t.Errorf("get: exit %d, %q; list: exit %d", code, errs, list)
			}
			for id, want := range x.States {
				if _, out, _ := run(t, "", env, "envelope", "get", x.Agent, id); out != want+"\n" {
					t.Errorf("state of %s: %q, want %s", id, out, want)
				}
			}
			if x.Set == nil {
				return
			}
			args := []string{"envelope", "set", x.Agent, x.Set.Task, x.Set.State, "--now", x.Set.Now}
			if x.Set.Note != nil {
				args = append(args, "--note", *x.Set.Note)
			}
			code, out, errs = run(t, "", env, args...)
			data, err := os.ReadFile(fileOf(root, x.Agent))
			if err != nil {
				t.Fatal(err)
			}
			refused := code == exitIO && out == "" && strings.Contains(errs, x.Set.RefuseContains)
			if x.Set.ExpectedFile == nil || x.Set.OrRefuse && refused {
				if !refused || !bytes.Equal(data, r.Files[envelope.FileName].Bytes()) {
					t.Errorf("set: exit %d, %q, %q", code, out, errs)
				}
				return
			}
			if diff := cmp.Diff(string(r.Files[*x.Set.ExpectedFile].Bytes()), string(data)); code != exitOK || diff != "" {
				t.Errorf("set: exit %d, %q\n%s", code, errs, diff)
			}
		})
	}
}
