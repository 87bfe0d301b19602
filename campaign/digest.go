package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// digest is a SHA-256 as bytes: comparison is on these, never on text. // P4
type digest [sha256.Size]byte

// parseDigest reads 64 hexadecimal digits of either case, with or without "sha256:" before them. // P4
func parseDigest(s string) (d digest, ok bool) {
	s = strings.TrimPrefix(s, "sha256:")
	if len(s) != hex.EncodedLen(len(d)) {
		return d, false
	}
	_, err := hex.Decode(d[:], []byte(s))
	return d, err == nil
}

// hexOf gives the SHA-256 of data in lower-case hexadecimal digits.
func hexOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// sourceDigest is what a builder may give as its source digest; it is stored as given. // P32
var sourceDigest = regexp.MustCompile(`^(sha256:)?[0-9a-f]{1,128}$`)

// plainName is a text of an input that may travel into a record as it is: it can hold no sentence and no secret of the
// usual kinds, and prints on one line.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

// named gives a plain name as it is, and the SHA-256 of any other text.
func named(s string) string {
	if plainName.MatchString(s) {
		return s
	}
	return "sha256:" + hexOf([]byte(s))
}
