package envelope

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/conformance"
)

// recorded is a row of the recorded envelope files.
type recorded struct {
	Name  string           `json:"name"`
	Files conformance.Tree `json:"files"`
}

// expectation is the file expect.json of a row.
type expectation struct {
	Agent           string            `json:"agent"`
	Valid           bool              `json:"valid"`
	States          map[string]string `json:"states"`
	ErrorContains   *string           `json:"error_contains"`
	Types           []map[string]any  `json:"types"`
	Updated         string            `json:"updated"`
	WarningsContain *[]string         `json:"warnings_contain"`
	Set             *struct {
		Task           string  `json:"task"`
		State          string  `json:"state"`
		Note           *string `json:"note"`
		Now            string  `json:"now"`
		ExpectedFile   *string `json:"expected_file"`
		OrRefuse       bool    `json:"or_refuse"`
		RefuseContains string  `json:"refuse_contains"`
	} `json:"set"`
}

func (r recorded) input() []byte { return r.Files[FileName].Bytes() }

func (r recorded) expect(t *testing.T) (x expectation) {
	t.Helper()
	if err := json.Unmarshal(r.Files["expect.json"].Bytes(), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func nameOf(r recorded) string { return r.Name }

// eachRecorded runs f on every recorded file once more; the report is TestRecordedFiles' own.
func eachRecorded(t *testing.T, f func(t *testing.T, r recorded)) {
	t.Helper()
	n := 0
	for l := range bytes.Lines(conformance.File(t, "envelope/files.jsonl")) {
		var r recorded
		if err := json.Unmarshal(l, &r); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(r.Name, func(t *testing.T) { f(t, r) })
	}
	if n == 0 {
		t.Error("no recorded file")
	}
}

// TestRecordedFiles reads every recorded file, and does the recorded Set.
func TestRecordedFiles(t *testing.T) {
	conformance.Run(t, "envelope/files.jsonl", 80, nameOf, func(t *testing.T, r recorded) {
		x, data := r.expect(t), r.input()
		d, err := ParseDocument(FileName, x.Agent, data)
		if (err == nil) != x.Valid {
			t.Fatalf("valid: got %v, want %v", err, x.Valid)
		}
		if !x.Valid {
			if x.ErrorContains != nil && !strings.Contains(err.Error(), *x.ErrorContains) {
				t.Errorf("error %q does not hold %q", err, *x.ErrorContains)
			}
			return
		}
		if string(d.Bytes()) != string(data) {
			t.Error("reading changed the bytes")
		}
		checkRecord(t, d, x)
		if x.Set == nil {
			return
		}
		c := Change{Task: x.Set.Task, Note: x.Set.Note}
		if err := c.State.UnmarshalText([]byte(x.Set.State)); err != nil {
			t.Fatal(err)
		}
		if c.Now, err = time.Parse(time.RFC3339, x.Set.Now); err != nil {
			t.Fatal(err)
		}
		_, err = d.Set(c)
		if err != nil {
			if string(d.Bytes()) != string(data) {
				t.Error("a refused edit changed the document")
			}
			if x.Set.ExpectedFile != nil && !x.Set.OrRefuse {
				t.Fatalf("set: %v", err)
			}
			if !strings.Contains(err.Error(), x.Set.RefuseContains) {
				t.Errorf("refusal %q does not hold %q", err, x.Set.RefuseContains)
			}
			return
		}
		if x.Set.ExpectedFile == nil {
			t.Fatalf("set was not refused; it made\n%s", d.Bytes())
		}
		if diff := cmp.Diff(string(r.Files[*x.Set.ExpectedFile].Bytes()), string(d.Bytes())); diff != "" {
			t.Errorf("the file after the set (-want +got):\n%s", diff)
		}
		if got := d.Envelope().StateOf(c.Task); got != c.State {
			t.Errorf("after the set the state is %s, want %s", got, c.State)
		}
	})
}

func checkRecord(t *testing.T, d *Document, x expectation) {
	t.Helper()
	e := d.Envelope()
	states := map[string]string{}
	for _, tt := range e.TaskTypes {
		states[tt.ID] = tt.State.String()
	}
	if diff := cmp.Diff(x.States, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if x.Updated != "" && formatTime(e.Updated) != x.Updated {
		t.Errorf("updated %s, want %s", formatTime(e.Updated), x.Updated)
	}
	for _, want := range x.Types {
		id, _ := want["id"].(string)
		tt, ok := e.Find(id)
		if !ok {
			t.Errorf("%s is not recorded", id)
		}
		all := map[string]any{"id": tt.ID, "label": tt.Label, "state": tt.State.String(), "stateSince": formatTime(tt.Since), "operatorNote": tt.Note}
		if tt.Note == "" {
			all["operatorNote"] = nil
		}
		for key, value := range want {
			if diff := cmp.Diff(value, all[key]); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", key, id, diff)
			}
		}
	}
	if x.WarningsContain == nil {
		return
	}
	got := d.Warnings()
	if len(*x.WarningsContain) == 0 && len(got) > 0 {
		t.Errorf("warnings %v, want none", got)
	}
	for _, want := range *x.WarningsContain {
		found := false
		for _, w := range got {
			found = found || strings.Contains(w.Code, want)
		}
		if !found {
			t.Errorf("no warning holds %q: %v", want, got)
		}
	}
}
