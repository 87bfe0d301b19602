package campaign

import (
	"fmt"
	"slices"
	"strings"
)

// gates are the steps of a run in the order in which they can refuse, with the codes by which each does. // P45
var gates = []struct {
	id, title string
	codes     func(Code) bool
}{
	{"documents", "documents: strict, closed, no authority claimed", oneOfCodes(InputMissing, InputInvalidJSON, InputNotObject, PolicyInvalid, GapsInvalid, LedgerInvalid, ActionUnknown)},
	{"source", "policy allows no writing; no row authorises", oneOfCodes(SourceWriteForbidden, AuthorityClaimed)},
	{"manifest", "copied source modules are the listed ones", func(c Code) bool {
		return strings.HasPrefix(string(c), "CROWN_JEWEL_SOURCE_") || c == ManifestEmpty || c == ManifestPath
	}},
	{"witness", "builder reports work and wrote nothing", oneOfCodes(WitnessBlocked, BuilderNotStarted, BuilderOutputLarge, BuilderReportInvalid, BuilderWrote, TreeTooLarge, ManifestAnchors)},
	{"packet", "a packet is drafted and not empty", oneOfCodes(PacketSubprocessFailed, CandidatePacketEmpty, RowInvalid, CountMismatch)},
	{"ledger", "plan has not failed before", oneOfCodes(RepeatedFailedDigest, PlanAlreadyFailed)},
	{"negative", "each spoiled copy is refused", oneOfCodes(NegativeCaseUnproven)},
	{"scan", "no forbidden token, no input changed", oneOfCodes(FixtureScanBlocked, InputChanged)},
}

func oneOfCodes(codes ...Code) func(Code) bool {
	return func(c Code) bool { return slices.Contains(codes, c) }
}

// Mermaid draws the flow of this very run: which gate let it through, which refused it and why. The text holds codes and
// counts, and nothing of the inputs. // P45
func (r Record) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	fmt.Fprintf(&b, "  inputs[\"%d inputs\"]\n", len(r.Inputs))
	last := "inputs"
	for _, g := range gates {
		fmt.Fprintf(&b, "  %s{\"%s\"}\n", g.id, g.title)
		fmt.Fprintf(&b, "  %s --> %s\n", last, g.id)
		last = g.id
		var why []string
		for _, f := range r.Findings {
			if g.codes(f.Code) && !slices.Contains(why, string(f.Code)) {
				why = append(why, string(f.Code))
			}
		}
		word := r.gate(g.id)
		if why != nil {
			fmt.Fprintf(&b, "  %s -- \"refused\" --> refuse_%s[\"%s\"]\n  refuse_%s --> record\n", g.id, g.id, strings.Join(why, "<br/>"), g.id)
			fmt.Fprintf(&b, "  class %s,refuse_%s refused\n", g.id, g.id)
		} else {
			fmt.Fprintf(&b, "  class %s %s\n", g.id, word)
		}
	}
	fmt.Fprintf(&b, "  record[\"record: %s, %d candidates, none of them may act\"]\n", r.Status, len(r.Packet.Candidates))
	fmt.Fprintf(&b, "  %s --> record\n", last)
	b.WriteString("  record --> person([\"a person looks\"])\n")
	b.WriteString("  classDef passed stroke:#2e7d32\n  classDef refused stroke:#c62828,stroke-width:3px\n  classDef skipped stroke-dasharray:4\n")
	return b.String()
}

// gate says whether a gate without findings was passed, or never reached.
func (r Record) gate(id string) string {
	reached := true
	switch id {
	case "manifest":
		reached = slices.ContainsFunc(r.Inputs, func(d InputDigest) bool { return d.Role == "manifest" })
	case "witness", "packet":
		reached = r.Packet.PlanDigest != ""
	case "negative":
		reached = slices.ContainsFunc(r.Negative, func(n NegativeCase) bool { return n.Status == Proven })
	case "scan":
		reached = r.Scan != "none"
	}
	if reached && !r.Refusal {
		return "passed"
	}
	return "skipped"
}
