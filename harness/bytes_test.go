package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
)

// odd writes random settings with every freedom that JSON leaves: blanks, line ends, key order, spellings.
type odd struct {
	r   *rand.Rand
	b   strings.Builder
	brk string
}

var (
	oddKeys   = []string{"env", "hooks", "model", "ключ", "a\\u0062", "z", "__proto__", "0", "1", "statusLine", "permission"}
	oddValues = []string{"1e400", "12345678901234567890", "-0", "1.0", "1E+2", "true", "null", `"\u00e9\/"`, `"日本 \\ \" "`, `""`, "[]", "{}", `[1,  {"x":[ ]}]`, `"\ud83d\ude00"`}
	oddRules  = []string{"Read", "Read", "Bash(make fmt)", "Bash(git:*)", `Bash(echo \"x\":*)`, "Bash(git log:*)", "WebFetch(domain:x)", "Bash(git push:*)", `Edit(\/a)`, "mcp__a__b"}
)

func (o *odd) blank() {
	for range o.r.IntN(3) {
		o.b.WriteString(pick(o.r, []string{" ", "\t", o.brk, o.brk + "   "}))
	}
}

func (o *odd) list(open, close byte, n int, item func(int)) {
	o.b.WriteByte(open)
	for i := range n {
		if i > 0 {
			o.b.WriteByte(',')
		}
		o.blank()
		item(i)
		o.blank()
	}
	o.b.WriteByte(close)
}

func (o *odd) member(key string, value func()) {
	fmt.Fprintf(&o.b, `"%s"`, key)
	o.blank()
	o.b.WriteByte(':')
	o.blank()
	value()
}

func (o *odd) object(keys []string, own map[string]func()) {
	o.r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	o.list('{', '}', len(keys), func(i int) {
		value := own[keys[i]]
		if value == nil {
			value = func() { o.b.WriteString(pick(o.r, oddValues)) }
		}
		o.member(keys[i], value)
	})
}

func (o *odd) keys(extra ...string) []string {
	out := slices.Clone(extra)
	for range o.r.IntN(4) {
		if k := pick(o.r, oddKeys); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func (o *odd) settings() string {
	o.b.Reset()
	o.brk = pick(o.r, []string{"\n", "\r\n"})
	rules := func() {
		n := o.r.IntN(5)
		o.list('[', ']', n, func(int) {
			if o.r.IntN(20) == 0 {
				o.b.WriteString(pick(o.r, oddValues))
				return
			}
			fmt.Fprintf(&o.b, `"%s"`, pick(o.r, oddRules))
		})
	}
	var own []string
	for _, list := range []string{"allow", "deny", "ask", "defaultMode"} {
		if o.r.IntN(3) > 0 {
			own = append(own, list)
		}
	}
	values := map[string]func(){"allow": rules, "deny": rules, "ask": rules, "defaultMode": func() { o.b.WriteString(`"plan"`) }}
	top := o.keys()
	if o.r.IntN(5) > 0 {
		top = append(top, "permissions")
	}
	o.blank()
	o.object(top, map[string]func(){"permissions": func() { o.object(o.keys(own...), values) }})
	o.blank()
	return o.b.String()
}

// cut takes the two lists out of a settings text, by a reader of its own; parts are what stands around them.
func cut(t *testing.T, text string) (parts []string) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var path []string
	at := 0
	var walk func()
	walk = func() {
		start := int(dec.InputOffset())
		tok, err := dec.Token()
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		delim, isDelim := tok.(json.Delim)
		switch {
		case isDelim && delim == '{':
			for dec.More() {
				key, err := dec.Token()
				if err != nil {
					t.Fatal(err)
				}
				path = append(path, key.(string))
				walk()
				path = path[:len(path)-1]
			}
			_, _ = dec.Token()
		case isDelim && delim == '[':
			for dec.More() {
				path = append(path, "[]")
				walk()
				path = path[:len(path)-1]
			}
			_, _ = dec.Token()
			if p := strings.Join(path, "/"); p == "permissions/allow" || p == "permissions/deny" {
				start += strings.IndexByte(text[start:], '[')
				parts = append(parts, text[at:start])
				at = int(dec.InputOffset())
			}
		}
	}
	walk()
	return append(parts, text[at:])
}

// TestSettingsKeepTheirBytes merges into random settings and compares every byte outside the two lists.
func TestSettingsKeepTheirBytes(t *testing.T) {
	n := regime.Cases(t, 5_000, 50_000)
	p, err := tiers.Parse("p", []byte(`{"version":"1.1","tiers":{"tier1_silent":{"shell_patterns":["git log *","ls"]},"tier3_blocking":{"shell_patterns":["git push *"]}},
		"tools":{"claude":{"derived_from_tiers":["tier1_silent"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := p.Tool("claude")
	s := newSets(p, tool)
	o := &odd{r: rand.New(rand.NewPCG(1, 2))}
	both := 0
	for range n {
		text := o.settings()
		in := input{name: "f", old: []byte(text), exists: true, sets: s}
		d, err := draftClaude(in)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		was, is := cut(t, text), cut(t, string(d.data))
		switch {
		case len(was) == len(is):
			both++
			if !slices.Equal(was, is) {
				t.Fatalf("bytes outside the lists changed:\n%q\n%q", was, is)
			}
		case !grown(strings.Join(was, "[]"), strings.Join(is, "[]")):
			t.Fatalf("more than an addition:\n%s\n->\n%s", text, d.data)
		}
		// A second merge changes nothing, and giving everything up leaves what was there.
		in.old, in.was = d.data, &record{Ours: d.ours, Theirs: d.theirs}
		again, err := draftClaude(in)
		if err != nil || !bytes.Equal(again.data, d.data) {
			t.Fatalf("the second merge: %v\n%s\n->\n%s", err, d.data, again.data)
		}
	}
	t.Logf("%d of %d had both lists", both, n)
	if both < n/10 {
		t.Error("hardly any file had both lists")
	}
}

// grown reports whether b is a with additions only, blanks inside an empty object apart.
func grown(a, b string) bool {
	i := 0
	for _, r := range b {
		for i < len(a) && (a[i] == ' ' || a[i] == '\t' || a[i] == '\r' || a[i] == '\n') && rune(a[i]) != r {
			i++
		}
		if i < len(a) && strings.HasPrefix(a[i:], string(r)) {
			i += len(string(r))
		}
	}
	return strings.TrimSpace(a[i:]) == ""
}
