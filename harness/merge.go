package harness

import (
	"slices"

	"example.com/ambit/internal/canonjson"
)

// input is what a target's draft is made from.
type input struct {
	name    string // of the live file, for messages
	old     []byte
	exists  bool
	was     *record // what is known of the file, fitting its bytes; nil when nothing is
	sets    setsOf
	options Options
}

// draft is what a file would become, and what would then be known of it.
type draft struct {
	data      []byte
	ours      map[string][]string
	theirs    map[string][]string
	replaced  map[string]string
	generated []string // the allow rules that this package made, for the proof
	notices   []Notice
}

// merged is one list after the merge (K13).
type merged struct {
	generated []canonjson.Node
	user      []canonjson.Value
	ours      []string
	theirs    []string
}

// mergeList puts the generated rules first, in their order, each spelled as it stood if it stood there, then the user's
// own in theirs. owned are the rules that an earlier run wrote; one that is no longer generated goes, once: a second
// copy is the user's.
func mergeList(now []canonjson.Value, generated, owned []string) merged {
	var m merged
	standing := map[string]canonjson.Value{}
	count := map[string]int{}
	wanted := map[string]bool{}
	for _, g := range generated {
		wanted[g] = true
	}
	mine := map[string]bool{}
	for _, o := range owned {
		mine[o] = true
	}
	for _, v := range now {
		text := v.Text()
		if !v.Is(canonjson.KindString) {
			m.user = append(m.user, v)
			continue
		}
		count[text]++
		switch {
		case wanted[text]:
			if count[text] == 1 {
				standing[text] = v
			}
		case mine[text] && count[text] == 1:
		default:
			m.user = append(m.user, v)
		}
	}
	for _, g := range generated {
		v, stood := standing[g]
		if stood {
			m.generated = append(m.generated, v)
		} else {
			m.generated = append(m.generated, canonjson.String(g))
		}
		if users := count[g] > 1 || count[g] == 1 && !mine[g]; users {
			m.theirs = append(m.theirs, g)
		} else {
			m.ours = append(m.ours, g)
		}
	}
	return m
}

// nodes gives the whole list.
func (m merged) nodes() []canonjson.Node {
	out := slices.Clone(m.generated)
	for _, v := range m.user {
		out = append(out, v)
	}
	return out
}
