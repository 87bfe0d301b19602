package systempolicy

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// MaxFactsBytes bounds the facts of one change: nine short values.
const MaxFactsBytes = 64 << 10

// ParseFacts reads the facts of a change from a JSON object with the names of F0; name is for messages. A fact of the
// wrong type and one that is null are missing facts (F10, F13, F14); names that are no fact's are ignored; null is the
// empty object. Input that is not strict JSON, or has a name twice, is an error, and the facts are then empty: nothing
// is known.
func ParseFacts(name string, data []byte) (Facts, error) {
	v, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxFactsBytes, MaxDepth: MaxDepth})
	if err != nil {
		return Facts{}, err
	}
	if !v.Is(canonjson.KindObject) && !v.Is(canonjson.KindNull) {
		return Facts{}, fault.List{{File: name, Line: 1, Col: 1, Code: CodeWrongType, Err: errors.New("the facts are no JSON object"), Allowed: []string{"object"}}}.Err()
	}
	return Facts{
		Route: v.Get("route").Text(), Criticality: v.Get("criticality").Text(),
		Files: count(v.Get("files")), Adds: count(v.Get("adds")), Deletes: count(v.Get("deletes")),
		RegressionTest: answer(v.Get("regressionTest")), SecondReview: answer(v.Get("secondReview")),
		MergesToday: count(v.Get("mergesToday")), RunsToday: count(v.Get("runsToday")),
	}, nil
}

// UnmarshalJSON does what ParseFacts does.
func (f *Facts) UnmarshalJSON(data []byte) (err error) {
	*f, err = ParseFacts("", data)
	return err
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

// count reads a non-negative integer; one beyond int64 is simply large. (F13)
func count(v canonjson.Value) Count {
	s := v.Number()
	if !decimal(s) {
		return Count{}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = math.MaxInt64
	}
	return Known(n)
}

func answer(v canonjson.Value) Answer {
	if !v.Is(canonjson.KindBool) {
		return Unknown
	}
	return Is(v.True())
}
