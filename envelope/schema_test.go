package envelope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xeipuuv/gojsonschema"
)

func compile(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var index = regexp.MustCompile(`\.([0-9]+)`)

// schemaKeys gives the keys that the schema finds fault with, as the rules spell them.
func schemaKeys(t *testing.T, s *gojsonschema.Schema, front any) []string {
	t.Helper()
	result, err := s.Validate(gojsonschema.NewGoLoader(front))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, e := range result.Errors() {
		key := strings.TrimPrefix(e.Context().String(), "(root)")
		if p, ok := e.Details()["property"].(string); ok && e.Type() == "required" {
			key += "." + p
		}
		keys = append(keys, strings.TrimPrefix(index.ReplaceAllString(key, "[$1]"), "."))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// agree holds the schema and the rules against each other on one file: the same keys are at fault, but for what the
// schema cannot say. It gives false where the YAML cannot be read at all.
func agree(t *testing.T, s *gojsonschema.Schema, data []byte) bool {
	t.Helper()
	front, err := Frontmatter("x.md", data)
	if err != nil {
		return false
	}
	_, err = readHeadOnly("x.md", "", data)
	var keys, beyond []string
	for _, e := range allProblems(err) {
		// Whether a format is checked, a validator may decide for itself.
		if e.Code == CodeDuplicateID || strings.Contains(e.Error(), "no such date") || strings.Contains(e.Error(), "outside the years") {
			beyond = append(beyond, e.Key)
		} else {
			keys = append(keys, e.Key)
		}
	}
	slices.Sort(keys)
	found := slices.DeleteFunc(schemaKeys(t, s, front), func(key string) bool { return slices.Contains(beyond, key) })
	if len(found) == 0 {
		found = nil
	}
	if diff := cmp.Diff(found, slices.Compact(keys)); diff != "" {
		t.Errorf("keys at fault (-schema +rules):\n%s\n%q", diff, data)
	}
	return true
}

func TestSchemaAndRulesAgreeOnRecordedFiles(t *testing.T) {
	s := compile(t)
	compared := 0
	eachRecorded(t, func(t *testing.T, r recorded) {
		if agree(t, s, r.input()) {
			compared++
		}
	})
	t.Logf("%d files compared", compared)
}

func TestSchemaAndRulesAgree(t *testing.T) {
	s := compile(t)
	values := map[string][]string{
		"agent":        {"dave", "Dave", "con", "com1", "com10", "a.b", "a--b", strings.Repeat("a", 64), strings.Repeat("a", 65), "~", "[]", "404", "'no'", "''"},
		"owner":        {"barry", "''", "~", strings.Repeat("é", 200), strings.Repeat("é", 201), "\"a\\tb\"", "\"a\\u0085b\"", "\"a\\x7fb\"", "{}", "no"},
		"updated":      {"2026-07-05T14:30:00Z", "2026-07-05", "'2026-07-05T14:30:00.5+02:00'", "2026-07-05t14:30:00z", "2026-02-30T00:00:00Z", "2026-07-05T14:30:00,5Z", "yesterday", "~", "2026-07-05 14:30:00Z"},
		"taskTypes":    {"[]", "~", "", "null", "Null", "{}", "text", "[text]", "[[]]", "[~]", "[{}]"},
		"id":           {"x", "X", "a.b", "a..b", "~", "''", "[]", strings.Repeat("a", 64), strings.Repeat("a", 65), "no", "1", "con"},
		"label":        {"x", "~", "''", "[]", "{}", strings.Repeat("é", 200), strings.Repeat("é", 201), "\"a\\nb\""},
		"state":        {"fullyApproved", "fullyapproved", "''", "~", "[]", "' fullyApproved'", "\"fully\\u0041pproved\"", "fullyАpproved"},
		"stateSince":   {"2026-07-05T14:30:00Z", "2026-07-05", "~", "[]", "2026-07-05T14:30:00", "2026-07-05T24:30:00Z", "0000-01-01T00:00:00+01:00"},
		"operatorNote": {"x", "~", "''", "[]", "{}", strings.Repeat("é", 8000), strings.Repeat("é", 8001), "|\n      a\n      b"},
		"other":        {"x", "[]", "{a: b}"},
	}
	base := map[string]string{"agent": "dave", "owner": "barry", "updated": "2026-07-05T14:30:00Z", "id": "x", "label": "x", "state": "fullyApproved", "stateSince": "2026-07-05T14:30:00Z", "operatorNote": "x"}
	file := func(key, value string, leave bool) []byte {
		of := func(name string) string {
			line := name + ": " + base[name]
			if name == key {
				line = name + ": " + value
			}
			if name == key && leave {
				line = "x: y"
			}
			return line + "\n"
		}
		list := "taskTypes:\n  - " + of("id") + "    " + of("label") + "    " + of("state") + "    " + of("stateSince") + "    " + of("operatorNote")
		switch key {
		case "taskTypes":
			list = "taskTypes: " + value + "\n"
			if leave {
				list = ""
			}
		case "other":
			list += "    other: " + value + "\nother: " + value + "\n"
		}
		return []byte("---\n" + of("agent") + of("owner") + of("updated") + list + "---\n")
	}
	n := 0
	for key, all := range values {
		for i, v := range append(all, "") {
			data := file(key, v, i == len(all))
			if !agree(t, s, data) {
				t.Errorf("%s %.40q cannot be read:\n%s", key, v, data)
			}
			n++
		}
	}
	t.Logf("%d files", n)
	if !agree(t, s, []byte("---\n- a\n---\n")) || !agree(t, s, []byte("---\n---\n")) || !agree(t, s, []byte("---\ntext\n---\n")) {
		t.Error("the whole frontmatter")
	}
	if agree(t, s, []byte(fmt.Sprint("---\n", "a: b: c", "\n---\n"))) {
		t.Error("what is not YAML was compared")
	}
}
