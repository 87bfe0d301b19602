package turnenvelope

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"github.com/google/go-cmp/cmp"
)

// The rules of E, laid beside the page that has them.

func read(t testing.TB, text string) value {
	t.Helper()
	v, err := canonjson.Parse("", []byte(text), limits)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestTextForm(t *testing.T) { // E3.1
	for in, want := range map[string]string{
		`"as it is"`:                             "as it is",
		`null`:                                   "None",
		`true`:                                   "True",
		`false`:                                  "False",
		`-0`:                                     "0",
		`1e3`:                                    "1000.0",
		`1e16`:                                   "1e+16",
		`[]`:                                     "[]",
		`{}`:                                     "{}",
		`[1, 2.5, "a'b", null, true, {"k": []}]`: `[1, 2.5, "a'b", None, True, {'k': []}]`,
		`["'\""]`:                                `['\'"']`,
		`["\\ \t\n\r\u0001\u007f"]`:              `['\\ \t\n\r\x01\x7f']`,
		`["\u0085\u00a0\u00ad\u200b\ue000\u2028é"]`: `['\x85\xa0\xad\u200b\ue000\u2028é']`,
		`["\udb40\udc01😀"]`:                         `['\U000e0001😀']`,
		`[-0, -0.0, false]`:                         `[0, -0.0, False]`,
	} {
		if got := textOf(read(t, in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if textOf(value{}) != "None" {
		t.Error("missing")
	}
}

func TestTruth(t *testing.T) { // E1
	for in, want := range map[string][2]bool{ // truthy, slot-truthy
		"null": {}, "false": {}, "0": {}, "-0": {}, "0.0": {}, "-0.0": {}, `""`: {}, "1e-400": {},
		"[]": {false, true}, "{}": {false, true},
		`"0"`: {true, true}, `" "`: {true, true}, "[0]": {true, true}, "0.5": {true, true}, "true": {true, true}, "-1": {true, true},
	} {
		v := read(t, in)
		if got := [2]bool{truthy(v), slotTruthy(v)}; got != want {
			t.Errorf("%s: %v, want %v", in, got, want)
		}
	}
}

func TestClean(t *testing.T) { // E3.2
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 5, ""}, {" \t\u3000\x1c\u2028", 5, ""}, {" a  b ", 5, "a b"}, {"a\u00a0b\u0085c", 9, "a b c"},
		{"a\u200bb\ufeff", 9, "a\u200bb\ufeff"},
		{"abcdefgh", 8, "abcdefgh"}, {"abcdefghi", 8, "abcde..."}, {"abcd fghi", 8, "abcd..."},
		{"ééééé", 4, "é..."}, {"ééééé", 5, "ééééé"}, {"abcdef", 3, "..."}, {"abcdef", 2, "..."},
		{"👩‍👩‍👧", 5, "👩‍👩‍👧"}, {"👩‍👩‍👧", 4, "👩..."}, {"a b", 3, "a b"}, {"a ", 3, "a"}, {" a", 3, "a"},
	} {
		if got := clean(tt.in, tt.n); got != tt.want {
			t.Errorf("clean(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
	for in, want := range map[string]string{"0": "0", "false": "False", "[]": "[]", "null": "", `" "`: "", `"x"`: "x"} {
		if got := cleanValue(read(t, in), 9); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestCleanList(t *testing.T) { // E3.3
	for in, want := range map[string][]string{
		`"x"`: nil, `[]`: nil, `[null, " "]`: nil,
		`[1, "1", 1.0, false, "b  c", "b c", "longer text", "longer  tea"]`: {"1", "1.0", "False", "b c", "longer..."},
		`["a","b","c","d","e","f","g"]`:                                     {"a", "b", "c", "d", "e"},
	} {
		if d := cmp.Diff(want, cleanList(read(t, in), 5, 9)); d != "" {
			t.Errorf("%s (-want +got):\n%s", in, d)
		}
	}
}

func TestLabel(t *testing.T) { // E3.4
	for in, want := range map[string]string{
		"[lane] a: rest":                       "[lane] a",
		"[lane]: rest":                         "[lane]: rest", // the head has 6 characters
		"[lane12]: rest":                       "[lane12]",
		"(lane) abc: x":                        "(lane) abc: x",
		"[lane] a b : x":                       "[lane] a b",
		"":                                     "",
		"no colon [here]":                      "no colon [here]",
		"[" + strings.Repeat("x", 90) + "]: y": "[" + strings.Repeat("x", 76) + "...",
	} {
		if got := label(read(t, strconv.Quote(in)), 80); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSlots(t *testing.T) { // E4
	for in, want := range map[string]string{
		"null": "", "false": "", "0": "", "-0.0": "", `""`: "", "true": "True", `"a "`: "a ", "[]": "", "[[]]": "", "{}": "[object Object]",
		`[1,[2,null],"x"]`: "1,2,,x", `[true,false,{}]`: "true,false,[object Object]", "5": "5",
		"1.0": "1", "1e20": "100000000000000000000", "1e21": "1e+21", "1e-6": "0.000001", "1e-7": "1e-7", "-1.5e300": "-1.5e+300",
		"9007199254740993": "9007199254740992", "123456789012345678901234": "1.2345678901234569e+23", "0.1": "0.1", "-12.5": "-12.5",
		"1" + strings.Repeat("0", 400): "Infinity", "-1" + strings.Repeat("0", 400): "-Infinity", "[0,-0.0]": "0,0",
	} {
		if got := slotText(read(t, in)); got != want {
			t.Errorf("slot text of %s: %q, want %q", in, got, want)
		}
	}
	got := slotList(read(t, `[null, true, false, " x ", "\ufeff\u00a0", "\u0085", "\u001c", 0, [], [1,null], {}]`))
	want := []string{"None", "True", "False", " x ", "\u0085", "\x1c", "0", "1,", "[object Object]"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slot list (-want +got):\n%s", d)
	}
	if slotList(read(t, `{"a":1}`)) != nil {
		t.Error("an object is a list")
	}
}

func TestIntegers(t *testing.T) { // E6.2
	long := strings.Repeat("9", 4300)
	for in, want := range map[string]string{
		"null": "0", "false": "0", "true": "1", `""`: "0", "[]": "0", "{}": "0", "7": "7", "-0": "0", "1e22": "10000000000000000000000",
		"-2.9": "-2", "0.9": "0", "-0.5": "0", `" 12 "`: "12", `"+5"`: "5", `"-5"`: "-5", `"-0"`: "0", `"1_000"`: "1000", `"007"`: "7", `"\u0663\u3000"`: "3", `"\u2003-1_\u0661"`: "-11",
		strconv.Quote(long): long, "123456789012345678901234567890": "123456789012345678901234567890",
	} {
		p := projection{}
		if got := p.integer(read(t, in), ""); got != want || len(p.faults) > 0 {
			t.Errorf("%.40s: %.40q, want %.40q; %v", in, got, want, p.faults)
		}
	}
	for in, code := range map[string]string{
		`"x"`: CodeOpenCount, `" "`: CodeOpenCount, `"1.0"`: CodeOpenCount, `"1__0"`: CodeOpenCount, `"_1"`: CodeOpenCount, `"1_"`: CodeOpenCount, `"- 1"`: CodeOpenCount,
		`"--1"`: CodeOpenCount, `"\u001c1"`: CodeOpenCount, `"\u00b2"`: CodeOpenCount, `[1]`: CodeOpenCount, `{"a":1}`: CodeOpenCount, strconv.Quote(long + "9"): CodeDigits,
	} {
		p := projection{data: []byte(in)}
		if p.integer(read(t, in), "/open_count"); len(p.faults) != 1 || p.faults[0].Code != code || p.faults[0].Key != "/open_count" {
			t.Errorf("%.40s: %v, want %s", in, p.faults, code)
		}
	}
}

func TestSameText(t *testing.T) { // E6.4
	long := strings.Repeat("x", 80)
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "", false}, {"a", "", false}, {"Straße", "STRASSE", true}, {"ﬃ", "FFI", true}, {"İ", "i\u0307", true}, {"Ꭰ", "ꭰ", true}, {"a", "b", false},
		{long + "...", long + "y", true}, {long + "y", long + "...", true}, {long[1:] + "...", long, false}, {long + " ...", long + "z", true},
		{long + "…", long + "z", false}, {long + "a...", long + "b", false}, {long + "a...", long + "...", false},
	} {
		if got := sameText(tt.a, tt.b); got != tt.want {
			t.Errorf("sameText(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

func TestExecutable(t *testing.T) { // E6.11
	item := func(n, count int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(strconv.Quote(strings.Repeat("é", n))+",", count), ",") + "]"
	}
	for in, want := range map[string]bool{
		`["a"]`: true, `[]`: false, `["a",""]`: false, `["a",1]`: false, `"a"`: false, `{"a":1}`: false, `[["a"]]`: false,
		item(1, 64): true, item(1, 65): false, item(512, 1): true, item(513, 1): false, item(511, 4): true, item(512, 4): false,
	} {
		if got := executable(read(t, in)); got != want {
			t.Errorf("%.60s: %v", in, got)
		}
	}
}

func TestTodoPredicates(t *testing.T) { // E7.9
	for in, want := range map[string]bool{
		`"todo_abc"`: true, `" TODO_A-9 "`: true, `"todo_ab"`: false, `"todo_` + strings.Repeat("x", 64) + `"`: true, `"todo_` + strings.Repeat("x", 65) + `"`: false,
		`"todo_a b"`: false, `"todo_\u212aab"`: true, `"xtodo_abc"`: false, `5`: false, `"todo_é12"`: false,
	} {
		if got := isTodoID(read(t, in)); got != want {
			t.Errorf("todo id %s: %v", in, got)
		}
	}
	for in, want := range map[string]bool{
		`"pr_merged:owner/repo#12"`: true, `"pr_merged:#1"`: true, `"pr_merged:#0"`: false, `"pr_merged:#1234567890"`: false, `"pr_merged:owner#1"`: false,
		`"pr_merged:a/b/c#1"`: false, `"pr_merged:/b#1"`: false, `"pr_merged"`: true, `"pr_merged:x"`: true, `"PR_Merged:O/R#3"`: true, `"pr_merged:#1x"`: false,
		`"when done"`: false, `"date:2026-01-01"`: true, `"date:"`: false, `"9date"`: false, `""`: false, `null`: false, `" kind "`: true, `"k:a@b.c:d"`: true, `"k:a/b"`: false,
		`"` + strings.Repeat("k", 33) + `"`: false, `"k:` + strings.Repeat("v", 97) + `"`: false,
	} {
		if got := isResumeCondition(read(t, in)); got != want {
			t.Errorf("resume condition %s: %v", in, got)
		}
	}
	for in, want := range map[string]bool{
		`{}`: true, `{"done":true}`: false, `{"done":1}`: true, `{"status":" Done "}`: false, `{"status":"deferred"}`: false, `{"status":"odd"}`: true,
		`{"resume_when":"date:x"}`: false, `{"resume_when":"date:x","resume_ready":true}`: true, `{"resume_when":"date:x","resume_ready":1}`: false, `{"resume_when":"no condition"}`: true,
	} {
		if got := actionable(read(t, in)); got != want {
			t.Errorf("actionable %s: %v", in, got)
		}
	}
	for in, want := range map[string]bool{
		`{"text":"implement it"}`: false, `{"gating":false}`: true, `{"gating":null}`: false, `{"non_gating":true}`: true, `{"task_class":"user_action"}`: true,
		`{"task_class":"user_gate","action_kind":"FYI"}`: true, `{"action_kind":"poll"}`: true, `{"text":"watch the pump"}`: true,
	} {
		if got := nonGating(read(t, in)); got != want {
			t.Errorf("non-gating %s: %v", in, got)
		}
	}
	for in, want := range map[string]string{
		`{"task_class":" Blocker "}`: "blocker", `{"task_class":"odd","action_kind":"RUN_EVAL"}`: classAdvancement, `{"action_kind":"watch"}`: classMonitor,
		`{"title":"only after","text":"owner approval"}`: classMonitor, `{"title":[],"text":0}`: classAdvancement,
	} {
		if got := todoClass(read(t, in)); got != want {
			t.Errorf("class of %s: %s, want %s", in, got, want)
		}
	}
}

func TestClassByText(t *testing.T) { // E7.10
	for in, want := range map[string]string{
		"":                                        classAdvancement,
		"Do not launch until approved":            classMonitor,
		"do not relaunch until approved":          classAdvancement,
		"just once the evidence is there":         classMonitor,
		"just one evidence":                       classAdvancement,
		"gcp_sa_key is required":                  classMonitor,
		"mygcp is required":                       classAdvancement,
		"gs://bucket missing":                     classMonitor,
		"gs:// bucket missing":                    classAdvancement,
		"proof before any formal benchmark run":   classMonitor,
		"remaining formal path":                   classMonitor,
		"input is absent":                         classMonitor,
		"0 live candidates":                       classMonitor,
		"10 candidates":                           classAdvancement,
		"implement it, blocked by owner":          classAdvancement,
		"note: implement it, blocked by owner":    classAdvancement,
		"note：fix it, blocked by owner":           classAdvancement,
		"prefix it, blocked by owner":             classMonitor,
		"reimplement, waiting for evidence":       classMonitor,
		"smoke fixture blocked by user":           classAdvancement,
		"dependency monitor":                      classMonitor,
		"use monitor-only mode":                   classMonitor,
		"observe the pump":                        classMonitor,
		"then observe the pump":                   classAdvancement,
		"later: poll it":                          classMonitor,
		"WATCH: it":                               classMonitor,
		"\u0130mplement, blocked by owner":        classAdvancement,
		"te\u017ft it, blocked by owner":          classAdvancement,
		"wor\u212a: blocked by the u\u017fer":     classMonitor,
		"blocked\u0301 by owner":                  classMonitor, // a mark is no word character
		"blocked漢 by owner":                       classAdvancement,
		"waiting owner":                           classMonitor,
		"owner waiting":                           classAdvancement,
		"gated: nothing":                          classAdvancement,
		"tested: implementation slice of gateway": classAdvancement,
	} {
		if got := classByText(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestHosts(t *testing.T) { // E8
	seen := map[string]bool{}
	for _, h := range hosts {
		by := Host{Surface: h.surface, Owner: h.owner, Mode: h.mode}
		if got := by.arguments(); got != h.arguments || seen[got] || !by.Known() {
			t.Errorf("%+v: %q", by, got)
		}
		seen[h.arguments] = true
		if h.profile != "" && (Host{Profile: h.profile}).arguments() != h.arguments {
			t.Errorf("profile %s", h.profile)
		}
	}
	if len(hosts) != 20 || len(Profiles()) != 8 {
		t.Errorf("%d hosts, %d profiles", len(hosts), len(Profiles()))
	}
	for _, h := range []Host{{}, {Profile: "Codex_cli"}, {Profile: "x", Surface: "codex_cli", Owner: "none", Mode: "interactive"}, {Surface: "codex_cli ", Owner: "none", Mode: "interactive"}} {
		if h.arguments() != "" {
			t.Errorf("%+v has arguments", h)
		}
	}
}

// TestQuoting lets a shell read the commands back: every id is one word, and that id. N6
func TestQuoting(t *testing.T) {
	for id, want := range map[string]string{
		"plain-id.9:@/_": " --goal-id plain-id.9:@/_", "-x": " --goal-id='-x'", "--": " --goal-id='--'", "a b": " --goal-id 'a b'", "it's": ` --goal-id 'it'\''s'`,
		"$(rm)": " --goal-id '$(rm)'", "é": " --goal-id 'é'", "a\nb": " --goal-id 'a\nb'", "<goal-id>": " --goal-id '<goal-id>'", "-it's": ` --goal-id='-it'\''s'`,
		"~": " --goal-id '~'", "a=b": " --goal-id 'a=b'", "{a,b}": " --goal-id '{a,b}'", "*": " --goal-id '*'",
	} {
		got := idArgument("--goal-id", id)
		if got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
		sh, err := exec.LookPath("sh")
		if err != nil {
			continue
		}
		out, err := exec.Command(sh, "-c", `printf '[%s]'`+got).Output()
		if err != nil {
			t.Fatal(err)
		}
		words := fmt.Sprintf("[--goal-id][%s]", id)
		if strings.HasPrefix(id, "-") {
			words = fmt.Sprintf("[--goal-id=%s]", id)
		}
		if string(out) != words {
			t.Errorf("%q: the shell reads %s", id, out)
		}
	}
}

// TestCompaction holds for every length of text and source: the number is true, and it is the least one that is. N5
func TestCompaction(t *testing.T) {
	length := func(base, total, source int) int { // of the text that says total
		return base + len(appendTail(nil, total, source))
	}
	for _, source := range []int{2, 99, 1000, 9999, 16384, 1 << 20} {
		for _, around := range []int{0, 900, 8080, 9890, 99_890, 999_890} {
			for base := around; base < around+110; base++ {
				e := emitter{b: make([]byte, base+1, base+300)}
				e.b[base] = '{'
				total := e.compaction(source)
				start := strings.Index(string(e.b), `"envelope_json_bytes":`) + len(`"envelope_json_bytes":`)
				if total != len(e.b) || length(start, total, source) != total {
					t.Fatalf("base %d, source %d: says %d, has %d", base, source, total, len(e.b))
				}
				for less := total - 1; less > total-12; less-- {
					if length(start, less, source) == less {
						t.Fatalf("base %d, source %d: %d would do, not %d", base, source, less, total)
					}
				}
			}
		}
	}
	for want, in := range map[string][2]int{"0.7000": {300, 1000}, "0.0000": {1000, 1000}, "-999.0000": {2000, 2}, "0.6892": {5040, 16215}} {
		if got := string(appendRatio(nil, in[0], in[1])); got != want {
			t.Errorf("ratio of %v: %s, want %s", in, got, want)
		}
	}
	if got := string(appendRatio(nil, 1<<20+1, 1<<20)); got != "0.0000" { // not -0.0000
		t.Error(got)
	}
}

// TestRender holds the packet's text. E7.4
func TestRender(t *testing.T) {
	v := read(t, `{"b":false,"list":[1,"x"],"n":1.0}`)
	fs := packetFields{{"a", ofBool(true)}, {"b", of(v.Get("b"))}, {"c", of(v.Get("list"))}, {"d", datum{kind: listDatum, list: []string{"p", "it's"}}}, {"e", of(v.Get("n"))}, {"f", datum{}}}
	if got, want := string(fs.render()), `a=true b=false c=[1, 'x'] d=['p', "it's"] e=1.0 f=None`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if ofBool(true).text() != "True" || ofBool(false).text() != "False" || !ofBool(true).truthy() {
		t.Error("booleans")
	}
	list := read(t, `["p","it's"]`)
	for _, tt := range []struct {
		a, b datum
		want bool
	}{
		{of(list), datum{kind: listDatum, list: []string{"p", "it's"}}, true},
		{of(list), ofText("p"), false}, {ofText("p"), of(list), false}, {ofText("p"), of(list.Index(0)), true},
		{ofBool(false), of(v.Get("b")), true}, {of(v.Get("b")), ofText("False"), false}, {datum{}, ofText("x"), false}, {datum{}, ofBool(false), false}, {of(v.Get("n")), ofBool(true), false},
	} {
		if got := tt.a.same(tt.b); got != tt.want {
			t.Errorf("%+v same as %+v: %v", tt.a, tt.b, got)
		}
	}
}

// TestFieldTables holds that the lists have no field twice, and that every limit found its field.
func TestFieldTables(t *testing.T) {
	limits := 0
	for _, row := range append(capsuleRows, struct {
		name   string
		fields []field
	}{"followthrough", followthroughFields}) {
		seen := map[string]bool{}
		for _, f := range row.fields {
			if seen[f.name] {
				t.Errorf("%s has %s twice", row.name, f.name)
			}
			seen[f.name] = true
			if f.limit > 0 {
				limits++
			}
		}
	}
	if len(capsuleRows) != 11 || limits != 8 {
		t.Errorf("%d rows with %d limits, want 11 with 8", len(capsuleRows), limits)
	}
}
