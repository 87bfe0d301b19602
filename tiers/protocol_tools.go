package tiers

import (
	"slices"
	"strconv"

	"example.com/ambit/internal/canonjson"
)

func (r *reader) tool(k, v canonjson.Value) {
	name := k.Text()
	key := join("tools", name)
	known := slices.Contains(knownTools, name)
	if !known {
		message := "no files are written for this tool, and its values are not checked" + didYouMean(name, knownTools)
		notice(&r.p.notices, NoticeUnknownTool, name, r.place(k, key), name, "", message)
		if name == "" {
			return // the empty name stands for no tool
		}
		// What it allows may still be asked for by name; when it cannot be read, it allows nothing.
		scratch := reader{file: r.file, starts: r.starts, entries: r.entries, p: &Protocol{program: r.p.program}}
		if t := scratch.toolFields(name, key, v); len(scratch.faults) == 0 {
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
