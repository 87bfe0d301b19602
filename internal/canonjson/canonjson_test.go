package canonjson_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) canonjson.Value {
	t.Helper()
	v, err := canonjson.Parse("", []byte(text), canonjson.Limits{})
	if err != nil {
		t.Fatalf("%.200q: %v", text, err)
	}
	return v
}

// TestVectors compares every form with what Python wrote; testdata/vectors.py makes the file.
func TestVectors(t *testing.T) {
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); n++ {
		var row [4]string
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		v := parse(t, row[0])
		got := [4]string{row[0], string(canonjson.Compact(v)), string(canonjson.Canonical(v)),
			string(canonjson.Append(nil, v, canonjson.Format{SortKeys: true, ASCII: true, Indent: "  "}))}
		if d := cmp.Diff(row, got); d != "" {
			t.Errorf("vector %d (-python +got):\n%s", n, d)
		}
		if again := canonjson.Canonical(parse(t, row[2])); string(again) != row[2] {
			t.Errorf("vector %d: the canonical form of the canonical form is another: %s", n, again)
		}
	}
	if n < 240 {
		t.Errorf("%d vectors, want at least 240", n)
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, text, code, pointer, key string
		offset, line, col              int
	}{
		{"empty", "", canonjson.CodeSyntax, "", "", 0, 1, 1},
		{"only space", " \n ", canonjson.CodeSyntax, "", "", 3, 2, 2},
		{"trailing data", "{} 1", canonjson.CodeTrailing, "", "", 3, 1, 4},
		{"second value", "1 2", canonjson.CodeTrailing, "", "", 2, 1, 3},
		{"trailing comma", `{"a":1,}`, canonjson.CodeSyntax, "", "", 7, 1, 8},
		{"trailing comma in an array", `{"a":[1,]}`, canonjson.CodeSyntax, "/a", "a", 8, 1, 9},
		{"missing comma", `{"a":{"b":1 "c":2}}`, canonjson.CodeSyntax, "/a", "a", 12, 1, 13},
		{"missing colon", `{"a" 1}`, canonjson.CodeSyntax, "/a", "a", 5, 1, 6},
		{"missing value", `{"a":}`, canonjson.CodeSyntax, "/a", "a", 5, 1, 6},
		{"end in an object", `{"a":1`, canonjson.CodeSyntax, "", "", 6, 1, 7},
		{"end in an array", `[[1`, canonjson.CodeSyntax, "/0", "[0]", 3, 1, 4},
		{"key is no string", `{a:1}`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"line comment", "{\"a\": // x\n1}", canonjson.CodeComment, "/a", "a", 6, 1, 7},
		{"block comment", "[1,\n/* x */2]", canonjson.CodeComment, "", "", 4, 2, 1},
		{"hash comment", "# x\n{}", canonjson.CodeComment, "", "", 0, 1, 1},
		{"single quotes", `['a']`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"wrong literal", `[tru]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"upper-case literal", `[True]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"wrong N", `[Nope]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"leading zero", `[01]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"negative leading zero", `[-01]`, canonjson.CodeSyntax, "", "", 2, 1, 3},
		{"plus", `[+1]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"bare point", `[.5]`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"no fraction", `[1.]`, canonjson.CodeSyntax, "", "", 3, 1, 4},
		{"no exponent", `[1e]`, canonjson.CodeSyntax, "", "", 3, 1, 4},
		{"minus alone", `-`, canonjson.CodeSyntax, "", "", 1, 1, 2},
		{"NaN", `{"a":[1,NaN]}`, canonjson.CodeNumber, "/a/1", "a[1]", 8, 1, 9},
		{"Infinity", `[Infinity]`, canonjson.CodeNumber, "/0", "[0]", 1, 1, 2},
		{"-Infinity", `[-Infinity]`, canonjson.CodeNumber, "/0", "[0]", 1, 1, 2},
		{"overflow", `{"a":1e999}`, canonjson.CodeNumber, "/a", "a", 5, 1, 6},
		{"long integer", `{"a":` + strings.Repeat("9", 4301) + `}`, canonjson.CodeDigits, "/a", "a", 5, 1, 6},
		{"duplicate", `{"a":1,"b":2,"a":3}`, canonjson.CodeDuplicate, "/a", "a", 13, 1, 14},
		{"duplicate by escape", `{"x":[{"a":1,"\u0061":2}]}`, canonjson.CodeDuplicate, "/x/0/a", "x[0].a", 13, 1, 14},
		{"duplicate with odd name", `{"a/b~ c":1,"a/b~ c":3}`, canonjson.CodeDuplicate, "/a~1b~0 c", `["a/b~ c"]`, 12, 1, 13},
		{"lone high", `{"a":"x\ud800y"}`, canonjson.CodeSurrogate, "/a", "a", 7, 1, 8},
		{"lone low", `["\udc00"]`, canonjson.CodeSurrogate, "/0", "[0]", 2, 1, 3},
		{"high and no low", `["\ud800\u0041"]`, canonjson.CodeSurrogate, "/0", "[0]", 2, 1, 3},
		{"high, then no escape", `["\ud800xxxxxxxx"]`, canonjson.CodeSurrogate, "/0", "[0]", 2, 1, 3},
		{"lone in a key", `{"\ud800":1}`, canonjson.CodeSurrogate, "/\ufffd", `["` + "\ufffd" + `"]`, 2, 1, 3},
		{"encoded surrogate", "[\"\xed\xa0\x80\"]", canonjson.CodeUTF8, "/0", "[0]", 2, 1, 3},
		{"bad UTF-8", "{\"a\":\"x\xffy\xfe\"}", canonjson.CodeUTF8, "/a", "a", 7, 1, 8},
		{"bad UTF-8 outside", "[\xff]", canonjson.CodeUTF8, "", "", 1, 1, 2},
		{"control", "[\"a\x01\"]", canonjson.CodeControl, "/0", "[0]", 3, 1, 4},
		{"line end in a string", "[\"a\n\"]", canonjson.CodeControl, "/0", "[0]", 3, 1, 4},
		{"unknown escape", `{"k":"\x"}`, canonjson.CodeEscape, "/k", "k", 7, 1, 8},
		{"unknown escape in a key", `{"k\x":1}`, canonjson.CodeEscape, "/k", "k", 4, 1, 5},
		{"short escape", `["\u12"]`, canonjson.CodeEscape, "/0", "[0]", 2, 1, 3},
		{"short escape at the end", `["\u1`, canonjson.CodeEscape, "/0", "[0]", 2, 1, 3},
		{"no hex", `["\u12g4"]`, canonjson.CodeEscape, "/0", "[0]", 2, 1, 3},
		{"string without end", `["abc`, canonjson.CodeSyntax, "/0", "[0]", 1, 1, 2},
		{"string ends in a backslash", `["abc\`, canonjson.CodeSyntax, "/0", "[0]", 1, 1, 2},
		{"mark", "\ufeff{}", canonjson.CodeBOM, "", "", 0, 1, 1},
		{"too deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), canonjson.CodeDepth, strings.Repeat("/0", 63), strings.Repeat("[0]", 63), 64, 1, 65},
		{"too long", strings.Repeat(" ", 1<<20) + "1", canonjson.CodeSize, "", "", 1 << 20, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := canonjson.Parse("f.json", []byte(tt.text), canonjson.Limits{})
			all := fault.All(err)
			if len(all) != 1 {
				t.Fatalf("%d problems, want 1: %v", len(all), err)
			}
			var d *canonjson.Detail
			if !errors.As(err, &d) {
				t.Fatalf("no detail in %v", err)
			}
			type place struct {
				Code, Pointer, Key string
				Offset, Line, Col  int
			}
			got := place{all[0].Code, d.Pointer, all[0].Key, d.Offset, all[0].Line, all[0].Col}
			if diff := cmp.Diff(place{tt.code, tt.pointer, tt.key, tt.offset, tt.line, tt.col}, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, err)
			}
			if all[0].File != "f.json" || len(err.Error()) > 300+len(all[0].Key) {
				t.Errorf("message %q", err)
			}
		})
	}
}

// TestAllAtOnce holds that what does not stop the reading is reported together, and that the reports are bounded.
func TestAllAtOnce(t *testing.T) {
	_, err := canonjson.Parse("", []byte("\ufeff{\"a\":NaN,\"b\":[1e999,\"\\ud800\"],\"a\":\"\xff\",\n\"c\":}"), canonjson.Limits{})
	var got []string
	for _, e := range fault.All(err) {
		got = append(got, e.Code+" "+e.Key)
	}
	want := []string{"json_bom ", "json_number a", "json_number b[0]", "json_surrogate b[1]", "json_utf8 a", "json_syntax c"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, text := range []string{
		"[" + strings.Repeat("NaN,", 100) + "1]",
		"{" + strings.Repeat(`"a":1,`, 100) + `"b":1}`,
		`["` + strings.Repeat(`\ud800`, 100) + `"]`,
		`{"a":{` + strings.Repeat(`"a":1,`, 40) + `"b":1}}`,
	} {
		_, err := canonjson.Parse("", []byte(text), canonjson.Limits{})
		if n := len(fault.All(err)); n != 16 {
			t.Errorf("%.20s: %d problems, want 16", text, n)
		}
	}
}

func TestLimits(t *testing.T) {
	l := canonjson.Limits{MaxBytes: 40, MaxDepth: 2, MaxIntDigits: 3, AllowBOM: true}
	for text, ok := range map[string]bool{
		"[[999]]":                        true,
		"[[[]]]":                         false,
		"[[-999]]":                       true,
		"1000":                           false,
		"\ufeff[1000.5]":                 true,
		strings.Repeat(" ", 39) + "1":    true,
		strings.Repeat(" ", 40) + "1":    false,
		`{"a":{"b":"` + "\u0000" + `"}}`: false,
	} {
		if _, err := canonjson.Parse("", []byte(text), l); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	deep := strings.Repeat("[", 512) + strings.Repeat("]", 512)
	if _, err := canonjson.Parse("", []byte(deep), canonjson.Limits{MaxDepth: 512}); err != nil {
		t.Error(err)
	}
}

// TestHostile holds that no text takes more than 50 ms to be refused.
func TestHostile(t *testing.T) {
	const size = 2 << 20
	keys := func(format string) string {
		var b strings.Builder
		b.WriteByte('{')
		for i := 0; b.Len() < size-200; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"too long":              strings.Repeat("a", size+1),
		"deep":                  strings.Repeat("[", 10_000),
		"deep objects":          strings.Repeat(`{"a":`, 10_000),
		"only brackets":         strings.Repeat("[", size),
		"long integer":          "[" + strings.Repeat("7", 5_000) + "]",
		"very long integer":     strings.Repeat("7", size),
		"wide, then broken":     keys(`"%x":1,`),
		"wide unsorted":         keys(`"%x":1,`) + `"":1,"":1}`,
		"wide, long common":     keys(`"aaaaaaaaaaaa%x":1,`) + `"":1,"":1}`,
		"wide escaped":          keys(`"\u0061%x":1,`) + `"":1,"":1}`,
		"all the same key":      "{" + strings.Repeat(`"":1,`, size/5-1) + `"":1}`,
		"many small duplicates": "[" + strings.Repeat(`{"b":1,"a":1,"b":1},`, size/20-1) + "1]",
		"lone surrogates":       "[" + strings.Repeat(`"\ud800",`, size/9-1) + "1]",
		"one surrogate at last": "[" + strings.Repeat("1,", size/2-10) + `"\ud800"]`,
		"bad UTF-8":             "\"" + strings.Repeat("\xff", size-2) + "\"",
		"bad UTF-8 everywhere":  "[" + strings.Repeat("\"\xff\",", size/4-1) + "1]",
		"NaN":                   "[" + strings.Repeat("NaN,", size/4-1) + "1]",
		"many nodes, broken":    "[" + strings.Repeat("1,", size/2-1),
		"many empties, broken":  "[" + strings.Repeat("[],", size/3-1),
		"long fraction":         "[0." + strings.Repeat("7", size-10) + "e999999999999999999999]",
	} {
		t.Run(name, func(t *testing.T) {
			data, best := []byte(text), time.Hour
			for range 25 { // the least of many: a busy machine must not fail it
				start := time.Now()
				_, err := canonjson.Parse("", data, canonjson.Limits{MaxBytes: size, MaxDepth: 512})
				best = min(best, time.Since(start))
				if len(fault.All(err)) == 0 {
					t.Fatal("accepted")
				}
				if best < 50*time.Millisecond*slow {
					break
				}
			}
			t.Logf("%s: %v", name, best)
			if best > 50*time.Millisecond*slow {
				t.Errorf("took %v", best)
			}
		})
	}
}

func TestValue(t *testing.T) {
	text := ` {"a": [1, -2.5, "x\ny", true, null], "b\u0041": {}, "n": 123456789012345678901234567890} `
	v := parse(t, text)
	at := func(x canonjson.Value) string { s, e := x.Span(); return text[s:e] }
	if got := at(v); got != strings.TrimSpace(text) {
		t.Errorf("span of the document: %q", got)
	}
	var keys []string
	for k, x := range v.Members() {
		keys = append(keys, k.Text()+"="+at(k)+"="+x.Kind().String())
	}
	if d := cmp.Diff([]string{`a="a"=array`, `bA="b\u0041"=object`, `n="n"=integer`}, keys); d != "" {
		t.Error(d)
	}
	var kinds []string
	for x := range v.Get("a").Items() {
		kinds = append(kinds, x.Kind().String()+" "+at(x))
	}
	if d := cmp.Diff([]string{"integer 1", "number -2.5", `string "x\ny"`, "boolean true", "null null"}, kinds); d != "" {
		t.Error(d)
	}
	a := v.Get("a")
	if n, ok := a.Index(0).Int64(); n != 1 || !ok {
		t.Error("Int64", n, ok)
	}
	if _, ok := v.Get("n").Int64(); ok {
		t.Error("a big integer fits")
	}
	if f, ok := a.Index(1).Float64(); f != -2.5 || !ok {
		t.Error("Float64", f, ok)
	}
	if f, ok := v.Get("n").Float64(); f != 1.2345678901234568e29 || !ok {
		t.Error("Float64", f, ok)
	}
	if v.Get("n").Number() != "123456789012345678901234567890" || a.Index(2).Text() != "x\ny" || !a.Index(3).True() {
		t.Error("scalars")
	}
	if v.Len() != 3 || a.Len() != 5 || a.Index(0).Len() != 0 || a.Empty() || !v.Get("bA").Empty() || !v.Get("none").Empty() {
		t.Error("lengths")
	}
	missing := v.At("a", "b", "c")
	if missing.Exists() || missing.Kind() != canonjson.KindMissing || missing.Text() != "" || missing.Raw() != "" || missing.Number() != "" || missing.True() {
		t.Error("the missing value is something")
	}
	if _, ok := missing.Int64(); ok {
		t.Error("the missing value is a number")
	}
	if _, ok := missing.Float64(); ok {
		t.Error("the missing value is a number")
	}
	if !v.Is(canonjson.KindObject) || v.Get("zz").Exists() || a.Index(9).Exists() || a.Get("x").Exists() {
		t.Error("look-ups")
	}
	for range a.Items() {
		break
	}
	for range v.Members() {
		break
	}
	for range missing.Items() {
		t.Error("an item of nothing")
	}
	for range missing.Members() {
		t.Error("a member of nothing")
	}
	if got := string(canonjson.Compact(missing)); got != "null" {
		t.Error(got)
	}
}

func TestBuild(t *testing.T) {
	doc := canonjson.Object{
		{"z", canonjson.Array{canonjson.Int(-3), canonjson.Float(1), canonjson.Bool(true), nil, canonjson.Null{}}},
		{"a", parse(t, `{ "y": 1E2, "x": "é" }`)},
		{"m", canonjson.Strings([]string{"p", "q\xff\x7f😀"})},
		{"e", canonjson.Object{}},
	}
	for _, tt := range []struct {
		f    canonjson.Format
		want string
	}{
		{canonjson.Format{}, `{"z":[-3,1.0,true,null,null],"a":{"y":100.0,"x":"é"},"m":["p","q` + "\ufffd\x7f😀" + `"],"e":{}}`},
		{canonjson.Format{SortKeys: true}, `{"a":{"x":"é","y":100.0},"e":{},"m":["p","q` + "\ufffd\x7f😀" + `"],"z":[-3,1.0,true,null,null]}`},
		{canonjson.Format{ASCII: true, Indent: " "}, "{\n \"z\": [\n  -3,\n  1.0,\n  true,\n  null,\n  null\n ],\n \"a\": {\n  \"y\": 100.0,\n  \"x\": \"\\u00e9\"\n },\n \"m\": [\n  \"p\",\n  \"q\\ufffd\\u007f\\ud83d\\ude00\"\n ],\n \"e\": {}\n}"},
	} {
		if d := cmp.Diff(tt.want, string(canonjson.Append(nil, doc, tt.f))); d != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.f, d)
		}
	}
	if got := string(canonjson.AppendString(nil, "a\"\x01\x7fé")); got != "\"a\\\"\\u0001\x7fé\"" {
		t.Error(got)
	}
	if got := canonjson.Hash(canonjson.String("")); got != "sha256:12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126" {
		t.Error(got)
	}
	inf := 1e308
	if got := string(canonjson.Compact(canonjson.Float(inf * 10))); got != "null" {
		t.Error(got)
	}
}

// TestWideCanonical holds the order of an object too wide to be sorted while parsing.
func TestWideCanonical(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	for i := 199; i >= 0; i-- {
		fmt.Fprintf(&b, `"prefixprefix%03d":%d,`, i, i)
	}
	v := parse(t, b.String()+`"":0}`)
	got := string(canonjson.Canonical(v))
	if !strings.HasPrefix(got, `{"":0,"prefixprefix000":0,"prefixprefix001":1,`) || !strings.HasSuffix(got, `"prefixprefix199":199}`) {
		t.Errorf("%.80s", got)
	}
	if x := v.Get("prefixprefix123"); x.Raw() != "123" {
		t.Errorf("Get: %q", x.Raw())
	}
}

// TestAppendValue holds the two forms on values themselves, behind what is there already, and numbers as they stand.
func TestAppendValue(t *testing.T) {
	v := parse(t, ` {"b": [1.50, -0], "a": "\u0041"} `)
	if d := cmp.Diff(`x{"b":[1.5,0],"a":"A"}{"a":"A","b":[1.5,0]}`, string(v.AppendCanonical(v.AppendCompact([]byte("x"))))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(`{"b":[1.50,-0],"a":"A"}`, string(canonjson.Append(nil, v, canonjson.Format{KeepNumbers: true}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestPlainFloats holds that a number taken for its own repr is it.
func TestPlainFloats(t *testing.T) {
	for in, want := range map[string]string{
		"0.0001": "0.0001", "0.00001": "1e-05", "0.00012345": "0.00012345", "-0.0": "-0.0", "0.0": "0.0", "0.00": "0.0", "1.10": "1.1", "12345678901234.5": "12345678901234.5",
		"123456789012345.5": "123456789012345.5", "1234567890123456.7": "1234567890123456.8", "0.1234567890123456789": "0.12345678901234568", "9999999999999999.5": "1e+16",
		"1.5e0": "1.5", "1.0E2": "100.0", "-2.5": "-2.5", "100.0": "100.0",
	} {
		if got := string(canonjson.Canonical(parse(t, "["+in+"]"))); got != "["+want+"]" {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestLongKeyIsCut holds that a message does not repeat a hostile text.
func TestLongKeyIsCut(t *testing.T) {
	key := strings.Repeat("é", 100)
	_, err := canonjson.Parse("", []byte(`{"`+key+`":1,"`+key+`":2}`), canonjson.Limits{})
	if got := fault.All(err)[0].Err.Error(); len(got) > 120 || !strings.HasSuffix(got, `é…"`) {
		t.Error(got)
	}
}

