package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBrief(t *testing.T) {
	const dave = `What the operator has approved dave to do:
- li-comment-draft (checkBeforeCommitting): draft freely; get a sign-off before commit, push, publish or ship
- code-dispatch (fullyApproved): act, do not ask
- git-commit-push (needsFullSupervision): do not act; escalate each step
- secret-access (needsFullSupervision): do not act; escalate each step
- anything else (needsFullSupervision): do not act; escalate each step
`
	if d := cmp.Diff(dave, brief("../fleet", "dave")); d != "" {
		t.Errorf("dave (-want +got):\n%s", d)
	}
	const nobody = "What the operator has approved nobody to do:\n- anything else (needsFullSupervision): do not act; escalate each step\n"
	if d := cmp.Diff(nobody, brief("../fleet", "nobody")); d != "" {
		t.Errorf("nobody (-want +got):\n%s", d)
	}
}
