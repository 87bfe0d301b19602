package envelope

import (
	"strings"
	"time"
)

// New gives the bytes of an empty envelope, as Init writes it. The name and the owner are those that CheckAgent and
// CheckOwner accept; the owner's ends are trimmed.
func New(agent, owner string, now time.Time) ([]byte, error) {
	if err := CheckAgent(agent); err != nil {
		return nil, err
	}
	if err := CheckOwner(owner); err != nil {
		return nil, err
	}
	if err := checkClock(now); err != nil {
		return nil, err
	}
	lines := []string{
		"---",
		"agent: " + scalar(agent),
		"owner: " + scalar(strings.TrimSpace(owner)),
		"updated: " + formatTime(now),
		"taskTypes: []",
		"---",
		"",
		"# Autonomy envelope; " + agent, // S29
		"",
		"## " + titleState,
		"",
		tableHead,
		tableRule,
		"",
		"## " + titleHistory,
		"",
	}
	return []byte(strings.Join(lines, "\n")), nil
}
