package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"example.com/ambit/internal/canonjson"
)

// RecordSchema is the schema version of a record.
const RecordSchema = "ambit_campaign_record_v1"

// The input modes.
const (
	FixtureMode = "fixture_input"                                    // of Run
	BundleMode  = "exported_bounded_autonomy_campaign_packet_bundle" // of RunBundle
)

// MaxRecord is the longest record in bytes that Verify and ReadRecord look at.
const MaxRecord = 1 << 20

// Record is what a run leaves: refs, digests, counts, hashes and codes, and no body. // P36, P41
type Record struct {
	Version   int              `json:"version"`           // 1
	Schema    string           `json:"schema_version"`    // the contract's name for this shape
	Status    Status           `json:"status"`            // Pass or Blocked
	InputMode string           `json:"input_mode"`        // FixtureMode or BundleMode
	Inputs    []InputDigest    `json:"inputs"`            // every file that was judged
	Actions   []string         `json:"added_actions"`     // what the caller allowed beside DefaultActions
	Packet    Packet           `json:"candidate_packet"`  // what is proposed
	Witness   WitnessRecord    `json:"witness"`           // what the witness saw
	Counts    Counts           `json:"counts"`            // of the documents' rows
	Findings  []Finding        `json:"findings"`          // all of them, in a fixed order; none for a pass
	Negative  []NegativeCase   `json:"negative_cases"`    // what spoiling the campaign brought to light
	Scan      string           `json:"scan"`              // none: there was no policy of forbidden tokens; pass; blocked
	Scanned   *Scanned         `json:"scanned,omitempty"` // nil when nothing was scanned
	Refusal   bool             `json:"refusal_only"`      // the full record would have failed its own scan
	Ceiling   AuthorityCeiling `json:"authority_ceiling"` // the constant one: nothing here may act
	Review    string           `json:"review"`            // "none": nothing here shows that a person looked
	CreatedAt time.Time        `json:"created_at"`        // UTC
	Digest    string           `json:"record_digest"`     // of the record's canonical form without this key
}

// InputDigest names a file that was judged. SHA256 is nil when it was not there.
type InputDigest struct {
	Name   string  `json:"name"`   // base name, or the source ref of a module
	Role   string  `json:"role"`   // document, manifest, module, forbidden_tokens
	SHA256 *string `json:"sha256"` // hexadecimal digits
	Bytes  int     `json:"bytes"`  // its size
}

// WitnessRecord is an observation as it stands in a record. Live and Copied are there only when they were observed.
type WitnessRecord struct {
	Status       Status  `json:"status"`               // of the observation
	Mode         Mode    `json:"witness_mode"`         // which kind of witness
	BuilderRef   string  `json:"builder_ref"`          // the builder, relative to its root
	SourceDigest string  `json:"source_digest"`        // as the builder or the manifest gives it; "" when neither did
	ErrorCode    Code    `json:"error_code,omitempty"` // why it went no further; "" otherwise
	CountSource  string  `json:"count_source"`         // builder, policy, or none
	Live         *Live   `json:"live,omitempty"`       // of a builder that ran
	Copied       *Copied `json:"copied,omitempty"`     // of a copied source module
}

// Counts is what the documents hold.
type Counts struct {
	Gaps            int `json:"gap_count"`                    // rows of the gaps document
	FailedDigests   int `json:"failed_digest_count"`          // digests in the ledger
	RepeatedDigests int `json:"repeated_failed_digest_count"` // of these, how many repeat another
}

// Scanned is what the scan for forbidden tokens looked at, and where it found one. // P46
type Scanned struct {
	Files  int   `json:"file_count"`   // that were looked at
	Unread int   `json:"unread_count"` // files that could not be read, which blocks
	Hits   []Hit `json:"hits"`         // forbidden tokens that were found
}

func witnessRecord(o Observation) WitnessRecord {
	return WitnessRecord{
		Status: o.Status(), Mode: o.Mode(), BuilderRef: o.BuilderRef, SourceDigest: o.SourceDigest,
		ErrorCode: o.ErrorCode, CountSource: o.countSource(), Live: o.Live, Copied: o.Copied,
	}
}

func (w WitnessRecord) observation() Observation {
	return Observation{BuilderRef: w.BuilderRef, SourceDigest: w.SourceDigest, ErrorCode: w.ErrorCode, Live: w.Live, Copied: w.Copied}
}

// Render gives the record's file: JSON, two-space indent, one final newline. The same record gives the same bytes.
func (r Record) Render() []byte { return render(r) }

func render(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // these types always encode, and a buffer always takes
	return b.Bytes()
}

// digest gives what Digest must be.
func (r Record) digest() string {
	v, _ := canonjson.Parse("record", r.Render(), canonjson.Limits{MaxBytes: 64 * MaxRecord}) // of our own rendering
	var o canonjson.Object
	for k, value := range v.Members() {
		if k.Text() != "record_digest" {
			o = append(o, canonjson.Member{Key: k.Text(), Value: value})
		}
	}
	return canonjson.Hash(o)
}

// ReadRecord reads a record's file strictly: strict JSON of at most MaxRecord bytes, of exactly the shape that Render
// gives. name is for messages. It does not judge the record; Verify does.
func ReadRecord(name string, data []byte) (Record, error) {
	if _, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxRecord}); err != nil {
		return Record{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	var r Record
	if err := dec.Decode(&r); err != nil {
		return Record{}, &Error{File: name, Code: "record_shape", Err: errors.New(quoteError(err))}
	}
	if _, err := dec.Token(); err != io.EOF {
		return Record{}, &Error{File: name, Code: "record_shape", Err: errors.New("something follows the record")}
	}
	return r, nil
}

// quoteError gives an error's text on one line.
func quoteError(err error) string { return cleanPath(err.Error()) }
