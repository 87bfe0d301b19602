package systempolicy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// sample is a system.yaml as people write it.
type sample struct {
	name string
	data string
}

// author writes system.yaml files, each in a style of its own.
type author struct {
	r       *rand.Rand
	b       strings.Builder
	step    int
	quote   string // around words that need none
	noise   int    // comments and blank lines: one in so many lines
	unicode bool
}

func (a *author) line(depth int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if a.noise > 0 && a.r.IntN(a.noise) == 0 {
		a.b.WriteString(strings.Repeat(" ", depth*a.step) + a.pick("# keep this: level: act", "# TODO(ana) autonomy: {level: improve}", "# ----", "#") + "\n")
	}
	if a.noise > 0 && a.r.IntN(a.noise) == 0 {
		a.b.WriteString(a.pick("", "   ") + "\n")
	}
	a.b.WriteString(strings.Repeat(" ", depth*a.step) + text)
	if a.noise > 0 && a.r.IntN(a.noise) == 0 && !strings.HasSuffix(text, "|") {
		a.b.WriteString(a.pick("  # since May", "   # ← see ADR-063", " # level: observe"))
	}
	a.b.WriteString("\n")
}

func (a *author) pick(words ...string) string { return words[a.r.IntN(len(words))] }

func (a *author) word(s string) string { return a.quote + s + a.quote }

// autonomy writes a policy in block or flow style, with some of the keys.
func (a *author) autonomy(depth int) {
	switch a.r.IntN(5) {
	case 0:
		a.line(depth, "autonomy: {level: %s, riskGate: {maxFiles: %d}}", a.pick("act", "propose"), 1+a.r.IntN(9))
		return
	case 1:
		a.line(depth, "autonomy: {}")
		return
	}
	a.line(depth, "autonomy:")
	d := depth + 1
	a.line(d, "level: %s", a.word(a.pick("observe", "advise", "propose", "act")))
	if a.r.IntN(2) == 0 {
		a.line(d, "engine: %s", a.word(a.pick("https://ai-ops.dev.example.com", "http://localhost:8080/ops", "https://[::1]:9/")))
	}
	if a.r.IntN(2) == 0 {
		a.line(d, "autoMerge: {routes: %s, maxCriticality: %s}", a.pick("[fix]", "[]", "[ fix ]"), a.pick("low", "medium", "'high'"))
	}
	switch a.r.IntN(4) {
	case 0:
		a.line(d, "riskGate: { maxFiles : %d , maxLines: %d }", 1+a.r.IntN(9), 100+a.r.IntN(100))
	case 1:
		a.line(d, "riskGate:")
		a.line(d+1, "maxLines: %d", 100+a.r.IntN(100))
		a.line(d+1, "secondReview: %s", a.pick("true", "TRUE", "false"))
	case 2:
		a.line(d, "riskGate: {")
		a.line(d+1, "maxFiles: %d,", 1+a.r.IntN(9))
		a.line(d+1, "regressionTest: true%s", a.pick("", ","))
		a.line(d, "}")
	}
	switch a.r.IntN(3) {
	case 0:
		a.line(d, "budget: {runsPerDay: 5, perRun: {cost: %s}}", a.pick("3", "2.5"))
	case 1:
		a.line(d, "budget:")
		a.line(d+1, "mergesPerDay: %d", a.r.IntN(5))
		a.line(d+1, "perRun:")
		a.line(d+2, "minutes: 30")
	}
	switch a.r.IntN(4) {
	case 0:
		a.line(d, "window: {days: [mon, tue], from: %s, to: %s, timezone: Europe/Berlin}", a.pick(`"08:00"`, "8:00", "'08:00'"), a.pick(`"18:00"`, "18:00"))
	case 1:
		a.line(d, "window:")
		a.line(d+1, "days:")
		for _, day := range []string{"mon", "wed", "sun"} {
			a.line(d+1+a.r.IntN(2)*0, "- %s", day)
		}
		a.line(d+1, "from: %s", a.pick(`"10:00"`, "10:00"))
	case 2:
		a.line(d, "window: &hours%d {to: \"16:00\"}", a.r.IntN(1000))
	}
	if a.r.IntN(3) == 0 {
		a.line(d, "undoWindow: %s", a.word(a.pick("24h", "90m", "2d")))
	}
}

