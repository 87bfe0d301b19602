package tiers_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

// good is a small protocol that uses everything once.
const good = `{
  "$schema": "x", "version": "1.1.2", "description": "d", "global_mode": "trusted",
  "tiers": {
    "tier1_silent": {"description": "d", "shell_patterns": [" git status ", "git log *"], "aioson_commands": ["preflight"]},
    "tier2_notified": {"aioson_commands": ["workflow:next"], "write_paths": ["notes/**", " a "]},
    "tier3_blocking": {"shell_patterns": ["git push *"], "aioson_commands": ["genome:publish"]}
  },
  "tools": {
    "codex": {"mode": "headless", "derived_from_tiers": ["tier2_notified", "tier1_silent"], "requires_tty": true, "fallback_mode": "abort", "max_auto_retries": 3},
    "claude": {"shell_whitelist": ["make test"], "shell_blacklist": ["make deploy"], "aioson_whitelist": ["dossier"], "aioson_blacklist": ["dossier:*"]}
  },
  "agents": {"dev": {"max_mode": "guarded"}, "qa": {}}
}`

func parse(t testing.TB, text string) *tiers.Protocol {
	t.Helper()
	p, err := tiers.Parse("p.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParse(t *testing.T) {
	for _, text := range []string{good, "\ufeff" + good, strings.ReplaceAll(good, "\n", "\r\n")} {
		p := parse(t, text)
		if p.Name() != "p.json" || p.Version() != "1.1.2" || p.Legacy() || p.Program() != "aioson" || len(p.Notices()) != 0 {
			t.Errorf("%s %s %v %s %+v", p.Name(), p.Version(), p.Legacy(), p.Program(), p.Notices())
		}
		var names []string
		for tool := range p.Tools() {
			names = append(names, tool.Name)
		}
		if diff := cmp.Diff([]string{"codex", "claude"}, names); diff != "" {
			t.Error(diff)
		}
		codex, _ := p.Tool("codex")
		derived, ok := codex.DerivedFrom()
		if codex.Mode != tiers.Headless || !codex.RequiresTTY || !codex.Known || !ok || !slices.Equal(derived, []tiers.Tier{tiers.Tier2Notified, tiers.Tier1Silent}) {
			t.Errorf("codex: %+v", codex)
		}
		claude, _ := p.Tool("claude")
		if _, ok := claude.DerivedFrom(); ok || claude.Mode != tiers.Guarded || claude.RequiresTTY {
			t.Errorf("claude: %+v", claude)
		}
		for range p.Tools() {
			break
		}
	}
}

// problem is what a test expects of one error: "line:col key code".
func problems(err error) []string {
	var out []string
	for _, e := range fault.All(err) {
		out = append(out, fmt.Sprintf("%d:%d %s %s", e.Line, e.Col, e.Key, e.Code))
	}
	return out
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"no object", `[]`, []string{"1:1  wrong_type"}},
		{"null", `null`, []string{"1:1  wrong_type"}},
		{"no JSON", ``, []string{"1:1  json_syntax"}},
		{"a comment", "// c\n{}", []string{"1:1  json_comment"}},
		{"a second value", `{"version":"1.1"} {}`, []string{"1:19  json_trailing"}},
		{"bad UTF-8", "{\"version\":\"1.1\xff\"}", []string{"1:16 version json_utf8"}},
		{"duplicate keys at any depth (H47)", `{"version":"1.1","tools":{"zed":{"a":{"b":1,"b":2}}}}`, []string{"1:45 tools.zed.a.b json_duplicate"}},
		{"too deep", `{"version":"1.1","x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, []string{"1:85 x" + strings.Repeat("[0]", 62) + " json_depth"}},
		{"too large", `{"version":"1.1"}` + strings.Repeat(" ", 1<<20), []string{"1:1  json_size"}},
		{"missing version (H03)", "\n {}", []string{"2:2 version version"}},
		{"wrong version types (H03)", `{"version":1.1}`, []string{"1:12 version version"}},
		{"wrong types everywhere (H02)", `{"version":"1.1","description":1,"global_mode":1,
			"tiers":{"tier1_silent":[],"tier2_notified":{"shell_patterns":"git *","aioson_commands":{},"write_paths":1.5,"description":null},
			"tier3_blocking":{"shell_patterns":[1,null,["x"],true]}},
			"tools":{"claude":null,"codex":{"mode":{},"requires_tty":"false","derived_from_tiers":"tier1_silent","shell_whitelist":1,"shell_blacklist":null},"opencode":{"derived_from_tiers":[["tier3_blocking"]]}},
			"agents":[]}`, []string{
			"1:32 description wrong_type", "1:48 global_mode wrong_type",
			"2:28 tiers.tier1_silent wrong_type", "2:66 tiers.tier2_notified.shell_patterns wrong_type", "2:92 tiers.tier2_notified.aioson_commands wrong_type",
			"2:109 tiers.tier2_notified.write_paths wrong_type", "2:127 tiers.tier2_notified.description wrong_type",
			"3:40 tiers.tier3_blocking.shell_patterns[0] wrong_type", "3:42 tiers.tier3_blocking.shell_patterns[1] wrong_type",
			"3:47 tiers.tier3_blocking.shell_patterns[2] wrong_type", "3:53 tiers.tier3_blocking.shell_patterns[3] wrong_type",
			"4:22 tools.claude wrong_type", "4:43 tools.codex.mode wrong_type", "4:61 tools.codex.requires_tty wrong_type", "4:90 tools.codex.derived_from_tiers wrong_type",
			"4:123 tools.codex.shell_whitelist wrong_type", "4:143 tools.codex.shell_blacklist wrong_type", "4:183 tools.opencode.derived_from_tiers[0] wrong_type",
			"5:13 agents wrong_type"}},
		{"misspelt tiers (H05)", `{"version":"1.1","tiers":{"tier3_blocked":{}},"tools":{"codex":{"derived_from_tiers":["tier1_slient","none"]}}}`,
			[]string{"1:27 tiers.tier3_blocked unknown_tier", "1:87 tools.codex.derived_from_tiers[0] unknown_tier", "1:102 tools.codex.derived_from_tiers[1] unknown_tier"}},
		{"unknown modes (H37)", `{"version":"1.1","global_mode":"Trusted","tools":{"codex":{"mode":"yolo"}},"agents":{"a":{"max_mode":" guarded"}}}`,
			[]string{"1:32 global_mode unknown_mode", "1:67 tools.codex.mode unknown_mode", "1:102 agents.a.max_mode unknown_mode"}},
		{"entries (H26, H46)", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["a\nb","","  ","a\u0000","a\u001b[1m","a; b","$(x)","a\tb","ok"],"write_paths":["a\u0007"]}},"tools":{"claude":{"shell_blacklist":["\"open"]}}}`,
			[]string{"1:61 tiers.tier1_silent.shell_patterns[0] bad_entry", "1:68 tiers.tier1_silent.shell_patterns[1] bad_entry", "1:71 tiers.tier1_silent.shell_patterns[2] bad_entry",
				"1:76 tiers.tier1_silent.shell_patterns[3] bad_entry", "1:86 tiers.tier1_silent.shell_patterns[4] bad_entry", "1:99 tiers.tier1_silent.shell_patterns[5] bad_entry",
				"1:106 tiers.tier1_silent.shell_patterns[6] bad_entry", "1:113 tiers.tier1_silent.shell_patterns[7] bad_entry", "1:141 tiers.tier1_silent.write_paths[0] bad_entry",
				"1:192 tools.claude.shell_blacklist[0] bad_entry"}},
		{"odd keys are quoted", `{"version":"1.1","agents":{"a b":1,"":2}}`, []string{`1:34 agents["a b"] wrong_type`, `1:39 agents[""] wrong_type`}},
		{"an agent without an object", `{"version":"1.1","agents":{"a":null}}`, []string{"1:32 agents.a wrong_type"}},
		{"many words", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["` + strings.Repeat("a ", 33) + `","a*b*c*d*e*"]}}}`,
			[]string{"1:61 tiers.tier1_silent.shell_patterns[0] bad_entry", "1:130 tiers.tier1_silent.shell_patterns[1] bad_entry"}},
		{"many entries", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["a"` + strings.Repeat(`,"a"`, 2000) + `]}}}`, []string{"1:8061 tiers.tier1_silent.shell_patterns[2000] too_many_entries"}},
	} {
		p, err := tiers.Parse("p.json", []byte(tt.text))
		if p != nil {
			t.Errorf("%s: a protocol came with the error", tt.name)
		}
		if diff := cmp.Diff(tt.want, problems(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		var one *tiers.Error
		if !errors.As(err, &one) || one.File != "p.json" {
			t.Errorf("%s: no *tiers.Error with the file's name inside %v", tt.name, err)
		}
	}
}

func TestVersions(t *testing.T) {
	for version, legacy := range map[string]bool{"1.0": true, "1.0.7": true, "1.1": false, "1.2": false, "1.10": false, "1.1.0": false, "1.99.3": false} {
		if p := parse(t, `{"version":"`+version+`"}`); p.Legacy() != legacy {
			t.Errorf("%s: legacy %v", version, p.Legacy())
		}
	}
	for _, bad := range []string{"", "1", "1.", ".1", "2.0", "0.9", "v1.1", " 1.1", "1.1 ", "1.01", "01.1", "1.1-beta", "11.1", "1.1.1.1", "1,1", "１.1", "1.1234567"} {
		if _, err := tiers.Parse("", []byte(`{"version":"`+bad+`"}`)); err == nil {
			t.Errorf("version %q was taken (H03)", bad)
		}
	}
	for _, bad := range []string{"1.1", "1", "null", `["1.1"]`, "true", "{}"} {
		if _, err := tiers.Parse("", []byte(`{"version":`+bad+`}`)); err == nil {
			t.Errorf("version %s was taken", bad)
		}
	}
}

func TestErrorText(t *testing.T) {
	_, err := tiers.Parse("p.json", []byte("{\n \"version\": \"1.1\",\n \"tiers\": {\"tier3_bloking\": {}, \"tier1_silent\": {\"shell_patterns\": [1]}}}"))
	const want = `p.json:3:12: tiers.tier3_bloking: "tier3_bloking" is not a tier; allowed: tier1_silent, tier2_notified, tier3_blocking
p.json:3:69: tiers.tier1_silent.shell_patterns[0]: an integer, expected a string`
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
	if hint := fault.All(err)[0].Hint; hint != "did you mean tier3_blocking?" {
		t.Errorf("hint %q", hint)
	}
	_, err = tiers.Parse("p.json", []byte(`{"version":"1.1","tiers":{"`+"y"+strings.Repeat("é", 5001)+`":{}}}`))
	if len(err.Error()) > 6000 {
		t.Errorf("a hostile name fills the screen: %d bytes", len(err.Error()))
	}
}

// codes gives a protocol's notices as "code tool entry other @key".
func codes(notices []tiers.Notice) []string {
	out := []string{}
	for _, n := range notices {
		out = append(out, fmt.Sprintf("%s %s|%s|%s @%s %d:%d", n.Code, n.Tool, n.Entry, n.Other, n.Key, n.Line, n.Col))
	}
	return out
}

func TestFileNotices(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing to say", good, []string{}},
		{"unknown fields are kept", `{"version":"1.1","tier":{},"tiers":{"tier3_blocking":{"shell_pattern":["git push *"]}},"tools":{"claude":{"Mode":"x"}},"agents":{"a":{"maxmode":1}}}`,
			[]string{"unknown_field |tier| @tier 1:18", "unknown_field |tiers.tier3_blocking.shell_pattern| @tiers.tier3_blocking.shell_pattern 1:55",
				"unknown_field |tools.claude.Mode| @tools.claude.Mode 1:107", "unknown_field |agents.a.maxmode| @agents.a.maxmode 1:135"}},
		{"no tier3", `{"version":"1.1","tiers":{"tier1_silent":{}}}`, []string{"no_tier3 |tier3_blocking| @tiers 1:1"}},
		{"nothing at all", `{"version":"1.1","tiers":null,"tools":null}`, []string{"no_tier3 |tier3_blocking| @tiers 1:1"}},
		{"unknown tools are not checked", `{"version":"1.1","tiers":{"tier3_blocking":{}},"tools":{"cluade":null,"zed":{"mode":5},"toString":{"shell_whitelist":["ls"]}}}`,
			[]string{"unknown_tool cluade|cluade| @tools.cluade 1:57", "unknown_tool zed|zed| @tools.zed 1:71", "unknown_tool toString|toString| @tools.toString 1:88"}},
		{"a 1.0 protocol with tiers (H03)", `{"version":"1.0","tiers":{"tier1_silent":{"shell_patterns":["ls"]},"tier3_blocking":{}},"tools":{"claude":{"derived_from_tiers":["tier1_silent"]}}}`,
			[]string{"dead_tiers |tier1_silent| @tiers.tier1_silent 1:27", "dead_tiers claude|derived_from_tiers| @tools.claude.derived_from_tiers 1:129"}},
		{"tier3 listed, dead whitelist", `{"version":"1.1","tiers":{"tier3_blocking":{"shell_patterns":["x"]}},"tools":{"claude":{"derived_from_tiers":["tier3_blocking"],"shell_whitelist":["ls"]}}}`,
			[]string{"tier3_listed claude|tier3_blocking| @tools.claude.derived_from_tiers[0] 1:111", "dead_whitelist claude|ls| @tools.claude.shell_whitelist[0] 1:148"}},
		{"an open quote", `{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["\""]},"tier3_blocking":{}}}`, []string{`matches_nothing |"| @tiers.tier1_silent.shell_patterns[0] 1:61`}},
		{"invisible letters", "{\"version\":\"1.1\",\"tiers\":{\"tier3_blocking\":{\"shell_patterns\":[\"git pu\u200bsh *\"]}}}",
			[]string{"suspicious_text |git pu\u200bsh *| @tiers.tier3_blocking.shell_patterns[0] 1:63"}},
	} {
		if diff := cmp.Diff(tt.want, codes(parse(t, tt.text).Notices())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	p := parse(t, `{"version":"1.1","tiers":{"tier3_blocking":{"shell_pattern":[]}}}`)
	nameless := parse(t, `{"version":"1.0","tools":{"":{"shell_whitelist":["ls"]},"\u00ff":{"shell_whitelist":["ls"]}}}`)
	if nameless.Resolve("").Allow.Len() != 0 || nameless.Resolve("zed").Allow.Len() != 0 || nameless.Resolve("\xff").Allow.Len() != 0 || nameless.Resolve("ÿ").Allow.Len() != 1 {
		t.Error("a tool with an odd name stands for another")
	}
	if m := p.Notices()[0].Message; !strings.Contains(m, "did you mean shell_patterns?") {
		t.Errorf("no advice in %q", m)
	}
}

func TestEffectiveMode(t *testing.T) {
	p := parse(t, good)
	for _, tt := range []struct {
		tool, agent string
		want        tiers.Mode
	}{
		{"codex", "", tiers.Trusted},    // headless, below the global ceiling
		{"codex", "qa", tiers.Trusted},  // no ceiling of its own
		{"codex", "dev", tiers.Guarded}, // its ceiling
		{"claude", "qa", tiers.Guarded}, // the tool's own
		{"zed", "qa", tiers.Guarded},    // not declared
	} {
		if got := p.EffectiveMode(tt.tool, tt.agent); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.tool, tt.agent, got, tt.want)
		}
	}
	wide := parse(t, `{"version":"1.1","tools":{"codex":{"mode":"headless"}},"agents":{"a":{"max_mode":"headless"}}}`)
	if got := wide.EffectiveMode("codex", "a"); got != tiers.Headless {
		t.Errorf("without ceilings: %v", got)
	}
	low := parse(t, `{"version":"1.1","global_mode":"guarded","tools":{"codex":{"mode":"headless"}},"agents":{"a":{"max_mode":"headless"}}}`)
	if got := low.EffectiveMode("codex", "a"); got != tiers.Guarded {
		t.Errorf("an agent exceeds global_mode (H32): %v", got)
	}
}

