// Package enum gives the small integers of a closed set their words: one for each, in the order of the numbers. The first
// is that of the zero value, which is the safest.
package enum

import (
	"fmt"
	"slices"

	"example.com/ambit/internal/fault"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/internal/oneline"
)

// CodeNotAllowed is the code of Parse's error.
const CodeNotAllowed = "not-allowed"

// maxShown is how much of a text that is no word a message shows.
const maxShown = 80

// Word gives the word of a value; one beyond the set reads as the zero value.
func Word[T ~uint8](words []string, v T) string {
	if int(v) >= len(words) {
		return words[0]
	}
	return words[v]
}

// Name is Word for sets in which no value can stand for an unknown one: one beyond the set reads as "kind(9)".
func Name[T ~uint8](kind string, words []string, v T) string {
	if int(v) >= len(words) {
		return fmt.Sprintf("%s(%d)", kind, uint8(v))
	}
	return words[v]
}

// Parse gives the value of a word, spelled exactly. For any other text the value is zero, and the error an *[fault.Error]
// that lists the words and offers the nearest; it says that the text is not kind, as "a level".
func Parse[T ~uint8](kind string, words []string, text []byte) (T, error) {
	for i, w := range words {
		if w == string(text) {
			return T(i), nil
		}
	}
	shown := oneline.Cut(string(text), maxShown)
	return 0, &fault.Error{
		Code: CodeNotAllowed, Err: fmt.Errorf("%q is not %s", shown, kind), Allowed: slices.Clone(words), Hint: nearest.Hint(shown, words),
	}
}
