package campaign

import "strings"

// Code says what is wrong. Codes are stable; the sentence beside one is not.
type Code string

// The codes of the contract's own checks.
const (
	SourceWriteForbidden    Code = "BOUNDED_AUTONOMY_SOURCE_WRITE_FORBIDDEN"         // the policy or a row would write to the source
	WitnessBlocked          Code = "BOUNDED_AUTONOMY_REAL_BUILDER_WITNESS_BLOCKED"   // the witness did not pass
	PacketSubprocessFailed  Code = "BOUNDED_AUTONOMY_PACKET_SUBPROCESS_FAILED"       // the packet is not drafted
	CandidatePacketEmpty    Code = "BOUNDED_AUTONOMY_CANDIDATE_PACKET_EMPTY"         // nothing to propose
	RepeatedFailedDigest    Code = "BOUNDED_AUTONOMY_REPEATED_FAILED_DIGEST"         // the ledger names a digest more than once
	NegativeCaseUnsupported Code = "BOUNDED_AUTONOMY_NEGATIVE_CASE_UNSUPPORTED"      // no such negative case
	BuilderTimeout          Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_TIMEOUT"       // the builder was killed at its limit
	ManifestMissing         Code = "BOUNDED_AUTONOMY_SOURCE_MODULE_MANIFEST_MISSING" // no manifest file
	ManifestInvalid         Code = "BOUNDED_AUTONOMY_SOURCE_MODULE_MANIFEST_INVALID" // not a strict JSON object with modules
	SourceModuleMissing     Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_SOURCE_MODULE_MISSING"
	BuilderTargetMissing    Code = "BOUNDED_AUTONOMY_CAMPAIGN_BUILDER_TARGET_MISSING"
)

// The codes of documents and copied source modules, shared with other components of the contract.
const (
	InputMissing           Code = "CROWN_JEWEL_INPUT_MISSING"
	InputInvalidJSON       Code = "CROWN_JEWEL_INPUT_INVALID_JSON"
	InputNotObject         Code = "CROWN_JEWEL_INPUT_NOT_OBJECT"
	SourceManifestMissing  Code = "CROWN_JEWEL_SOURCE_MANIFEST_MISSING"
	SourceImportClass      Code = "CROWN_JEWEL_SOURCE_IMPORT_CLASS_INVALID"
	SourceRefMissing       Code = "CROWN_JEWEL_SOURCE_REF_MISSING"
	SourceSelfReference    Code = "CROWN_JEWEL_SOURCE_SELF_REFERENCE_UNVERIFIED"
	SourceTargetMissing    Code = "CROWN_JEWEL_SOURCE_TARGET_MISSING"
	SourceNormalizedCopy   Code = "CROWN_JEWEL_SOURCE_SAFE_NORMALIZED_COPY_UNVERIFIED"
	SourceBodyCopyMismatch Code = "CROWN_JEWEL_SOURCE_BODY_COPY_MISMATCH"
	SourceDigestMismatch   Code = "CROWN_JEWEL_SOURCE_DIGEST_MISMATCH"
	SourceLineCount        Code = "CROWN_JEWEL_SOURCE_LINE_COUNT_MISMATCH"
	SourceAnchorMissing    Code = "CROWN_JEWEL_SOURCE_ANCHOR_MISSING"
	SourceScanBlocked      Code = "CROWN_JEWEL_SOURCE_SECRET_SCAN_BLOCKED"
	FixtureScanBlocked     Code = "CROWN_JEWEL_FIXTURE_SECRET_SCAN_BLOCKED"
	NegativeCaseUnproven   Code = "CROWN_JEWEL_NEGATIVE_CASE_CODE_MISSING"
)

// The codes that are this package's own: a closed table. // P47
const (
	PolicyInvalid        Code = "CAMPAIGN_POLICY_INVALID"
	GapsInvalid          Code = "CAMPAIGN_GAPS_INVALID"
	LedgerInvalid        Code = "CAMPAIGN_LEDGER_INVALID"
	ActionUnknown        Code = "CAMPAIGN_ACTION_UNKNOWN"
	AuthorityClaimed     Code = "CAMPAIGN_AUTHORITY_CLAIMED"
	PlanAlreadyFailed    Code = "CAMPAIGN_PLAN_ALREADY_FAILED"
	RowInvalid           Code = "CAMPAIGN_ROW_INVALID"
	CountMismatch        Code = "CAMPAIGN_COUNT_MISMATCH"
	BuilderNotStarted    Code = "CAMPAIGN_BUILDER_NOT_STARTED"
	BuilderOutputLarge   Code = "CAMPAIGN_BUILDER_OUTPUT_TOO_LARGE"
	BuilderReportInvalid Code = "CAMPAIGN_BUILDER_REPORT_INVALID"
	BuilderWrote         Code = "CAMPAIGN_BUILDER_WROTE"
	TreeTooLarge         Code = "CAMPAIGN_TREE_TOO_LARGE"
	ManifestEmpty        Code = "CAMPAIGN_MANIFEST_EMPTY"
	ManifestPath         Code = "CAMPAIGN_MANIFEST_PATH"
	ManifestAnchors      Code = "CAMPAIGN_MANIFEST_ANCHORS"
	InputChanged         Code = "CAMPAIGN_INPUT_CHANGED"
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
