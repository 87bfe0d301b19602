package systempolicy_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/regime"
	"example.com/ambit/internal/textdiff"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// asked is one key of a random set, as a person types it and as the data then holds it.
type asked struct {
	key  Key
	text string
	want any
}

var choices = map[Key][]asked{
	KeyEngine:         {{text: "https://b.example.com/ops", want: "https://b.example.com/ops"}, {text: "http://localhost:1/a,b", want: "http://localhost:1/a,b"}},
	KeyRoutes:         {{text: "", want: []any{}}, {text: "fix", want: []any{"fix"}}},
	KeyMaxCriticality: {{text: "low", want: "low"}, {text: "high", want: "high"}},
	KeyMaxFiles:       {{text: "3", want: 3}, {text: "5", want: 5}},
	KeyMaxLines:       {{text: "9", want: 9}, {text: "200", want: 200}},
	KeyRegressionTest: {{text: "true", want: true}, {text: "false", want: false}},
	KeySecondReview:   {{text: "true", want: true}, {text: "false", want: false}},
	KeyRunsPerDay:     {{text: "0", want: 0}, {text: "7", want: 7}},
	KeyMergesPerDay:   {{text: "0", want: 0}, {text: "2", want: 2}},
	KeyMinutes:        {{text: "20", want: 20}, {text: "0.5", want: 0.5}},
	KeyCost:           {{text: "2.5", want: 2.5}, {text: "4", want: 4}},
	KeyDays:           {{text: "sat,sun", want: []any{"sat", "sun"}}, {text: "wed", want: []any{"wed"}}},
	KeyFrom:           {{text: "07:30", want: "07:30"}, {text: "08:00", want: "08:00"}},
	KeyTo:             {{text: "19:45", want: "19:45"}, {text: "18:00", want: "18:00"}},
	KeyTimezone:       {{text: "UTC", want: "UTC"}, {text: "Etc/GMT+5", want: "Etc/GMT+5"}},
	KeyUndoWindow:     {{text: "1d", want: "1d"}, {text: "36h", want: "36h"}},
}

// randomSet draws a level and some keys.
func randomSet(r *rand.Rand) (list []asked) {
	level := []string{"observe", "advise", "propose", "act"}[r.IntN(4)]
	list = append(list, asked{KeyLevel, level, level})
	for k := KeyEngine; k <= KeyUndoWindow; k++ {
		if options := choices[k]; len(options) > 0 && r.IntN(5) == 0 {
			a := options[r.IntN(len(options))]
			a.key = k
			list = append(list, a)
		}
	}
	return list
}

// generic decodes YAML as any reader would.
func generic(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := yaml.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &v); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return v
}

// at gives the mapping below a path, made where it is missing.
func at(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
	return m
}

// sameValue compares what is there with what was asked for: times may be unquoted, and days stand in any order.
func sameValue(k Key, have, want any) bool {
	switch k {
	case KeyFrom, KeyTo:
		text, _ := have.(string)
		return strings.TrimLeft(text, "0") == strings.TrimLeft(want.(string), "0")
	case KeyDays:
		list, _ := have.([]any)
		sorted := func(l []any) (out []string) {
			for _, d := range l {
				out = append(out, d.(string))
			}
			slices.Sort(out)
			return out
		}
		return slices.Equal(sorted(list), sorted(want.([]any)))
	}
	return cmp.Equal(have, want)
}

// TestRandomEdits is invariant 8 on forty files: only what was asked for changes, in the text and in what it says.
func TestRandomEdits(t *testing.T) {
	files := corpus()
	if len(files) != 40 {
		t.Fatalf("%d files", len(files))
	}
	usual := 3000
	if regime.Race {
		usual = 600
	}
	n := regime.Cases(t, usual, 50_000)
	r := rand.New(rand.NewPCG(2026, 11))
	made, unchanged, refused := 0, 0, map[string]int{}
	for i := range n {
		f := files[i%len(files)]
		if len(f.data) > 50_000 && i%(len(files)*25) >= len(files) { // the long ones now and then: they take long
			f = files[r.IntN(9)]
		}
		data := []byte(f.data)
		var edited Edited
		var err error
		var set []asked
		env := []string{"dev", "staging", "prod", "qa"}[r.IntN(4)]
		verb := r.IntN(10)
		switch verb {
		case 0:
			edited, err = Pause("system.yaml", data)
		case 1:
			edited, err = Resume("system.yaml", data)
		default:
			set = randomSet(r)
			var patch Patch
			for _, a := range set {
				if patch, err = patch.With(a.key, a.text); err != nil {
					t.Fatal(err)
				}
			}
			edited, err = Edit("system.yaml", data, env, patch)
		}
		if err != nil {
			reason := "?"
			for _, sentinel := range []error{ErrUnknownEnvironment, ErrShared, ErrUnplaced} {
				if errors.Is(err, sentinel) {
					reason = sentinel.Error()
				}
			}
			if reason == "?" || edited.Data != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			refused[reason]++
			if reason == ErrUnplaced.Error() {
				t.Logf("%s %s: %v", f.name, env, err)
			}
			continue
		}
		if bytes.Equal(data, edited.Data) != !edited.Changed {
			t.Fatalf("%s: says changed %v", f.name, edited.Changed)
		}
		if !edited.Changed {
			unchanged++
			continue
		}
		made++
		checkModel(t, f, edited.Data, env, verb, set)
		checkBytes(t, f, edited.Data, env, set)
		if verb > 1 && i%7 == 0 {
			var patch Patch
			for _, a := range set {
				patch, _ = patch.With(a.key, a.text)
			}
			if again, err := Edit("system.yaml", edited.Data, env, patch); err != nil || again.Changed {
				t.Fatalf("%s: a second time: changed %v, %v", f.name, again.Changed, err)
			}
		}
	}
	t.Logf("%d made, %d unchanged, refused %v", made, unchanged, refused)
	if made < n*6/10 {
		t.Errorf("only %d of %d edits were made", made, n)
	}
}

