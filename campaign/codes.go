package campaign

import "strings"

// Code says what is wrong. Codes are stable; the sentence beside one is not.
type Code string

// The codes of the contract's own checks.
const (
	SourceWriteForbidden    Code = "BOUNDED_AUTONOMY_SOURCE_WRITE_FORBIDDEN"                 // the policy or a row would write to the source
	WitnessBlocked          Code = "BOUNDED_AUTONOMY_REAL_BUILDER_WITNESS_BLOCKED"           // the witness did not pass
	PacketSubprocessFailed  Code = "BOUNDED_AUTONOMY_PACKET_SUBPROCESS_FAILED"               // the packet is not drafted
	CandidatePacketEmpty    Code = "BOUNDED_AUTONOMY_CANDIDATE_PACKET_EMPTY"                 // nothing to propose
	RepeatedFailedDigest    Code = "BOUNDED_AUTONOMY_REPEATED_FAILED_DIGEST"                 // the ledger names a digest more than once
	NegativeCaseUnsupported Code = "BOUNDED_AUTONOMY_NEGATIVE_CASE_UNSUPPORTED"              // no such negative case
	BuilderTimeout          Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_TIMEOUT"               // the builder was killed at its limit
	ManifestMissing         Code = "BOUNDED_AUTONOMY_SOURCE_MODULE_MANIFEST_MISSING"         // no manifest file
	ManifestInvalid         Code = "BOUNDED_AUTONOMY_SOURCE_MODULE_MANIFEST_INVALID"         // not a strict JSON object with modules
	SourceModuleMissing     Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_SOURCE_MODULE_MISSING" // the manifest has no row for the builder
	BuilderTargetMissing    Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_TARGET_MISSING"        // the copied builder is missing
)

// The codes of documents and copied source modules, shared with other components of the contract.
const (
	InputMissing           Code = "CROWN_JEWEL_INPUT_MISSING"                          // missing, or not a regular file
	InputInvalidJSON       Code = "CROWN_JEWEL_INPUT_INVALID_JSON"                     // not strict JSON
	InputNotObject         Code = "CROWN_JEWEL_INPUT_NOT_OBJECT"                       // JSON, and not an object
	SourceManifestMissing  Code = "CROWN_JEWEL_SOURCE_MANIFEST_MISSING"                // the manifest of copied source modules is missing
	SourceImportClass      Code = "CROWN_JEWEL_SOURCE_IMPORT_CLASS_INVALID"            // the manifest does not say that it lists copied source modules
	SourceRefMissing       Code = "CROWN_JEWEL_SOURCE_REF_MISSING"                     // the live source of a copied module is missing
	SourceSelfReference    Code = "CROWN_JEWEL_SOURCE_SELF_REFERENCE_UNVERIFIED"       // a copied module names itself as its source
	SourceTargetMissing    Code = "CROWN_JEWEL_SOURCE_TARGET_MISSING"                  // a copied module is missing
	SourceNormalizedCopy   Code = "CROWN_JEWEL_SOURCE_SAFE_NORMALIZED_COPY_UNVERIFIED" // a normalised copy could not be verified
	SourceBodyCopyMismatch Code = "CROWN_JEWEL_SOURCE_BODY_COPY_MISMATCH"              // a copied module differs from its live source
	SourceDigestMismatch   Code = "CROWN_JEWEL_SOURCE_DIGEST_MISMATCH"                 // a copied module's digest is not the listed one
	SourceLineCount        Code = "CROWN_JEWEL_SOURCE_LINE_COUNT_MISMATCH"             // a copied module's line count is not the listed one
	SourceAnchorMissing    Code = "CROWN_JEWEL_SOURCE_ANCHOR_MISSING"                  // a copied module lacks words that it must contain
	SourceScanBlocked      Code = "CROWN_JEWEL_SOURCE_SECRET_SCAN_BLOCKED"             // a copied module or its manifest holds a forbidden token
	FixtureScanBlocked     Code = "CROWN_JEWEL_FIXTURE_SECRET_SCAN_BLOCKED"            // an input holds a forbidden token
	NegativeCaseUnproven   Code = "CROWN_JEWEL_NEGATIVE_CASE_CODE_MISSING"             // a negative case did not change the findings by exactly what it must
)

