package systempolicy_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// TestEdit is what an edit does to the text, or why it is refused.
func TestEdit(t *testing.T) {
	for _, tt := range []struct {
		name, argv, in, want string // want "" is refused
		refusal              error
	}{
		{"quotes stay", "set dev propose --from 10:00", "environments:\n  dev:\n    autonomy: {level: 'act', window: {from: '08:00'}}\n", "environments:\n  dev:\n    autonomy: {level: 'propose', window: {from: '10:00'}}\n", nil},
		{"double quotes stay", "set dev propose --timezone Asia/Tokyo", "environments: {dev: {autonomy: {level: \"act\", window: {timezone: \"UTC\"}}}}\n", "environments: {dev: {autonomy: {level: \"propose\", window: {timezone: \"Asia/Tokyo\"}}}}\n", nil},
		{"an unquoted time that changes is quoted", "set dev act --to 18:00", "environments: {dev: {autonomy: {level: act, window: {from: 9:00, to: 17:00}}}}\n", "environments: {dev: {autonomy: {level: act, window: {from: 9:00, to: \"18:00\"}}}}\n", nil},
		{"a null environment", "set dev act --max-files 3", "environments:\n  dev:\n  prod: {}\n", "environments:\n  dev:\n    autonomy:\n      level: act\n      riskGate: {maxFiles: 3}\n  prod: {}\n", nil},
		{"a null environment in flow", "set dev act", "environments: {dev: , prod: {}}\n", "environments: {dev: {autonomy: {level: act}} , prod: {}}\n", nil},
		{"an empty policy", "set dev act", "environments:\n  dev:\n    autonomy: {}\n", "environments:\n  dev:\n    autonomy: {level: act}\n", nil},
		{"nothing declared yet", "set dev observe", "environments:\n  dev:\n    url: x\n", "environments:\n  dev:\n    url: x\n    autonomy:\n      level: observe\n", nil},
		{"several keys in the key table's order", "set dev act --undo-window 1d --to 16:00 --days sun,mon --per-run cost=2 --max-files 3 --engine https://e.example.com", "environments:\n  dev:\n    autonomy: {level: act}\n",
			"environments:\n  dev:\n    autonomy: {level: act, engine: https://e.example.com, riskGate: {maxFiles: 3}, budget: {perRun: {cost: 2}}, window: {days: [sun, mon], to: \"16:00\"}, undoWindow: 1d}\n", nil},
		{"a URL that is no plain text in flow", "set dev act --engine https://e.example.com/a,b", "environments: {dev: {autonomy: {level: act}}}\n", "environments: {dev: {autonomy: {level: act, engine: \"https://e.example.com/a,b\"}}}\n", nil},
		{"a URL with a quote", "set dev act --engine https://e.example.com/\"{x}", "environments: {dev: {autonomy: {level: act, engine: \"https://a\"}}}\n", "environments: {dev: {autonomy: {level: act, engine: \"https://e.example.com/\\\"{x}\"}}}\n", nil},
		{"a URL that ends in a colon", "set dev act --engine https://e.example.com/a:", "environments:\n  dev:\n    autonomy:\n      level: act\n", "environments:\n  dev:\n    autonomy:\n      level: act\n      engine: \"https://e.example.com/a:\"\n", nil},
		{"JSON stays JSON", "set dev act --days sat,sun --routes fix --from 10:00", `{"environments": {"dev": {"autonomy": {"level": "act"}}}}`, `{"environments": {"dev": {"autonomy": {"level": "act", "autoMerge": {"routes": ["fix"]}, "window": {"days": ["sat", "sun"], "from": "10:00"}}}}}`, nil},
		{"an empty list stays JSON", "set dev act --routes ", `{"environments": {"dev": {"autonomy": {"level": "act", "autoMerge": {"routes": ["fix"]}}}}}`, `{"environments": {"dev": {"autonomy": {"level": "act", "autoMerge": {"routes": []}}}}}`, nil},
		{"a block scalar gives way", "set dev propose", "environments:\n  dev:\n    autonomy:\n      level: |-\n        act\n      engine: https://e.example.com\n", "environments:\n  dev:\n    autonomy:\n      level: propose\n      engine: https://e.example.com\n", nil},
		{"an unused anchor is fine", "set dev propose", "environments:\n  dev: &d\n    autonomy: {level: act}\n", "environments:\n  dev: &d\n    autonomy: {level: propose}\n", nil},
		{"an escaped key", `set dev propose`, "environments: {dev: {\"\\u0061utonomy\": {level: act}}}\n", "environments: {dev: {\"\\u0061utonomy\": {level: propose}}}\n", nil},
		{"no such environment", "set qa act", "environments: {dev: {autonomy: {level: act}}}\n", "", ErrUnknownEnvironment},
		{"no environments", "set dev act", "autonomy: {paused: false}\n", "", ErrUnknownEnvironment},
		{"an empty file", "set dev act", "", "", ErrUnknownEnvironment},
		{"an aliased environment", "set staging act", "environments:\n  dev: &d {autonomy: {level: observe}}\n  staging: *d\n", "", ErrShared},
		{"an environment that another aliases", "set dev act", "environments:\n  dev: &d {autonomy: {level: observe}}\n  staging: *d\n", "", ErrShared},
		{"an environment that another merges", "set dev act", "environments:\n  dev: &d {autonomy: {level: observe}}\n  staging: {<<: *d}\n", "", ErrShared},
		{"a policy by a merge key", "set dev act", "x: &b {autonomy: {level: observe}}\nenvironments:\n  dev: {<<: *b}\n", "", ErrShared},
		{"an environment by a merge key", "set dev act", "x: &b {dev: {autonomy: {level: observe}}}\nenvironments: {<<: *b}\n", "", ErrShared},
		{"a scalar that another aliases", "set dev act", "environments:\n  dev: {autonomy: {level: &l observe}}\n  staging: {autonomy: {level: *l}}\n", "", ErrShared},
		{"an aliased gate", "set staging act --max-files 3", "environments:\n  dev: {autonomy: {riskGate: &g {maxFiles: 5}}}\n  staging: {autonomy: {riskGate: *g}}\n", "", ErrShared},
		{"an aliased value", "set staging act", "environments:\n  dev: {autonomy: {level: &l observe}}\n  staging: {autonomy: {level: *l}}\n", "", ErrShared},
		{"a list that lends an item", "set dev act --days sat", "environments:\n  dev: {autonomy: {window: {days: [mon, &d tue]}}}\n  staging: {autonomy: {window: {days: [*d ]}}}\n", "", ErrShared},
		{"a list with an anchor that nothing uses", "set dev act --days sat", "environments: {dev: {autonomy: {level: act, window: {days: [mon, &d tue]}}}}\n", "environments: {dev: {autonomy: {level: act, window: {days: [sat]}}}}\n", nil},
		{"a list that lends nothing", "set dev act --days mon", "x: &d tue\nenvironments: {dev: {autonomy: {level: act, window: {days: [mon, *d ]}}}}\n", "x: &d tue\nenvironments: {dev: {autonomy: {level: act, window: {days: [mon]}}}}\n", nil},
		{"pause what lends", "pause", "autonomy: {paused: [&a 1]}\nx: *a\n", "", ErrShared},
		{"a route twice is written once", "set dev act --routes fix,fix", "environments: {dev: {autonomy: {level: act}}}\n", "environments: {dev: {autonomy: {level: act, autoMerge: {routes: [fix]}}}}\n", nil},
		{"not valid before", "set dev act", "environments: {dev: {autonomy: {level: x}}}\n", "", nil},
		{"not valid after", "set prod improve", "environments: {prod: {autonomy: {level: act}}}\n", "", nil},
		{"an environment twice, nothing declared", "set dev act", "environments:\n  dev: {}\n  dev: {}\n", "", nil},
		{"an odd line end", "set dev act", "environments:\r  dev: {autonomy: {}}\r", "", nil},
		{"broken YAML", "set dev act", "environments: {dev: {", "", nil},
		{"an environment that is a word", "set dev act", "environments: {dev: x}\n", "", ErrUnplaced},
		{"an environment with the tag of null", "set dev act", "environments:\n  dev: !!null\n  prod: {}\n", "", ErrUnplaced},
		{"the last line is a block scalar", "set dev act", "environments:\n  dev:\n    note: |+\n      x", "", ErrUnplaced},

		{"pause where there is nothing", "pause", "", "autonomy: {paused: true}\n", nil},
		{"pause in an empty mapping", "pause", "autonomy: {}\n", "autonomy: {paused: true}\n", nil},
		{"pause below a null", "pause", "autonomy:\nname: shop\n", "autonomy:\n  paused: true\nname: shop\n", nil},
		{"pause a file that is not valid", "pause", "environments: {dev: {autonomy: {level: x}}}\nautonomy: {paused: yes}\n", "environments: {dev: {autonomy: {level: x}}}\nautonomy: {paused: true}\n", nil},
		{"pause JSON", "pause", "{\"name\": \"shop\"}\n", "{\"name\": \"shop\", \"autonomy\": {\"paused\": true}}\n", nil},
		{"pause JSON that is empty", "pause", " {}\n", " {\"autonomy\": {\"paused\": true}}\n", nil},
		{"pause, no final newline", "pause", "name: shop", "name: shop\nautonomy: {paused: true}", nil},
		{"pause over what is merged", "pause", "x: &x {autonomy: {paused: false}}\n<<: *x\n", "x: &x {autonomy: {paused: false}}\n<<: *x\nautonomy: {paused: true}\n", nil},
		{"pause that is so already", "pause", "autonomy: {paused: True}\n", "autonomy: {paused: True}\n", nil},
		{"pause a list", "pause", "- a\n", "", ErrUnplaced},
		{"pause a word", "pause", "autonomy: act\n", "", ErrUnplaced},
		{"pause, autonomy twice", "pause", "autonomy: {}\nautonomy: {}\n", "", ErrUnplaced},
		{"pause, paused twice", "pause", "autonomy: {paused: false, paused: false}\n", "", ErrUnplaced},
		{"pause what is shared", "pause", "autonomy: &a {paused: false}\nx: *a\n", "", ErrShared},
		{"pause an alias", "pause", "x: &a {paused: false}\nautonomy: *a\n", "", ErrShared},
		{"pause a flag that is shared", "pause", "autonomy: {paused: &p false}\nx: *p\n", "", ErrShared},
		{"pause above a text that would get a line break", "pause", "# shop\nname: x\nnote: |\n  text", "# shop\nautonomy: {paused: true}\nname: x\nnote: |\n  text", nil},
		{"pause above it, CRLF and indented", "pause", "\ufeff  name: x\r\n  note: >\r\n    text", "\ufeff  autonomy: {paused: true}\r\n  name: x\r\n  note: >\r\n    text", nil},
		{"pause with a foreign tag", "pause", "autonomy: {paused: !x false} # ana\n", "autonomy: {paused: true} # ana\n", nil},
		{"pause with the tag of a text", "pause", "autonomy:\n  paused: !!str true\n", "autonomy:\n  paused: true\n", nil},
		{"pause with a bare tag", "pause", "autonomy:\n  paused: ! false\n", "autonomy:\n  paused: true\n", nil},
		{"pause with its own tag", "pause", "autonomy:\n  paused: !!bool false\n", "autonomy:\n  paused: !!bool true\n", nil},
		{"pause a tagged block", "pause", "autonomy:\n  paused: !x\n   - a\nname: x\n", "autonomy:\n  paused: true\nname: x\n", nil},
		{"pause below a tagged null", "pause", "autonomy: !!null # ana\n", "autonomy: {paused: true} # ana\n", nil},
		{"pause two documents", "pause", "a: 1\n---\nb: 1\n", "", nil},
		{"resume where there is nothing", "resume", "name: shop\n", "name: shop\n", nil},
		{"resume what a merge key pauses", "resume", "x: &x {autonomy: {paused: true}}\n<<: *x\n", "", ErrShared},
		{"resume what a merge key does not pause", "resume", "x: &x {autonomy: {paused: false}}\n<<: *x\n", "x: &x {autonomy: {paused: false}}\n<<: *x\n", nil},
		{"resume an empty mapping", "resume", "autonomy: {}\n", "autonomy: {}\n", nil},
		{"resume", "resume", "autonomy: {paused: TRUE} # ana\n", "autonomy: {paused: false} # ana\n", nil},
		{"resume that is so already", "resume", "autonomy: {paused: false}\n", "autonomy: {paused: false}\n", nil},
		{"resume a file that is not valid", "resume", "autonomy: {paused: true, x: 1}\n", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			argv := strings.Split(tt.argv, " ")
			got, err := edit(argv, []byte(tt.in))
			if tt.want == "" {
				if err == nil || got.Data != nil {
					t.Fatalf("not refused:\n%s", got.Data)
				}
				if tt.refusal != nil && !errors.Is(err, tt.refusal) {
					t.Errorf("refused because of %v", err)
				}
				for _, e := range fault.All(err) {
					if e.File != "system.yaml" {
						t.Errorf("no file: %v", e)
					}
				}
				return
			}
			if tt.in == "" && tt.want != "" && err != nil || err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got.Data)); d != "" || got.Changed != (tt.in != tt.want) {
				t.Errorf("changed %v (-want +got):\n%s", got.Changed, d)
			}
			if again, err := edit(argv, got.Data); err != nil || again.Changed {
				t.Errorf("a second time: %v\n%s", err, again.Data)
			}
		})
	}
}

