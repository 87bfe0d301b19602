package envelope_test

import (
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/ambit/envelope"
)

func Example() {
	doc, err := envelope.Dir{Root: "../examples/fleet"}.Get("dave")
	if err != nil {
		fmt.Println("treat everything as", envelope.NeedsFullSupervision)
		return
	}
	state := doc.Envelope().StateOf("li-comment-draft")
	fmt.Println(state)
	fmt.Println("draft:", state.Permits(envelope.Draft))
	fmt.Println("publish:", state.Permits(envelope.Commit))
	// Output:
	// checkBeforeCommitting
	// draft: act
	// publish: signOff
}

func ExampleEnvelope_StateOf() {
	var unreadable *envelope.Envelope
	fmt.Println(unreadable.StateOf("git-commit-push"))
	// Output: needsFullSupervision
}

func ExampleParseDocument() {
	_, err := envelope.ParseDocument("dave.md", "dave", []byte("---\nagent: dave\nowner: barry\nupdated: 2026-07-05\ntaskTypes: []\n---\n"))
	var e *envelope.Error
	if errors.As(err, &e) {
		fmt.Println(e.Line, e.Key, e.Code)
	}
	fmt.Println(err)
	// Output:
	// 4 updated bad-value
	// dave.md:4:10: updated: updated "2026-07-05" is not an RFC 3339 time with a zone, such as 2026-07-05T14:30:00Z
}

func ExampleDocument_Set() {
	now := time.Date(2026, 7, 5, 14, 30, 0, 0, time.UTC)
	data, _ := envelope.New("dave", "barry", now)
	doc, _ := envelope.ParseDocument("dave.md", "dave", data)
	why := "Show me the first ten."
	result, err := doc.Set(envelope.Change{Task: "code-dispatch", State: envelope.CheckBeforeCommitting, Note: &why, Now: now})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.From, "->", result.To)
	fmt.Print(string(doc.Bytes()))
	// Output:
	// needsFullSupervision -> checkBeforeCommitting
	// ---
	// agent: dave
	// owner: barry
	// updated: 2026-07-05T14:30:00Z
	// taskTypes:
	//   - id: code-dispatch
	//     label: code-dispatch
	//     state: checkBeforeCommitting
	//     stateSince: 2026-07-05T14:30:00Z
	//     operatorNote: Show me the first ten.
	// ---
	//
	// # Autonomy envelope; dave
	//
	// ## Current state
	//
	// | Task type | State | Since | Note |
	// |---|---|---|---|
	// | code-dispatch | checkBeforeCommitting | 2026-07-05 | Show me the first ten. |
	//
	// ## History
	//
	// ### 2026-07-05T14:30:00Z; code-dispatch promoted to checkBeforeCommitting
	// Operator note: Show me the first ten.
}

func ExampleDir_List() {
	now := time.Date(2026, 7, 6, 10, 0, 0, 0, time.UTC)
	all, err := envelope.Dir{Root: "../examples/fleet"}.List()
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range all {
		switch {
		case l.Err != nil:
			fmt.Println(l.Agent, "cannot be believed")
		case l.Envelope.Stale(now):
			fmt.Println(l.Agent, "is stale")
		default:
			fmt.Println(l.Agent, "is fresh")
		}
	}
	// Output:
	// dave is fresh
	// erin cannot be believed
	// maya is stale
	// release-bot is fresh
}

func ExampleDir_Set() {
	root, err := os.MkdirTemp("", "fleet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(root) }()
	d := envelope.Dir{Root: root}
	fmt.Println(d.Init("dave", "barry"))
	_, err = d.Set("dave", envelope.Change{Task: "code-dispatch", State: envelope.FullyApproved})
	fmt.Println(err)
	_, err = d.Set("erin", envelope.Change{Task: "code-dispatch", State: envelope.FullyApproved})
	fmt.Println(errors.Is(err, envelope.ErrUnknownAgent))
	// Output:
	// <nil>
	// <nil>
	// true
}
