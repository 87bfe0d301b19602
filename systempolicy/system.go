package systempolicy

import (
	"iter"
	"maps"
	"slices"
	"time"
)

// System is what a system declares about autonomy. It is immutable and safe for concurrent use. A nil System, and one
// that was not valid, judge as strictly as can be: observe wherever something is wrong.
type System struct {
	name       string
	declared   bool
	invalid    bool // has problems: it is good for judging, never for rendering
	broken     bool // cannot be read at all, or in a part that reaches everywhere
	paused     bool
	envs       map[string]*environment
	components map[string]*component
	warnings   []*Error
}

type environment struct {
	policy   Policy
	declared bool // has an autonomy mapping
	invalid  bool
	written  Keys
}

type component struct {
	broken    bool // its caps cannot be told
	instances map[string]*instance
}

type instance struct {
	max    Level
	capped bool
}

// Name gives the top-level name; "" when there is none.
func (s *System) Name() string {
	if s == nil {
		return ""
	}
	return s.name
}

// Declared reports whether the system declares autonomy: only then does autonomy.json exist. (R3)
func (s *System) Declared() bool { return s != nil && s.declared }

// Valid reports whether nothing is wrong. A system that is not valid must not be rendered.
func (s *System) Valid() bool { return s != nil && !s.invalid }

// Paused reports whether git says paused. (R31)
func (s *System) Paused() bool { return s == nil || s.paused }

// Warnings gives what is legal and probably not meant, in document order.
func (s *System) Warnings() []*Error {
	if s == nil {
		return nil
	}
	return slices.Clone(s.warnings)
}

// Environments walks the names of the environments, sorted by their bytes.
func (s *System) Environments() iter.Seq[string] {
	if s == nil {
		return slices.Values[[]string](nil)
	}
	return slices.Values(slices.Sorted(maps.Keys(s.envs)))
}

// Components walks the names of the components, sorted by their bytes.
func (s *System) Components() iter.Seq[string] {
	if s == nil {
		return slices.Values[[]string](nil)
	}
	return slices.Values(slices.Sorted(maps.Keys(s.components)))
}

// Instances walks the names of the environments that a component has an instance in, sorted by their bytes.
func (s *System) Instances(component string) iter.Seq[string] {
	if s == nil || s.components[component] == nil {
		return slices.Values[[]string](nil)
	}
	return slices.Values(slices.Sorted(maps.Keys(s.components[component].instances)))
}

// Has reports whether the system has that environment.
func (s *System) Has(env string) bool { return s != nil && s.envs[env] != nil }

// HasInstance reports whether the component has an instance in that environment.
func (s *System) HasInstance(env, component string) bool {
	return s != nil && s.components[component] != nil && s.components[component].instances[env] != nil
}

// DeclaresIn reports whether the environment has an autonomy mapping of its own.
func (s *System) DeclaresIn(env string) bool { return s.Has(env) && s.envs[env].declared }

// Written gives the keys that the environment's autonomy declares itself; the others are defaults.
func (s *System) Written(env string) Keys {
	if !s.Has(env) {
		return 0
	}
	return s.envs[env].written
}

// Policy gives an environment's policy with the defaults filled in; that of an environment that is not there is the
// zero Policy, which has everything outside. (A-eff-2)
func (s *System) Policy(env string) Policy {
	if !s.Has(env) || s.broken {
		return Policy{}
	}
	return s.envs[env].policy
}

// Max gives the cap of an instance, and whether it has one. A cap that cannot be told is Observe. (R32, R33)
func (s *System) Max(env, component string) (max Level, capped bool) {
	if s == nil || s.components[component] == nil {
		return Observe, false
	}
	c := s.components[component]
	if c.broken {
		return Observe, true
	}
	if i := c.instances[env]; i != nil {
		return i.max, i.capped
	}
	return Observe, false
}

// Effective gives the level that an environment, or with a component that component's instance in it, acts as:
// observe when paused in git or by a signal, else act for a declared improve, else the declared level, lowered by a
// signal and by the instance's max, raised by neither. What is not there is at Observe. (R30 to R32, A-eff-2, A-eff-3)
func (s *System) Effective(env, component string, signals Signals) Level {
	if !s.Has(env) || s.broken || s.paused || s.envs[env].invalid {
		return Observe
	}
	signal := signals.Environments[env]
	if signals.Paused || signal.Paused {
		return Observe
	}
	level := s.envs[env].policy.level.effective()
	if signal.Level != nil {
		level = min(level, signal.Level.effective())
	}
	if component == "" {
		return level
	}
	if s.components[component] == nil || s.components[component].instances[env] == nil {
		return Observe
	}
	if max, capped := s.Max(env, component); capped {
		level = min(level, max.effective())
	}
	return level
}

// Decide is [Decide] for a component's instance in an environment, as declared and signalled. With component "" it is
// the environment's own.
func (s *System) Decide(env, component string, signals Signals, f Facts, now time.Time) Decision {
	return Decide(s.Effective(env, component, signals), s.Policy(env), f, now)
}
