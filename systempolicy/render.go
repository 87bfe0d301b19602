package systempolicy

import (
	"errors"
	"math"
	"strconv"

	"example.com/ambit/internal/canonjson"
)

// ErrInvalid is why a System that is not valid cannot be rendered: the last autonomy.json stays in force. (R41)
var ErrInvalid = errors.New("the system is not valid, so it is not rendered")

// Version is the version of autonomy.json that Render writes and LoadRendered reads.
const Version = 1

// Render gives the autonomy.json that an engine reads: the defaults filled in, the effective level of each environment
// and instance, and the promotion rule (section 7, A-render-1, A-render-2). The same system gives the same bytes. A
// system that does not declare autonomy has none: Render gives nil, and a stale file must be deleted (R3).
func (s *System) Render() ([]byte, error) {
	if !s.Valid() {
		return nil, ErrInvalid
	}
	if !s.declared {
		return nil, nil
	}
	j := jsonWriter{out: make([]byte, 0, 1024+1024*len(s.envs)+256*len(s.components))}
	j.open('{')
	j.key("version").raw("1")
	j.key("paused").bool(s.paused)
	j.key("promotion").line(func() {
		j.key("forward").bool(false)
		j.key("rollback").strings([]string{"dev"})
	})
	j.key("environments").open('{')
	for env := range s.Environments() {
		j.key(env)
		j.policy(s.envs[env].policy, s.Effective(env, "", Signals{}), true)
	}
	j.close('}')
	j.key("components").open('{')
	for name := range s.Components() {
		if len(s.components[name].instances) == 0 {
			continue
		}
		j.key(name).open('{')
		j.key("instances").open('{')
		for env := range s.Instances(name) {
			j.key(env).line(func() {
				j.key("max")
				if max, capped := s.Max(env, name); capped {
					j.string(max.String())
				} else {
					j.raw("null")
				}
				j.key("effective").string(s.Effective(env, name, Signals{}).String())
			})
		}
		j.close('}')
		j.close('}')
	}
	j.close('}')
	j.close('}')
	return append(j.out, '\n'), nil
}

// MarshalJSON writes the policy in the shape that it has in autonomy.json, without an effective level. The window is an
// object, or a list of those that must all be open where no single one says the same (see [Policy.DisplayWindows]).
func (p Policy) MarshalJSON() ([]byte, error) {
	var j jsonWriter
	j.policy(p, 0, false)
	return j.out, nil
}

func (j *jsonWriter) policy(p Policy, effective Level, hasEffective bool) {
	j.open('{')
	j.key("level").string(p.level.String())
	if hasEffective {
		j.key("effective").string(effective.String())
	}
	j.key("engine")
	if p.engine == "" {
		j.raw("null")
	} else {
		j.string(p.engine)
	}
	j.key("autoMerge").line(func() {
		j.key("routes").strings(p.Routes())
		j.key("maxCriticality").string(p.maxCriticality.String())
	})
	j.key("riskGate").line(func() {
		j.key("maxFiles").int(p.maxFiles)
		j.key("maxLines").int(p.maxLines)
		j.key("regressionTest").bool(p.regressionTest)
		j.key("secondReview").bool(p.secondReview)
	})
	j.key("budget").line(func() {
		j.key("runsPerDay").int(p.runsPerDay)
		j.key("mergesPerDay").int(p.mergesPerDay)
		j.key("perRun").line(func() {
			j.key("minutes").float(p.perRun.Minutes)
			j.key("invocations").float(p.perRun.Invocations)
			j.key("reruns").float(p.perRun.Reruns)
			j.key("cost").float(p.perRun.Cost)
		})
	})
	j.key("window")
	if len(p.also) == 0 {
		j.window(p.window)
	} else if windows := p.DisplayWindows(); len(windows) == 1 {
		j.window(windows[0])
	} else {
		j.open('[')
		for _, w := range windows {
			j.item()
			j.window(w)
		}
		j.close(']')
	}
	j.key("undoWindow").string(p.undo.text)
	j.close('}')
}

func (j *jsonWriter) window(w Window) {
	j.line(func() {
		j.key("days").strings(w.Days())
		j.key("from").string(w.From())
		j.key("to").string(w.To())
		j.key("timezone").string(w.Timezone())
	})
}

// jsonWriter writes JSON with two-space indent, small objects on one line, and non-ASCII unescaped.
type jsonWriter struct {
	out    []byte
	depth  int
	filled bool // the innermost object or list has an entry
	inline int
}

func (j *jsonWriter) raw(s string) { j.out = append(j.out, s...) }

func (j *jsonWriter) open(c byte) {
	j.out = append(j.out, c)
	j.depth++
	j.filled = false
}

func (j *jsonWriter) close(c byte) {
	j.depth--
	if j.filled && j.inline == 0 {
		j.newline()
	}
	j.out = append(j.out, c)
	j.filled = true
}

func (j *jsonWriter) newline() {
	j.out = append(j.out, '\n')
	for range j.depth {
		j.out = append(j.out, "  "...)
	}
}

// item begins an entry.
func (j *jsonWriter) item() {
	if j.filled {
		j.out = append(j.out, ',')
	}
	switch {
	case j.inline == 0:
		j.newline()
	case j.filled:
		j.out = append(j.out, ' ')
	}
	j.filled = true
}

func (j *jsonWriter) key(name string) *jsonWriter {
	j.item()
	j.string(name)
	j.raw(": ")
	return j
}

// line writes an object on one line.
func (j *jsonWriter) line(body func()) {
	j.inline++
	j.open('{')
	body()
	j.close('}')
	j.inline--
}

func (j *jsonWriter) bool(b bool)     { j.out = strconv.AppendBool(j.out, b) }
func (j *jsonWriter) int(n int64)     { j.out = strconv.AppendInt(j.out, n, 10) }
func (j *jsonWriter) float(f float64) { j.out = appendFloat(j.out, f) }

// appendFloat writes a whole number as an integer, as far as every reader keeps it.
func appendFloat(out []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) <= maxInteger {
		return strconv.AppendInt(out, int64(f), 10)
	}
	format := byte('f')
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(out, f, format, -1, 64)
}

func (j *jsonWriter) strings(list []string) {
	j.raw("[")
	for i, s := range list {
		if i > 0 {
			j.raw(", ")
		}
		j.string(s)
	}
	j.raw("]")
}

func (j *jsonWriter) string(s string) { j.out = canonjson.AppendString(j.out, s) }
