package turnenvelope_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/regime"
	"example.com/ambit/turnenvelope"
)

// unsigned are the keys of an envelope that the signature does not cover. E9
var unsigned = []string{"ok", "schema_version", "mode", "view", "goal_id", "reason", "action_required", "open_count", "detail_ref", "compaction",
	"zz~1new"} // the last is what add adds

// TestMutations changes one value of an envelope at a time, anywhere: Verify names every signed one by its place, and
// the hashes stay for every unsigned one. N31
func TestMutations(t *testing.T) {
	n := regime.Cases(t, 2_000, 100_000)
	r := rand.New(rand.NewPCG(9, 10))
	type subject struct {
		decision []byte
		env      *turnenvelope.Envelope
	}
	var subjects []subject
	for _, b := range bases(t) {
		d := must(json.Marshal(b))
		subjects = append(subjects, subject{d, project(t, d)})
	}
	signed := 0
	for i := range n {
		s := subjects[r.IntN(len(subjects))]
		m := decode(t, s.env.JSON())
		pointer, nothing := mutate(t, r, m)
		text := must(json.Marshal(m))
		env, err := turnenvelope.ParseEnvelope("", text)
		if err != nil {
			t.Fatal(err)
		}
		v := turnenvelope.Verify(s.decision, text)
		top, _, _ := strings.Cut(pointer[1:], "/")
		switch {
		case nothing || slices.Contains(unsigned, top):
			if !v.Matches || env.Signature() != s.env.Signature() {
				t.Fatalf("mutation %d of %s, which is not signed, is named: %+v", i, pointer, v.Reasons)
			}
		case top == "action_signature":
			if v.Matches || env.Signature() != s.env.Signature() || !named(v.Reasons, pointer) {
				t.Fatalf("mutation %d of %s is not named: %+v", i, pointer, v.Reasons)
			}
		default:
			signed++
			if v.Matches || env.Signature() == s.env.Signature() || !named(v.Reasons, pointer) {
				t.Fatalf("mutation %d of %s is not named: %+v", i, pointer, v.Reasons)
			}
			if a := turnenvelope.Accept(text); a.Disposition != turnenvelope.Refused {
				t.Fatalf("mutation %d of %s is accepted: %v", i, pointer, a.Disposition)
			}
		}
	}
	t.Logf("%d mutations, %d of them signed", n, signed)
}

// named reports whether a reason stands at the pointer, or below it.
func named(rs []turnenvelope.Reason, pointer string) bool {
	return slices.ContainsFunc(rs, func(r turnenvelope.Reason) bool {
		return r.Pointer == pointer || strings.HasPrefix(r.Pointer, pointer+"/") || pointer == "/action_signature" && strings.HasPrefix(r.Pointer, pointer)
	})
}

// mutate changes, removes or adds one value somewhere in m, and says where; nothing reports a change that says the same.
func mutate(t testing.TB, r *rand.Rand, m map[string]any) (pointer string, nothing bool) {
	var at any = m
	for depth := 0; ; depth++ {
		var keys []string
		switch x := at.(type) {
		case map[string]any:
			for k := range x {
				keys = append(keys, k)
			}
			slices.Sort(keys)
		case []any:
			for i := range x {
				keys = append(keys, strconv.Itoa(i))
			}
		}
		if len(keys) == 0 || depth > 0 && r.IntN(8) == 0 { // add a member or an item here
			if pointer, ok := add(at, pointer); ok {
				return pointer, strings.HasPrefix(pointer, "/action_signature/")
			}
		}
		k := keys[r.IntN(len(keys))]
		child := get(at, k)
		here := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
		if r.IntN(3) > 0 && size(child) > 0 {
			at, pointer = child, here
			continue
		}
		if x, ok := at.(map[string]any); ok && r.IntN(4) == 0 {
			delete(x, k)
			return here, child == nil && depth == 0 // null and missing sign alike at the top
		}
		other := different(t, r, child)
		set(at, k, other)
		return here, false
	}
}

func size(v any) int {
	switch x := v.(type) {
	case map[string]any:
		return len(x)
	case []any:
		return len(x)
	}
	return 0
}

func get(at any, k string) any {
	if x, ok := at.(map[string]any); ok {
		return x[k]
	}
	i, _ := strconv.Atoi(k)
	return at.([]any)[i]
}

func set(at any, k string, v any) {
	if x, ok := at.(map[string]any); ok {
		x[k] = v
		return
	}
	i, _ := strconv.Atoi(k)
	at.([]any)[i] = v
}

// add puts a new member into an object.
func add(at any, pointer string) (string, bool) {
	if x, ok := at.(map[string]any); ok {
		x["zz/new"] = "x"
		return pointer + "/zz~1new", true
	}
	return "", false
}

// different gives a value that is not v, not even as JSON.
func different(t testing.TB, r *rand.Rand, v any) any {
	for {
		w := randomValue(r, 2)
		switch r.IntN(6) {
		case 0:
			if s, ok := v.(string); ok {
				w = s + " "
			}
		case 1:
			if b, ok := v.(bool); ok {
				w = !b
			}
		case 2:
			if n, ok := v.(json.Number); ok {
				w = json.Number("4" + strings.TrimPrefix(n.String(), "-"))
			}
		}
		if canonicalAny(t, v) != canonicalAny(t, w) {
			return w
		}
	}
}

func canonicalAny(t testing.TB, v any) string {
	return string(canonjson.Canonical(parse(t, must(json.Marshal(v)))))
}
