package systempolicy

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

// Signals is what the environments' engines have accepted by signal and still hold. The zero value is no signal.
type Signals struct {
	Paused       bool                         // everywhere
	Environments map[string]EnvironmentSignal // by name
}

// EnvironmentSignal is what one environment's engine holds.
type EnvironmentSignal struct {
	Paused bool   // the environment acts as observe
	Level  *Level // at most; nil says nothing of the level
}

// MaxSignalsBytes bounds a file of signals: two short values for each environment.
const MaxSignalsBytes = 1 << 20

// ParseSignals reads {"paused": bool, "environments": {NAME: {"paused": bool, "level": LEVEL}}}; name is for messages.
// Everything may be left out, and empty input or null is no signal. What cannot be told is an error, and then a pause.
func ParseSignals(name string, data []byte) (Signals, error) {
	if len(data) == 0 {
		return Signals{}, nil
	}
	v, err := canonjson.Parse(name, data, canonjson.Limits{MaxBytes: MaxSignalsBytes, MaxDepth: MaxDepth})
	if err != nil {
		return Signals{Paused: true}, err
	}
	var list fault.List
	complain := func(key, code, sentence string, allowed ...string) {
		list.Add(&Error{File: name, Key: key, Code: code, Err: errors.New(sentence), Allowed: allowed})
	}
	paused := func(v canonjson.Value, key string) bool {
		if v.Exists() && !v.Is(canonjson.KindBool) {
			complain(key, CodeWrongType, "a pause is true or false", allowedBool...)
			return true
		}
		return v.True()
	}
	object := func(v canonjson.Value, key string) bool {
		if !v.Exists() || v.Is(canonjson.KindNull) || v.Is(canonjson.KindObject) {
			return true
		}
		complain(key, CodeWrongType, "this is no object", allowedMapping...)
		return false
	}
	envs := v.Get("environments")
	s := Signals{Environments: map[string]EnvironmentSignal{}}
	s.Paused = !object(v, "") || !object(envs, "environments") || paused(v.Get("paused"), "paused")
	for k, e := range envs.Members() {
		path := "environments." + k.Text()
		var signal EnvironmentSignal
		signal.Paused = !object(e, path) || paused(e.Get("paused"), path+".paused")
		if l := e.Get("level"); l.Exists() {
			level, err := ParseLevel(l.Text())
			if err != nil {
				complain(path+".level", CodeNotAllowed, fmt.Sprintf("%s is no level", l.Raw()), allowedLevels...)
			}
			signal.Level = &level
		}
		s.Environments[k.Text()] = signal
	}
	return s, list.Err()
}
