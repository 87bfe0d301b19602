package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
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

// isSourceDigest reports what a builder may give as its source digest: ^(sha256:)?[0-9a-f]{1,128}$. It is stored as
// given. // P32
func isSourceDigest(s string) bool { return isHex(strings.TrimPrefix(s, "sha256:"), 1, 128) }

// isHexDigest reports a SHA-256 in lower-case hexadecimal digits.
func isHexDigest(s string) bool {
	return isHex(s, hex.EncodedLen(sha256.Size), hex.EncodedLen(sha256.Size))
}

func isHex(s string, least, most int) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return len(s) >= least && len(s) <= most
}

// plainName is a text of an input that may travel into a record as it is: it can hold no sentence and no secret of the
// usual kinds, and prints on one line.
var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`) })

// plainRef is a plain relative path.
var plainRef = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.:-][A-Za-z0-9_./:-]{0,127}$`) })

// namedRef gives a plain relative path as it is, and the SHA-256 of any other text but none.
func namedRef(s string) string {
	if s == "" || plainRef().MatchString(s) {
		return s
	}
	return "sha256:" + hexOf([]byte(s))
}

// named gives a plain name as it is, and the SHA-256 of any other text.
func named(s string) string {
	if plainName().MatchString(s) {
		return s
	}
	return "sha256:" + hexOf([]byte(s))
}
