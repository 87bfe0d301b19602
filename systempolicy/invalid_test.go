package systempolicy_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

// under puts one line below environments.dev.autonomy.
func under(line string) string {
	return "environments:\n  dev:\n    autonomy:\n      level: act\n      engine: https://e.example.com\n      " + strings.ReplaceAll(line, "\n", "\n      ") + "\n"
}

// TestInvalid names each problem by its key, code and place, and holds that what cannot be told is closed.
func TestInvalid(t *testing.T) {
	const dev = "environments.dev.autonomy"
	for _, tt := range []struct {
		name, yaml string
		want       []string // "line:col key code"
	}{
		{"several at once, in document order", under("riskGate: {maxFiles: 0, maxLines: \"5\"}\nundoWindow: 0h\nwindow: {from: 25:00, days: [mon, mon]}"), []string{
			"6:28 " + dev + ".riskGate.maxFiles out-of-range", "6:41 " + dev + ".riskGate.maxLines wrong-type", "7:19 " + dev + ".undoWindow bad-duration",
			"8:22 " + dev + ".window.from bad-time", "8:35 " + dev + ".window.days not-allowed",
		}},
		{"an ambiguous budget", under("budget: {runsPerDay: +5, perRun: {cost: 0x10, minutes: 1_0.5}}"), []string{
			"6:28 " + dev + ".budget.runsPerDay ambiguous-scalar", "6:47 " + dev + ".budget.perRun.cost ambiguous-scalar", "6:62 " + dev + ".budget.perRun.minutes ambiguous-scalar",
		}},
		{"odd numbers", under("riskGate: {maxFiles: -0, maxLines: +-1}"), []string{"6:28 " + dev + ".riskGate.maxFiles out-of-range", "6:42 " + dev + ".riskGate.maxLines wrong-type"}},
		{"numbers beyond", under("budget: {perRun: {cost: 1e400, minutes: 9007199254740992, reruns: -1e1, invocations: null}}"), []string{
			"6:31 " + dev + ".budget.perRun.cost out-of-range", "6:47 " + dev + ".budget.perRun.minutes out-of-range", "6:73 " + dev + ".budget.perRun.reruns out-of-range", "6:92 " + dev + ".budget.perRun.invocations null",
		}},
		{"a tag of one's own", under("undoWindow: !env X"), []string{"6:19 " + dev + ".undoWindow yaml-feature"}},
		{"a tag on a mapping", under("window: !w {to: \"16:00\"}"), []string{"6:15 " + dev + ".window yaml-feature"}},
		{"a tag that does not fit", under("riskGate: {maxFiles: !!int \"5\", secondReview: !!bool yes}"), []string{"6:28 " + dev + ".riskGate.maxFiles yaml-feature", "6:53 " + dev + ".riskGate.secondReview yaml-feature"}},
		{"a tag in a list", under("autoMerge: {routes: [!r fix]}"), []string{"6:27 " + dev + ".autoMerge.routes yaml-feature"}},
		{"a list in a list", under("autoMerge: {routes: [[fix]]}\nwindow: {days: [~]}"), []string{"6:27 " + dev + ".autoMerge.routes wrong-type", "7:22 " + dev + ".window.days null"}},
		{"no days", under("window: {days: []}"), []string{"6:22 " + dev + ".window.days not-allowed"}},
		{"a merge key", "x: &b {maxFiles: 3}\n" + under("riskGate: {<<: *b}"), []string{"7:18 " + dev + ".riskGate.<< yaml-feature"}},
		{"a key that is no text", under("1: 2"), []string{"6:7 " + dev + " wrong-type"}},
		{"a quoted key is the same key", under("\"level\": propose"), []string{"6:7 " + dev + ".level duplicate"}},
		{"an alias to itself", "environments: {dev: {autonomy: &a {budget: *a}}}\n", []string{"1:32 " + dev + ".budget yaml-feature"}},
		{"an environment that is no text", "environments:\n  1: {autonomy: {level: act}}\n", []string{"2:3 environments.1 wrong-type"}},
		{"an instance that is no text", "components: {api: {instances: {true: {autonomy: {max: act}}}}}\n", []string{"1:32 components.api.instances.true wrong-type"}},
		{"an environment called autonomy", "environments:\n  autonomy: {level: act}\n", []string{"2:3 environments.autonomy misplaced"}},
		{"an instance called autonomy", "components: {api: {instances: {autonomy: {max: act}}}}\n", []string{"1:32 components.api.instances.autonomy misplaced"}},
		{"environments in a list", "autonomy: {}\nenvironments: [{dev: {autonomy: {level: observe}}}]\n", []string{"2:15 environments wrong-type"}},
		{"an environment in a list", "autonomy: {}\nenvironments: {dev: [1]}\n", []string{"2:21 environments.dev wrong-type"}},
		{"components in a list", "autonomy: {}\ncomponents: [api]\n", []string{"2:13 components wrong-type"}},
		{"a component in a list", "autonomy: {}\ncomponents: {api: [x]}\n", []string{"2:19 components.api wrong-type"}},
		{"instances in a list", "autonomy: {}\ncomponents: {api: {instances: [dev]}}\n", []string{"2:31 components.api.instances wrong-type"}},
		{"an instance in a list", "autonomy: {}\ncomponents: {api: {instances: {dev: [1]}}}\n", []string{"2:37 components.api.instances.dev wrong-type"}},
		{"a cap with a tag", "components: {api: {instances: {dev: {autonomy: {max: !x act}}}}}\n", []string{"1:54 components.api.instances.dev.autonomy.max yaml-feature"}},
		{"a pause with a tag", "autonomy: {paused: !x true}\n", []string{"1:20 autonomy.paused yaml-feature"}},
		{"the same environment twice", "environments:\n  dev: {autonomy: {level: act}}\n  dev: {}\n", []string{"3:3 environments.dev duplicate"}},
		{"two merge keys", "x: &x {url: y}\nenvironments:\n  dev:\n    <<: *x\n    <<: *x\n    autonomy: {level: act}\n", []string{"5:5 environments.dev.<< duplicate"}},
		{"environments twice", "autonomy: {}\nenvironments: {}\nenvironments: {}\n", []string{"3:1 environments duplicate"}},
		{"a second document", "autonomy: {}\n---\nx: 1\n", []string{"2:1  yaml-feature"}},
		{"a policy in the second document", "x: 1\n---\nautonomy: {}\n", []string{"2:1  yaml-feature"}},
		{"a broken second document", "autonomy: {}\n---\n[\n", []string{"3:0  syntax"}},
		{"too deep", "autonomy: {}\nx: " + strings.Repeat("[", 120) + strings.Repeat("]", 120) + "\n", []string{"2:103  limit"}},
		{"too many aliases", "autonomy: {}\na: &a 1\nb: [" + strings.Repeat("*a,", MaxAliases+1) + "]\n", []string{"0:0  limit"}},
		{"too large", "autonomy: {}\n#" + strings.Repeat("x", MaxBytes), []string{"0:0  limit"}},
		{"wide characters before", "environments: {dev: {опис: \"🟢 ось\", autonomy: {level: x}}}\n", []string{"1:65 " + dev + ".level not-allowed"}},
		{"far right", "environments: {dev: {x: \"" + strings.Repeat("ö", 3000) + "\", autonomy: {level: x}}}\n", []string{"1:6047 " + dev + ".level not-allowed"}},
		{"after odd line ends", "# a\u2028# b\u0085# c\rautonomy: {paused: 1}\n", []string{"4:20 autonomy.paused wrong-type"}},
		{"behind a byte order mark", "\ufeffautonomy: {paused: 1}\n", []string{"1:20 autonomy.paused wrong-type"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sys, err := Parse("system.yaml", []byte(tt.yaml))
			var got []string
			for _, e := range fault.All(err) {
				got = append(got, fmt.Sprintf("%d:%d %s %s", e.Line, e.Col, e.Key, e.Code))
				if e.Hint == "" && len(e.Allowed) == 0 && e.Code != CodeLimit && e.Code != CodeFeature && e.Code != CodeSyntax && !strings.Contains(e.Error(), "no text") {
					t.Errorf("neither what is allowed nor advice: %v", e)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s\n%v", d, err)
			}
			if sys.Valid() {
				t.Error("valid")
			}
			d := sys.Decide("dev", "", Signals{}, insideFacts, instant("2026-07-22T12:00:00Z"))
			if d.Merge || sys.Effective("dev", "api", Signals{}) != Observe {
				t.Errorf("what is not valid acts: %+v", d)
			}
			if _, err := sys.Render(); err != ErrInvalid {
				t.Errorf("renders: %v", err)
			}
		})
	}
}

// TestBadKeyClosesItsGuardrail holds that in a file that is not valid, what can be told is judged and the rest is
// closed: one bad key closes the guardrail that needs it, a mapping that cannot be read all of its own.
func TestBadKeyClosesItsGuardrail(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"riskGate: {maxFiles: x}", "riskGate.maxFiles"},
		{"riskGate: {maxfiles: 9}", "riskGate.maxFiles, riskGate.maxLines, riskGate.regressionTest, riskGate.secondReview"},
		{"riskGate: {secondReview: off}", "riskGate.secondReview"},
		{"autoMerge: {routes: fix}", "autoMerge.routes"},
		{"autoMerge: ~", "autoMerge.routes, autoMerge.maxCriticality"},
		{"budget: {mergesPerDay: -1, perRun: {cost: 0}}", "budget.mergesPerDay"},
		{"budget: 5", "budget.mergesPerDay, budget.runsPerDay"},
		{"window: {timezone: Mars/Base}", "window"},
		{"window: {from: 0:30}", "window"},
		{"window: {days: [], to: 17:00}", "window"},
		{"window: {to: 9:00}", "window"},
		{"undoWindow: soon", "none"},
		{"engine: none\nlevels: 1", AllGuardrails.String()},
	} {
		sys, err := Parse("system.yaml", []byte(strings.Replace(under(tt.line), "      engine: https://e.example.com\n", "", 1)))
		if err == nil {
			t.Errorf("%s: valid", tt.line)
		}
		p := sys.Policy("dev")
		if got := Outside(p, insideFacts, instant("2026-07-22T12:00:00Z")).String(); got != tt.want {
			t.Errorf("%s: outside %s, want %s", tt.line, got, tt.want)
		}
		for _, r := range Explain(p, insideFacts, instant("2026-07-22T12:00:00Z")) {
			if !strings.Contains(r.Message, "cannot be told") && r.Guardrail != InWindow {
				t.Errorf("%s: %s", tt.line, r.Message)
			}
		}
		closed := p.Closed()
		if closed.String() != tt.want {
			t.Errorf("%s: closed %s", tt.line, closed)
		}
	}
}

