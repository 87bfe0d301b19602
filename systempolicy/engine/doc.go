// Package engine answers: how do an always-on engine and the people who supervise it use a policy together?
//
// An engine serves a [Handler]: it takes the signals that pause or tighten at once, and tells what is in force. [InForce] is the
// one place where that is evaluated: what is merged, met with the last accepted signal, never looser than what is merged.
// A person's command uses a [Client], which says of every environment whether its engine confirmed.
// Both keep nothing in memory that a restart may lose: a [Store] holds signals, day counters, runs and events;
// open one with the packages sqlstore/sqlite or sqlstore/postgres.
//
// Signal, Signals and Event are here what travels and is stored; the types of the same names in systempolicy are what a
// judgement needs to know of them, and a caller of this package rarely meets those.
//
// The wire is [Contract], an OpenAPI document. The package opens no file and starts no process; the operating system's
// keychain and git live in the packages keychain and forge.
//
// Letters with a number, as R31 or S8, cite the rules of the specification.
package engine
