package harness

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/jsonspan"
)

// HookCommand is the command that Claude runs before a tool: whatever goes wrong on the way to an answer blocks, also a
// program that is not there, which a shell ends with 127 and Claude would let pass (K36).
const HookCommand = "ambit hook --harness claude --event PreToolUse || exit 2"

// hookPath is where Claude's settings keep the hooks of the event before a tool runs.
var hookPath = [...]string{"hooks", "PreToolUse"}

// hookRecord says what an installation added, so that it can be taken back byte for byte.
type hookRecord struct {
	File   bool   `json:"file,omitempty"`   // the file was not there
	At     int    `json:"at"`               // how many of hookPath were there
	Inside string `json:"inside,omitempty"` // the blanks in the container that was empty
}

// hookMatcher names the tools that run commands or write files.
func hookMatcher() string {
	var names []string
	for name, row := range tools[Claude] {
		if row.class != Other {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, "|")
}

func hookEntry() canonjson.Node {
	return canonjson.Object{
		{Key: "matcher", Value: canonjson.String(hookMatcher())},
		{Key: "hooks", Value: canonjson.Array{canonjson.Object{
			{Key: "type", Value: canonjson.String("command")},
			{Key: "command", Value: canonjson.String(HookCommand)},
		}}},
	}
}

// PlanHook says what installing this package's hook into an agent's settings does, or with install false its exact
// inverse (K36). Only Claude's settings are known; for another agent the error wraps [ErrUnknown] and says how to add the
// entry by hand. Nothing beside the entry changes: not the permissions, not the hooks of others. [Apply] writes it.
func PlanHook(root string, n Name, install bool, o Options) (*Changes, error) {
	if n != Claude {
		return nil, fmt.Errorf("hooks are installed for claude only, and how for %s is %w; %s", n, ErrUnknown, byHand(n))
	}
	return steady(root, func(c *Changes) error {
		f, err := planHook(c, FileChange{Target: ClaudeSettings, Path: ClaudeSettings.Path()}, install)
		if err != nil {
			f.Action, f.Err = Refuse, err
		}
		c.Files = []FileChange{f}
		return nil
	}, o)
}

func byHand(n Name) string {
	where := map[Name]string{
		Codex:  "for codex, add `ambit hook --harness codex` as a PreToolUse command to .codex/hooks.json",
		Gemini: "for gemini, add `ambit hook --harness gemini` as a BeforeTool command to the hooks of .gemini/settings.json",
		Cursor: "for cursor, add `ambit hook --harness cursor` as beforeShellExecution to .cursor/hooks.json",
	}[n]
	if where == "" {
		return "opencode has no hooks that ambit answers: ambit tiers materialize --native writes its rules"
	}
	return where
}

func planHook(c *Changes, f FileChange, install bool) (FileChange, error) {
	var err error
	if f.old, f.exists, f.mode, err = readLive(c.Root, f.Path); err != nil {
		return f, err
	}
	name := filepath.Join(c.Root, filepath.FromSlash(f.Path))
	was := c.ledger.Files[f.Path]
	r := &record{Target: ClaudeSettings}
	if was != nil {
		*r = *was.standing(f.old)
	}
	if !install && !f.exists {
		f.Action = Same
		return f, nil
	}
	doc, err := openSettings(name, f.old, f.exists)
	if err != nil {
		return f, err
	}
	edited := doc
	if install {
		edited, r.Hook, err = installHook(doc, r.Hook)
		if r.Hook != nil && !f.exists {
			r.Hook.File = true
		}
	} else {
		edited, err = uninstallHook(doc, r.Hook)
	}
	if err != nil {
		return f, refusedHook(name, err)
	}
	if err := samePermissions(doc, edited); err != nil {
		return f, err
	}
	if !install && r.Hook != nil && r.Hook.File && string(edited.Source) == emptySettings {
		f.Action, f.Diff = Remove, removalDiff(f)
		delete(c.next.Files, f.Path)
		return f, nil
	}
	if !install {
		r.Hook = nil
	}
	f.become(edited.Source)
	r.SHA256 = hash(f.new)
	switch {
	case f.Action == Same && was != nil && was.Pending == nil:
	case r.Hook == nil && len(r.Ours) == 0 && len(r.Theirs) == 0:
		delete(c.next.Files, f.Path)
	default:
		c.next.Files[f.Path] = r
	}
	return f, nil
}

func refusedHook(name string, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		e.File = name
		return e
	}
	return &Error{File: name, Key: strings.Join(hookPath[:], "."), Code: CodeType, Err: err}
}

// samePermissions is the proof of a hook: no rule came or went (K15).
func samePermissions(before, after *jsonspan.Document) error {
	if before.Root.Get("permissions").Raw() != after.Root.Get("permissions").Raw() {
		return fmt.Errorf("the permissions would change: %w", ErrTier3)
	}
	return nil
}

