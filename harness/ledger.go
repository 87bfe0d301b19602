package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
	"example.com/ambit/tiers"
)

// LedgerPath is where this package keeps what it wrote, below the root; slash-separated (K14).
const LedgerPath = ".ambit/materialized.json"

const ledgerVersion = 1

const ledgerHint = "remove the file to start anew: then nothing that was written before is taken back"

// ledger is the record of what was written: without it nothing is ever taken back.
type ledger struct {
	Version int                `json:"version"`
	Options ledgerOptions      `json:"options"`
	Files   map[string]*record `json:"files"` // by path
}

// ledgerOptions are the options of a run, for Check.
type ledgerOptions struct {
	Tier3Ask   bool `json:"tier3_ask"`
	CodexAllow bool `json:"codex_allow"`
	Strict     bool `json:"strict"`
}

// record is what is known of one file.
type record struct {
	Target   Target              `json:"target"`
	SHA256   string              `json:"sha256"`             // of the bytes that were written
	Protocol string              `json:"protocol"`           // of the protocol that made them
	Ours     map[string][]string `json:"ours,omitempty"`     // per list, the rules that were not there before
	Theirs   map[string][]string `json:"theirs,omitempty"`   // per list, the rules that were wanted and stood there already
	Replaced map[string]string   `json:"replaced,omitempty"` // OpenCode: the user's value of a key of ours
	Options  *ledgerOptions      `json:"options,omitempty"`  // of the run that wrote it; nil: the ledger's
	Hook     *hookRecord         `json:"hook,omitempty"`
	Pending  *record             `json:"pending,omitempty"` // what a run that is not over is about to write
}

// readLedger reads the ledger; no bytes are an empty one. One that is not what this package writes is an error: taken
// for empty it would quietly give up what was ours.
func readLedger(name string, data []byte, exists bool) (*ledger, error) {
	l := &ledger{Version: ledgerVersion, Files: map[string]*record{}}
	if !exists {
		return l, nil
	}
	doc, err := canonjson.Parse(name, data, jsonLimits)
	if err != nil {
		return nil, advise(err, ErrLedger, ledgerHint)
	}
	fail := func(v canonjson.Value, key, format string, args ...any) (*ledger, error) {
		start, _ := v.Span()
		line, col := span.Position(data, start)
		return nil, &Error{File: name, Line: line, Col: col, Key: key, Code: CodeLedger, Err: fmt.Errorf(format+": %w", append(args, ErrLedger)...), Hint: ledgerHint}
	}
	if k, key := strayKey(doc); k.Exists() {
		return fail(k, key, "no such key")
	}
	if !doc.Is(canonjson.KindObject) {
		return fail(doc, "", "%s where an object belongs", doc.Kind().Phrase())
	}
	l.Files = nil
	if err := json.Unmarshal(data, l); err != nil {
		if te := (*json.UnmarshalTypeError)(nil); errors.As(err, &te) {
			return fail(doc, te.Field, "a value of the wrong type: %s", te.Value)
		}
		return fail(doc, "", "%w", err)
	}
	if l.Version != ledgerVersion {
		return fail(doc.Get("version"), "version", "version %d, want %d", l.Version, ledgerVersion)
	}
	for path, r := range l.Files {
		if r == nil || r.Pending != nil && r.Pending.Pending != nil {
			return fail(doc.At("files", path), "files", "the entry of %q is not one", path)
		}
	}
	if l.Files == nil {
		l.Files = map[string]*record{}
	}
	return l, nil
}

// strayKey finds a key that a ledger does not have: the reader below would take one in another case for its own, and
// pass over any other.
func strayKey(doc canonjson.Value) (at canonjson.Value, path string) {
	var objects []canonjson.Value
	var allowed [][]string
	add := func(o canonjson.Value, keys ...string) {
		objects, allowed = append(objects, o), append(allowed, keys)
	}
	options := []string{"tier3_ask", "codex_allow", "strict"}
	add(doc, "version", "options", "files")
	add(doc.Get("options"), options...)
	for _, r := range doc.Get("files").Members() {
		for _, r := range [...]canonjson.Value{r, r.Get("pending")} {
			add(r, "target", "sha256", "protocol", "ours", "theirs", "replaced", "options", "hook", "pending")
			add(r.Get("options"), options...)
		}
	}
	for i, o := range objects {
		for k := range o.Members() {
			if !slices.Contains(allowed[i], k.Text()) {
				return k, k.Text()
			}
		}
	}
	return canonjson.Value{}, ""
}

// bytes writes the ledger: the same ledger gives the same bytes.
func (l *ledger) bytes() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(l); err != nil {
		panic("harness: " + err.Error()) // texts, numbers and maps of them always encode
	}
	return b.Bytes()
}