func TestModeText(t *testing.T) {
	for _, name := range tiers.ModeNames() {
		var m tiers.Mode
		if err := m.UnmarshalText([]byte(name)); err != nil {
			t.Error(err)
		}
		if text, _ := m.MarshalText(); string(text) != name {
			t.Errorf("%s prints as %s", name, text)
		}
	}
	var m tiers.Mode
	if m.UnmarshalText([]byte("Guarded")) == nil || tiers.Mode(9).String() != "guarded" || m != tiers.Guarded {
		t.Error("a mode outside the set")
	}
}

func TestNilProtocol(t *testing.T) {
	var p *tiers.Protocol
	for range p.Tools() {
		t.Error("a nil protocol has tools")
	}
	s := p.Resolve("claude")
	if s.Allow.Len() != 0 || len(s.Deny) != 0 || s.Tool != "claude" || p.Notices() != nil || p.Strict() != nil || p.Legacy() {
		t.Errorf("a nil protocol says something: %+v", s)
	}
	if _, ok := p.Tool("claude"); ok || p.Name()+p.Version() != "" || p.Program() != tiers.DefaultProgram || p.EffectiveMode("", "") != tiers.Guarded {
		t.Error("a nil protocol knows something")
	}
	if q, err := p.WithProgram("x"); q != nil || err != nil {
		t.Errorf("%v, %v", q, err)
	}
}

