package harness

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
)

// openCodeMerge is one merge of generated rules into what stands in the map.
type openCodeMerge struct {
	in     input
	d      *draft
	config *config
	drop   map[string]bool   // keys that go: ours of before, and those that move
	back   map[string]string // keys that get the user's value back
	add    []canonjson.Member
}

// sort decides for every key of the map and every generated rule what becomes of it.
func (m *openCodeMerge) sort(rules nativeRules) error {
	m.drop, m.back = map[string]bool{}, map[string]string{}
	denies := map[string]string{}
	for _, key := range rules.ask {
		denies[key] = "ask"
	}
	for _, key := range rules.deny {
		denies[key] = "deny"
	}
	var user []keyed
	for _, e := range m.config.rules() {
		effect, generated := denies[e.key]
		old, had := "", false
		if m.in.was != nil {
			old, had = m.in.was.Replaced[e.key]
		}
		wrote := m.in.was.wrote(e.key, e.effect.Text())
		switch {
		case generated:
			m.drop[e.key] = true
			switch {
			case had && wrote:
				m.d.replaced[e.key] = old
			case wrote:
			default:
				m.d.replaced[e.key] = e.effect.Raw()
				if e.effect.Text() != effect {
					m.note(NoticeRuleMoved, e.key, "", fmt.Sprintf("your rule %q: %s is tier3: it was moved last and set to %s", e.key, e.effect.Raw(), effect))
				}
			}
		case had && wrote:
			m.back[e.key] = old
		case wrote:
			m.drop[e.key] = true
		default:
			keep, err := m.screen(e)
			if err != nil {
				return err
			}
			if !keep {
				m.drop[e.key] = true
				continue
			}
			user = append(user, e)
		}
	}
	m.allow(rules.allow, user)
	for _, list := range [...]string{"ask", "deny"} {
		for _, key := range rules.of(list) {
			if denies[key] != list {
				continue
			}
			m.add = append(m.add, canonjson.Member{Key: key, Value: canonjson.String(list)})
			if _, theirs := m.d.replaced[key]; theirs {
				m.d.theirs[list] = append(m.d.theirs[list], key)
			} else {
				m.d.ours[list] = append(m.d.ours[list], key)
			}
		}
	}
	return nil
}

// allow adds the generated allow rules but for those that would win over an ask or deny of the user's.
func (m *openCodeMerge) allow(generated []string, user []keyed) {
	for _, key := range generated {
		yields := ""
		for _, e := range user {
			if e.key == key && e.effect.Text() == "allow" {
				yields = key
				m.d.theirs["allow"] = append(m.d.theirs["allow"], key)
				break
			}
			if e.effect.Text() == "allow" || strings.Trim(e.key, "*") == "" {
				continue
			}
			if relate(openCodeLanguage(key), openCodeLanguage(e.key), notBlank()).Touches {
				yields = e.key
				m.note(NoticeUserStricter, key, e.key, fmt.Sprintf("the allow %q was left out: it would win over your %s of %q", key, e.effect.Text(), e.key))
				break
			}
		}
		if yields == "" {
			m.add = append(m.add, canonjson.Member{Key: key, Value: canonjson.String("allow")})
			m.d.ours["allow"] = append(m.d.ours["allow"], key)
			m.d.generated = append(m.d.generated, key)
		}
	}
}

// screen judges an entry of the user's own: an allow that is tier3 goes; one that touches it stays, and ours behind it
// win.
func (m *openCodeMerge) screen(e keyed) (keep bool, err error) {
	if e.effect.Text() != "allow" {
		return true, nil
	}
	inside, touched := judge(newRule(OpenCode, e.key), m.in.sets.guards)
	switch {
	case inside != "":
		m.note(NoticeTier3UserAllow, e.key, inside, fmt.Sprintf("your allow of %q is tier3 (%s): it was taken out; the backup keeps it", e.key, inside))
		return false, nil
	case len(touched) > 0 && m.in.options.Strict:
		return false, m.config.refuse(e.effect, "", CodeOverlap, fmt.Sprintf("your allow of %q can match tier3 (%s)", e.key, strings.Join(touched, ", ")), ErrStrict)
	case len(touched) > 0:
		m.note(NoticeTier3Overlap, e.key, touched[0], fmt.Sprintf("your allow of %q can match tier3 (%s); the deny stands behind it and wins where its text matches", e.key, strings.Join(touched, ", ")))
	}
	return true, nil
}

func (m *openCodeMerge) note(code NoticeCode, entry, other, message string) {
	m.d.notices = append(m.d.notices, Notice{Code: code, Target: OpenCodeConfig.String(), Entry: entry, Other: other, Message: message})
}

