package jsonspan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
	"github.com/google/go-cmp/cmp"
)

func ExampleDocument_SetItems() {
	d, err := jsonspan.Parse("settings.json", []byte("{\n  \"n\": 1e400,\n  \"allow\": [\n    \"Read\"\n  ]\n}\n"), canonjson.Limits{})
	if err != nil {
		panic(err)
	}
	f, _ := d.Locate("allow")
	splices, err := d.SetItems(f, canonjson.Array{canonjson.String("Bash(ls)"), f.Value.Index(0)})
	if err != nil {
		panic(err)
	}
	edited, err := span.Apply(d.Source, splices...)
	if err != nil {
		panic(err)
	}
	_, err = d.Check(edited, []any{"allow"})
	fmt.Print(string(edited), err)
	// Output:
	// {
	//   "n": 1e400,
	//   "allow": [
	//     "Bash(ls)",
	//     "Read"
	//   ]
	// }
	// <nil>
}

func parse(t failer, src string) *jsonspan.Document {
	t.Helper()
	d, err := jsonspan.Parse("f.json", []byte(src), canonjson.Limits{AllowBOM: true})
	if err != nil {
		t.Fatalf("Parse(%q): %v", src, err)
	}
	return d
}

// steps reads "a.b.0": names are keys, numbers are indexes.
func steps(path string) []any {
	var out []any
	for s := range strings.SplitSeq(path, ".") {
		var i int
		switch n, err := fmt.Sscanf(s, "%d", &i); {
		case s == "":
		case n == 1 && err == nil:
			out = append(out, i)
		default:
			out = append(out, s)
		}
	}
	return out
}

func edited(t *testing.T, d *jsonspan.Document, splices []span.Splice, want, changed string) {
	t.Helper()
	got, err := span.Apply(d.Source, splices...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%q (-want +got):\n%s", d.Source, diff)
	}
	if _, err := d.Check(got, steps(changed)); err != nil {
		t.Errorf("%q became %q: %v", d.Source, got, err)
	}
}

func locate(t *testing.T, d *jsonspan.Document, path string) jsonspan.Found {
	t.Helper()
	f, ok := d.Locate(steps(path)...)
	if !ok {
		t.Fatalf("no %q in %q", path, d.Source)
	}
	return f
}

