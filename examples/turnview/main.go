// Turnview is an agent's host in miniature: it projects a decision to its bounded view, checks that view as if it had
// been stored and read back, and says what the agent may do this turn.
//
//	quota-guard ... | turnview
package main

import (
	"fmt"
	"io"
	"os"

	"example.com/ambit/turnenvelope"
)

func main() { os.Exit(view(os.Stdin, os.Stdout, os.Stderr)) }

// view gives 0 when the agent may act, 2 when it may not, 3 when the decision cannot be read.
func view(decision io.Reader, out, errs io.Writer) int {
	full, err := io.ReadAll(io.LimitReader(decision, turnenvelope.MaxBytes+1))
	if err != nil {
		fmt.Fprintln(errs, "turnview:", err)
		return 3
	}
	env, err := turnenvelope.Project(full, turnenvelope.Options{Host: turnenvelope.Host{Profile: "codex_cli"}})
	if err != nil {
		fmt.Fprintln(errs, "turnview:", err)
		return 3
	}
	stored := env.JSON() // what an agent would be given, and a host would read back

	// The envelope alone: sound, within budget, and what it lets us do.
	accepted := turnenvelope.Accept(stored)
	fmt.Fprintf(out, "%s: %d bytes of %d\n", accepted.Disposition, len(stored), len(full))
	for _, r := range accepted.Reasons {
		fmt.Fprintf(out, "  %s %s\n", r.Code, r.Pointer)
	}

	// With the decision at hand: is the envelope its view, in every signed value?
	verified := turnenvelope.Verify(full, stored)
	for _, r := range verified.Reasons {
		fmt.Fprintf(out, "  %s %s\n", r.Code, r.Pointer)
	}

	action := env.Action()
	fmt.Fprintln(out, "next:", action.RecommendedAction)
	if todo := action.SelectedTodo; todo != nil {
		fmt.Fprintf(out, "todo: %s %s\n", todo.ID, todo.Text) // references are followed
	}
	for _, ask := range env.User().Actions {
		fmt.Fprintln(out, "ask the user:", ask)
	}
	if more, err := env.Follow("full_decision"); err == nil {
		fmt.Fprintln(out, "more:", more.Command)
	}
	if accepted.Disposition != turnenvelope.Act || !verified.Matches {
		return 2
	}
	return 0
}
