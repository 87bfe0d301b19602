package campaign

import "slices"

// DefaultActions is the closed set of what a policy may allow, sorted. Inputs.Actions adds to it. // P3
func DefaultActions() []string {
	return []string{DraftCandidatePacket, "emit_receipt_ref", "list_surface", "read_gap"}
}

// DraftCandidatePacket is the one action that a drafted row has.
const DraftCandidatePacket = "draft_candidate_packet"

// writesSource reports a name that means writing to the source, however it is spelled. // P3, P10 (1)
func writesSource(action string) bool {
	switch fold(action) {
	case "writesource", "sourcewrite", "*":
		return true
	}
	return false
}

// knownAction reports whether an action is in the closed set; what a caller adds cannot include writing to the source.
func knownAction(action string, more []string) bool {
	return !writesSource(action) && (slices.Contains(DefaultActions(), action) || slices.Contains(more, action))
}
