package tiers

import (
	"slices"

	"example.com/ambit/internal/enum"
)

// Decision says what a harness does with a command. The zero value asks a person.
type Decision uint8

// The decisions. They are not in order of strictness: see [Decision.Strictness].
const (
	Ask    Decision = iota // a person decides
	Silent                 // runs without a word
	Notify                 // runs with a notice
	Block                  // does not run
)

var decisionNames = []string{Ask: "ask", Silent: "silent", Notify: "notify", Block: "block"}

var strictness = [...]int{Silent: 0, Notify: 1, Ask: 2, Block: 3}

// String gives ask, silent, notify or block.
func (d Decision) String() string { return enum.Word(decisionNames, d) }

// Strictness gives 0 for silent, 1 for notify, 2 for ask, 3 for block (T32).
func (d Decision) Strictness() int {
	if int(d) >= len(strictness) {
		return strictness[Ask]
	}
	return strictness[d]
}

// MarshalText gives String's text.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText takes ask, silent, notify or block; any other text is an error that lists them.
func (d *Decision) UnmarshalText(text []byte) (err error) {
	*d, err = enum.Parse[Decision]("a decision", decisionNames, text)
	return err
}

// Reason is the code of what decided a part: a closed list (T32).
type Reason uint8

// The reasons.
const (
	ReasonUnlisted          Reason = iota // no pattern lists it
	ReasonTier1                           // a pattern of tier1, or of a whitelist
	ReasonTier2                           // a pattern of tier2
	ReasonTier3                           // a pattern of tier3
	ReasonBlacklist                       // a pattern of a blacklist
	ReasonInert                           // a builtin that does no harm, or a function whose body was judged
	ReasonDynamicCommand                  // what runs is known only when it runs
	ReasonDynamicArgument                 // an argument that may turn the command into another
	ReasonUnparsable                      // not bash
	ReasonTooLong                         // beyond a limit of length
	ReasonTooDeep                         // beyond a limit of nesting
	ReasonTooMany                         // beyond a limit of number
	ReasonWritesFile                      // writes a file that no write path covers
	ReasonExecutesCode                    // runs code that no pattern spells out
	ReasonUnknownRunner                   // may run its arguments, which tier3 matches
	ReasonRunner                          // a runner that always asks
	ReasonEnvChangesProgram               // sets a variable that changes what programs do
	ReasonHiddenExpansion                 // bash may expand what the parser does not show
	ReasonEvaluatedData                   // bash evaluates a text that is not known
	ReasonHelpOrDryRun                    // a tier3 command that only tells what it would do
	ReasonRemote                          // writes elsewhere, or throws work away
	ReasonControlFile                     // a file that steers the agent, its harness, or git
	ReasonSuspiciousText                  // letters that a reader cannot see or tell apart
)

var reasonNames = []string{
	"unlisted", "tier1", "tier2", "tier3", "blacklist", "inert", "dynamic_command", "dynamic_argument", "unparsable",
	"too_long", "too_deep", "too_many", "writes_file", "executes_code", "unknown_runner", "runner",
	"env_changes_program", "hidden_expansion", "evaluated_data", "help_or_dry_run", "remote", "control_file",
	"suspicious_text",
}

// Reasons gives the names of all reasons, in order.
func Reasons() []string { return slices.Clone(reasonNames) }

// String gives the reason's code, such as dynamic_command.
func (r Reason) String() string { return enum.Word(reasonNames, r) }

// MarshalText gives String's text.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText takes the code of a reason; any other text is an error that lists them.
func (r *Reason) UnmarshalText(text []byte) (err error) {
	*r, err = enum.Parse[Reason]("a reason", reasonNames, text)
	return err
}

// Part is one thing of a command line that was judged: a simple command, or what else made the line stricter (an
// expansion, a redirect, an assignment).
type Part struct {
	Text     string   `json:"text"`              // as written
	Start    int      `json:"start"`             // byte offsets in the text that was judged; of a nested part,
	End      int      `json:"end"`               // those of the word that holds it
	Via      []string `json:"via,omitempty"`     // the programs that start it, outermost first
	Program  string   `json:"program,omitempty"` // the program's name as written; "" when there is none or it is not known
	Decision Decision `json:"decision"`          // what this part alone would get
	Tier     Tier     `json:"tier"`              // of the entry that decided; TierNone when none did
	Pattern  string   `json:"pattern,omitempty"` // the entry that decided
	Reason   Reason   `json:"reason"`            // why, as a code
	Detail   string   `json:"detail,omitempty"`  // what exactly, for people
}

// Verdict is the judgement of one command line. The zero Verdict asks.
type Verdict struct {
	Text     string   `json:"text"`     // what was judged
	Decision Decision `json:"decision"` // the strictest of its parts'
	Parts    []Part   `json:"parts"`    // in the order of the text; never empty but for the zero Verdict and a text that runs nothing

	// Writes are the files inside write paths that the line writes, relative to Root, as written: links are the caller's
	// to resolve (T34).
	Writes []string `json:"writes,omitempty"`
}

// Deciding gives the parts that are as strict as the verdict: those that made it so.
func (v Verdict) Deciding() []Part {
	var out []Part
	for _, p := range v.Parts {
		if p.Decision == v.Decision {
			out = append(out, p)
		}
	}
	return out
}

// Reasons gives the reasons of the deciding parts, in their order, each once.
func (v Verdict) Reasons() []Reason {
	var out []Reason
	for _, p := range v.Deciding() {
		if !slices.Contains(out, p.Reason) {
			out = append(out, p.Reason)
		}
	}
	return out
}

// Allows reports whether the command may run without asking: the decision is silent or notify.
func (v Verdict) Allows() bool { return v.Decision == Silent || v.Decision == Notify }
