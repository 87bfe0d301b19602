package tiers

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/internal/oneline"
)

// Limits of a protocol (T1). A person keeps it by hand, and every entry is compared with every other.
const (
	MaxProtocolBytes   = 1 << 20 // bytes of the file
	MaxProtocolDepth   = 64      // brackets inside each other
	MaxProtocolEntries = 2000    // entries of all lists together
)

// Parse reads a protocol strictly (T1 to T5). name is for messages; data is the file. The error joins all problems,
// each an [Error]; what is odd but harmless is in [Protocol.Notices]. A protocol that is read can be resolved.
func Parse(name string, data []byte) (*Protocol, error) {
	root, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxProtocolBytes, MaxDepth: MaxProtocolDepth, AllowBOM: true})
	if err != nil {
		return nil, err
	}
	r := &reader{file: name, p: &Protocol{name: name, program: DefaultProgram, agents: map[string]Mode{}}}
	r.lines(data)
	r.protocol(root)
	if err := r.faults.Err(); err != nil {
		return nil, err
	}
	r.p.settle()
	return r.p, nil
}

// reader turns values into a protocol and keeps every problem that it meets.
type reader struct {
	file    string
	starts  []int // offsets at which lines begin
	faults  fault.List
	entries int
	p       *Protocol
}

func (r *reader) lines(data []byte) {
	r.starts = []int{0}
	for i, c := range data {
		if c == '\n' {
			r.starts = append(r.starts, i+1)
		}
	}
}

func (r *reader) place(v canonjson.Value, key string) place {
	start, _ := v.Span()
	line := sort.SearchInts(r.starts, start+1)
	return place{key: key, line: line, col: start - r.starts[line-1] + 1}
}

func (r *reader) fail(v canonjson.Value, key, code string, err error, allowed ...string) *Error {
	at := r.place(v, key)
	e := &Error{File: r.file, Line: at.line, Col: at.col, Key: key, Code: code, Err: err, Allowed: allowed}
	r.faults.Add(e)
	return e
}

// is checks a value's type; a value that is absent is not there to be wrong.
func (r *reader) is(v canonjson.Value, key string, want canonjson.Kind) bool {
	if !v.Exists() || v.Is(want) {
		return v.Exists()
	}
	r.fail(v, key, CodeType, fmt.Errorf("%s, expected %s", v.Kind().Phrase(), want.Phrase()))
	return false
}

// The fields of T2 to T5. What stands here without being read is the reference program's.
var (
	rootFields  = []string{"version", "$schema", "description", "global_mode", "tiers", "tools", "agents"}
	tierFields  = []string{"description", "shell_patterns", "aioson_commands", "write_paths"}
	toolFields  = []string{"description", "mode", "fallback_mode", "derived_from_tiers", "shell_whitelist", "shell_blacklist", "aioson_whitelist", "aioson_blacklist", "requires_tty", "max_auto_retries"}
	agentFields = []string{"description", "max_mode"}
)

// maxUnknownFields is how many unknown fields of one object are named; a hostile file has more.
const maxUnknownFields = 50

// fields warns about members that mean nothing (T4), each with the nearest that does.
func (r *reader) fields(v canonjson.Value, key string, known []string) {
	n := 0
	for k := range v.Members() {
		if slices.Contains(known, k.Text()) {
			continue
		}
		at, message := r.place(k, join(key, k.Text())), "it means nothing here and is kept"+didYouMean(k.Text(), known)
		if n++; n > maxUnknownFields {
			notice(&r.p.notices, NoticeUnknownField, "", at, at.key, "", "this and further unknown fields are kept; they are not listed")
			return
		}
		notice(&r.p.notices, NoticeUnknownField, "", at, at.key, "", message)
	}
}

// didYouMean is advice behind a sentence, or nothing.
func didYouMean(word string, known []string) string {
	if hint := nearest.Hint(word, known); hint != "" {
		return "; " + hint
	}
	return ""
}

func (r *reader) protocol(root canonjson.Value) {
	if !r.is(root, "", canonjson.KindObject) {
		return
	}
	r.fields(root, "", rootFields)
	r.is(root.Get("description"), "description", canonjson.KindString)
	r.version(root)
	if mode, ok := r.mode(root.Get("global_mode"), "global_mode"); ok {
		r.p.globalMode = &mode
	}
	tiers := present(root.Get("tiers"))
	if r.is(tiers, "tiers", canonjson.KindObject) {
		for k, v := range tiers.Members() {
			r.tier(k, v)
		}
	}
	if !tiers.Get(Tier3Blocking.String()).Exists() {
		at, message := r.place(root, "tiers"), "there is no tier3_blocking: nothing is denied but what blacklists name"
		notice(&r.p.notices, NoticeNoTier3, "", at, Tier3Blocking.String(), "", message)
	}
	if r.p.legacy {
		for _, t := range []Tier{Tier1Silent, Tier2Notified} {
			if k, _ := tiers.Member(t.String()); k.Exists() {
				notice(&r.p.notices, NoticeDeadTiers, "", r.place(k, join("tiers", t.String())), t.String(), "", "a 1.0 protocol uses whitelists only; this tier allows nothing")
			}
		}
	}
	if tools := present(root.Get("tools")); r.is(tools, "tools", canonjson.KindObject) {
		for k, v := range tools.Members() {
			r.tool(k, v)
		}
	}
	if agents := root.Get("agents"); r.is(agents, "agents", canonjson.KindObject) {
		for k, v := range agents.Members() {
			r.agent(k, v)
		}
	}
}

// present reads a null as a member that is not there. Only tiers and tools may be null: without them nothing is allowed.
func present(v canonjson.Value) canonjson.Value {
	if v.Is(canonjson.KindNull) {
		return canonjson.Value{}
	}
	return v
}

// plainKey reports a key that needs no quotes in a dotted path.
func plainKey(key string) bool {
	return key != "" && len(key) <= maxShown && !strings.ContainsFunc(key, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '$' || r == '-')
	})
}

// join extends a dotted path.
func join(key, field string) string {
	switch {
	case !plainKey(field):
		return key + "[" + quote(field) + "]"
	case key == "":
		return field
	}
	return key + "." + field
}

// maxShown is how much of a text of the file is shown, so that a hostile one cannot fill a screen.
const maxShown = 200

// quote shows a text of the file, cut.
func quote(s string) string { return oneline.Quote(s, maxShown) }
