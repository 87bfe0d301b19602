package campaign

import (
	"slices"

	"example.com/ambit/internal/canonjson"
)

// Bounds of a policy's max_candidate_count. // P1, P3
const (
	DefaultMaxCandidates = 2   // when the policy does not say
	MaxCandidates        = 256 // more than a person reviews
)

// reading is what the documents say, and what is wrong with them.
type reading struct {
	findings []Finding // of the documents, in their order
	check1   []Finding // the policy allows writing to the source
	repeated []Finding // the ledger repeats a digest

	gaps    []string // ids of usable rows, in order
	actions []string // distinct, in order of appearance
	limit   int
	failed  map[digest]int // how often each digest stands in the ledger
	odd     map[string]int // what stands there instead of a digest
	rows    int            // gap rows that are objects
	digests int            // ledger rows that hold a digest
}

// refused reports whether the documents alone decide, so that nobody is asked. // P11
func (r reading) refused() bool { return len(r.findings)+len(r.check1)+len(r.repeated) > 0 }

// read judges the documents: what P2 to P4 and check 1 say, and the ledger's own check.
func read(in Inputs) reading {
	r := reading{limit: DefaultMaxCandidates, failed: map[digest]int{}, odd: map[string]int{}}
	own := [...]func(*reading, canonjson.Value, Inputs, *some){gapsDoc: readGaps, policyDoc: readPolicy, ledgerDoc: readLedger, protocolDoc: nil}
	for i, d := range in.docs {
		name := documentNames[i]
		where := inDocument(name)
		if code := d.fault(); code != "" {
			r.findings = append(r.findings, finding(code, name))
			continue
		}
		var rules, authority some
		if own[i] != nil {
			own[i](&r, d.root, in, &rules)
		}
		claims(d.root, &where, &authority)
		r.findings = slices.Concat(r.findings, rules.all(), authority.all())
	}
	if n := r.repeats(); n > 0 {
		r.repeated = []Finding{finding(RepeatedFailedDigest, LedgerFile).observed(n)}
	}
	return r
}

// repeats counts the ledger's rows that say what an earlier one says.
func (r reading) repeats() int {
	repeats := 0
	for _, n := range r.failed {
		repeats += n - 1
	}
	for _, n := range r.odd {
		repeats += n - 1
	}
	return repeats
}

// list gives a document's list, and finds fault with anything else; an absent one is empty.
func list(doc canonjson.Value, key string, c Code, where *pointer, found *some) canonjson.Value {
	v := doc.Get(key)
	if v.Exists() && !v.Is(canonjson.KindArray) {
		if found.room() {
			found.add(finding(c, spell(where.key(key))).saying("a list is needed"))
		}
		return canonjson.Value{}
	}
	return v
}

func readGaps(r *reading, doc canonjson.Value, _ Inputs, found *some) {
	top := inDocument(GapsFile)
	where := top.key("gaps")
	seen := map[string]bool{}
	i := 0
	for row := range list(doc, "gaps", GapsInvalid, &top, found).Items() {
		index := where.index(i)
		at := index.key("gap_id")
		id, why := row.Get("gap_id").Text(), ""
		i++
		switch {
		case !row.Is(canonjson.KindObject):
			at, why = index, "a row is an object"
		case !row.Get("gap_id").Is(canonjson.KindString):
			why = "a gap id is a text"
		default:
			if why = usableText(id); why == "" && seen[id] {
				why = "the same gap id twice"
			}
		}
		if row.Is(canonjson.KindObject) {
			r.rows++
		}
		if why == "" {
			seen[id] = true
			r.gaps = append(r.gaps, id)
		} else if found.room() {
			found.add(finding(GapsInvalid, at.String()).saying(why))
		}
	}
}

func readPolicy(r *reading, doc canonjson.Value, in Inputs, found *some) {
	where := inDocument(PolicyFile)
	at := where.key("allowed_actions")
	i := 0
	var names []string // as check 1 shows them
	for item := range list(doc, "allowed_actions", PolicyInvalid, &where, found).Items() {
		name, index := item.Text(), at.index(i)
		i++
		switch {
		case !item.Is(canonjson.KindString):
			if found.room() {
				found.add(finding(PolicyInvalid, index.String()).saying("an action is a text"))
			}
		case knownAction(name, in.Actions):
			r.actions = append(r.actions, name)
		case !writesSource(name) && found.room():
			found.add(finding(ActionUnknown, index.String()).observed(named(name)))
		}
		if len(names) < maxFindings {
			names = append(names, named(name))
		}
	}
	if saysWriteSource(doc.Get("allowed_actions")) {
		r.check1 = []Finding{finding(SourceWriteForbidden, at.String()).observed(nonNil(distinct(names)))}
	}
	if v := doc.Get("max_candidate_count"); v.Exists() {
		n, ok := v.Int64()
		if !ok || n < 0 || n > MaxCandidates {
			n = 0
			if found.room() {
				found.add(finding(PolicyInvalid, spell(where.key("max_candidate_count"))).saying("an integer from 0 to 256 is needed"))
			}
		}
		r.limit = int(n)
	}
}

// saysWriteSource looks for writing to the source wherever it may stand: as an item, in a nested list, as the whole
// text, or as a key. The shape of the list does not decide whether the refusal works. // H03
func saysWriteSource(v canonjson.Value) bool {
	switch v.Kind() {
	case canonjson.KindString:
		return writesSource(v.Text())
	case canonjson.KindArray:
		for item := range v.Items() {
			if saysWriteSource(item) {
				return true
			}
		}
	case canonjson.KindObject:
		for key, value := range v.Members() {
			if writesSource(key.Text()) || saysWriteSource(value) {
				return true
			}
		}
	}
	return false
}

func readLedger(r *reading, doc canonjson.Value, _ Inputs, found *some) {
	top := inDocument(LedgerFile)
	where := top.key("failed_digests")
	i := 0
	for row := range list(doc, "failed_digests", LedgerInvalid, &top, found).Items() {
		at := where.index(i)
		i++
		v := row.Get("digest")
		d, ok := parseDigest(v.Text())
		if ok {
			r.failed[d]++
			r.digests++
			continue
		}
		if truthy(v) {
			r.odd[string(canonjson.Compact(v))]++
		}
		switch {
		case !found.room():
		case row.Is(canonjson.KindObject):
			found.add(finding(LedgerInvalid, spell(at.key("digest"))).saying("a SHA-256 is needed"))
		default:
			found.add(finding(LedgerInvalid, at.String()).saying("a row is an object"))
		}
	}
}
