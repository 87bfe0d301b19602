package oneline

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"example.com/ambit/internal/regime"
)

func TestShow(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"git log — ⛔ é 日本":          "git log — ⛔ é 日本",
		"a\nb\r\n\tc":               `a\nb\r\n\tc`,
		"\x1b[31mred\x00\x7f\u0085": `\x1b[31mred\x00\x7f\u0085`,
		"a\u202eb\u2028c\ufeff":     `a\u202eb\u2028c\ufeff`,
		"\xff\xc3(":                 `\xff\xc3(`,
		"\ufffd":                    "\ufffd",
		"\U000e0041x":               `\U000e0041x`,
		"a\u3164b\u115f\u034fc":     `a\u3164b\u115f\u034fc`,
		"\U0001d173\U0001bca0":      `\U0001d173\U0001bca0`,
		"❤\ufe0f":                   "❤\ufe0f",
		"👩\u200d👧":                  "👩\u200d👧",
	} {
		if got := Show(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCutAndFit(t *testing.T) {
	for _, tt := range []struct {
		in       string
		n        int
		cut, fit string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc…", "ab…"},
		{"éèê", 3, "éèê", "éèê"},
		{"éèêë", 3, "éèê…", "éè…"},
		{"日本語", 4, "日本語", "日…"},
		{"日本", 4, "日本", "日本"},
		{"e\u0301e\u0301", 2, "e\u0301…", "e\u0301e\u0301"},
		{"x", 0, "…", "…"},
		{"\xff\xff\xff", 2, "\xff\xff…", "\xff…"},
	} {
		if cut, fit := Cut(tt.in, tt.n), Fit(tt.in, tt.n); cut != tt.cut || fit != tt.fit {
			t.Errorf("%q in %d: cut %q, want %q; fit %q, want %q", tt.in, tt.n, cut, tt.cut, fit, tt.fit)
		}
	}
	if got := Quote("a\nbcd", 3); got != `"a\nb…"` {
		t.Error(got)
	}
	if got := Columns("aé日e\u0301👩"); got != 7 {
		t.Errorf("%d columns", got)
	}
}

// What is shown stands on one line, is shown again as it is, and what is cut is no longer than asked.
func TestProperties(t *testing.T) {
	regime.Rapid(t, 2_000, 1_000_000)
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		n := rapid.IntRange(1, 40).Draw(t, "n")
		shown := Show(s)
		if !utf8.ValidString(shown) || strings.ContainsAny(shown, "\n\r\x1b\u202e\u2028") || Show(shown) != shown {
			t.Fatalf("%q: %q", s, shown)
		}
		if got := Fit(s, n); Columns(got) > n {
			t.Fatalf("%q in %d columns: %q", s, n, got)
		}
		cut, marked := strings.CutSuffix(Cut(s, n), "…")
		if !strings.HasPrefix(s, cut) || marked && utf8.RuneCountInString(cut) > n {
			t.Fatalf("%q in %d: %q", s, n, cut)
		}
	})
}
