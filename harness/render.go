package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lists is what the contract's own two formats hold of one tool (K1, K2).
type lists struct {
	Mode         string
	ShellAllowed []string
	NamedAllowed []string // commands of the protocol's own program
	ShellDenied  []string
	NamedDenied  []string
	RequiresTTY  bool
}

// formatVersion is the version of the contract's own two formats.
const formatVersion = "1.1"

// renderCodexPermissions writes .codex/permissions.json (K1).
func renderCodexPermissions(l lists) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Version      string   `json:"version"`
		Mode         string   `json:"mode"`
		ShellAllowed []string `json:"shell_allowed"`
		NamedAllowed []string `json:"aioson_allowed"`
		ShellDenied  []string `json:"shell_denied"`
		NamedDenied  []string `json:"aioson_denied"`
		RequiresTTY  bool     `json:"requires_tty"`
	}{formatVersion, l.Mode, notNil(l.ShellAllowed), notNil(l.NamedAllowed), notNil(l.ShellDenied), notNil(l.NamedDenied), l.RequiresTTY})
	if err != nil {
		panic("harness: " + err.Error()) // strings and booleans always encode
	}
	return b.Bytes()
}

// renderOpenCodePermissions writes .opencode/permissions.yaml (K2).
func renderOpenCodePermissions(l lists) []byte {
	var b bytes.Buffer
	b.WriteString("# Written by ambit from the autonomy protocol; OpenCode itself reads opencode.json.\n")
	fmt.Fprintf(&b, "version: %s\nmode: %s\nrequires_tty: %t\n", yamlQuote(formatVersion), yamlQuote(l.Mode), l.RequiresTTY)
	for _, list := range [...]struct {
		key   string
		items []string
	}{{"shell_allowed", l.ShellAllowed}, {"aioson_allowed", l.NamedAllowed}, {"shell_denied", l.ShellDenied}, {"aioson_denied", l.NamedDenied}} {
		if len(list.items) == 0 {
			fmt.Fprintf(&b, "%s: []\n", list.key)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", list.key)
		for _, item := range list.items {
			fmt.Fprintf(&b, "  - %s\n", yamlQuote(item))
		}
	}
	return b.Bytes()
}

// yamlQuote writes a YAML double-quoted scalar: what is not plainly printable is escaped, so that every reader gets the
// same text back.
func yamlQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r >= 0x80 && (!strconv.IsPrint(r) || r == utf8.RuneError):
			if r > 0xffff {
				fmt.Fprintf(&b, `\U%08x`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func notNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