func TestSetItems(t *testing.T) {
	xy := canonjson.Strings([]string{"x", "y"})
	for _, tt := range []struct {
		name, src, path string
		items           canonjson.Array
		want            string
	}{
		{"one line", `{"a": ["p", "q", "r"]}`, "a", xy, `{"a": ["x", "y"]}`},
		{"one item", `{"a": ["p"], "b": 1}`, "a", xy, `{"a": ["x", "y"], "b": 1}`},
		{"minified", `{"a":["p"]}`, "a", xy, `{"a":["x","y"]}`},
		{"minified, two", `{"a":["p","q"]}`, "a", xy, `{"a":["x","y"]}`},
		{"spaces inside", `{"a": [ "p" , "q" ]}`, "a", xy, `{"a": [ "x" , "y" ]}`},
		{"lines", "{\n\t\"a\": [\n\t\t\"p\"\n\t]\n}\n", "a", xy, "{\n\t\"a\": [\n\t\t\"x\",\n\t\t\"y\"\n\t]\n}\n"},
		{"lines, CRLF", "{\r\n  \"a\": [\r\n    \"p\"\r\n  ]\r\n}", "a", xy, "{\r\n  \"a\": [\r\n    \"x\",\r\n    \"y\"\r\n  ]\r\n}"},
		{"closing bracket behind the last", "[\n  1,\n  2]", "", xy, "[\n  \"x\",\n  \"y\"]"},
		{"first on the bracket's line", "[1,\n 2]", "", xy, "[\"x\",\n \"y\"]"},
		{"blank line first", "[\n\n  1\n]", "", xy, "[\n\n  \"x\",\n  \"y\"\n]"},
		{"the same", "{\"a\": [ \"x\",\n\"y\"]}", "a", xy, "{\"a\": [ \"x\",\n\"y\"]}"},
		{"empty, on its own line", "{\n    \"a\": []\n}", "a", xy, "{\n    \"a\": [\n        \"x\",\n        \"y\"\n    ]\n}"},
		{"empty, with space", "{\n  \"a\": [ ]\n}", "a", xy, "{\n  \"a\": [\n    \"x\",\n    \"y\"\n  ]\n}"},
		{"empty, over lines", "{\"a\": [\n ]}", "a", xy, "{\"a\": [\n  \"x\",\n  \"y\"\n ]}"},
		{"empty, on one line", `{"a": []}`, "a", xy, `{"a": ["x", "y"]}`},
		{"empty, minified", `{"a":[]}`, "a", xy, `{"a":["x","y"]}`},
		{"emptied", "{\n  \"a\": [\n    1\n  ]\n}", "a", nil, "{\n  \"a\": []\n}"},
		{"objects in lines", "[\n  1\n]", "", canonjson.Array{canonjson.Object{{Key: "k", Value: canonjson.Array{}}, {Key: "l", Value: canonjson.Int(1)}}}, "[\n  {\n    \"k\": [],\n    \"l\": 1\n  }\n]"},
		{"objects in a line", "[1]", "", canonjson.Array{canonjson.Object{{Key: "k", Value: xy}}, nil}, `[{"k": ["x", "y"]}, null]`},
		{"BOM", span.BOM + "[1]", "", xy, span.BOM + `["x", "y"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.src)
			splices, err := d.SetItems(locate(t, d, tt.path), tt.items)
			if err != nil {
				t.Fatal(err)
			}
			if same := tt.src == tt.want; same != (len(splices) == 0) {
				t.Errorf("%d splices", len(splices))
			}
			edited(t, d, splices, tt.want, tt.path)
		})
	}
	d := parse(t, `{"a": {}}`)
	if _, err := d.SetItems(locate(t, d, "a"), xy); !errors.Is(err, jsonspan.ErrKind) {
		t.Errorf("an object: %v", err)
	}
}

// TestSetItemsKeepsSpelling: an item of the document itself is moved as it is spelled.
func TestSetItemsKeepsSpelling(t *testing.T) {
	d := parse(t, `[ "\u0041\/", 1E+2, {"z" : 1,"a":[ ]} ]`)
	f := locate(t, d, "")
	splices, err := d.SetItems(f, canonjson.Array{f.Value.Index(2), f.Value.Index(1), f.Value.Index(0)})
	if err != nil {
		t.Fatal(err)
	}
	edited(t, d, splices, `[ {"z" : 1,"a":[ ]}, 1E+2, "\u0041\/" ]`, "")
}

func TestInsert(t *testing.T) {
	list := canonjson.Strings([]string{"x"})
	nested := canonjson.Object{{Key: "m", Value: list}, {Key: "n", Value: canonjson.Object{}}}
	for _, tt := range []struct {
		name, src, path string
		value           canonjson.Node
		want            string
	}{
		{"lines", "{\n  \"a\": 1\n}\n", "", list, "{\n  \"a\": 1,\n  \"k\": [\n    \"x\"\n  ]\n}\n"},
		{"lines, CRLF, tabs", "{\r\n\t\"a\": 1\r\n}\r\n", "", nested, "{\r\n\t\"a\": 1,\r\n\t\"k\": {\r\n\t\t\"m\": [\r\n\t\t\t\"x\"\r\n\t\t],\r\n\t\t\"n\": {}\r\n\t}\r\n}\r\n"},
		{"lines, inside", "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}", "a", list, "{\n  \"a\": {\n    \"b\": 1,\n    \"k\": [\n      \"x\"\n    ]\n  },\n  \"c\": 2\n}"},
		{"one line", `{"a": 1}`, "", nested, `{"a": 1, "k": {"m": ["x"], "n": {}}}`},
		{"one line inside lines", "{\n  \"a\": { \"b\": 1 }\n}", "a", list, "{\n  \"a\": { \"b\": 1, \"k\": [\"x\"] }\n}"},
		{"minified", `{"a":1}`, "", canonjson.Strings([]string{"x", "y"}), `{"a":1,"k":["x","y"]}`},
		{"odd colon", `{"a" : 1, "b" : 2}`, "", canonjson.Null{}, `{"a" : 1, "b" : 2, "k" : null}`},
		{"empty, all there is", "{}", "", list, "{\n  \"k\": [\n    \"x\"\n  ]\n}"},
		{"empty, all there is, CRLF", "{}\r\n", "", list, "{\r\n  \"k\": [\r\n    \"x\"\r\n  ]\r\n}\r\n"},
		{"empty, over lines", "{\n}\n", "", list, "{\n  \"k\": [\n    \"x\"\n  ]\n}\n"},
		{"empty, on its own line", "{\n\t\"a\": {}\n}", "a", list, "{\n\t\"a\": {\n\t\t\"k\": [\n\t\t\t\"x\"\n\t\t]\n\t}\n}"},
		{"empty, on one line", `{"a": { }}`, "a", list, `{"a": {"k": ["x"]}}`},
		{"numbers stay", `{"a": 1e400, "b": -0, "c": 1.50}`, "", canonjson.Int(1), `{"a": 1e400, "b": -0, "c": 1.50, "k": 1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.src)
			splices, err := d.Insert(locate(t, d, tt.path), "k", tt.value)
			if err != nil {
				t.Fatal(err)
			}
			edited(t, d, splices, tt.want, strings.TrimPrefix(tt.path+".k", "."))
		})
	}
	d := parse(t, `{"a": []}`)
	for path, key := range map[string]string{"": "a", "a": "k"} {
		if _, err := d.Insert(locate(t, d, path), key, nil); !errors.Is(err, jsonspan.ErrKind) {
			t.Errorf("%q into %q: %v", key, path, err)
		}
	}
}

