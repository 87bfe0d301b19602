package turnenvelope_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/turnenvelope"
	"github.com/google/go-cmp/cmp"
)

//go:generate python3 ../scripts/turn_matrix.py

var update = flag.Bool("update", false, "write the golden files again")

// states are the nine states of the matrix, and what a host may do with each. N30
var states = []struct {
	name string
	want turnenvelope.Disposition
}{
	{"delivery", turnenvelope.Act},
	{"monitor_quiet_skip", turnenvelope.Wait},
	{"user_gate", turnenvelope.AskUser},
	{"capability_gate", turnenvelope.AskUser},
	{"workspace_guard", turnenvelope.Act},
	{"autonomous_replan", turnenvelope.Act},
	{"successor_replan", turnenvelope.Act},
	{"blocked", turnenvelope.AskUser},
	{"throttled", turnenvelope.Wait},
}

func state(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "matrix", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func project(t testing.TB, decision []byte) *turnenvelope.Envelope {
	t.Helper()
	env, err := turnenvelope.Project(decision, turnenvelope.Options{Host: turnenvelope.Host{Profile: "generic_cli"}})
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// TestMatrix holds for each state: within budget, the packet rebuilt, the signature kept, and the same bytes as ever.
func TestMatrix(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			decision := state(t, s.name)
			env := project(t, decision)
			var view struct {
				Capsule struct {
					Packet struct {
						Status   string `json:"derivation_status"`
						Verified bool   `json:"reconstruction_verified"`
						Residue  any
					} `json:"protocol_action_packet"`
				} `json:"contract_capsule"`
				Signature  struct{ Matches bool } `json:"action_signature"`
				Compaction struct {
					Source int     `json:"source_json_bytes"`
					Bytes  int     `json:"envelope_json_bytes"`
					Ratio  float64 `json:"byte_reduction_ratio"`
					Within bool    `json:"within_budget"`
				}
			}
			if err := json.Unmarshal(env.JSON(), &view); err != nil {
				t.Fatal(err)
			}
			if p := view.Capsule.Packet; p.Status != "verified" || !p.Verified || p.Residue != nil {
				t.Errorf("packet %+v", p)
			}
			c := view.Compaction
			if c.Bytes != len(env.JSON()) || c.Bytes > turnenvelope.BudgetBytes || !c.Within || c.Ratio < 0.6 || c.Source != len(decision)-1 {
				t.Errorf("compaction %+v", c)
			}
			if !view.Signature.Matches {
				t.Error("the signature does not match")
			}
			if v := turnenvelope.Verify(decision, env.JSON()); !v.Matches {
				t.Errorf("verify: %+v", v.Reasons)
			}
			if a := turnenvelope.Accept(env.JSON()); a.Disposition != s.want || a.Bytes != c.Bytes {
				t.Errorf("accept: %v, want %v: %+v", a.Disposition, s.want, a.Reasons)
			}
			golden(t, s.name+".envelope.json", env.String()+"\n")
			t.Logf("%d bytes, %.2f%% less", c.Bytes, 100*c.Ratio)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "matrix", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), `,"`), strings.Split(got, `,"`)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}
