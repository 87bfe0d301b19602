package harness_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
)

const lifePath = ".claude/settings.json"

// life is one project over many runs, with a model of its own of what is the user's: the lists in the order of the file.
type life struct {
	t    *testing.T
	r    *rand.Rand
	root string

	text         string   // the protocol
	allow, deny  []string // what it makes of the lists
	declared     bool
	user, ours   map[string][]string
	hook         bool
	backups      map[string]snapshot // by stamp
	log          []string
	allows, bans map[string]string // entries and their rules
}

type snapshot struct {
	file       string
	user, ours map[string][]string
	hook       bool
}

func newLife(t *testing.T, r *rand.Rand) *life {
	l := &life{t: t, r: r, backups: map[string]snapshot{}, user: map[string][]string{}, ours: map[string][]string{},
		allows: map[string]string{"git status": "Bash(git status)", "git log *": "Bash(git log:*)", "ls *": "Bash(ls:*)", "make test": "Bash(make test)"},
		bans:   map[string]string{"git push *": "Bash(git push:*)", "rm -rf *": "Bash(rm -rf:*)", "npm publish *": "Bash(npm publish:*)"},
	}
	l.user["allow"] = l.some(append(slices.Sorted(maps.Values(l.allows)), "Bash(a:*)", "Read(b)", "C"))
	l.user["deny"] = l.some(append(slices.Sorted(maps.Values(l.bans)), "Bash(d:*)"))
	data, err := json.MarshalIndent(map[string]any{"model": "x", "permissions": l.user}, "", strings.Repeat(" ", r.IntN(5)))
	if err != nil {
		t.Fatal(err)
	}
	l.root = folder(t, map[string]string{lifePath: string(data)})
	l.protocol()
	return l
}

// some picks a few, in any order.
func (l *life) some(from []string) []string {
	out := []string{}
	for _, i := range l.r.Perm(len(from))[:l.r.IntN(len(from))] {
		out = append(out, from[i])
	}
	return out
}

// protocol makes another one.
func (l *life) protocol() {
	allow, deny := l.some(slices.Sorted(maps.Keys(l.allows))), l.some(slices.Sorted(maps.Keys(l.bans)))
	l.allow, l.deny, l.declared = nil, nil, l.r.IntN(8) > 0
	for _, e := range deny {
		l.deny = append(l.deny, l.bans[e])
	}
	tools := `"gemini": {}`
	if l.declared {
		tools = `"claude": {"derived_from_tiers": ["tier1_silent"]}`
		for _, e := range allow {
			l.allow = append(l.allow, l.allows[e])
		}
	}
	quoted := func(list []string) string { b, _ := json.Marshal(list); return string(b) }
	l.text = fmt.Sprintf(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":%s},"tier3_blocking":{"shell_patterns":%s}},"tools":{%s}}`, quoted(allow), quoted(deny), tools)
	l.log = append(l.log, fmt.Sprintf("protocol %q %q %v", allow, deny, l.declared))
}

func (l *life) file() string { return tree(l.t, l.root)[lifePath] }

func (l *life) snapshot() snapshot {
	copied := func(m map[string][]string) map[string][]string {
		out := map[string][]string{}
		for k, v := range m {
			out[k] = slices.Clone(v)
		}
		return out
	}
	return snapshot{l.file(), copied(l.user), copied(l.ours), l.hook}
}

func (l *life) lists() (map[string][]string, map[string]any) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(l.file()), &doc); err != nil {
		l.t.Fatal(err, l.log)
	}
	out := map[string][]string{}
	permissions, _ := doc["permissions"].(map[string]any)
	for _, list := range []string{"allow", "deny"} {
		items, _ := permissions[list].([]any)
		for _, v := range items {
			out[list] = append(out[list], v.(string))
		}
	}
	return out, doc
}

// apply applies a plan, and remembers what its backup holds.
func (l *life) apply(c *harness.Changes, err error) bool {
	l.t.Helper()
	before := l.snapshot()
	var r *harness.Result
	if err == nil {
		r, err = harness.Apply(c)
	}
	if err != nil {
		l.t.Fatalf("%v after %v", err, l.log)
	}
	for _, b := range r.Backups {
		if strings.HasSuffix(b, lifePath) {
			l.backups[r.Stamp] = before
		}
	}
	return r.Stamp != ""
}