// The codes that are this package's own: a closed table. // P47
const (
	PolicyInvalid        Code = "CAMPAIGN_POLICY_INVALID"           // the campaign policy breaks a rule
	GapsInvalid          Code = "CAMPAIGN_GAPS_INVALID"             // the coverage gaps break a rule
	LedgerInvalid        Code = "CAMPAIGN_LEDGER_INVALID"           // the ledger of failed digests breaks a rule
	ActionUnknown        Code = "CAMPAIGN_ACTION_UNKNOWN"           // the policy allows an action that is not in the closed set
	AuthorityClaimed     Code = "CAMPAIGN_AUTHORITY_CLAIMED"        // a document claims authority that nothing here may have
	PlanAlreadyFailed    Code = "CAMPAIGN_PLAN_ALREADY_FAILED"      // this plan, or its builder, has already failed
	RowInvalid           Code = "CAMPAIGN_ROW_INVALID"              // a packet does not have the closed shape
	CountMismatch        Code = "CAMPAIGN_COUNT_MISMATCH"           // the packet's count is not the number of its rows
	BuilderNotStarted    Code = "CAMPAIGN_BUILDER_NOT_STARTED"      // the builder was not started
	BuilderOutputLarge   Code = "CAMPAIGN_BUILDER_OUTPUT_TOO_LARGE" // the builder printed more than MaxOutput
	BuilderReportInvalid Code = "CAMPAIGN_BUILDER_REPORT_INVALID"   // the builder's report does not have the closed shape
	BuilderWrote         Code = "CAMPAIGN_BUILDER_WROTE"            // files changed while the builder ran
	TreeTooLarge         Code = "CAMPAIGN_TREE_TOO_LARGE"           // more than MaxTreeFiles or MaxTreeBytes to watch
	ManifestEmpty        Code = "CAMPAIGN_MANIFEST_EMPTY"           // the manifest lists no module
	ManifestPath         Code = "CAMPAIGN_MANIFEST_PATH"            // a manifest path is absolute, climbs, or ends in a link
	ManifestAnchors      Code = "CAMPAIGN_MANIFEST_ANCHORS"         // the builder's row needs words of at least three letters to look for
	InputChanged         Code = "CAMPAIGN_INPUT_CHANGED"            // an input changed while it was being judged
)

// Own reports whether the code is this package's own rather than one of the reference component's.
func (c Code) Own() bool { return strings.HasPrefix(string(c), "CAMPAIGN_") }

// sentences says each code in words. It is closed: a code without a sentence does not exist.
var sentences = map[Code]string{
	SourceWriteForbidden:    "writing to the source is not something a proposal may do",
	WitnessBlocked:          "the builder was not witnessed doing harmless work",
	PacketSubprocessFailed:  "the packet could not be drafted",
	CandidatePacketEmpty:    "there is nothing to propose",
	RepeatedFailedDigest:    "the ledger names a failed digest more than once",
	NegativeCaseUnsupported: "there is no such negative case",
	BuilderTimeout:          "the builder was stopped at its time limit",
	ManifestMissing:         "the manifest of copied source modules is missing",
	ManifestInvalid:         "the manifest of copied source modules is not a strict JSON object with a list of modules",
	SourceModuleMissing:     "the manifest has no row for the builder",
	BuilderTargetMissing:    "the copied builder is missing",
	InputMissing:            "the file is missing, or is not a regular file",
	InputInvalidJSON:        "the file is not strict JSON",
	InputNotObject:          "the document is not an object",
	SourceManifestMissing:   "the manifest of copied source modules is missing",
	SourceImportClass:       "the manifest does not say that it lists copied source modules",
	SourceRefMissing:        "the live source of a copied module is missing",
	SourceSelfReference:     "a copied module names itself as its source",
	SourceTargetMissing:     "a copied module is missing",
	SourceNormalizedCopy:    "a normalised copy could not be verified",
	SourceBodyCopyMismatch:  "a copied module differs from its live source",
	SourceDigestMismatch:    "a copied module's digest is not the listed one",
	SourceLineCount:         "a copied module's line count is not the listed one",
	SourceAnchorMissing:     "a copied module lacks words that it must contain",
	SourceScanBlocked:       "a copied module or its manifest holds a forbidden token",
	FixtureScanBlocked:      "an input holds a forbidden token",
	NegativeCaseUnproven:    "a negative case did not change the findings by exactly what it must",
	PolicyInvalid:           "the campaign policy breaks a rule",
	GapsInvalid:             "the coverage gaps break a rule",
	LedgerInvalid:           "the ledger of failed digests breaks a rule",
	ActionUnknown:           "the policy allows an action that is not in the closed set",
	AuthorityClaimed:        "a document claims authority that nothing here may have",
	PlanAlreadyFailed:       "this plan, or its builder, has already failed",
	RowInvalid:              "a packet does not have the closed shape",
	CountMismatch:           "the packet's count is not the number of its rows",
	BuilderNotStarted:       "the builder was not started",
	BuilderOutputLarge:      "the builder printed more than a report can be",
	BuilderReportInvalid:    "the builder's report does not have the closed shape",
	BuilderWrote:            "files changed while the builder ran",
	TreeTooLarge:            "the tree is too large to watch whole; name the paths to watch",
	ManifestEmpty:           "the manifest lists no module",
	ManifestPath:            "a manifest path is absolute, climbs, or ends in a link",
	ManifestAnchors:         "the builder's row needs anchors: a list of words of at least three letters",
	InputChanged:            "an input changed while it was being judged",
}
