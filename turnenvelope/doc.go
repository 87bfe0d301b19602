// Package turnenvelope answers: what is the smallest faithful view of this decision?
//
// A decision is the large JSON object with which a quota guard says what an agent may do this turn. [Project] keeps what
// the agent acts on: the action, what the user must do, required reads, boundary, execution policy, writeback and
// scheduler, with the contracts behind them, and signs it. Bytes and hashes are those of the reference projection
// (loopx_turn_envelope_v0); only the sizes it reports are true ones, and its commands are quoted for a shell.
//
// Before a host acts on an envelope it calls [Accept]. Who holds the full decision too calls [Verify], which recomputes
// both sides and names each signed value that differs. [Qualify] compares what a program printed before and after a
// change, from two [Receipt] values.
//
// The projection changes no decision: it selects and cuts, in the order of the input, and drops nothing to fit a budget.
// Where a value would only repeat another there is a reference; [Envelope.Follow] resolves it.
//
// Everything here is pure: no disk, clock or network. E and N with a number cite the rules of the reference projection
// and of this project.
package turnenvelope