// FuzzEdit holds that an edit of any text either is refused or says what was asked for, a second time changes nothing,
// and a pause always stops.
func FuzzEdit(f *testing.F) {
	for _, s := range corpus()[:12] {
		f.Add([]byte(s.data), "propose", "3")
	}
	f.Add([]byte("environments:\n  dev: # x\n"), "act", "1")
	f.Fuzz(func(t *testing.T, data []byte, level, files string) {
		if e, err := Pause("system.yaml", data); err == nil {
			if sys, _ := Parse("system.yaml", e.Data); !sys.Paused() {
				t.Fatalf("a pause does not stop:\n%s", e.Data)
			}
		}
		patch, err := Patch{}.With(KeyLevel, level)
		if err != nil {
			return
		}
		if patch, err = patch.With(KeyMaxFiles, files); err != nil {
			return
		}
		e, err := Edit("system.yaml", data, "dev", patch)
		if err != nil {
			return
		}
		sys, err := Parse("system.yaml", e.Data)
		if err != nil || sys.Policy("dev").Text(KeyLevel) != level || sys.Policy("dev").Text(KeyMaxFiles) != files {
			t.Fatalf("%v\n%s", err, e.Data)
		}
		if again, err := Edit("system.yaml", e.Data, "dev", patch); err != nil || again.Changed {
			t.Fatalf("a second time: %v\n%s", err, again.Data)
		}
	})
}

// FuzzParse holds that any text is judged: never a panic, never a merge by what is not valid, and what renders loads.
func FuzzParse(f *testing.F) {
	for _, s := range corpus()[:12] {
		f.Add([]byte(s.data))
	}
	f.Add([]byte("autonomy: {paused: !!bool true}\nenvironments: {dev: {autonomy: {level: !!str act}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sys, err := Parse("system.yaml", data)
		if (err == nil) != sys.Valid() {
			t.Fatalf("valid %v, %v", sys.Valid(), err)
		}
		for env := range sys.Environments() {
			d := sys.Decide(env, "", Signals{}, insideFacts, wednesday)
			if level := sys.Policy(env).Level(); d.Effective > level || d.Merge && (sys.Paused() || level < Act) {
				t.Fatalf("%s: %+v", env, d)
			}
		}
		rendered, err := sys.Render()
		if err != nil || rendered == nil {
			return
		}
		loaded, err := LoadRendered("autonomy.json", rendered)
		if err != nil {
			t.Fatalf("%v\n%s", err, rendered)
		}
		if again, err := loaded.Render(); err != nil || string(again) != string(rendered) {
			t.Fatalf("%v\n%s\n%s", err, rendered, again)
		}
	})
}
