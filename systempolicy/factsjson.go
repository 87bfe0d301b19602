package systempolicy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// MaxFactsBytes bounds the facts of one change: nine short values.
const MaxFactsBytes = 64 << 10

// ParseFacts reads the facts of a change from a JSON object with the names of F0. A fact of the wrong type, one that is
// there twice and one that is null are missing facts (F10, F13, F14); names that are no fact's are ignored. Input that
// is no JSON object is an error, and the facts are then empty: nothing is known. null is the empty object.
func ParseFacts(data []byte) (Facts, error) {
	var f Facts
	err := f.UnmarshalJSON(data)
	return f, err
}

// UnmarshalJSON does what ParseFacts does.
func (f *Facts) UnmarshalJSON(data []byte) error {
	*f = Facts{}
	if len(data) > MaxFactsBytes {
		return fmt.Errorf("the facts have %d bytes, more than %d", len(data), MaxFactsBytes)
	}
	raw, err := object(data)
	if err != nil {
		return err
	}
	*f = Facts{
		Route: text(raw["route"]), Criticality: text(raw["criticality"]),
		Files: count(raw["files"]), Adds: count(raw["adds"]), Deletes: count(raw["deletes"]),
		RegressionTest: answer(raw["regressionTest"]), SecondReview: answer(raw["secondReview"]),
		MergesToday: count(raw["mergesToday"]), RunsToday: count(raw["runsToday"]),
	}
	return nil
}

// MarshalJSON writes the facts that are known.
func (f Facts) MarshalJSON() ([]byte, error) {
	known := struct {
		Route          string `json:"route,omitempty"`
		Criticality    string `json:"criticality,omitempty"`
		Files          *int64 `json:"files,omitempty"`
		Adds           *int64 `json:"adds,omitempty"`
		Deletes        *int64 `json:"deletes,omitempty"`
		RegressionTest *bool  `json:"regressionTest,omitempty"`
		SecondReview   *bool  `json:"secondReview,omitempty"`
		MergesToday    *int64 `json:"mergesToday,omitempty"`
		RunsToday      *int64 `json:"runsToday,omitempty"`
	}{
		f.Route, f.Criticality, f.Files.pointer(), f.Adds.pointer(), f.Deletes.pointer(), f.RegressionTest.pointer(),
		f.SecondReview.pointer(), f.MergesToday.pointer(), f.RunsToday.pointer(),
	}
	return json.Marshal(known)
}

func (c Count) pointer() *int64 {
	n, known := c.Value()
	if !known {
		return nil
	}
	return &n
}

func (a Answer) pointer() *bool {
	if a == Unknown {
		return nil
	}
	yes := a == Yes
	return &yes
}

// object takes a JSON object apart, names compared exactly; a name that is there twice is left out.
func object(data []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	switch t, err := dec.Token(); {
	case err != nil:
		return nil, fmt.Errorf("this is not JSON: %w", err)
	case t == nil:
		return nil, end(dec)
	case t != json.Delim('{'):
		return nil, errors.New("this is not a JSON object")
	}
	raw, twice := map[string]json.RawMessage{}, map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("this is not JSON: %w", err)
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, fmt.Errorf("this is not JSON: %w", err)
		}
		key, _ := name.(string)
		_, again := raw[key]
		twice[key] = twice[key] || again
		raw[key] = v
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("this is not JSON: %w", err)
	}
	for key, again := range twice {
		if again {
			delete(raw, key)
		}
	}
	return raw, end(dec)
}

func end(dec *json.Decoder) error {
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// count reads a non-negative integer; one beyond int64 is simply large. (F13)
func count(raw json.RawMessage) Count {
	s := string(raw)
	if s == "" || strings.Trim(s, digits) != "" {
		return Count{}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = math.MaxInt64
	}
	return Known(n)
}

func answer(raw json.RawMessage) Answer {
	switch string(raw) {
	case "true":
		return Yes
	case "false":
		return No
	}
	return Unknown
}
