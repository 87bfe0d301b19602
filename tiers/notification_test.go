package tiers_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/ambit/tiers"
	"pgregory.net/rapid"
)

func TestNotificationLine(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    tiers.Notification
		want string
		exit int
	}{
		{"info", tiers.Notification{Level: tiers.LevelInfo, Topic: "memory", Message: "updating"}, "ℹ [memory] updating", 0},
		{"warn", tiers.Notification{Level: tiers.LevelWarn, Message: "stale 35 days"}, "⚠ stale 35 days", 0},
		{"block", tiers.Notification{Level: tiers.LevelBlock, Topic: "git", Message: "push by hand"}, "⛔ [git] push by hand", 2},
		{"zero value halts", tiers.Notification{}, "⛔", 2},
		{"number beyond the set halts", tiers.Notification{Level: 77, Message: "x"}, "⛔ x", 2},
		{"trimmed", tiers.Notification{Level: tiers.LevelInfo, Topic: " \t", Message: "\ufeff a  b \n"}, "ℹ a  b", 0},
		{"forged line (H36)", tiers.Notification{Level: tiers.LevelInfo, Message: "ok\n⛔ [git] forged"}, `ℹ ok\n⛔ [git] forged`, 0},
		{"forged topic", tiers.Notification{Level: tiers.LevelInfo, Topic: "a\r\nb", Message: "m"}, `ℹ [a\r\nb] m`, 0},
		{"escape sequence", tiers.Notification{Level: tiers.LevelInfo, Message: "a\x1b[31mred"}, `ℹ a\x1b[31mred`, 0},
		{"other breaks", tiers.Notification{Level: tiers.LevelInfo, Message: "a\u0085b\u2028c\vd\te"}, `ℹ a\u0085b\u2028c\x0bd\te`, 0},
		{"reversed", tiers.Notification{Level: tiers.LevelInfo, Message: "a\u202eb\u200bc"}, `ℹ a\u202eb\u200bc`, 0},
		{"invisible letters", tiers.Notification{Level: tiers.LevelInfo, Message: "a\U000E0041b"}, `ℹ a\U000e0041b`, 0},
		{"bad UTF-8", tiers.Notification{Level: tiers.LevelInfo, Message: "a\xffb"}, `ℹ a\xffb`, 0},
		{"emoji and accents stay", tiers.Notification{Level: tiers.LevelInfo, Message: "ação 👩\u200d💻"}, "ℹ ação 👩\u200d💻", 0},
		{"a dash is text", tiers.Notification{Level: tiers.LevelWarn, Message: "-rf x"}, "⚠ -rf x", 0},
	} {
		if got := tt.n.Line(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got := tt.n.ExitCode(); got != tt.exit {
			t.Errorf("%s: exit %d, want %d", tt.name, got, tt.exit)
		}
	}
}

func TestNotificationValidate(t *testing.T) {
	for message, ok := range map[string]bool{"": false, " \t\n": false, "\ufeff\u00a0": false, "x": true, "true": true} {
		err := tiers.Notification{Message: message}.Validate()
		if (err == nil) != ok || !ok && !errors.Is(err, tiers.ErrEmptyMessage) {
			t.Errorf("%q: %v, want ok %v", message, err, ok)
		}
	}
}

func TestLevelText(t *testing.T) {
	for _, name := range tiers.LevelNames() {
		var l tiers.Level
		if err := l.UnmarshalText([]byte(name)); err != nil {
			t.Error(err)
		}
		if text, err := l.MarshalText(); err != nil || string(text) != name || l.String() != name {
			t.Errorf("%s prints as %s, %s, %v", name, text, l, err)
		}
	}
	for _, bad := range []string{"", "blok", "Block", " info", "information", "INFO"} {
		l := tiers.LevelBlock
		if err := l.UnmarshalText([]byte(bad)); err == nil || l != tiers.LevelBlock {
			t.Errorf("level %q was taken as %v", bad, l)
		}
	}
}

// TestOneLine: whatever the texts, one printable line comes out, and its level's prefix begins it.
func TestOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := tiers.Notification{
			Level: tiers.Level(rapid.IntRange(0, 4).Draw(t, "level")),
			Topic: rapid.String().Draw(t, "topic"), Message: string(rapid.SliceOf(rapid.Byte()).Draw(t, "message")),
		}
		line := n.Line()
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
			t.Fatalf("%q is not one plain line", line)
		}
		prefix, _, _ := strings.Cut(line, " ")
		if !slices.Contains([]string{"ℹ", "⚠", "⛔"}, prefix) || (prefix == "⛔") != (n.ExitCode() == 2) {
			t.Fatalf("%q with exit %d", line, n.ExitCode())
		}
	})
}

func ExampleNotification_Line() {
	n := tiers.Notification{Level: tiers.LevelBlock, Topic: "git", Message: "Push manual: git push origin main"}
	fmt.Println(n.Line(), n.ExitCode())
	// Output: ⛔ [git] Push manual: git push origin main 2
}

func ExampleLevel_UnmarshalText() {
	var l tiers.Level
	fmt.Println(l.UnmarshalText([]byte("blok")))
	// Output: "blok" is not a level; allowed: block, warn, info
}

func ExampleNotification_Validate() {
	fmt.Println(tiers.Notification{Level: tiers.LevelInfo, Message: "  "}.Validate())
	// Output: the message is empty
}

func ExampleNotification_ExitCode() {
	fmt.Println(tiers.Notification{Level: tiers.LevelWarn, Message: "stale"}.ExitCode())
	// Output: 0
}
