package campaign

import (
	"context"

	"example.com/ambit/internal/enum"
)

// Witness watches a campaign builder, or its copied source, and says what it saw. // P30
type Witness interface {
	// Observe is asked for at most once per run, and never when the documents already decide. maxTargets is the policy's
	// limit. It does not fail: what could not be observed is an Observation that does not pass.
	Observe(ctx context.Context, maxTargets int) Observation
}

// Status is the word of a verdict. The zero Status is the least: nothing was observed.
type Status uint8

// The statuses.
const (
	NotObserved Status = iota // nobody looked, or nothing was to be seen
	Blocked                   // something is missing or wrong
	Pass                      // everything was there and right
)

var statusNames = [...]string{"not_observed", "blocked", "pass"}

// String gives the status's word.
func (s Status) String() string { return enum.Name("unknown", statusNames[:], s) }

// MarshalText gives the status's word.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a status's word; another is an error that lists them.
func (s *Status) UnmarshalText(text []byte) (err error) {
	*s, err = enum.Parse[Status]("a status", statusNames[:], text)
	return err
}

// Mode says which kind of witness looked.
type Mode uint8

// The modes.
const (
	Unwitnessed    Mode = iota // nobody was asked
	LiveBuilder                // a builder ran, check-only
	SourceManifest             // a copied source module was read
)

var modeNames = [...]string{"none", "live_macro_builder", "public_source_module_manifest"}

// String gives the mode's word.
func (m Mode) String() string { return enum.Name("unknown", modeNames[:], m) }

// MarshalText gives the mode's word.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a mode's word; another is an error that lists them.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = enum.Parse[Mode]("a kind of witness", modeNames[:], text)
	return err
}

// Observation is what a witness saw: facts only. Whether they suffice is Status, which no witness can set. The zero
// Observation is that nobody looked. Live and Copied are nil for what was not observed. // P30, H34
type Observation struct {
	BuilderRef   string  // the builder, relative to its root
	SourceDigest string  // as the builder or the manifest gives it; "" when neither did
	ErrorCode    Code    // why it went no further; "" otherwise
	Live         *Live   // of a builder that ran
	Copied       *Copied // of a copied source module
}

// Live is what was seen of a builder that ran.
type Live struct {
	ReturnCode    *int     `json:"returncode"`             // nil when it did not end by itself; -n when signal n ended it
	StdoutSHA256  string   `json:"stdout_sha256"`          // of what was read; hexadecimal digits
	StderrSHA256  string   `json:"stderr_sha256"`          // likewise
	StdoutBytes   int64    `json:"stdout_bytes"`           // that were read, at most MaxOutput
	StderrBytes   int64    `json:"stderr_bytes"`           // likewise
	Targets       int      `json:"candidate_target_count"` // the builder's own count
	Kind          bool     `json:"expected_kind"`          // the report is of the one accepted kind
	NoOp          bool     `json:"no_op"`                  // it says that it did nothing at all
	WrotePacket   bool     `json:"wrote_packet"`           // it says that it wrote
	Slug          string   `json:"campaign_slug"`          // "" when it gave none
	BuilderSHA256 string   `json:"builder_sha256"`         // of the program that ran
	Confinement   string   `json:"confinement"`            // snapshot, or landlock+snapshot
	LandlockABI   int      `json:"landlock_abi"`           // the level reached; 0 when not in force
	DeniesTCP     bool     `json:"denies_tcp"`             // connecting and listening were denied as well
	Containment   string   `json:"containment"`            // pid_namespace, process_group+nonce, process_group or process: what was ended with it
	TreeBefore    string   `json:"tree_before"`            // digest of the watched tree before it started; hexadecimal digits
	TreeAfter     string   `json:"tree_after"`             // and after it had ended
	TreeFiles     int      `json:"tree_files"`             // paths in it
	Watched       []string `json:"watched"`                // the paths that the caller narrowed the tree to; nil is the whole tree
	Changed       []string `json:"changed"`                // what differs, sorted; at most MaxChanged are listed
	ChangedCount  int      `json:"changed_count"`          // all that differ
}

// Copied is what was seen of a copied source module.
type Copied struct {
	DigestMatch    bool     `json:"digest_match"`             // the target's SHA-256 is sha256 and target_sha256
	LineCountMatch bool     `json:"line_count_match"`         // its line count is line_count
	Anchors        int      `json:"required_anchor_count"`    // how many words it must contain
	Missing        []string `json:"missing_required_anchors"` // those that it does not
	ManifestSHA256 string   `json:"manifest_sha256"`          // hexadecimal digits
}

// Mode says which kind of witness looked.
func (o Observation) Mode() Mode {
	switch {
	case o.Live != nil && o.Copied == nil:
		return LiveBuilder
	case o.Copied != nil && o.Live == nil:
		return SourceManifest
	}
	return Unwitnessed
}

// Status judges the facts. Everything must be there and be right. // P32, P33, P35
func (o Observation) Status() Status {
	switch {
	case o.ErrorCode == "" && o.Live == nil && o.Copied == nil:
		return NotObserved
	case o.ErrorCode != "" || !isSourceDigest(o.SourceDigest):
		return Blocked
	case o.Mode() == LiveBuilder && !o.Live.failed() && o.Live.reports(), o.Mode() == SourceManifest && o.Copied.passes():
		return Pass
	}
	return Blocked
}

// failed reports a builder that did not end by itself and well.
func (l *Live) failed() bool { return l.ReturnCode == nil || *l.ReturnCode != 0 }

// reports reports that all but the end of the process is right.
func (l *Live) reports() bool {
	return l.Kind && !l.NoOp && !l.WrotePacket && l.Targets > 0 && l.unchanged()
}

// unchanged reports that the tree was looked at twice and was the same.
func (l *Live) unchanged() bool {
	return l.TreeBefore != "" && l.TreeBefore == l.TreeAfter && l.ChangedCount == 0 && len(l.Changed) == 0
}

func (c *Copied) passes() bool {
	return c.DigestMatch && c.LineCountMatch && c.Anchors > 0 && len(c.Missing) == 0
}

// targets gives how many candidates the witness stands for, of at most limit. A copied module has no count of its own:
// its count is the policy's limit. // P30, P35
func (o Observation) targets(limit int) int {
	switch o.Mode() {
	case LiveBuilder:
		return max(0, min(limit, o.Live.Targets))
	case SourceManifest:
		return limit
	}
	return 0
}

// countSource says where the count comes from: builder, policy, or none.
func (o Observation) countSource() string {
	return [...]string{Unwitnessed: "none", LiveBuilder: "builder", SourceManifest: "policy"}[o.Mode()]
}
