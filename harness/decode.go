package harness

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/canonjson"
)

// MaxEvent is the largest event that Decode reads, in bytes: a written file travels in it whole.
const MaxEvent = 8 << 20

// ErrEvent is behind every error of [Decode].
var ErrEvent = errors.New("not a hook event")

// Decode reads one hook event of an agent (K30): stdin is what the agent wrote, fallback is the event that is meant when
// stdin does not name one. Unknown fields are ignored; a missing field that the decision needs, and anything that is not
// one strict JSON object, is an error that wraps [ErrEvent]. Also with an error the event's Kind is the best known, so
// that the fault can be answered in the right form.
func Decode(n Name, stdin []byte, fallback Kind) (Event, error) {
	e := Event{Harness: n, Kind: fallback}
	if len(kindNames[n]) == 0 {
		return e, fmt.Errorf("%w: %s has no hooks", ErrEvent, n)
	}
	v, err := canonjson.Parse("standard input", stdin, canonjson.Limits{MaxBytes: MaxEvent, MaxDepth: 100})
	if err != nil {
		return e, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	if !v.Is(canonjson.KindObject) {
		return e, fmt.Errorf("%w: it is no object", ErrEvent)
	}
	if name := v.Get("hook_event_name"); name.Exists() {
		k, err := ParseKind(n, name.Text())
		if err != nil {
			return e, fmt.Errorf("%w: %w", ErrEvent, err)
		}
		e.Kind = k
	}
	if e.Dir, err = textIn(v, "cwd"); err != nil {
		return e, err
	}
	if e.Root, err = projectRoot(v); err != nil {
		return e, err
	}
	e.Source = v.Get("source").Text()
	for _, f := range modeFields {
		mode, err := textIn(v, f)
		if err != nil {
			return e, err
		}
		e.PromptsOff = e.PromptsOff || slices.ContainsFunc(promptsOff, func(s string) bool { return strings.EqualFold(s, mode) })
	}
	if e.Kind == SessionStart {
		return e, nil
	}
	if n == Cursor {
		e.Tool, e.Class = "shell", Shell
		return e, e.command(v.Get("command"), "command")
	}
	name := v.Get("tool_name")
	if name.Text() == "" {
		return e, missing("tool_name")
	}
	e.Tool = name.Text()
	return e, e.tool(v.Get("tool_input"))
}

func missing(field string) error { return fmt.Errorf("%w: %s is missing or empty", ErrEvent, field) }

// textIn gives a text that need not be there: absent and null are "". Another type is a fault, since nobody knows then
// what was meant.
func textIn(v canonjson.Value, field string) (string, error) {
	t := v.Get(field)
	if t.Exists() && !t.Is(canonjson.KindNull) && !t.Is(canonjson.KindString) {
		return "", fmt.Errorf("%w: %s is no text", ErrEvent, field)
	}
	return t.Text(), nil
}

// projectRoot takes the one workspace root that an event names. Of several none is taken: the working folder decides.
func projectRoot(v canonjson.Value) (string, error) {
	roots := v.Get("workspace_roots")
	if roots.Exists() && !roots.Is(canonjson.KindNull) && !roots.Is(canonjson.KindArray) {
		return "", fmt.Errorf("%w: workspace_roots is no list", ErrEvent)
	}
	for root := range roots.Items() {
		if !root.Is(canonjson.KindString) {
			return "", fmt.Errorf("%w: workspace_roots holds what is no text", ErrEvent)
		}
	}
	if roots.Len() == 1 {
		return roots.Index(0).Text(), nil
	}
	return "", nil
}

// tool reads the input of e.Tool as the table says.
func (e *Event) tool(input canonjson.Value) error {
	row, known := tools[e.Harness][e.Tool]
	if !known {
		e.Class = Other
		for _, w := range shellWords {
			if strings.Contains(strings.ToLower(e.Tool), w) {
				e.Class = UnknownShell
			}
		}
		for _, f := range commandFields {
			if v := input.Get(f); v.Text() != "" || v.Len() > 0 {
				e.Class = UnknownShell
			}
		}
		return nil
	}
	e.Class = row.class
	if row.field == "" {
		return nil
	}
	field := input.Get(row.field)
	switch {
	case row.class == Shell:
		if err := e.command(field, "tool_input."+row.field); err != nil {
			return err
		}
		return e.settings(input)
	case row.class == UnknownShell: // it types what it is given into a program that runs
		if field.Text() == "" && (!field.Exists() || field.Is(canonjson.KindString)) && !says(input) {
			e.Class = Other
		}
		return nil
	case row.patch:
		if err := e.patch(input); err != nil {
			return err
		}
		return e.settings(input)
	case field.Text() == "":
		return missing("tool_input." + row.field)
	}
	e.Paths = []string{field.Text()}
	return nil
}

// says reports whether the input holds a text or a list, other than what names the session: what is typed may be called
// otherwise in another version.
func says(input canonjson.Value) bool {
	for name, v := range input.Members() {
		if name.Text() != "session_id" && (v.Text() != "" || v.Len() > 0) {
			return true
		}
	}
	return false
}

// folderFields are where the input of a shell tool names the folder that it runs in; the names differ from one version of
// an agent to the next, and a field that a version does not know is passed over there. So the command is judged in every
// folder that it may run in.
var folderFields = []string{"workdir", "working_directory", "directory", "dir_path", "cwd"}

// settings reads what else the input of a shell tool sets: the folder, variables, and the shell. Claude's has none of it.
func (e *Event) settings(input canonjson.Value) error {
	if e.Harness == Claude || !input.Is(canonjson.KindObject) {
		return nil
	}
	for _, f := range folderFields {
		d, err := textIn(input, f)
		if err != nil {
			return err
		}
		if d == "" {
			continue
		}
		if !filepath.IsAbs(d) {
			d = filepath.Join(e.Dir, d)
		}
		if d = filepath.Clean(d); d != filepath.Clean(e.Dir) && !slices.Contains(e.Places, d) {
			e.Places = append(e.Places, d)
		}
	}
	env := input.Get("env")
	if env.Exists() && !env.Is(canonjson.KindNull) && !env.Is(canonjson.KindObject) {
		return fmt.Errorf("%w: env is no object", ErrEvent)
	}
	for name, value := range env.Members() {
		if !value.Is(canonjson.KindString) {
			return fmt.Errorf("%w: env holds what is no text", ErrEvent)
		}
		e.Also = append(e.Also, "export "+shellQuote(name.Text())+"=x")
	}
	shell, err := textIn(input, "shell")
	if shell != "" && !slices.Contains(shellNames, shell) {
		e.Also = append(e.Also, shellQuote(shell)+" -c "+shellQuote(e.Command))
	}
	return err
}

// command takes a command as one text, or as the list of words that Codex gives: a shell with -c and a text is that
// text, any other list is its words, quoted.
func (e *Event) command(v canonjson.Value, field string) error {
	if v.Is(canonjson.KindString) && strings.TrimSpace(v.Text()) != "" {
		e.Command = v.Text()
		e.patchInside()
		return nil
	}
	if !v.Is(canonjson.KindArray) || v.Len() == 0 {
		return missing(field)
	}
	var argv []string
	for item := range v.Items() {
		if !item.Is(canonjson.KindString) {
			return fmt.Errorf("%w: %s holds what is no text", ErrEvent, field)
		}
		argv = append(argv, item.Text())
	}
	if e.Harness == Codex && len(argv) == 2 && slices.Contains(patchNames, argv[0]) {
		e.Class, e.Command = Writer, ""
		return e.patchText(argv[1])
	}
	if len(argv) == 3 && slices.Contains(shellNames, argv[0]) && slices.Contains(shellFlags, argv[1]) {
		e.Command = argv[2]
		e.patchInside()
		return nil
	}
	quoted := make([]string, len(argv))
	for i, a := range argv {
		quoted[i] = shellQuote(a)
	}
	e.Command = strings.Join(quoted, " ")
	e.patchInside()
	return nil
}

// patchNames are what Codex takes for a patch instead of a program, also in the text of a shell.
var patchNames = []string{"apply_patch", "applypatch"}

// patchInside notes the files of a patch that is handed to a shell, which Codex applies by itself, in the folder to which
// the text before it leads.
func (e *Event) patchInside() {
	for _, n := range patchNames {
		before, _, found := strings.Cut(e.Command, n)
		if e.Harness != Codex || !found {
			continue
		}
		_ = e.patchText(e.Command) // a text that names no file is a command like any other
		if strings.TrimSpace(before) == "" {
			return
		}
		for _, path := range e.Paths {
			e.Also = append(e.Also, before+": > "+shellQuote(path))
		}
		return
	}
}

var (
	shellNames = []string{
		"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/sh", "/usr/bin/zsh",
		"/usr/local/bin/bash", "/opt/homebrew/bin/bash", "/opt/homebrew/bin/zsh",
	} // one in another folder may be anything
	shellFlags = []string{"-c", "-lc", "-cl"}
)

// shellQuote writes a word so that bash reads it back as it is.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// patch finds the patch in an apply_patch call: under "command" or "input", a text or the list ["apply_patch", text].
func (e *Event) patch(input canonjson.Value) error {
	if input.Is(canonjson.KindString) {
		return e.patchText(input.Text())
	}
	for _, f := range []string{"command", "input", "patch"} {
		v := input.Get(f)
		if v.Is(canonjson.KindArray) && v.Len() > 0 {
			v = v.Index(v.Len() - 1)
		}
		if v.Text() != "" {
			return e.patchText(v.Text())
		}
	}
	return missing("tool_input.command")
}

// patchMarks begin the lines of a patch that name a file.
var patchMarks = []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}

func (e *Event) patchText(text string) error {
	for line := range strings.Lines(text) {
		for _, mark := range patchMarks {
			if path, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
				e.Paths = append(e.Paths, strings.TrimSpace(path))
			}
		}
	}
	if len(e.Paths) == 0 {
		return fmt.Errorf("%w: the patch names no file", ErrEvent)
	}
	return nil
}