func (l *life) materialize() {
	l.log = append(l.log, "materialize")
	run := func() bool {
		return l.apply(harness.Plan(l.root, protocol(l.t, l.text), harness.Options{Now: clock}))
	}
	managed := l.declared || len(l.ours["allow"])+len(l.ours["deny"]) > 0
	run()
	if run() {
		l.t.Fatalf("the second run wrote, after %v", l.log)
	}
	got, doc := l.lists()
	if doc["model"] != "x" || strings.Contains(l.file(), harness.HookCommand[:20]) != l.hook {
		l.t.Fatalf("something else changed, after %v: %s", l.log, l.file())
	}
	if !managed {
		return
	}
	for list, generated := range map[string][]string{"allow": l.allow, "deny": l.deny} {
		want := slices.Clone(generated)
		for _, rule := range l.user[list] {
			if !slices.Contains(generated, rule) {
				want = append(want, rule)
			}
		}
		if d := cmp.Diff(want, got[list]); d != "" && (len(want) > 0 || len(got[list]) > 0) {
			l.t.Fatalf("%s after %v (-want +got):\n%s", list, l.log, d)
		}
		l.ours[list] = slices.DeleteFunc(slices.Clone(generated), func(rule string) bool { return slices.Contains(l.user[list], rule) })
		l.user[list] = slices.DeleteFunc(got[list], func(rule string) bool { return slices.Contains(l.ours[list], rule) })
	}
}

// edit is the user's: a rule more or less, and another layout.
func (l *life) edit() {
	got, doc := l.lists()
	list := pickOne(l.r, []string{"allow", "deny"})
	rules := slices.Clone(got[list])
	if mine := l.user[list]; len(mine) > 0 && l.r.IntN(2) == 0 {
		rule := pickOne(l.r, mine)
		rules = slices.DeleteFunc(rules, func(s string) bool { return s == rule })
		l.user[list] = slices.DeleteFunc(mine, func(s string) bool { return s == rule })
	} else {
		rule := pickOne(l.r, append(slices.Sorted(maps.Values(map[string]map[string]string{"allow": l.allows, "deny": l.bans}[list])), "Bash(new:*)", "Read(new)"))
		if slices.Contains(rules, rule) || slices.Contains(l.ours[list], rule) {
			return
		}
		rules, l.user[list] = append(rules, rule), append(l.user[list], rule)
	}
	doc["permissions"].(map[string]any)[list] = rules
	data, err := json.MarshalIndent(doc, "", strings.Repeat(" ", l.r.IntN(5)))
	if err != nil {
		l.t.Fatal(err)
	}
	put(l.t, l.root, lifePath, string(data))
	l.log = append(l.log, fmt.Sprintf("edit of %s to %q", list, rules))
}

func (l *life) placeHook(install bool) {
	l.log = append(l.log, fmt.Sprintf("hook %v", install))
	l.apply(harness.PlanHook(l.root, harness.Claude, install, harness.Options{Now: clock}))
	l.hook = install
}

func (l *life) restore() {
	if len(l.backups) == 0 {
		return
	}
	stamp := pickOne(l.r, slices.Sorted(maps.Keys(l.backups)))
	was := l.backups[stamp]
	l.log = append(l.log, "restore "+stamp)
	l.apply(harness.PlanRestore(l.root, protocol(l.t, l.text), stamp, harness.Options{Now: clock}))
	if l.file() != was.file {
		l.t.Fatalf("another file came back, after %v", l.log)
	}
	l.user, l.ours, l.hook = was.user, was.ours, was.hook
	l.backups[stamp] = l.snapshot()
}

func pickOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// TestLives runs projects through protocols that change, edits, hooks and restored backups: what is the user's is in the
// file after every run, in the user's order, and what is ours is exactly what the protocol says (K13, K14, K16, K36).
func TestLives(t *testing.T) {
	for seed := range regime.Cases(t, 100, 5_000) {
		l := newLife(t, rand.New(rand.NewPCG(uint64(seed), 14)))
		for range 20 {
			switch l.r.IntN(8) {
			case 0:
				l.protocol()
			case 1, 2:
				l.edit()
			case 3:
				l.placeHook(l.r.IntN(2) == 0)
			case 4:
				l.restore()
			default:
				l.materialize()
			}
		}
	}
}
