// Package harness answers: how is each coding agent told what it may do without asking, in its own files and hooks?
//
// [Plan] reads a folder and a protocol and says what every file would become; [Apply] writes them all or none, keeping
// each byte that a user wrote. [Check] compares live files with the protocol, [PlanRestore] puts a backup back, [PlanHook]
// installs the hook, [Lint] finds rules that do not do what they seem to. Before anything is written it is proved for
// every allow rule, as [Opens] does, that it opens no tier3 command. This proves texts of rules, not what a program does.
//
// [Decode], [Hook.Decide] and [Encode] answer the hook of an agent: an event in, the agent's own dialect out; every failure
// ends in the form that blocks.
//
// The package reads and writes files below the root that it is given, under a lock; it starts no process, opens no
// connection and has no clock of its own.
//
// K, H and T with a number, as in K15, cite the rules of the specification.
package harness
