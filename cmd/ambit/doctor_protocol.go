package main

import (
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/tiers"
)

const protocolFile = tiers.ProtocolPath

var protocolLimits = canonjson.Limits{MaxBytes: tiers.MaxProtocolBytes, MaxDepth: tiers.MaxProtocolDepth, AllowBOM: true}

// protocol looks at the protocol, its notices and its schema.
func (d *doctor) protocol() {
	data, ok := d.read(protocolFile, "protocol", tiers.MaxProtocolBytes)
	if !ok {
		return
	}
	p, err := tiers.Parse(protocolFile, data)
	if d.faults(protocolFile, "protocol", err, "mend it, then ambit tiers show") {
		return
	}
	d.protocolHere = p
	d.jsonSchema("protocol", protocolFile, data, protocolLimits)
	for _, n := range p.Notices() {
		if n.Code == tiers.NoticeNoTier3 && p.Legacy() {
			continue // 1.0 has no tiers
		}
		message := n.Message
		if n.Key != "" {
			message = n.Key + ": " + message
		}
		d.add(severityWarning, string(n.Code), protocolFile, n.Line, message, protocolFixes[n.Code])
	}
	d.protocolSense(p, data)
}

// protocolFixes says what to do about a notice of a protocol.
var protocolFixes = map[tiers.NoticeCode]string{
	tiers.NoticeUnknownTool:    "write the tool as one of claude, codex, opencode, or take it out",
	tiers.NoticeUnknownField:   "take the field out, or write the one that was meant",
	tiers.NoticeNoTier3:        "add tiers.tier3_blocking, for example from ambit tiers show of a folder without a protocol",
	tiers.NoticeDeadTiers:      `set version to "1.1", or move the entries to whitelists`,
	tiers.NoticeDeadWhitelist:  "take the whitelist out, or move its entries to a tier",
	tiers.NoticeTier3Listed:    "take tier3_blocking out of derived_from_tiers: it is denied anyway",
	tiers.NoticeTier3Dropped:   "take the entry out: it can never be allowed",
	tiers.NoticeTier3Overlap:   "write the entry narrower; ambit tiers show names both",
	tiers.NoticeNotAnAllow:     "take the entry out: only a deny list can hold a pipeline or redirect",
	tiers.NoticeMatchesNothing: "close the quote",
	tiers.NoticeSuspiciousText: "type the entry anew",
}
