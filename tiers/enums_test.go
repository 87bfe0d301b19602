package tiers_test

import (
	"testing"

	"example.com/ambit/internal/enum/enumtest"
	"example.com/ambit/tiers"
)

func TestEnums(t *testing.T) {
	enumtest.Words[tiers.Decision](t, "ask", "ask", "silent", "notify", "block")
	enumtest.Words[tiers.Kind](t, "shell", "shell", "command")
	enumtest.Words[tiers.Level](t, "block", "block", "warn", "info")
	enumtest.Words[tiers.Mode](t, "guarded", tiers.ModeNames()...)
	enumtest.Words[tiers.Reason](t, "unlisted", tiers.Reasons()...)
	enumtest.Words[tiers.Source](t, "none", "none", "tier1", "tier2", "whitelist", "tier3", "blacklist")
	enumtest.Words[tiers.Tier](t, "none", append([]string{"none"}, tiers.TierNames()...)...)
}