// pending gives the ledger of a run that is about to write: what was confirmed, and beside it what comes.
func (l *ledger) pending(next *ledger) *ledger {
	out := &ledger{Version: ledgerVersion, Options: next.Options, Files: map[string]*record{}}
	for path, r := range l.Files {
		out.Files[path] = r
	}
	for path, r := range next.Files {
		was := l.Files[path]
		if was == nil {
			was = &record{Target: r.Target}
		}
		if r == was {
			continue
		}
		both := *was
		both.Pending = r
		out.Files[path] = &both
	}
	return out
}

// has reports whether the target was written before.
func (l *ledger) has(t Target) bool {
	for _, r := range l.Files {
		if r.Target == t {
			return true
		}
	}
	return false
}

// optionsOf gives the options by which a target was written last, those of a run that is not over first.
func (l *ledger) optionsOf(t Target) ledgerOptions {
	for _, r := range l.Files {
		switch {
		case r.Target != t:
		case r.Pending != nil && r.Pending.Options != nil:
			return *r.Pending.Options
		case r.Options != nil:
			return *r.Options
		}
	}
	return l.Options
}

// ledger gives the options that the ledger keeps.
func (o Options) ledger() ledgerOptions {
	return ledgerOptions{Tier3Ask: o.Tier3Ask, CodexAllow: o.CodexAllow, Strict: o.Strict}
}

// written reports whether the bytes are what this package last wrote, or was about to.
func (r *record) written(data []byte) bool {
	return r != nil && (r.SHA256 == hash(data) || r.Pending != nil && r.Pending.SHA256 == hash(data))
}

// standing gives the record that fits the bytes of a file: a run that was killed left the old ones or the new. A file
// that is neither was edited by hand; then what either run wrote is ours, since a rule that the protocol gave up must
// not stay because of a crash.
func (r *record) standing(data []byte) *record {
	switch {
	case r == nil || r.Pending == nil:
		return r
	case r.Pending.SHA256 == hash(data):
		return r.Pending
	case r.SHA256 == hash(data):
		out := *r
		out.Pending = nil
		return &out
	}
	both := *r.Pending
	both.Ours, both.Theirs, both.Replaced = map[string][]string{}, map[string][]string{}, map[string]string{}
	for _, x := range [...]*record{r, r.Pending} {
		unite(both.Ours, x.Ours)
		unite(both.Theirs, x.Theirs)
		for key, value := range x.Replaced {
			both.Replaced[key] = value
		}
	}
	if both.Hook == nil {
		both.Hook = r.Hook
	}
	return &both
}

// unite adds to each list the rules that it lacks.
func unite(all, more map[string][]string) {
	for list, rules := range more {
		for _, rule := range rules {
			all[list] = appendNew(all[list], rule)
		}
	}
}

// wrote reports whether the key stands in a map as this package wrote it: with another effect than the one that was
// written it is the user's, who changed it. A deny or ask that took the place of a rule of the user's was written too.
func (r *record) wrote(key, effect string) bool {
	return r != nil && (slices.Contains(r.Ours[effect], key) || effect != "allow" && slices.Contains(r.Theirs[effect], key))
}

// owned gives the rules of a list that are ours.
func (r *record) owned(list string) []string {
	if r == nil {
		return nil
	}
	return r.Ours[list]
}

func (r *record) equal(o *record) bool {
	a, b := ledger{Files: map[string]*record{"": r}}, ledger{Files: map[string]*record{"": o}}
	return bytes.Equal(a.bytes(), b.bytes())
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// digest is the hash of what a protocol says: the same for two texts that mean the same.
func digest(p *tiers.Protocol) string {
	tools := canonjson.Array{}
	for t := range p.Tools() {
		s := p.Resolve(t.Name)
		tools = append(tools, canonjson.Object{
			{Key: "name", Value: canonjson.String(t.Name)},
			{Key: "mode", Value: canonjson.String(t.Mode.String())},
			{Key: "requires_tty", Value: canonjson.Bool(t.RequiresTTY)},
			{Key: "allow", Value: canonjson.Strings(slices.Concat(s.Allow.Texts(tiers.KindShell), []string{""}, s.Allow.Texts(tiers.KindCommand)))},
			{Key: "deny", Value: canonjson.Strings(slices.Concat(tiers.DenyTexts(s.Deny, tiers.KindShell), []string{""}, tiers.DenyTexts(s.Deny, tiers.KindCommand)))},
		})
	}
	return canonjson.Hash(canonjson.Object{
		{Key: "version", Value: canonjson.String(p.Version())},
		{Key: "program", Value: canonjson.String(p.Program())},
		{Key: "tools", Value: tools},
	})
}