// installHook adds the entry behind those of others, with the containers that are not there.
func installHook(doc *jsonspan.Document, was *hookRecord) (*jsonspan.Document, *hookRecord, error) {
	if err := hookShape(doc); err != nil {
		return nil, nil, err
	}
	if _, found := findHook(doc); found {
		return doc, was, nil
	}
	r := &hookRecord{}
	f, _ := doc.Locate()
	for r.At < len(hookPath) {
		next, ok := doc.Locate(steps(r.At + 1)...)
		if !ok {
			break
		}
		f, r.At = next, r.At+1
	}
	if f.Value.Empty() {
		s := jsonspan.Span(f.Value)
		r.Inside = string(doc.Source[s.Start+1 : s.End-1])
	}
	if r.At == len(hookPath) {
		nodes := []canonjson.Node{}
		for v := range f.Value.Items() {
			nodes = append(nodes, v)
		}
		splices, err := appendItem(doc, f, nodes)
		if err != nil {
			return nil, nil, err
		}
		doc, err = apply(doc, splices, steps(len(hookPath))...)
		return doc, r, err
	}
	var node canonjson.Node = canonjson.Array{hookEntry()}
	for i := len(hookPath) - 1; i > r.At; i-- {
		node = canonjson.Object{{Key: hookPath[i], Value: node}}
	}
	splices, err := doc.Insert(f, hookPath[r.At], node)
	if err != nil {
		return nil, nil, err
	}
	doc, err = apply(doc, splices, steps(r.At+1)...)
	return doc, r, err
}

// appendItem puts the entry behind the last item and touches none of the others.
func appendItem(doc *jsonspan.Document, f jsonspan.Found, items []canonjson.Node) ([]span.Splice, error) {
	splices, err := doc.SetItems(f, append(items, hookEntry()))
	if err != nil || len(items) == 0 || len(splices) != 1 {
		return splices, err
	}
	// SetItems writes the whole inside anew; what it puts behind the last item is the part that is wanted.
	last := jsonspan.Span(items[len(items)-1].(canonjson.Value))
	s := splices[0]
	tail := string(doc.Source[last.End:s.End])
	text := strings.TrimSuffix(s.Text, tail)
	raw := string(last.Of(doc.Source))
	i := strings.LastIndex(text, raw)
	if i < 0 {
		return splices, nil
	}
	return []span.Splice{{Span: span.Span{Start: last.End, End: last.End}, Text: text[i+len(raw):]}}, nil
}

func steps(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = hookPath[i]
	}
	return out
}

// hookShape refuses hooks that are not as Claude reads them.
func hookShape(doc *jsonspan.Document) error {
	hooks := doc.Root.Get(hookPath[0])
	if hooks.Exists() && !hooks.Is(canonjson.KindObject) {
		return wrongType("", doc.Source, hooks, hookPath[0], "an object")
	}
	if v := hooks.Get(hookPath[1]); v.Exists() && !v.Is(canonjson.KindArray) {
		return wrongType("", doc.Source, v, strings.Join(hookPath[:], "."), "an array")
	}
	return nil
}

// findHook gives the path of the entry that runs this package's command: the whole item when it has no other command,
// else the command alone.
func findHook(doc *jsonspan.Document) (path []any, found bool) {
	i := 0
	for item := range doc.Root.At(hookPath[:]...).Items() {
		j := 0
		for h := range item.Get("hooks").Items() {
			if h.Get("command").Text() == HookCommand {
				path := append(steps(len(hookPath)), i)
				if item.Get("hooks").Len() > 1 {
					path = append(path, "hooks", j)
				}
				return path, true
			}
			j++
		}
		i++
	}
	return nil, false
}

// uninstallHook takes the entry out, and the containers that the installation made, where they are empty now.
func uninstallHook(doc *jsonspan.Document, was *hookRecord) (*jsonspan.Document, error) {
	if err := hookShape(doc); err != nil {
		return nil, err
	}
	path, found := findHook(doc)
	if !found {
		return doc, nil
	}
	at := len(hookPath)
	if was != nil {
		at = was.At
	}
	// Outwards, while what would be left is empty and was made by the installation.
	for n := len(path) - 1; n > at && n > 0; n-- {
		f, _ := doc.Locate(path[:n]...)
		if f.Value.Len() != 1 {
			break
		}
		path = path[:n]
	}
	f, _ := doc.Locate(path...)
	splices := doc.Delete(f)
	if f.Parent.Len() == 1 && was != nil && len(path) == at+1 {
		splices[0].Text = was.Inside
	}
	edited, err := span.Apply(doc.Source, splices...)
	if err != nil {
		return nil, err
	}
	// The items behind the one that went move up, so the array that held it is what changed.
	return doc.Check(edited, path[:max(1, min(len(path)-1, len(hookPath)))])
}
