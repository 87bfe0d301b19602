package canonjson_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/regime"
)

//go:generate sh -c "cd testdata && python3 vectors.py"

// oracle reads one document a line and writes its canonical form, as one line each.
const oracle = `
import json, sys
sys.stdin.reconfigure(encoding="utf-8", newline="\n")
sys.stdout.reconfigure(encoding="utf-8", newline="\n")
for line in sys.stdin:
    print(json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"), ensure_ascii=False))
`

// TestPython compares the canonical form of random documents with Python's, where there is a Python.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	n := regime.Cases(t, 5_000, 100_000)
	cmd := exec.Command(python, "-c", oracle)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		w := bufio.NewWriter(in)
		r := rand.New(rand.NewPCG(1, 2))
		for range n {
			_, _ = w.Write(append(randomRoot(r), '\n'))
		}
		_ = w.Flush()
		_ = in.Close()
	}()
	r := rand.New(rand.NewPCG(1, 2))
	lines := bufio.NewReader(out)
	different := 0
	for i := range n {
		doc := randomRoot(r)
		want, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		v, err := canonjson.Parse("", doc, canonjson.Limits{})
		if err != nil {
			t.Fatalf("document %d: %v\n%s", i, err, doc)
		}
		if got := string(canonjson.Canonical(v)); got != strings.TrimSuffix(want, "\n") {
			if different++; different < 5 {
				t.Errorf("document %d: %s\npython %sgot    %s", i, doc, want, got)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents, %d differences", n, different)
}

// randomRoot is a random document that is a container.
func randomRoot(r *rand.Rand) []byte {
	for {
		if doc := randomDoc(nil, r, 4); len(doc) > 2 && (doc[0] == '[' || doc[0] == '{') {
			return doc
		}
	}
}

// randomDoc writes a document with unique keys, odd spacing, escapes of every spelling and hard numbers.
func randomDoc(dst []byte, r *rand.Rand, depth int) []byte {
	space := func() {
		if r.IntN(12) == 0 {
			dst = append(dst, " \t\r "[r.IntN(4)])
		}
	}
	kinds := 10
	if depth == 0 {
		kinds = 6
	}
	switch k := r.IntN(kinds); k {
	case 0:
		return append(dst, [...]string{"null", "true", "false"}[r.IntN(3)]...)
	case 1:
		return append(dst, randomInt(r)...)
	case 2, 3:
		return append(dst, randomFloat(r)...)
	case 4, 5:
		return randomString(dst, r, 10)
	case 6, 7:
		dst = append(dst, '[')
		for i := range r.IntN(5) {
			if i > 0 {
				dst = append(dst, ',')
			}
			space()
			dst = randomDoc(dst, r, depth-1)
			space()
		}
		return append(dst, ']')
	default:
		n := r.IntN(6)
		if r.IntN(60) == 0 {
			n = 60 + r.IntN(40)
		}
		dst = append(dst, '{')
		seen := map[string]bool{}
		for range n {
			key := randomString(nil, r, 3+n/30)
			var text string
			if err := json.Unmarshal(key, &text); err != nil || seen[text] {
				continue
			}
			if len(seen) > 0 {
				dst = append(dst, ',')
			}
			seen[text] = true
			space()
			dst = append(dst, key...)
			space()
			dst = append(dst, ':')
			space()
			dst = randomDoc(dst, r, depth-1)
			space()
		}
		return append(dst, '}')
	}
}

func randomInt(r *rand.Rand) string {
	switch r.IntN(5) {
	case 0:
		return "-0"
	case 1:
		return strconv.FormatInt(int64(r.Uint64()), 10)
	case 2:
		return "-1" + strings.Repeat(strconv.Itoa(r.IntN(10)), r.IntN(60))
	default:
		return strconv.Itoa(r.IntN(2000) - 1000)
	}
}

func randomFloat(r *rand.Rand) string {
	switch r.IntN(5) {
	case 0: // any bits
		for {
			if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				return strconv.FormatFloat(f, "eEfg"[r.IntN(2)], -1, 64)
			}
		}
	case 1: // near where the notation changes
		f := [...]float64{1e-5, 1e-4, 1e15, 1e16, 1e17, 1e21, 1e22, 5e-324, 2.2250738585072014e-308}[r.IntN(9)]
		return strconv.FormatFloat(math.Nextafter(f, float64(r.IntN(3)-1)*1e300), 'e', 16+r.IntN(4), 64)
	case 2: // halves of the last digit
		return strconv.Itoa(r.IntN(1<<20)) + "." + strconv.Itoa(r.IntN(1000)) + "5e" + strconv.Itoa(r.IntN(40)-20)
	case 3:
		return [...]string{"-0.0", "0.0", "0e0", "-0e9", "1e-400", "-1e-400", "1E+2", "1e00", "10.0", "1.50"}[r.IntN(10)]
	default:
		return strconv.FormatFloat(r.NormFloat64()*1000, 'f', 1+r.IntN(20), 64)
	}
}

var alphabet = []string{"a", "b", "Z", "0", "_", " ", "/", "<", "&", "'", "\x7f", "\u0080", "\u00e9", "\u2028", "\ufeff", "\uffff", "\U00010000",
	"\U0001f600", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u001f`, `\u001F`, `\u0041`, `\u00E9`, `\uffff`, `\ud83d\ude00`, `\ue000`}

func randomString(dst []byte, r *rand.Rand, n int) []byte {
	dst = append(dst, '"')
	for range r.IntN(n) {
		dst = append(dst, alphabet[r.IntN(len(alphabet))]...)
	}
	return append(dst, '"')
}

// FuzzParse holds, for any text: what is accepted is JSON to the standard library too, its canonical form is a fixed
// point that says the same, spans nest, and a refusal is a positioned error.
func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		f.Add(randomDoc(nil, r, 4))
	}
	for _, s := range []string{"", "[1,]", `{"a":1,"a":2}`, `["\ud800"]`, "[\"\xff\"]", "[1e999]", "\ufeff[]", `{"a":{"b":[{"c":1,}]}}`, `["\u12"]`, "// x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := canonjson.Parse("f", data, canonjson.Limits{MaxBytes: 1 << 16})
		if err != nil {
			for _, e := range faults(t, err) {
				if e.Code == "" || e.Line < 1 || e.Col < 1 || e.Err == nil {
					t.Fatalf("no position in %+v", e)
				}
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted, and is no JSON: %q", data)
		}
		canonical := canonjson.Canonical(v)
		again, err := canonjson.Parse("f", canonical, canonjson.Limits{MaxBytes: 1 << 20})
		if err != nil {
			t.Fatalf("%q: %v", canonical, err)
		}
		if got := canonjson.Canonical(again); !bytes.Equal(got, canonical) {
			t.Fatalf("no fixed point: %q, then %q", canonical, got)
		}
		compact, err := canonjson.Parse("f", canonjson.Compact(v), canonjson.Limits{MaxBytes: 1 << 20})
		if err != nil || !bytes.Equal(canonjson.Canonical(compact), canonical) {
			t.Fatalf("the compact form says something else: %q", data)
		}
		nested(t, v, 0, len(data))
	})
}

func nested(t *testing.T, v canonjson.Value, from, to int) {
	s, e := v.Span()
	if s < from || e > to || s >= e {
		t.Fatalf("span %d:%d outside %d:%d", s, e, from, to)
	}
	at := s
	for x := range v.Items() {
		nested(t, x, at+1, e-1)
		_, at = x.Span()
	}
	for k, x := range v.Members() {
		nested(t, k, at, e-1)
		_, at = k.Span()
		nested(t, x, at+1, e-1)
		_, at = x.Span()
	}
}
