package turnenvelope

import (
	"fmt"
	"slices"
	"strings"
)

// Reference is a place of the envelope that points elsewhere, so that what it leaves out is not missing. N4
type Reference struct {
	Place   string // dotted path of the reference, as "action.selected_todo.text_ref"
	Target  string // dotted path of the value in the same envelope; "" when a command gives it
	Text    string // that value
	Command string // the command that gives it, to be run where it is needed; may be a sentence when the host is unknown
	Reason  string // why it was left out, for an omitted argv
}

// commandRefs are the places of commands: objects with reason and request, and the plain texts of detail_ref.
var commandRefs = [...][]string{
	{"scheduler", "codex_app", "ack_cli_args_detail_ref"},
	{"scheduler", "codex_app", "failure_cli_args_detail_ref"},
	{"detail_ref", "full_decision"},
	{"detail_ref", "todo_detail"},
	{"detail_ref", "status_detail"},
}

// References lists the envelope's references in its order.
func (e *Envelope) References() []Reference {
	var out []Reference
	if v := e.root().At("action", "selected_todo", "text_ref"); v.Kind() == text {
		out = append(out, Reference{
			Place: "action.selected_todo.text_ref", Target: v.Text(), Text: e.root().At(strings.Split(v.Text(), ".")...).Text(),
		})
	}
	for _, path := range commandRefs {
		r := Reference{Place: strings.Join(path, ".")}
		switch v := e.root().At(path...); v.Kind() {
		case text:
			r.Command = v.Text()
		case object:
			r.Command, r.Reason = v.Get("request").Text(), v.Get("reason").Text()
		default:
			continue
		}
		out = append(out, r)
	}
	return out
}

// Follow resolves a reference, named by its place ("action.selected_todo.text_ref"), by the last part of it
// ("text_ref", "ack_cli_args_detail_ref"), or by the value it points at ("action.recommended_action"). An envelope
// without it gives an *Error with the code CodeReference that lists those it has. N4
func (e *Envelope) Follow(ref string) (Reference, error) {
	all := e.References()
	i := slices.IndexFunc(all, func(r Reference) bool {
		return r.Place == ref || r.Target == ref || strings.HasSuffix(r.Place, "."+ref)
	})
	if i >= 0 && (all[i].Target == "" || all[i].Text != "") {
		return all[i], nil
	}
	err := &Error{Code: CodeReference, Err: fmt.Errorf("the envelope has no reference %q", ref)}
	for _, r := range all {
		err.Allowed = append(err.Allowed, r.Place)
	}
	if i >= 0 {
		err.Err = fmt.Errorf("the reference %q points at %q, where there is no text", ref, all[i].Target)
	}
	return Reference{}, err
}
