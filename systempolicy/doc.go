// Package systempolicy answers: may an engine act on this change, in this environment, now?
//
// A system declares in its system.yaml how far an always-on engine may go in each environment: a level and guardrails.
// [Parse] reads that file, [System.Render] writes the autonomy.json that an engine reads, and [LoadRendered] reads it
// back. Off unless declared: whatever nobody spoke about is at [Observe].
//
// An engine that is about to merge a fix asks one question:
//
//	d := sys.Decide("dev", "shop-api", systempolicy.Signals{}, facts, time.Now())
//	if d.Merge { ... }        // else a person decides; d.Reasons() says why
//
// [Decide] is the whole decision: the instance's effective level is act, an engine is declared, and the change is
// inside every guardrail. [Outside] answers only the last part, for those who want to say what would have held a fix; a
// caller that merges on Outside alone merges where it may only propose.
//
// Judging never fails: a missing fact, an unreadable clock, a broken policy or a nil System only ever closes. The zero
// value of each type is its safest: [Level] is observe, [Facts] knows nothing, [Policy] has everything outside.
//
// What may change before a merge is only tightening: [Compare] orders two policies, [Meet] gives what is allowed by
// both, [Split] divides a change into what acts at once and what waits, [Held] keeps an environment's signals.
// [Edit] changes system.yaml in place and moves no other byte.
//
// Everything here is pure: no clock, no disk, no network; all values are immutable and safe for concurrent use. Time
// zones come from embedded data, never from the host.
//
// Letters with a number, as R31, F18 or A-eng-7, cite the rules of the specification.
package systempolicy