// TestHostileFiles: a refusal comes soon, whatever the file.
func TestHostileFiles(t *testing.T) {
	fill := func(head, item, tail string) []byte {
		return []byte(head + strings.Repeat(item, (1<<20-len(head)-len(tail))/len(item)) + tail)
	}
	for name, data := range map[string][]byte{
		"brackets":     bytes.Repeat([]byte("["), 1<<20),
		"entries":      fill(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["a"`, `,"a"`, `]}}}`),
		"wrong types":  fill(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":[1`, `,1`, `]}}}`),
		"line ends":    fill(`{"version":1`, "\n", `}`),
		"one long key": fill(`{"version":"1.1","`, "x", `":1}`),
		"unknown keys": []byte(`{"version":"2","a":0` + func() string {
			var b strings.Builder
			for i := range 80_000 {
				fmt.Fprintf(&b, `,"a%d":1`, i)
			}
			return b.String()
		}() + `}`),
	} {
		var err error
		regime.Within(t, 50*time.Millisecond, func() { _, err = tiers.Parse("p", data) })
		if err == nil && name != "one long key" {
			t.Errorf("%s: taken", name)
		}
	}
}

func ExampleParse() {
	_, err := tiers.Parse("protocol.json", []byte(`{"version": "1.1", "tiers": {"tier3_bloking": {}}}`))
	fmt.Println(err)
	// Output: protocol.json:1:30: tiers.tier3_bloking: "tier3_bloking" is not a tier; allowed: tier1_silent, tier2_notified, tier3_blocking
}

func ExampleProtocol_EffectiveMode() {
	p, _ := tiers.Parse("", []byte(`{"version":"1.1","global_mode":"trusted","tools":{"codex":{"mode":"headless"}}}`))
	fmt.Println(p.EffectiveMode("codex", "dev"))
	// Output: trusted
}
