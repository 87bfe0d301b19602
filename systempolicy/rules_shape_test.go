package systempolicy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/ambit/internal/fault"
	"example.com/ambit/systempolicy"
)

// TestShapes tries where autonomy may stand and what YAML may do to it. Each row gives the problems as "line key code", in the
// file's order; none where the file is fine.
func TestShapes(t *testing.T) {
	const (
		deep = "environments.dev.autonomy."
	)
	tests := []struct {
		name, yaml string
		want       []string
		declared   bool
	}{
		// R2: what does not mention autonomy is not judged
		{"duplicates elsewhere", "a: 1\na: 2\n", nil, false},
		{"not YAML at all", "{[}\t:", nil, false},
		{"two documents, nothing declared", "a: 1\n---\nb: 2\n", nil, false},
		{"empty", "", nil, false},
		{"the word in a comment", "# autonomy\nname: shop\nname: shop2\n", nil, false},
		{"the word as a value", "name: autonomy\nname: autonomy\n", nil, false},
		{"the word as a key elsewhere", "other:\n  autonomy: {level: nonsense}\n", nil, false},
		{"the word in an environment's depth", "environments:\n  dev:\n    x:\n      autonomy: {level: nonsense}\n", nil, false},
		{"the word two below an instance", "components:\n  a:\n    instances:\n      dev:\n        x: {autonomy: {level: nonsense}}\n", nil, false},
		{"environments is a list", "environments: [{autonomy: {level: act}}]\n", nil, false},
		{"environments is null", "environments:\n# autonomy\n", nil, false},
		{"root is a list", "- autonomy\n", nil, false},
		{"root is a scalar", "autonomy\n", nil, false},
		{"a dotted key", "environments.dev.autonomy: {level: nonsense}\n", nil, false},
		{"another case", "Autonomy: {level: nonsense} # autonomy\n", nil, false},
		// R3, R12, R21
		{"empty mapping, top", "autonomy: {}\n", nil, true},
		{"empty mapping, environment", "environments: {dev: {autonomy: {}}}\n", nil, true},
		{"empty mapping, instance", "components: {a: {instances: {dev: {autonomy: {}}}}}\n", nil, true},
		{"all mappings empty", "environments: {dev: {autonomy: {autoMerge: {}, riskGate: {}, budget: {perRun: {}}, window: {}}}}\n", nil, true},
		{"paused false", "autonomy: {paused: false}\n", nil, true},
		{"null environment beside", "environments:\n  dev: {autonomy: {level: act}}\n  qa:\n", nil, true},
		{"null instance beside", "components: {a: {instances: {dev: , prod: {autonomy: {max: act}}}}}\n", nil, true},
		{"null component beside", "autonomy: {}\ncomponents: {a: , b: {}}\n", nil, true},
		// R33, A-inst-1, A-max-1, A-max-2, A-env-4
		{"external component", "components: {a: {external: true, instances: {dev: {autonomy: {max: advise}}}}}\n", nil, true},
		{"an instance of no environment", "environments: {dev: {}}\ncomponents: {a: {instances: {prod: {autonomy: {max: act}}}}}\n", nil, true},
		{"max improve in prod", "components: {a: {instances: {prod: {autonomy: {max: improve}}}}}\n", nil, true},
		{"max above the level", "environments: {dev: {autonomy: {level: observe}}}\ncomponents: {a: {instances: {dev: {autonomy: {max: act}}}}}\n", nil, true},
		{"improve in dev", "environments: {dev: {autonomy: {level: improve}}}\n", nil, true},
		{"improve in production", "environments: {production: {autonomy: {level: improve}}}\n", nil, true},
		{"improve in Prod", "environments: {Prod: {autonomy: {level: improve}}}\n", nil, true},
		{"improve in prod", "environments: {prod: {autonomy: {level: improve}}}\n", []string{"1 environments.prod.autonomy.level not-allowed"}, true},
		{"act in prod", "environments: {prod: {autonomy: {level: act}}}\n", nil, true},
		{"improve in quoted prod", "environments: {\"prod\": {autonomy: {level: improve}}}\n", []string{"1 environments.prod.autonomy.level not-allowed"}, true},
		{"improve in escaped prod", "environments: {\"pro\\x64\": {autonomy: {level: improve}}}\n", []string{"1 environments.prod.autonomy.level not-allowed"}, true},
		{"escaped autonomy", "environments: {dev: {\"\\x61utonomy\": {level: nonsense}}}\n", []string{"1 " + deep + "level not-allowed"}, true},
		// R40 to R42
		{"all at once, in order", "environments:\n  dev:\n    autonomy:\n      level: x\n      riskGate:\n        maxFiles: 0\n        extra: 1\n      window: {to: 9}\n  prod:\n    autonomy: {level: improve, engine: no}\nautonomy: {paused: 1}\n", []string{
			"4 environments.dev.autonomy.level not-allowed", "6 environments.dev.autonomy.riskGate.maxFiles out-of-range", "7 environments.dev.autonomy.riskGate.extra unknown-key",
			"8 environments.dev.autonomy.window.to bad-time", "10 environments.prod.autonomy.level not-allowed", "10 environments.prod.autonomy.engine bad-url", "11 autonomy.paused wrong-type",
		}, true},
		{"unknown at the top", "autonomy: {level: act}\n", []string{"1 autonomy.level unknown-key"}, true},
		{"max at an environment", "environments: {dev: {autonomy: {max: act}}}\n", []string{"1 " + deep + "max unknown-key"}, true},
		{"paused at an environment", "environments: {dev: {autonomy: {paused: true}}}\n", []string{"1 " + deep + "paused unknown-key"}, true},
		{"level at an instance", "components: {a: {instances: {dev: {autonomy: {level: act}}}}}\n", []string{"1 components.a.instances.dev.autonomy.level unknown-key"}, true},
		{"depths confused", "environments: {dev: {autonomy: {maxFiles: 3, runsPerDay: 1, days: [mon], minutes: 1}}}\n", []string{
			"1 " + deep + "maxFiles unknown-key", "1 " + deep + "runsPerDay unknown-key", "1 " + deep + "days unknown-key", "1 " + deep + "minutes unknown-key",
		}, true},
		{"empty key", "environments: {dev: {autonomy: {\"\": 1}}}\n", []string{"1 " + deep + " unknown-key"}, true},
		{"comment only children", "environments:\n  dev:\n    autonomy:\n      riskGate:\n        # maxFiles: 3\n      level: act\n", []string{"4 " + deep + "riskGate null"}, true},
		// A-place-1
		{"in a component", "components: {a: {autonomy: {max: act}}}\n", []string{"1 components.a.autonomy misplaced"}, true},
		{"in instances", "components: {a: {instances: {autonomy: {max: act}}}}\n", []string{"1 components.a.instances.autonomy misplaced"}, true},
		{"in environments", "environments: {autonomy: {level: act}}\n", []string{"1 environments.autonomy misplaced"}, true},
		{"in components", "components: {autonomy: {instances: {dev: {autonomy: {max: act}}}}}\n", nil, true},
		// A-env-3
		{"a number", "environments: {1: {autonomy: {level: act}}}\n", []string{"1 environments.1 wrong-type"}, true},
		{"a quoted number", "environments: {\"1\": {autonomy: {level: act}}}\n", nil, true},
		{"words of YAML 1.1", "environments: {on: {autonomy: {}}, no: {autonomy: {}}, y: {autonomy: {}}}\n", nil, true},
		// Y2
		{"twice inside", "environments:\n  dev:\n    autonomy:\n      level: act\n      \"level\": observe\n", []string{"5 " + deep + "level duplicate"}, true},
		{"twice autonomy", "environments:\n  dev:\n    autonomy: {}\n    'autonomy': {}\n", []string{"4 environments.dev.autonomy duplicate"}, true},
		{"twice the environment", "environments:\n  dev: {}\n  dev: {autonomy: {}}\n", []string{"3 environments.dev duplicate"}, true},
		{"twice environments", "environments: {}\nenvironments: {dev: {autonomy: {}}}\n", []string{"2 environments duplicate"}, true},
		{"the name twice, which says where the rendering goes", "name: a\nname: b\nautonomy: {}\n", []string{"2 name duplicate"}, true},
		{"twice elsewhere", "owner: a\nowner: b\nenvironments: {dev: {autonomy: {}, x: 1, x: 2}}\n", nil, true},
		{"three times", "autonomy:\n  paused: true\n  paused: false\n  paused: true\n", []string{"3 autonomy.paused duplicate", "4 autonomy.paused duplicate"}, true},
		// Y3
		{"markers", "---\nautonomy: {paused: true}\n...\n", nil, true},
		{"second document", "autonomy: {paused: true}\n---\na: 1\n", []string{"2  yaml-feature"}, true},
		{"second document, empty", "autonomy: {paused: true}\n---\n", []string{"2  yaml-feature"}, true},
		{"second document that declares", "a: 1\n---\nautonomy: {paused: true}\n", []string{"2  yaml-feature"}, true},
		{"BOM", "\ufeffautonomy: {paused: true}\n", nil, true},
		{"CRLF", "environments:\r\n  dev:\r\n    autonomy:\r\n      level: act\r\n", nil, true},
		{"no final newline", "autonomy: {paused: true}", nil, true},
		// Y4, Y5
		{"merge inside", "x: &b {level: act}\nenvironments:\n  dev:\n    autonomy:\n      <<: *b\n", []string{"5 " + deep + "<< yaml-feature"}, true},
		{"merge deeper", "x: &b {maxFiles: 1}\nenvironments:\n  dev:\n    autonomy:\n      riskGate: {<<: *b}\n", []string{"5 " + deep + "riskGate.<< yaml-feature"}, true},
		{"a quoted merge is a key", "environments: {dev: {autonomy: {\"<<\": {level: act}}}}\n", []string{"1 " + deep + "<< unknown-key"}, true},
		{"merge above", "x: &b {autonomy: {level: act}}\nenvironments: {dev: {<<: *b}}\n", nil, true},
		{"merge above, wrong inside", "x: &b\n  autonomy: {level: x}\nenvironments: {dev: {<<: *b}}\n", []string{"2 " + deep + "level not-allowed"}, true},
		{"alias as policy", "x: &b {level: act}\nenvironments: {dev: {autonomy: *b}}\n", nil, true},
		{"alias as value", "x: &b 3\nenvironments: {dev: {autonomy: {riskGate: {maxFiles: *b}}}}\n", nil, true},
		{"alias as a wrong value", "x: &b 0\nenvironments: {dev: {autonomy: {riskGate: {maxFiles: *b}}}}\n", []string{"1 " + deep + "riskGate.maxFiles out-of-range"}, true},
		{"anchor that holds itself", "environments: {dev: {autonomy: &a {riskGate: *a}}}\n", []string{"1 " + deep + "riskGate yaml-feature"}, true},
		{"environments that hold themselves", "environments: &e {dev: {autonomy: {level: act}}, x: *e}\n", []string{"1 environments.x yaml-feature"}, true},
		{"an environment that holds itself", "environments: {dev: &d {autonomy: *d}}\n", []string{"1 environments.dev.autonomy yaml-feature"}, true},
		{"environments in an instance", "environments: &e {dev: {autonomy: {level: act}}}\ncomponents: {a: {instances: *e}}\n", []string{"1 components.a.instances.dev.autonomy.level unknown-key"}, true},
		{"components that hold themselves", "autonomy: {}\ncomponents: &c {a: *c}\n", []string{"2 components.a yaml-feature"}, true},
		{"a component that holds itself", "autonomy: {}\ncomponents: {a: &c {instances: *c}}\n", []string{"2 components.a.instances yaml-feature"}, true},
		{"instances that hold themselves", "autonomy: {}\ncomponents: {a: {instances: &i {dev: *i}}}\n", []string{"2 components.a.instances.dev yaml-feature"}, true},
		{"an instance that holds itself", "components: {a: {instances: {dev: &i {autonomy: *i}}}}\n", []string{"1 components.a.instances.dev.autonomy yaml-feature"}, true},
		{"one mapping used twice holds nothing", "environments: {dev: &d {autonomy: {level: act}}, qa: *d}\ncomponents: {a: &a {instances: {dev: &i {}, qa: *i}}, b: *a}\n", nil, true},
		{"unknown alias", "environments: {dev: {autonomy: *x}}\n", []string{"1  syntax"}, true},
		{"custom tag on a value", "environments: {dev: {autonomy: {level: !env act}}}\n", []string{"1 " + deep + "level yaml-feature"}, true},
		{"custom tag on the mapping", "environments: {dev: {autonomy: !x {level: act}}}\n", []string{"1 environments.dev.autonomy yaml-feature"}, true},
		{"custom tag on a key", "environments: {dev: {autonomy: {!x level: act}}}\n", []string{"1 environments.dev.autonomy wrong-type"}, true},
		{"custom tag in a list", "environments: {dev: {autonomy: {window: {days: [!x mon]}}}}\n", []string{"1 " + deep + "window.days yaml-feature"}, true},
		{"custom tag elsewhere", "x: !env X\nautonomy: {}\n", nil, true},
		{"a merge of a word", "environments: {dev: {<<: x, autonomy: {level: act}}}\n", []string{"1 environments.dev.<< yaml-feature"}, true},
		{"a merge of null", "<<:\nautonomy: {}\n", []string{"1 << yaml-feature"}, true},
		{"a merge of a list of words", "environments: {<<: [x], dev: {autonomy: {}}}\n", []string{"1 environments.<< yaml-feature"}, true},
		{"a merge of an empty list", "environments: {<<: [], dev: {autonomy: {}}}\n", nil, true},
		{"the tag of a text without a name", "environments: {dev: {autonomy: {level: ! act}}}\n", nil, true},
		{"it makes a text of a number", "environments: {dev: {autonomy: {riskGate: {maxFiles: ! 5}}}}\n", []string{"1 " + deep + "riskGate.maxFiles wrong-type"}, true},
		{"also behind an anchor", "environments: {dev: {autonomy: {riskGate: {secondReview: &a ! false}}}}\n", []string{"1 " + deep + "riskGate.secondReview wrong-type"}, true},
		{"not one that is content", "environments: {dev: {autonomy: {level: act}, x: \"a ! b\", y: 5}}\n", nil, true},
		{"complex key", "environments:\n  dev:\n    autonomy:\n      ? level\n      : act\n", nil, true},
		{"mapping as a key", "environments:\n  dev:\n    autonomy:\n      ? {a: 1}\n      : act\n", []string{"4 environments.dev.autonomy wrong-type"}, true},
		{"null as a key", "environments:\n  dev:\n    autonomy:\n      ~: act\n", []string{"4 environments.dev.autonomy wrong-type"}, true},
		{"folded level", "environments:\n  dev:\n    autonomy:\n      level: >-\n        act\n", nil, true},
		{"literal level with its newline", "environments:\n  dev:\n    autonomy:\n      level: |\n        act\n", []string{"4 " + deep + "level not-allowed"}, true},
		{"literal number", "environments:\n  dev:\n    autonomy:\n      riskGate:\n        maxFiles: |-\n          5\n", []string{"5 " + deep + "riskGate.maxFiles wrong-type"}, true},
		{"block time", "environments:\n  dev:\n    autonomy:\n      window:\n        from: |-\n          10:00\n", nil, true},
		{"tab as indentation", "environments:\n\tdev: {autonomy: {}}\n", []string{"2  syntax"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := systempolicy.Parse("system.yaml", []byte(tt.yaml))
			var got []string
			for _, e := range fault.All(err) {
				got = append(got, fmt.Sprintf("%d %s %s", e.Line, e.Key, e.Code))
				if e.Code != "syntax" && (e.Col == 0 || e.File == "") {
					t.Errorf("no place: %v", e)
				}
				if strings.Contains(e.Err.Error(), "\n") || strings.HasSuffix(e.Err.Error(), ".") {
					t.Errorf("not one sentence: %q", e.Err)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s\n%v", diff, err)
			}
			if err == nil && s.Declared() != tt.declared {
				t.Errorf("declared: %v", s.Declared())
			}
			if err == nil {
				data, rerr := s.Render()
				if rerr != nil || (len(data) > 0) != tt.declared {
					t.Errorf("rendered %d bytes, %v", len(data), rerr)
				}
				if tt.declared {
					back, lerr := systempolicy.LoadRendered("autonomy.json", data)
					if lerr != nil {
						t.Error(lerr)
					}
					again, _ := back.Render()
					if diff := cmp.Diff(string(data), string(again)); diff != "" {
						t.Errorf("rendered, read, rendered (-first +second):\n%s", diff)
					}
				}
			}
		})
	}
}

// TestSyntaxPositions holds the place of what is no YAML at all: the line on which it goes wrong, also where yaml.v3 gives the
// one before or none.
func TestSyntaxPositions(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"autonomy: {paused: true\n", "1:0"},
		{"autonomy: {}\nx: [a, b\ny: 1\n", "2:0"},
		{"autonomy:\n  paused: true\n level: act\n", "3:0"},
		{"autonomy: {}\n- a\n", "2:0"},
		{"autonomy: {}\n}\n", "2:0"},
		{"autonomy: {}}\n", "1:0"},
		{"autonomy: @x\n", "1:0"},
		{"a: \"\\q\"\nautonomy: {}\n", "1:0"},
		{"autonomy: {}\nb: &a &b c\n", "2:0"},
		{"autonomy: {}\nb: c: d\n", "2:0"},
		{"%YAML 1.2\n---\nautonomy: {}\n", "1:0"},
		{"autonomy: {}\nb: \x01\n", "2:4"},
		{"autonomy: {}\nb: é\xff\n", "2:6"},
		{"\x00autonomy: {}", "1:1"},
		{"autonomy: *x\n", "1:11"},
		{"# *nope\na: \"*nope\"\nautonomy: {}\nb: é *nope\nc: *nope\n", "5:4"},
		{"autonomy: {}\nb: [1, *no, *nope]\n", "2:8"},
		{"autonomy: {}\n...\nx: 1\n", "3:0"},
	}
	for _, tt := range tests {
		_, err := systempolicy.Parse("system.yaml", []byte(tt.yaml))
		all := fault.All(err)
		if len(all) != 1 || all[0].Code != systempolicy.CodeSyntax {
			t.Errorf("%q: %v", tt.yaml, err)
			continue
		}
		if got := fmt.Sprintf("%d:%d", all[0].Line, all[0].Col); got != tt.want {
			t.Errorf("%q: at %s, want %s: %v", tt.yaml, got, tt.want, err)
		}
	}
}