func TestNoMemoryShared(t *testing.T) {
	data := []byte(`{"a":"b"}`)
	v, err := canonjson.Parse("", data, canonjson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if got := string(canonjson.Compact(v)); got != `{"a":"b"}` {
		t.Error(got)
	}
}

func faults(t testing.TB, err error) []*fault.Error {
	t.Helper()
	all := fault.All(err)
	if len(all) == 0 {
		t.Fatalf("no positioned error in %v", err)
	}
	return all
}

// decision is a document of 16 KB as a program writes it: objects in an order of their own, long texts, small values.
func decision() []byte {
	r := []byte(`{`)
	for i := 0; len(r) < 16<<10; i++ {
		r = fmt.Appendf(r, `"section_%d":{"schema_version":"v%d","mode":"bounded_delivery","action":"advance one product-path slice, then write back","ready":true,"count":%d,"kinds":["product_path","blocker"],"owner":null},`, i*37%101, i, i)
	}
	return append(r, `"z":1}`...)
}

func BenchmarkParse(b *testing.B) {
	data := decision()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := canonjson.Parse("", data, canonjson.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	data := decision()
	v := parse(b, string(data))
	buf := canonjson.Canonical(v)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		buf = canonjson.AppendCanonical(buf[:0], v)
	}
}

// BenchmarkFloor is what the standard library needs for nothing but the check.
func BenchmarkFloor(b *testing.B) {
	data := decision()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if !json.Valid(data) {
			b.Fatal("invalid")
		}
	}
}

func TestAnyNumber(t *testing.T) {
	text := `[1e999,` + strings.Repeat("9", 4301) + `]`
	v, err := canonjson.Parse("", []byte(text), canonjson.Limits{AnyNumber: true})
	if err != nil || v.Index(0).Raw() != "1e999" || len(v.Index(1).Number()) != 4301 {
		t.Errorf("%v, %.20q", err, v.Raw())
	}
	if _, err := canonjson.Parse("", []byte(`[NaN]`), canonjson.Limits{AnyNumber: true}); err == nil {
		t.Error("NaN is no number")
	}
}

func TestKindsInSentences(t *testing.T) {
	var got []string
	for _, text := range []string{"null", "true", "1", "1.5", `""`, "[]", "{}"} {
		v, err := canonjson.Parse("", []byte(text), canonjson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.Kind().Phrase())
	}
	want := []string{"null", "a boolean", "an integer", "a number", "a string", "an array", "an object"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := (canonjson.Value{}).Kind().Phrase(); got != "missing" {
		t.Error(got)
	}
}
