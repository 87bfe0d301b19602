// Package ambit is a map: the library that bounds what an AI agent may do without asking lives in six packages,
// each answering one question.
//
//   - [example.com/ambit/envelope]: has the operator approved this agent to do this kind of task?
//   - [example.com/ambit/tiers]: is this command silent, notified, or blocking?
//   - [example.com/ambit/harness]: how is each coding agent told so, in its own files and hooks?
//   - [example.com/ambit/systempolicy]: may an engine act on this change, in this environment, now?
//   - [example.com/ambit/turnenvelope]: what is the smallest faithful view of this decision?
//   - [example.com/ambit/campaign]: what would the agent propose, if it had no power to do it?
package ambit