func (a *author) system(components int) string {
	if a.r.IntN(2) == 0 {
		a.line(0, "name: %s", a.word("shop"))
	}
	if a.unicode {
		a.line(0, "опис: \"🛒 крамниця — 店\"")
	}
	if a.r.IntN(3) == 0 {
		a.line(0, "autonomy: {paused: %s}", a.pick("true", "false"))
	}
	if a.r.IntN(3) == 0 {
		a.line(0, "description: |")
		a.b.WriteString("  environments:\n    dev:\n      autonomy: {level: improve}\n\n")
	}
	a.line(0, "environments:")
	for _, env := range []string{"dev", "staging", "prod", "qa"} {
		switch a.r.IntN(6) {
		case 0:
			a.line(1, "%s: {url: https://%s.example.com}", env, env)
		case 1:
			a.line(1, "%s:", env)
		case 2:
			a.line(1, "%s: {url: \"https://%s.example.com/ключ\", autonomy: {level: act}}", env, env)
		default:
			a.line(1, "%s:%s", env, a.pick("", "", " &"+env))
			a.line(2, "url: https://%s.example.com # not https://old.example.com", env)
			if a.unicode {
				a.line(2, "нотатка: '🟢 ось'")
			}
			if a.r.IntN(4) > 0 {
				a.autonomy(2)
			}
			if a.r.IntN(2) == 0 {
				a.line(2, "tier: %d", a.r.IntN(3))
			}
		}
	}
	a.line(0, "components:")
	for i := range components {
		a.line(1, "svc-%d:", i)
		a.line(2, "repo: example/svc-%d", i)
		a.line(2, "notes: >")
		a.b.WriteString(strings.Repeat(" ", 3*a.step) + "level: act, autonomy: {paused: true}\n")
		a.line(2, "instances:")
		a.line(3, "dev: {}")
		a.line(3, "prod: {autonomy: {max: %s}} # payments", a.pick("propose", "act"))
	}
	return a.b.String()
}

// corpus gives forty files: ten of them hand-written shapes, the others by authors of many habits.
func corpus() []sample {
	list := []sample{
		{"json", `{"name": "shop", "environments": {"dev": {"autonomy": {"level": "act", "riskGate": {"maxFiles": 5}}}, "staging": {"url": "x"}, "prod": {}}}` + "\n"},
		{"pretty json", "{\n  \"environments\": {\n    \"dev\": {\n      \"autonomy\": {\n        \"level\": \"act\",\n        \"window\": {\"days\": [\"mon\"], \"to\": \"16:00\"}\n      }\n    },\n    \"prod\": {}\n  }\n}\n"},
		{"seed", "autonomy: {paused: true}             # optional, top level; written by /system:autonomy pause\nenvironments:\n  dev:\n    autonomy:\n      level: act\n      engine: https://ai-ops.dev.example.com\n      autoMerge: {routes: [fix], maxCriticality: low}\n      riskGate: {maxFiles: 5, maxLines: 200, regressionTest: true, secondReview: true}\n      budget: {runsPerDay: 5, mergesPerDay: 2, perRun: {minutes: 60, invocations: 20, reruns: 2, cost: 3}}\n      window: {days: [mon, tue, wed, thu, fri], from: \"09:00\", to: \"17:00\", timezone: Europe/Berlin}\n      undoWindow: 24h\ncomponents:\n  shop-api:\n    instances:\n      prod: {autonomy: {max: propose}}\n"},
		{"shared gate", "environments:\n  dev:\n    autonomy:\n      level: act\n      riskGate: &g {maxFiles: 5}\n  staging:\n    autonomy:\n      level: act\n      riskGate: *g\n  prod: {}\n"},
		{"merged base", "x: &base\n  url: https://x\n  autonomy: {level: act, riskGate: {maxFiles: 2}}\nenvironments:\n  dev:\n    <<: *base\n  staging:\n    <<: *base\n    autonomy: {level: advise}\n  prod: {url: y}\n"},
		{"aliased environment", "environments:\n  dev: &d {autonomy: {level: act}}\n  staging: *d\n  prod:\n    autonomy: # empty soon\n      level: propose\n"},
		{"markers", "# head\n---\nname: shop\nenvironments:\n  dev:\n    autonomy: {level: act}\n  prod: ~\n...\n"},
		{"one line", "environments: {dev: {autonomy: {level: act, window: {from: 9:00, to: 17:00}}}, staging: , prod: {a: b}}"},
		{"explicit keys", "environments:\n  ? dev\n  : autonomy:\n      ? level\n      : act\n  prod: {}\n"},
		{"comments at the end", "environments:\n    dev:\n        url: x\n\n    # ---- production ----\n    prod:\n        url: y\n# the end\n\n"},
	}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		a := author{r: r, step: []int{2, 2, 3, 4}[r.IntN(4)], quote: []string{"", "", "'", `"`}[r.IntN(4)], noise: []int{0, 3, 8}[r.IntN(3)], unicode: r.IntN(3) == 0}
		components := 2
		if seed%10 == 9 {
			components = 3000 / 6
		}
		text := a.system(components)
		name := fmt.Sprintf("author %d", seed)
		switch seed % 6 {
		case 1:
			text, name = strings.ReplaceAll(text, "\n", "\r\n"), name+", CRLF"
		case 2:
			text, name = "\ufeff"+text, name+", BOM"
		case 3:
			text, name = strings.TrimRight(text, "\n"), name+", no final newline"
		case 4: // both line ends
			lines := strings.SplitAfter(text, "\n")
			for i := range lines {
				if i%3 == 0 {
					lines[i] = strings.Replace(lines[i], "\n", "\r\n", 1)
				}
			}
			text, name = strings.Join(lines, ""), name+", mixed line ends"
		}
		list = append(list, sample{name, text})
	}
	return list
}
