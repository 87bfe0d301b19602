package tiers

// Notice is something that a valid protocol's owner should know. Notices never change what is allowed by themselves;
// each says what was done.
type Notice struct {
	Code    NoticeCode // one of the Notice constants
	Tool    string     // the tool that it is about; "" for the whole protocol
	Entry   string     // the entry or field that it is about
	Other   string     // the tier3 entry on the other side of tier3_dropped and tier3_overlap
	Message string     // one sentence, lower case
	Key     string     // where the entry stands, as tiers.tier1_silent.shell_patterns[3]
	Line    int        // 1-based
	Col     int        // 1-based, bytes
}

// NoticeCode is a stable code.
type NoticeCode string

// The notices of a protocol.
const (
	NoticeUnknownTool    NoticeCode = "unknown_tool"    // T1: this build knows no such tool; its values are not checked
	NoticeUnknownField   NoticeCode = "unknown_field"   // T4: kept, and without effect
	NoticeNoTier3        NoticeCode = "no_tier3"        // T3: nothing blocks
	NoticeDeadTiers      NoticeCode = "dead_tiers"      // T2: a 1.0 protocol does not use tier1, tier2 and derived_from_tiers
	NoticeDeadWhitelist  NoticeCode = "dead_whitelist"  // T11: a whitelist beside derived_from_tiers
	NoticeTier3Listed    NoticeCode = "tier3_listed"    // T10: tier3_blocking in derived_from_tiers adds nothing
	NoticeTier3Dropped   NoticeCode = "tier3_dropped"   // T13: an allow entry equal to or inside a tier3 entry was left out
	NoticeTier3Overlap   NoticeCode = "tier3_overlap"   // T13: an allow entry can match a tier3 command; the deny wins
	NoticeNotAnAllow     NoticeCode = "not_an_allow"    // T21: a pipeline or redirect in an allow list is ignored
	NoticeMatchesNothing NoticeCode = "matches_nothing" // an allow entry with a quote that is not closed
	NoticeSuspiciousText NoticeCode = "suspicious_text" // an entry holds characters that cannot be seen
)
