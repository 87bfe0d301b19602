package tiers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of one text (T36). They hold before the parser sees it: on deep nesting the parser overflows the stack, which
// nothing can recover, and its time grows with the square of the depth.
const (
	MaxTextBytes  = 32 << 10 // 32 KiB: more than a person reads before saying yes
	MaxNesting    = 100      // brackets, substitutions and compound commands inside each other
	MaxSeparators = 1000     // ; & | and line breaks
	MaxWords      = 1000     // words of one command
	MaxReparsed   = 5        // texts inside texts: sh -c, eval, trap

	// maxOpeners bounds what the lexical nesting below cannot see, since it reads quotes more simply than bash does.
	maxOpeners = 1500
	// maxOperators bounds the trees of arithmetic, each operator of which is a level.
	maxOperators = 1000
)

// problem is something that makes a text ask, whatever else it says.
type problem struct {
	reason     Reason
	start, end int
	detail     string
}

// prescan finds what must not reach the parser. ok is false when the text must not be parsed.
func prescan(text string) (p problem, ok bool) {
	if len(text) > MaxTextBytes {
		return problem{ReasonTooLong, 0, len(text), "longer than 32 KiB"}, false
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return problem{ReasonSuspiciousText, i, i + 1, "a NUL byte, which bash drops"}, false
	}
	if !utf8.ValidString(text) {
		return problem{ReasonSuspiciousText, 0, len(text), "not UTF-8"}, false
	}
	if i := strings.IndexByte(text, '\r'); i >= 0 {
		return problem{ReasonHiddenExpansion, i, i + 1, "a carriage return, which bash takes as part of a word"}, true
	}
	depth, deepest, openers, separators := 0, 0, 0, 0
	word := -1
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if quote == '\'' {
			if c == '\'' {
				quote = 0
			}
			continue
		}
		letter := c >= 'a' && c <= 'z' || c == '!'
		if letter && word < 0 {
			word = i
		}
		if !letter && word >= 0 {
			depth += keywordDepth(text[word:i])
			word = -1
		}
		switch c {
		case '\\':
			i++
		case '\'':
			if quote == 0 {
				quote = c
			}
		case '"':
			quote ^= '"'
		case '(', '{', '[':
			depth++
			openers++
		case '`':
			openers++
			depth++
		case ')', '}', ']':
			depth = max(0, depth-1)
		case ';', '&', '|', '\n':
			separators++
		case '-', '+', '~', '?', '*', '=':
			openers++ // operators of arithmetic nest as well
			if i > 0 && text[i-1] != c {
				openers--
			}
		}
		deepest = max(deepest, depth)
	}
	if strings.Contains(text, "((") || strings.Contains(text, "$[") {
		operators := 0
		for i := range len(text) {
			if strings.IndexByte("+-*/%^?:=,~!<>", text[i]) >= 0 {
				operators++
			}
		}
		if operators > maxOperators {
			return problem{ReasonTooMany, 0, len(text), "more than 1,000 operators of arithmetic"}, false
		}
	}
	switch {
	case deepest > MaxNesting || openers > maxOpeners:
		return problem{ReasonTooDeep, 0, len(text), "nested deeper than 100"}, false
	case separators > MaxSeparators:
		return problem{ReasonTooMany, 0, len(text), "more than 1,000 separators"}, false
	}
	return problem{}, true
}

// keywordDepth says how a reserved word changes the nesting of compound commands.
func keywordDepth(word string) int {
	switch word {
	case "if", "while", "until", "for", "case", "select", "function", "time", "coproc", "!":
		return 1
	case "fi", "done", "esac":
		return -1
	}
	return 0
}

// suspicious reports whether a program word or subcommand holds letters that a reader cannot see or tell apart (T36).
func suspicious(s string) bool {
	for _, r := range s {
		if r > unicode.MaxASCII || r < ' ' || r == 0x7f {
			return true
		}
	}
	return false
}

// bidiIndex gives the index of a character that turns the direction of text around, or -1.
func bidiIndex(s string) int {
	return strings.IndexFunc(s, func(r rune) bool {
		return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
	})
}