func TestDelete(t *testing.T) {
	for _, tt := range []struct{ name, src, path, want string }{
		{"first", "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"},
		{"middle", `{"a":1, "b":2, "c":3}`, "b", `{"a":1, "c":3}`},
		{"last", "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"},
		{"only", "{\n  \"a\": {\n    \"b\": 1\n  }\n}", "a.b", "{\n  \"a\": {}\n}"},
		{"last item", "[1, 2 ]", "1", "[1 ]"},
		{"the root", "[1]", "", "[1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.src)
			edited(t, d, d.Delete(locate(t, d, tt.path)), tt.want, tt.path)
		})
	}
}

func TestReplace(t *testing.T) {
	object := canonjson.Object{{Key: "*", Value: canonjson.String("ask")}}
	for _, tt := range []struct {
		name, src, path string
		value           canonjson.Node
		want            string
	}{
		{"scalar", `{"a": 1 }`, "a", canonjson.String("é\n"), `{"a": "é\n" }`},
		{"scalar to object, lines", "{\n  \"a\": \"ask\",\n  \"b\": 1\n}", "a", object, "{\n  \"a\": {\n    \"*\": \"ask\"\n  },\n  \"b\": 1\n}"},
		{"scalar to object, one line", `{"a": "ask"}`, "a", object, `{"a": {"*": "ask"}}`},
		{"object to object on one line", "{\n  \"a\": {\"b\": 1}\n}", "a", object, "{\n  \"a\": {\"*\": \"ask\"}\n}"},
		{"the same", `{"a": 1 }`, "a", canonjson.Int(1), `{"a": 1 }`},
		{"the root", " 1\n", "", canonjson.Bool(true), " true\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.src)
			edited(t, d, d.Replace(locate(t, d, tt.path), tt.value), tt.want, tt.path)
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, src, code string
		line, col       int
	}{
		{"comment", "{\n  // x\n}", canonjson.CodeComment, 2, 3},
		{"trailing comma", "[1,]", canonjson.CodeSyntax, 1, 4},
		{"duplicate", "{\"a\": {\"b\": 1,\n \"\\u0062\": 2}}", canonjson.CodeDuplicate, 2, 2},
		{"BOM", span.BOM + "{}", canonjson.CodeBOM, 1, 1},
		{"truncated", "{\"a\": [", canonjson.CodeSyntax, 1, 8},
		{"not UTF-8", "[\"\xff\"]", canonjson.CodeUTF8, 1, 3},
		{"depth", strings.Repeat("[", 65) + strings.Repeat("]", 65), canonjson.CodeDepth, 1, 65},
		{"NaN", "[NaN]", canonjson.CodeNumber, 1, 2},
	} {
		_, err := jsonspan.Parse("f.json", []byte(tt.src), canonjson.Limits{})
		all := fault.All(err)
		if len(all) == 0 || all[0].Code != tt.code || all[0].Line != tt.line || all[0].Col != tt.col || all[0].File != "f.json" {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestLocate(t *testing.T) {
	d := parse(t, `{"a": {"b": [1, {"c": 2}]}, "d": 3}`)
	f := locate(t, d, "a.b.1.c")
	if f.Value.Raw() != "2" || f.Key.Text() != "c" || string(f.Entry().Of(d.Source)) != `"c": 2` || string(jsonspan.Span(f.Parent).Of(d.Source)) != `{"c": 2}` {
		t.Errorf("found %+v", f)
	}
	for _, path := range []string{"a.x", "a.0", "a.b.2", "a.b.-1", "a.b.x", "d.x", "d.0"} {
		if f, ok := d.Locate(steps(path)...); ok {
			t.Errorf("%s is %q", path, f.Value.Raw())
		}
	}
}

func TestCheckSeesEveryOtherChange(t *testing.T) {
	const src = `{"a": 1, "b": [1.0, {"c": "x"}], "d": {}}`
	for _, tt := range []struct{ edited, differs string }{
		{src, ""},
		{`{"a": {"z": []}, "b": [1.0, {"c": "x"}], "d": {}}`, ""},
		{`{"b": [1.0, {"c": "x"}], "d": {}}`, ""},
		{`{ "b":[1.0,{"c":"x"}],"d":{},"n":5}`, ""},
		{`{"a": 1, "b": [1, {"c": "x"}], "d": {}}`, `"b"[0]`},
		{`{"a": 1, "b": [1.0, {"c": "X"}], "d": {}}`, `"b"[1]."c"`},
		{`{"a": 1, "b": [1.0, {"c": "\u0078"}], "d": {}}`, `"b"[1]."c"`},
		{`{"a": 1, "b": [1.0], "d": {}}`, `"b"[1]`},
		{`{"a": 1, "b": [1.0, {"c": "x"}, 2], "d": {}}`, `"b"[2]`},
		{`{"a": 1, "d": {}, "b": [1.0, {"c": "x"}]}`, `"b"`},
		{`{"a": 1, "b": [1.0, {"c": "x"}], "d": []}`, `"d"`},
		{`{"a": 1, "b": [1.0, {"c": "x"}], "\u0064": {}}`, `"d"`},
		{`{"a": 1, "b": [1.0, {"c": "x"}]}`, `"d"`},
		{`[]`, "the document"},
		{`{`, "edited text"},
	} {
		_, err := parse(t, src).Check([]byte(tt.edited), []any{"a"}, []any{"n"})
		if (err == nil) != (tt.differs == "") || err != nil && !strings.Contains(err.Error(), tt.differs) {
			t.Errorf("%s: %v, want %q", tt.edited, err, tt.differs)
		}
	}
}