// checkModel holds the edited text against the same edit of the data.
func checkModel(t *testing.T, f sample, edited []byte, env string, verb int, set []asked) {
	t.Helper()
	want, got := generic(t, []byte(f.data)), generic(t, edited)
	if verb <= 1 {
		at(want, "autonomy")["paused"] = verb == 0
	}
	for _, a := range set {
		path := strings.Split("environments."+env+".autonomy."+a.key.String(), ".")
		last := path[len(path)-1]
		target, result := at(want, path[:len(path)-1]...), at(got, path[:len(path)-1]...)
		if !sameValue(a.key, result[last], a.want) {
			t.Fatalf("%s: %s is %v, want %v\n%s", f.name, a.key, result[last], a.want, edited)
		}
		target[last] = result[last]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s: the data (-want +got):\n%s\n%s", f.name, d, textdiff.Unified("a", "b", []byte(f.data), edited))
	}
}

// checkBytes holds that no line changes that does not hold what was asked for, and that no comment is lost but those
// inside a list that was replaced.
func checkBytes(t *testing.T, f sample, edited []byte, env string, set []asked) {
	t.Helper()
	names := []string{"autonomy", "paused", env + ":", `"` + env + `"`}
	list := false
	for _, a := range set {
		names = append(names, strings.Split(a.key.String(), ".")...)
		list = list || a.key == KeyDays
	}
	holds := func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), ": ") || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(line, n) })
	}
	diff := textdiff.Unified("a", "b", []byte(f.data), edited)
	var lost, gained []string
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, `\`):
		case line[0] == '-':
			lost = append(lost, strings.TrimRight(line[1:], "\r\n"))
		case line[0] == '+':
			gained = append(gained, strings.TrimRight(line[1:], "\r\n"))
		}
	}
	commas := func(a string) func(string) bool { // the comma after what was the last entry
		return func(b string) bool { return strings.ReplaceAll(a, ",", "") == strings.ReplaceAll(b, ",", "") }
	}
	for _, l := range lost {
		trimmed := strings.TrimSpace(l)
		inList := list && (strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "#") || trimmed == "")
		if inList {
			continue
		}
		_, comment, has := strings.Cut(l, " #")
		if has && !slices.ContainsFunc(gained, func(g string) bool { return strings.Contains(g, comment) }) {
			t.Fatalf("%s: a comment is lost: %q\n%s", f.name, l, diff)
		}
		if !holds(l) && !slices.ContainsFunc(gained, commas(l)) && !slices.ContainsFunc(gained, func(g string) bool { return strings.HasPrefix(g, strings.TrimRight(l, " ~{}")) }) {
			t.Fatalf("%s: a line is touched that has nothing to do with it: %q\n%s", f.name, l, diff)
		}
	}
	for _, g := range gained {
		if !holds(g) && !slices.ContainsFunc(lost, commas(g)) && !slices.ContainsFunc(lost, func(l string) bool { return strings.HasPrefix(g, strings.TrimRight(l, " ~{}")) }) {
			t.Fatalf("%s: a line is added that nobody asked for: %q\n%s", f.name, g, diff)
		}
	}
}

func TestCorpusIsValid(t *testing.T) {
	longest := 0
	for _, f := range corpus() {
		if _, err := Parse(f.name, []byte(f.data)); err != nil {
			t.Errorf("%v", fault.All(err)[0])
		}
		longest = max(longest, strings.Count(f.data, "\n"))
	}
	if longest < 3000 {
		t.Errorf("the longest has %d lines", longest)
	}
}
