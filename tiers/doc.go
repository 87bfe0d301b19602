// Package tiers answers: is this command silent, notified, or blocking?
//
// A protocol sorts commands into three tiers: tier1 runs without a word, tier2 runs with a notice, tier3 waits for a
// person. [Parse] reads the protocol, strictly; [Default] is the one for folders that have none. [Protocol.Resolve]
// gives what one tool may do and what it must never do, and keeps the hard invariant: nothing of tier3 is ever in an
// allow list, whatever the protocol's author wrote. [Evaluator] judges one command line, as bash would read it.
// [Notification] is the line that a person sees.
//
// The package is pure: it reads no file, no clock, no environment, and starts nothing. Values are immutable once made
// and safe for concurrent use. Recording events is the matter of package eventlog, so that only those who record pay.
//
// T, H and K with a number, as in T13, cite the rules of the specification.
package tiers
