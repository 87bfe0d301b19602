package systempolicy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The codes of warnings.
const (
	WarnProdName      = "prod-name"      // improve in an environment that is called prod-something (A-env-2)
	WarnNoEngine      = "no-engine"      // level act without an engine: nothing acts
	WarnSharedToken   = "shared-token"   // two engines on one host share one token (A-eng-9)
	WarnPlainHTTP     = "plain-http"     // the token travels in clear (A-eng-9)
	WarnNoDST         = "no-dst"         // EST, MST, HST have no summer time (A-tz-2)
	WarnUndeclaredEnv = "undeclared-env" // a cap for an environment that is not there (A-inst-1)
)

// note keeps where an environment's keys stand, for warnings.
func (w *walk) note(env string, wr *written) {
	for k, n := range wr.nodes {
		if n != nil {
			w.where[env+"\x00"+Key(k).String()] = n
		}
	}
}

// warnings gives what is legal and probably not meant.
func (w *walk) warnings() []*Error {
	s := w.sys
	warn := reader{at: w.at}
	say := func(env string, k Key, code, format string, args ...any) {
		warn.problem(w.where[env+"\x00"+k.String()], "environments."+env+".autonomy."+k.String(), code, fmt.Sprintf(format, args...))
	}
	engines := map[string]string{} // host to the URL first seen there
	for env := range s.Environments() {
		p := s.envs[env].policy
		if p.level == Improve && env != "prod" && strings.HasPrefix(env, "prod") {
			say(env, KeyLevel, WarnProdName, "the cap on prod does not reach %q: its name is another", env)
		}
		if p.level >= Act && p.engine == "" {
			say(env, KeyLevel, WarnNoEngine, "%s without an engine: nothing acts", p.level)
		}
		if z := p.window.Timezone(); z == "EST" || z == "MST" || z == "HST" {
			say(env, KeyTimezone, WarnNoDST, "%s has no summer time", z)
		}
		if p.engine == "" {
			continue
		}
		u, err := ParseEngineURL(p.engine)
		if err != nil {
			continue
		}
		if !u.TLS && !u.Loopback() {
			say(env, KeyEngine, WarnPlainHTTP, "the engine's token travels in clear to %s", u.Host)
		}
		if first, ok := engines[u.Host]; ok && first != u.Base {
			say(env, KeyEngine, WarnSharedToken, "this engine and %s share the token of the host %s; one token per engine is safer", first, u.Host)
		} else {
			engines[u.Host] = u.Base
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.components)) {
		for env := range s.Instances(name) {
			if i := s.components[name].instances[env]; i.capped && !s.Has(env) {
				key := "components." + name + ".instances." + env + ".autonomy.max"
				warn.problem(w.where[key], key, WarnUndeclaredEnv, "the environment is not declared, so the instance is at observe")
			}
		}
	}
	slices.SortStableFunc(warn.problems, func(a, b *Error) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return warn.problems
}
