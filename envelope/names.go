package envelope

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ambit/internal/oneline"
)

const maxName = 64 // bytes, which are characters here

// maxNote is how long a note given to Set may be, in characters; maxOwner an owner. maxHandNote and maxLabel are what
// the schema allows in a file that people wrote.
const (
	maxNote     = 2000
	maxOwner    = 200
	maxLabel    = 200
	maxHandNote = 8000
)

// The joints between the parts of an agent's name, and of a task type's id.
const (
	agentJoints = "-_"
	taskJoints  = "-_."
)

var (
	errAgentShape  = fmt.Errorf("%w: an agent's name is small letters and digits joined by single - or _, a letter first, at most %d", ErrBadName, maxName)
	errDeviceName  = fmt.Errorf("%w: Windows keeps this name for a device", ErrBadName)
	errTaskShape   = fmt.Errorf("%w: a task type's id is small letters and digits joined by single - _ or ., a letter first, at most %d", ErrBadName, maxName)
	errOwnerLength = fmt.Errorf("an owner has 1 to %d characters", maxOwner)
)

// CheckAgent reports what is wrong with an agent's name, as a *Error with CodeBadName; nil when nothing is. // R7
func CheckAgent(name string) error {
	if err := agentFault(name); err != nil {
		return &Error{Key: "agent", Code: CodeBadName, Err: fmt.Errorf("%q is a %w", clip(name), err)}
	}
	return nil
}

func agentFault(name string) error {
	switch {
	case !isName(name, agentJoints):
		return errAgentShape
	case isDevice(name):
		return errDeviceName
	}
	return nil
}

// CheckTask reports what is wrong with a task type's id, as a *Error with CodeBadName; nil when nothing is. // R8
func CheckTask(id string) error {
	if err := taskFault(id); err != nil {
		return &Error{Key: "id", Code: CodeBadName, Err: fmt.Errorf("%q is a %w", clip(id), err)}
	}
	return nil
}

func taskFault(id string) error {
	if !isName(id, taskJoints) {
		return errTaskShape
	}
	return nil
}

// isName reports whether s is small letters and digits, a letter first, in parts with one of the joints between two.
func isName(s, joints string) bool {
	if s == "" || len(s) > maxName || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	joint := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			joint = false
		case strings.IndexByte(joints, c) >= 0 && !joint:
			joint = true
		default:
			return false
		}
	}
	return !joint
}

// isDevice reports whether Windows keeps the name for a device.
func isDevice(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (s[:3] == "com" || s[:3] == "lpt") && s[3] >= '0' && s[3] <= '9'
}

// CheckNote reports what is wrong with a note for Set, as a *Error with CodeUsage; nil when nothing is: it is one line
// of at most 2,000 characters, without control and direction characters. // R50
func CheckNote(note string) error {
	err := lineFault(note)
	if err == nil && utf8.RuneCountInString(strings.TrimSpace(note)) > maxNote {
		err = fmt.Errorf("a note has at most %d characters", maxNote)
	}
	if err != nil {
		return &Error{Key: "operatorNote", Code: CodeUsage, Err: err}
	}
	return nil
}

// CheckOwner reports what is wrong with an owner for Init, as a *Error with CodeUsage; nil when nothing is: one line
// of 1 to 200 characters, without control and direction characters. // R6
func CheckOwner(owner string) error {
	err := lineFault(owner)
	if n := utf8.RuneCountInString(strings.TrimSpace(owner)); err == nil && (n < 1 || n > maxOwner) {
		err = errOwnerLength
	}
	if err != nil {
		return &Error{Key: "owner", Code: CodeUsage, Err: err}
	}
	return nil
}

// lineFault refuses what a text on one line must not hold. It is refused and not cleaned: the record says what was said.
func lineFault(s string) error {
	if !utf8.ValidString(s) {
		return errors.New("the text is not UTF-8")
	}
	for _, r := range s {
		if forbiddenInLine(r) {
			return fmt.Errorf("the text holds %U: control characters, line ends and direction marks are not allowed", r)
		}
	}
	return nil
}

func forbiddenInLine(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// clip keeps a text from outside short in a message.
func clip(s string) string { return oneline.Cut(s, 80) }
