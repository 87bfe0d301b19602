package engine

import (
	"encoding/json"

	"example.com/ambit/internal/enum"
	"example.com/ambit/systempolicy"
)

// Word is what is known of a signal that was to be sent. // S10
type Word uint8

const (
	NotConfirmed Word = iota // it was sent, or may have been, and nothing proves that the engine obeys: assume that it acts
	Confirmed                // the engine shows a state in force at or below the intended one, for this signal
	NotSent                  // nothing went out: no token, or no engine
)

var words = [...]string{"not confirmed", "confirmed", "not sent"}

// String gives the word; a value beyond the three is "not confirmed".
func (w Word) String() string { return enum.Word(words[:], w) }

// MarshalText gives the word.
func (w Word) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word; any other is an error that lists the three.
func (w *Word) UnmarshalText(text []byte) (err error) {
	*w, err = enum.Parse[Word]("known of a signal", words[:], text)
	return err
}

// Delivery is what became of the signal to one environment.
type Delivery struct {
	Environment string // of the signal
	Engine      string // its URL; "" when none is declared
	ID          string // of the signal
	Word        Word   // confirmed, not confirmed, or not sent
	// Supervised reports whether the engine gave a usable status: only then does anybody act on the level. // S10
	Supervised bool
	Why        Why      // why not confirmed or not sent; "" when confirmed
	HTTP       int      // the status of the answer to the signal, if there was one
	Loosens    []string // the keys that the engine would not loosen // S3
	State      *State   // what the engine says is in force, when it said something usable
}

// Why says why a signal is not confirmed, or an environment not supervised. None of them holds a word that came from the engine.
type Why string

// The reasons; their texts are for people, and stable.
const (
	WhyNoEngine    Why = "no engine"                                                  // the environment declares none
	WhyNoToken     Why = "no engine token"                                            // neither the variable nor the keychain has one
	WhyURL         Why = "the engine's address is not usable"                         // it is no URL that a token may go to
	WhyUnreachable Why = "unreachable"                                                // nobody answers there
	WhyTimeout     Why = "no answer in time"                                          // the Client's deadline is over
	WhyTLS         Why = "its certificate is not trusted"                             // or not for that host
	WhyToken       Why = "the engine did not accept the token"                        // 401
	WhyRefused     Why = "the engine refused the signal"                              // Delivery.HTTP has the status, Delivery.Loosens what it would not loosen
	WhyRedirect    Why = "the engine answered with a redirect, which is not followed" // 300 to 399
	WhyStatus      Why = "the engine answered with an error"                          // any other status
	WhyUnreadable  Why = "the answer cannot be read"                                  // not the JSON of the contract
	WhyOtherSignal Why = "the answer is about another signal"                         // its id is not the one that was sent
	WhyLooser      Why = "what is in force is still looser"                           // than what the signal asks for
)

// obeys reports whether a state shows that a signal is obeyed: that what is in force is at or below what it asks for. // S10
func obeys(s State, sig Signal) bool {
	level, err := systempolicy.ParseLevel(s.Effective)
	if err != nil {
		return false
	}
	switch sig.Kind {
	case Pause:
		return level == systempolicy.Observe && (s.Paused.Git || s.Paused.Signal)
	case Resume:
		return !s.Paused.Signal
	case Set:
		return atOrBelow(s, sig.Policy)
	}
	return false
}

// atOrBelow compares a policy in force with a signal's keys. A policy in force with several windows, all of which must be open, is
// at or below when it is so with one of them.
func atOrBelow(s State, payload json.RawMessage) bool {
	shown := map[string]json.RawMessage{}
	if json.Unmarshal(s.Policy, &shown) != nil || shown == nil { // null: it shows nothing
		return false
	}
	var windows []json.RawMessage
	if json.Unmarshal(shown["window"], &windows) != nil {
		windows = []json.RawMessage{shown["window"]}
	}
	for _, shown["window"] = range windows {
		text, err := json.Marshal(shown)
		if err != nil {
			return false
		}
		all, err := systempolicy.ParsePatch("", text)
		if err != nil || !complete(all.Keys()) {
			return false
		}
		inForce := all.Apply(systempolicy.Default())
		asked, err := systempolicy.ParsePatch("", payload)
		if err != nil || inForce.Level().String() != s.Level {
			return false
		}
		if v := systempolicy.Compare(asked.Apply(inForce), inForce).Verdict; v == systempolicy.Equal || v == systempolicy.Tighter {
			return true
		}
	}
	return false
}

// complete holds for a policy that says every key: one that leaves a key out does not say what is in force.
func complete(written systempolicy.Keys) bool {
	for k := systempolicy.KeyLevel; k <= systempolicy.KeyUndoWindow; k++ {
		if !written.Has(k) {
			return false
		}
	}
	return true
}
