package envelope_test

import (
	"errors"
	"fmt"

	"example.com/ambit/envelope"
)

func ExampleDir_Get() {
	fleet := envelope.Dir{Root: "../examples/fleet"}
	doc, err := fleet.Get("nobody")
	fmt.Println(errors.Is(err, envelope.ErrUnknownAgent), doc.Envelope().StateOf("code-dispatch"))

	doc, err = fleet.Get("dave")
	fmt.Println(err, doc.Envelope().StateOf("code-dispatch"))
	// Output:
	// true needsFullSupervision
	// <nil> fullyApproved
}

func ExampleState_Permits() {
	for _, state := range []envelope.State{envelope.NeedsFullSupervision, envelope.CheckBeforeCommitting, envelope.FullyApproved} {
		fmt.Println(state, state.Permits(envelope.Explore), state.Permits(envelope.Draft), state.Permits(envelope.Commit))
	}
	fmt.Println(envelope.States())
	// Output:
	// needsFullSupervision escalate escalate escalate
	// checkBeforeCommitting act act signOff
	// fullyApproved act act act
	// [needsFullSupervision checkBeforeCommitting fullyApproved]
}

// What a person typed is looked at before anything is written.
func ExampleCheckTask() {
	fmt.Println(envelope.CheckAgent("../dave"))
	fmt.Println(envelope.CheckTask("git push"))
	fmt.Println(envelope.CheckOwner(""))
	fmt.Println(envelope.CheckNote("Green for a month."))
	// Output:
	// agent: "../dave" is a malformed name: an agent's name is small letters and digits joined by single - or _, a letter first, at most 64
	// id: "git push" is a malformed name: a task type's id is small letters and digits joined by single - _ or ., a letter first, at most 64
	// owner: an owner has 1 to 200 characters
	// <nil>
}

// Frontmatter is what a validator of JSON Schema is given, with Schema.
func ExampleFrontmatter() {
	front, err := envelope.Frontmatter("dave.md", []byte("---\nagent: dave\nowner: barry\nupdated: 2026-07-05T14:30:00Z\ntaskTypes: []\n---\n"))
	fmt.Println(front, err, len(envelope.Schema()) > 0)
	// Output: map[agent:dave owner:barry taskTypes:[] updated:2026-07-05T14:30:00Z] <nil> true
}