// reopened looks for rules that come after ours wherever those stand: keys of permission behind bash that mean bash too,
// and the permissions of agents and modes.
func (m *openCodeMerge) reopened() error {
	behind := false
	permission := m.config.plain.Root.Get("permission")
	for k, v := range permission.Members() {
		if k.Text() == "bash" {
			behind = true
			continue
		}
		// A key that is there when bash is not yet stands before it.
		if behind && openCodeLanguage(k.Text()).Match(" bash") {
			if err := m.reopens("permission."+k.Text(), v); err != nil {
				return err
			}
		}
	}
	for _, group := range [...]string{"agent", "mode"} {
		for name, v := range m.config.plain.Root.Get(group).Members() {
			for k, rules := range v.Get("permission").Members() {
				if !openCodeLanguage(k.Text()).Match(" bash") {
					continue
				}
				if err := m.reopens(group+"."+name.Text()+".permission."+k.Text(), rules); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// laterConfigs are read by OpenCode after the file in the root, so that their rules come behind ours.
var laterConfigs = [...]string{".opencode/opencode.json", ".opencode/opencode.jsonc"}

// later looks for rules that reopen tier3 in those files; one that cannot be read may hold any.
func (in input) later(root string, d *draft) error {
	for _, path := range laterConfigs {
		data, exists, _, err := readLive(root, path)
		if err != nil {
			return err
		}
		if !exists {
			continue
		}
		c, err := openConfig(filepath.Join(root, filepath.FromSlash(path)), data)
		if err != nil {
			return err
		}
		m := openCodeMerge{in: in, d: d, config: c}
		permission := c.plain.Root.Get("permission")
		if permission.Is(canonjson.KindString) {
			if err := m.reopens(path+": permission", permission); err != nil {
				return err
			}
		}
		for k, v := range permission.Members() {
			if openCodeLanguage(k.Text()).Match(" bash") {
				if err := m.reopens(path+": permission."+k.Text(), v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// reopens looks at rules that win over ours: an allow among them that touches tier3.
func (m *openCodeMerge) reopens(path string, v canonjson.Value) error {
	var allows []keyed
	if v.Text() == "allow" {
		allows = append(allows, keyed{"*", v})
	}
	for k, effect := range v.Members() {
		if effect.Text() == "allow" {
			allows = append(allows, keyed{k.Text(), effect})
		}
	}
	for _, e := range allows {
		inside, touched := judge(newRule(OpenCode, e.key), m.in.sets.guards)
		if inside != "" {
			touched = []string{inside}
		}
		if len(touched) == 0 {
			continue
		}
		why := fmt.Sprintf("%s allows %q and is looked at after permission.bash: it opens tier3 (%s) again", path, e.key, strings.Join(touched, ", "))
		if m.in.options.Strict {
			return m.config.refuse(e.effect, "", CodeReopened, why, ErrStrict)
		}
		m.note(NoticeTier3Reopened, path, touched[0], why)
	}
	return nil
}

// write makes the edits: values that go back, keys that go, then ours at the end.
func (m *openCodeMerge) write() (*config, error) {
	c := m.config
	if m.settled() {
		return c, nil
	}
	var err error
	for _, e := range c.rules() {
		old, ok := m.back[e.key]
		if !ok {
			continue
		}
		f, _ := c.plain.Locate("permission", "bash", e.key)
		s := jsonspan.Span(f.Value)
		if c, err = c.edit([]span.Splice{{Span: s, Text: old}}, "permission", "bash", e.key); err != nil {
			return nil, err
		}
	}
	if c, err = c.remove(m.drop); err != nil {
		return nil, err
	}
	if len(m.add) == 0 {
		return c, nil
	}
	if c, err = c.bashMap(); err != nil {
		return nil, err
	}
	// The first makes an empty map one that shows its layout; the others follow it at once.
	for len(m.add) > 0 {
		n := len(m.add)
		if c.plain.Root.At("permission", "bash").Empty() {
			n = 1
		}
		f, _ := c.plain.Locate("permission", "bash")
		var splices []span.Splice
		for _, member := range m.add[:n] {
			s, err := c.plain.Insert(f, member.Key, member.Value)
			if err != nil {
				return nil, err
			}
			splices = append(splices, s...)
		}
		if c, err = c.edit(splices, "permission", "bash"); err != nil {
			return nil, err
		}
		m.add = m.add[n:]
	}
	return c, nil
}

// settled reports whether the map is already as it would be written.
func (m *openCodeMerge) settled() bool {
	rules := m.config.rules()
	ours := 0
	for _, e := range rules {
		if m.drop[e.key] {
			ours++
		}
	}
	if len(m.back) > 0 || ours != len(m.add) {
		return false
	}
	for i, member := range m.add {
		e := rules[len(rules)-len(m.add)+i]
		if e.key != member.Key || canonjson.String(e.effect.Text()) != member.Value {
			return false
		}
	}
	return true
}
