package systempolicy_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/internal/fault"
	. "example.com/ambit/systempolicy"
	"github.com/google/go-cmp/cmp"
)

const system = `name: shop
environments:
  dev: {autonomy: {level: act, engine: "https://e.example.com"}}
  "b <é>": {}
components:
  api: {instances: {dev: {autonomy: {max: propose}}, "b <é>": }}
  lib:
`

// TestRenderedBytes is the format, byte for byte.
func TestRenderedBytes(t *testing.T) {
	sys, err := Parse("system.yaml", []byte(system))
	if err != nil {
		t.Fatal(err)
	}
	got, err := sys.Render()
	if err != nil {
		t.Fatal(err)
	}
	const rest = `      "autoMerge": {"routes": ["fix"], "maxCriticality": "low"},
      "riskGate": {"maxFiles": 5, "maxLines": 200, "regressionTest": true, "secondReview": true},
      "budget": {"runsPerDay": 5, "mergesPerDay": 2, "perRun": {"minutes": 60, "invocations": 20, "reruns": 2, "cost": 3}},
      "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:00", "timezone": "UTC"},
      "undoWindow": "24h"
`
	want := `{
  "version": 1,
  "paused": false,
  "promotion": {"forward": false, "rollback": ["dev"]},
  "environments": {
    "b <é>": {
      "level": "observe",
      "effective": "observe",
      "engine": null,
` + rest + `    },
    "dev": {
      "level": "act",
      "effective": "act",
      "engine": "https://e.example.com",
` + rest + `    }
  },
  "components": {
    "api": {
      "instances": {
        "b <é>": {"max": null, "effective": "observe"},
        "dev": {"max": "propose", "effective": "propose"}
      }
    }
  }
}
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestLoadRendered changes one thing of a rendered file at a time: what cannot be told is at observe, and is said.
func TestLoadRendered(t *testing.T) {
	sys, err := Parse("system.yaml", []byte(system))
	if err != nil {
		t.Fatal(err)
	}
	good, err := sys.Render()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, old, new string
		want           string // key and code of each problem
		dev, api       Level
	}{
		{"nothing", "", "", "", Act, Propose},
		{"no JSON", "{", "", " json_trailing", Observe, Observe},
		{"an unknown version", `"version": 1`, `"version": 2`, "version not-allowed", Observe, Observe},
		{"no version", `"version": 1,`, ``, "version missing", Observe, Observe},
		{"a version as text", `"version": 1`, `"version": "1"`, "version not-allowed", Observe, Observe},
		{"paused", `"paused": false`, `"paused": true`, "environments.dev.effective not-allowed", Observe, Observe},
		{"a pause that is none", `"paused": false`, `"paused": null`, "paused wrong-type", Observe, Observe},
		{"an unknown level", `"level": "act"`, `"level": "full"`, "environments.dev.level not-allowed", Observe, Observe},
		{"a missing key", `"maxFiles": 5, "maxLines": 200, "regressionTest": true, "secondReview": true},
      "budget": {"runsPerDay": 5, "mergesPerDay": 2, "perRun": {"minutes": 60, "invocations": 20, "reruns": 2, "cost": 3}},
      "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:00", "timezone": "UTC"},
      "undoWindow": "24h"
    }
  },`, `"maxLines": 200, "regressionTest": true, "secondReview": true},
      "budget": {"runsPerDay": 5, "mergesPerDay": 2, "perRun": {"minutes": 60, "invocations": 20, "reruns": 2, "cost": 3}},
      "window": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:00", "timezone": "UTC"},
      "undoWindow": "24h"
    }
  },`, "environments.dev.riskGate.maxFiles missing", Observe, Observe},
		{"no engine key", `      "engine": "https://e.example.com",
`, ``, "environments.dev.engine missing", Observe, Observe},
		{"an unknown key", `"level": "act"`, `"hold": true, "level": "act"`, "environments.dev.hold unknown-key", Observe, Observe},
		{"a raised level", `"level": "observe",
      "effective": "observe"`, `"level": "observe",
      "effective": "act"`, "environments.b <é>.effective not-allowed", Act, Propose},
		{"a level that does not follow", `"effective": "act"`, `"effective": "advise"`, "environments.dev.effective not-allowed", Observe, Observe},
		{"a raised instance", `{"max": "propose", "effective": "propose"}`, `{"max": "propose", "effective": "act"}`, "components.api.instances.dev.effective not-allowed", Act, Observe},
		{"an unknown cap", `"max": "propose"`, `"max": "some"`, "components.api.instances.dev.max not-allowed", Act, Observe},
		{"a missing cap", `"max": "propose", `, ``, "components.api.instances.dev.max missing", Act, Observe},
		{"no cap", `{"max": "propose", "effective": "propose"}`, `{"max": null, "effective": "act"}`, "", Act, Act},
		{"components of another kind", `"components": {
    "api"`, `"components": [], "other": {
    "api"`, "components wrong-type", Observe, Observe},
		{"no components", `"components": {
    "api"`, `"other": {
    "api"`, "components missing", Observe, Observe},
		{"instances of another kind", `"instances": {
        "b <é>"`, `"instances": 1, "other": {
        "b <é>"`, "components.api.instances wrong-type", Act, Observe},
		{"an environment of another kind", `"dev": {
      "level"`, `"dev": [], "other": {
      "level"`, "environments.dev wrong-type", Observe, Observe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := string(good)
			if tt.name == "no JSON" {
				text += "{"
			} else if tt.old != "" {
				if i := strings.LastIndex(text, tt.old); i >= 0 {
					text = text[:i] + tt.new + text[i+len(tt.old):]
				} else {
					t.Fatal("nothing to change")
				}
			}
			loaded, err := LoadRendered("autonomy.json", []byte(text))
			var got []string
			for _, e := range fault.All(err) {
				if e.Code == "missing" != (e.Line == 0) {
					t.Errorf("%v stands at line %d", e, e.Line)
				}
				got = append(got, e.Key+" "+e.Code)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("problems %q, want %q", got, tt.want)
			}
			dev, api := loaded.Effective("dev", "", Signals{}), loaded.Effective("dev", "api", Signals{})
			if dev != tt.dev || api != tt.api {
				t.Errorf("dev %v, api %v; want %v, %v", dev, api, tt.dev, tt.api)
			}
			if (err == nil) != loaded.Valid() {
				t.Errorf("valid %v, %v", loaded.Valid(), err)
			}
			if d := loaded.Decide("dev", "api", Signals{}, insideFacts, wednesday); d.Merge && tt.api != Act {
				t.Errorf("merges: %+v", d)
			}
		})
	}
	if none, err := LoadRendered("autonomy.json", nil); err == nil || none.Effective("dev", "", Signals{}) != Observe || none.Policy("dev").Closed() != AllGuardrails {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := LoadRendered("autonomy.json", []byte(strings.Replace(string(good), `"level": "act"`, `"level": "x"`, 1))); err == nil || !strings.HasPrefix(err.Error(), "autonomy.json:") {
		t.Errorf("%v", err)
	} else if e := fault.All(err)[0]; fmt.Sprint(e.Line) == "0" || e.Col != 16 {
		t.Errorf("line %d, column %d", e.Line, e.Col)
	}
}
