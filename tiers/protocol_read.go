package tiers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nearest"
)

// Limits of a protocol (T1). A person keeps it by hand, and every entry is compared with every other.
const (
	MaxProtocolBytes   = 1 << 20
	MaxProtocolDepth   = 64
	MaxProtocolEntries = 2000
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
	r.fail(v, key, CodeType, fmt.Errorf("%s, expected %s", article(v.Kind()), article(want)))
	return false
}

func article(k canonjson.Kind) string {
	switch k {
	case canonjson.KindNull:
		return "null"
	case canonjson.KindArray, canonjson.KindObject, canonjson.KindInt:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// The fields of T2 to T5. What stands here without being read is the reference program's.
var (
	rootFields  = []string{"version", "$schema", "description", "global_mode", "tiers", "tools", "agents"}
	tierFields  = []string{"description", "shell_patterns", "aioson_commands", "write_paths"}
	toolFields  = []string{"description", "mode", "fallback_mode", "derived_from_tiers", "shell_whitelist", "shell_blacklist", "aioson_whitelist", "aioson_blacklist", "requires_tty", "max_auto_retries"}
	agentFields = []string{"description", "max_mode"}
)

// fields warns about members that mean nothing (T4), each with the nearest that does.
func (r *reader) fields(v canonjson.Value, key string, known []string) {
	for k := range v.Members() {
		if slices.Contains(known, k.Text()) {
			continue
		}
		message := "it means nothing here and is kept"
		if near := nearest.Of(k.Text(), known); near != "" {
			message += "; did you mean " + near + "?"
		}
		notice(&r.p.notices, NoticeUnknownField, "", r.place(k, join(key, k.Text())), join(key, k.Text()), "", message)
	}
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
	if r.entries > MaxProtocolEntries {
		r.fail(root, "", CodeTooMany, fmt.Errorf("%d entries, at most %d", r.entries, MaxProtocolEntries))
	}
}

// present reads a null as a member that is not there. Only tiers and tools may be null: without them nothing is allowed.
func present(v canonjson.Value) canonjson.Value {
	if v.Is(canonjson.KindNull) {
		return canonjson.Value{}
	}
	return v
}

// versionText is MAJOR.MINOR[.PATCH] without leading zeros: one text per version (T2).
var versionText = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5}))?$`)

// version settles which resolution is used. Anything but 1.N is refused: one character must not swap the policy (H03).
func (r *reader) version(root canonjson.Value) {
	v := root.Get("version")
	if !v.Exists() {
		r.fail(root, "version", CodeVersion, errors.New("it is missing"), versionsAllowed...)
		return
	}
	if !v.Is(canonjson.KindString) {
		r.fail(v, "version", CodeVersion, fmt.Errorf("%s, expected a string", article(v.Kind())), versionsAllowed...)
		return
	}
	m := versionText.FindStringSubmatch(v.Text())
	if m == nil || m[1] != "1" {
		r.fail(v, "version", CodeVersion, fmt.Errorf("%s is not a version that can be read", quote(v.Text())), versionsAllowed...)
		return
	}
	r.p.version, r.p.legacy = v.Text(), m[2] == "0"
}

var versionsAllowed = []string{"1.0 (whitelists)", "1.1 and later 1.N (tiers)"}

func (r *reader) mode(v canonjson.Value, key string) (m Mode, ok bool) {
	if !r.is(v, key, canonjson.KindString) {
		return 0, false
	}
	if err := m.UnmarshalText([]byte(v.Text())); err != nil {
		r.unknown(v, key, CodeMode, "mode", modeNames)
		return 0, false
	}
	return m, true
}

// unknown reports a word outside a closed set, with the nearest word inside.
func (r *reader) unknown(v canonjson.Value, key, code, what string, allowed []string) {
	e := r.fail(v, key, code, fmt.Errorf("%s is not a %s", quote(v.Text()), what), allowed...)
	if near := nearest.Of(v.Text(), allowed); near != "" {
		e.Hint = "did you mean " + near + "?"
	}
}

func (r *reader) tier(k, v canonjson.Value) {
	key := join("tiers", k.Text())
	var t Tier
	if !slices.Contains(tierNames, k.Text()) || t.UnmarshalText([]byte(k.Text())) != nil {
		r.unknown(k, key, CodeTier, "tier", tierNames)
		return
	}
	if !r.is(v, key, canonjson.KindObject) {
		return
	}
	r.fields(v, key, tierFields)
	r.is(v.Get("description"), join(key, "description"), canonjson.KindString)
	lists := &r.p.tiers[t]
	lists.entries = append(r.list(v, key, "shell_patterns", KindShell, t != Tier3Blocking), r.list(v, key, "aioson_commands", KindCommand, t != Tier3Blocking)...)
	lists.writePaths = r.writePaths(v, key)
}

// list reads one list of entries; an absent list is empty. allows says whether its entries let commands run.
func (r *reader) list(holder canonjson.Value, key, field string, kind Kind, allows bool) []entry {
	key = join(key, field)
	v := holder.Get(field)
	if !r.is(v, key, canonjson.KindArray) {
		return nil
	}
	var out []entry
	i := 0
	for item := range v.Items() {
		if e, ok := r.entry(item, key+"["+strconv.Itoa(i)+"]", kind, allows); ok {
			out = append(out, e)
		}
		i++
	}
	return out
}

func (r *reader) entry(v canonjson.Value, key string, kind Kind, allows bool) (e entry, ok bool) {
	text, ok := r.text(v, key)
	if !ok {
		return e, false
	}
	e = entry{kind: kind, text: text, place: r.place(v, key)}
	var err error
	if kind == KindCommand {
		e.pattern, err = ParseCommandEntry(text, r.p.program)
	} else {
		e.pattern, err = ParsePattern(text)
	}
	switch {
	case errors.Is(err, errUnclosed) && allows:
		// It is a string, as the contract asks, and no command can match it; in a deny list that would be a hole.
		notice(&r.p.notices, NoticeMatchesNothing, "", e.place, text, "", "a quote in it is not closed; it allows nothing")
	case err != nil:
		r.fail(v, key, CodeEntry, fmt.Errorf("%s: %w", quote(text), err))
		return e, false
	}
	if strings.ContainsFunc(text, misleading) {
		notice(&r.p.notices, NoticeSuspiciousText, "", e.place, text, "", "it holds characters that cannot be seen, and matches only commands that hold them too")
	}
	return e, true
}

// text reads one string of a list (T4), trimmed, and counts it.
func (r *reader) text(v canonjson.Value, key string) (string, bool) {
	if r.entries++; r.entries > MaxProtocolEntries || !r.is(v, key, canonjson.KindString) {
		return "", false
	}
	text := v.Text()
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		r.fail(v, key, CodeEntry, fmt.Errorf("%s holds a control character", quote(text)))
		return "", false
	}
	if text = trimText(text); text == "" {
		r.fail(v, key, CodeEntry, errors.New("it is empty"))
		return "", false
	}
	return text, true
}

func (r *reader) writePaths(holder canonjson.Value, key string) (out []string) {
	key = join(key, "write_paths")
	v := holder.Get("write_paths")
	if !r.is(v, key, canonjson.KindArray) {
		return nil
	}
	i := 0
	for item := range v.Items() {
		if text, ok := r.text(item, key+"["+strconv.Itoa(i)+"]"); ok {
			out = append(out, text)
		}
		i++
	}
	return out
}

func (r *reader) tool(k, v canonjson.Value) {
	name := k.Text()
	key := join("tools", name)
	known := slices.Contains(knownTools, name)
	if !known {
		message := "no files are written for this tool, and its values are not checked"
		if near := nearest.Of(name, knownTools); near != "" {
			message += "; did you mean " + near + "?"
		}
		notice(&r.p.notices, NoticeUnknownTool, name, r.place(k, key), name, "", message)
		// What it allows may still be asked for by name; when it cannot be read, it allows nothing.
		scratch := reader{file: r.file, starts: r.starts, entries: r.entries, p: &Protocol{program: r.p.program}}
		if t := scratch.toolFields(name, key, v); len(scratch.faults) == 0 && scratch.entries <= MaxProtocolEntries {
			r.p.tools, r.entries = append(r.p.tools, t), scratch.entries
		}
		return
	}
	t := r.toolFields(name, key, v)
	t.Known = true
	r.p.tools = append(r.p.tools, t)
}

func (r *reader) toolFields(name, key string, v canonjson.Value) Tool {
	t := Tool{Name: name}
	if !r.is(v, key, canonjson.KindObject) {
		return t
	}
	r.fields(v, key, toolFields)
	r.is(v.Get("description"), join(key, "description"), canonjson.KindString)
	t.Mode, _ = r.mode(v.Get("mode"), join(key, "mode"))
	if tty := v.Get("requires_tty"); r.is(tty, join(key, "requires_tty"), canonjson.KindBool) {
		t.RequiresTTY = tty.True()
	}
	t.whitelist = append(r.list(v, key, "shell_whitelist", KindShell, true), r.list(v, key, "aioson_whitelist", KindCommand, true)...)
	t.blacklist = append(r.list(v, key, "shell_blacklist", KindShell, false), r.list(v, key, "aioson_blacklist", KindCommand, false)...)
	r.derived(&t, v, join(key, "derived_from_tiers"))
	return t
}

func (r *reader) derived(t *Tool, holder canonjson.Value, key string) {
	v := holder.Get("derived_from_tiers")
	if !r.is(v, key, canonjson.KindArray) {
		return
	}
	t.derives, t.derivedAt = true, r.place(v, key)
	i := -1
	for item := range v.Items() {
		i++
		at := key + "[" + strconv.Itoa(i) + "]"
		if !r.is(item, at, canonjson.KindString) {
			continue
		}
		n := slices.Index(tierNames, item.Text())
		if n < 0 {
			r.unknown(item, at, CodeTier, "tier", tierNames)
			continue
		}
		t.derivedFrom = append(t.derivedFrom, derivedTier{Tier(n + 1), r.place(item, at)})
	}
}

func (r *reader) agent(k, v canonjson.Value) {
	key := join("agents", k.Text())
	if !r.is(v, key, canonjson.KindObject) {
		return
	}
	r.fields(v, key, agentFields)
	if mode, ok := r.mode(v.Get("max_mode"), join(key, "max_mode")); ok {
		r.p.agents[k.Text()] = mode
	}
}

// plainKey is a key that needs no quotes in a dotted path.
var plainKey = regexp.MustCompile(`^[A-Za-z0-9_$-]+$`)

// join extends a dotted path.
func join(key, field string) string {
	switch {
	case !plainKey.MatchString(field):
		return key + "[" + quote(field) + "]"
	case key == "":
		return field
	}
	return key + "." + field
}

// quote shows a text of the file, cut so that a hostile one cannot fill a screen.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}