// TestNotOurs is R2: what does not mention autonomy is not parsed, and what only has the word is not judged.
func TestNotOurs(t *testing.T) {
	for name, text := range map[string]string{
		"broken YAML":             "a: [\n  b: {\n\t- :",
		"duplicate keys":          "environments: {dev: {}, dev: {}}\nenvironments: []\n",
		"large":                   "# " + strings.Repeat("x", 2*MaxBytes),
		"no UTF-8":                "\xff\xfe\x00",
		"the word in a comment":   "# autonomy\nenvironments: {dev: {}, dev: {}}\n",
		"the word elsewhere":      "x: {autonomy: {level: nonsense}}\nenvironments: 5\n",
		"a list":                  "- autonomy\n",
		"two documents":           "x: autonomy\n---\ny: 1\n",
		"only a comment":          "# autonomy",
		"a backslash":             `x: "a\tb"`,
		"in a component's string": "components: {api: autonomy, web: {instances: autonomy}}\nenvironments: {dev: autonomy}\n",
		"null":                    "environments:\ncomponents:\n  api:\n  web: {instances: }\ndescription: autonomy\n",
	} {
		sys, err := Parse("system.yaml", []byte(text))
		if err != nil || sys.Declared() || len(sys.Warnings()) > 0 || !sys.Valid() {
			t.Errorf("%s: %v, declared %v", name, err, sys.Declared())
		}
		data, err := sys.Render()
		if data != nil || err != nil {
			t.Errorf("%s: renders %q, %v", name, data, err)
		}
	}
	for name, text := range map[string]string{"a syntax error": "autonomy: [", "an escaped key that is broken": `"\u0061utonomy": {`} {
		if _, err := Parse("system.yaml", []byte(text)); err == nil || fault.All(err)[0].Code != CodeSyntax {
			t.Errorf("%s: %v", name, err)
		}
	}
	sys, err := Parse("system.yaml", []byte(`"\u0061utonomy": {paused: true}`))
	if err != nil || !sys.Declared() || !sys.Paused() {
		t.Errorf("an escaped key is not read: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	sys, err := Parse("system.yaml", []byte(`
environments:
  production: {autonomy: {level: improve, engine: "http://ai.example.com/a"}}
  dev: {autonomy: {level: act}}
  qa: {autonomy: {engine: "https://AI.example.com:444"}}
  local: {autonomy: {engine: "http://127.0.0.1:80", window: {timezone: EST}}}
components:
  api: {instances: {gone: {autonomy: {max: act}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range sys.Warnings() {
		got = append(got, fmt.Sprintf("%s:%d %s %s", w.File, w.Line, w.Key, w.Code))
	}
	want := []string{
		"system.yaml:3 environments.production.autonomy.level prod-name",
		"system.yaml:3 environments.production.autonomy.engine plain-http",
		"system.yaml:4 environments.dev.autonomy.level no-engine",
		"system.yaml:5 environments.qa.autonomy.engine shared-token",
		"system.yaml:6 environments.local.autonomy.window.timezone no-dst",
		"system.yaml:8 components.api.instances.gone.autonomy.max undeclared-env",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestMergesAboveAutonomy(t *testing.T) {
	sys, err := Parse("system.yaml", []byte(`
x: &base {url: u, autonomy: {level: propose, riskGate: {maxFiles: 2}}}
y: &more {<<: [*base, {autonomy: {level: act}}], other: 1}
environments:
  dev: {<<: *base}
  staging: {<<: *more}
  own: {<<: *base, autonomy: {level: act}}
  text: {"<<": {autonomy: {level: act}}}
  self: &self {<<: *self}
`))
	if err != nil {
		t.Fatal(err)
	}
	for env, want := range map[string]string{"dev": "propose 2", "staging": "propose 2", "own": "act 5", "text": "observe 5", "self": "observe 5"} {
		p := sys.Policy(env)
		if got := fmt.Sprintf("%s %d", p.Level(), p.MaxFiles()); got != want {
			t.Errorf("%s: %s, want %s", env, got, want)
		}
	}
}
