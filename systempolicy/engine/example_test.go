package engine_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

// readMain stands for an engine's own reading of main.
func readMain(context.Context) (engine.Merged, error) {
	sys, err := systempolicy.Parse("system.yaml", []byte(`
name: shop
environments:
  dev: {autonomy: {level: act, engine: "https://ai-ops.dev.example.com", budget: {mergesPerDay: 1}}}
components:
  shop-api: {instances: {dev: {}}}
`))
	return engine.Merged{System: sys, Commit: "4f1c2d9", ReadAt: time.Date(2026, 7, 22, 11, 58, 0, 0, time.UTC)}, err
}

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "runs.db"))
	if err != nil {
		panic(err)
	}
	defer store.Close()
	now := func() time.Time { return time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC) }

	// The engine serves people ...
	server := httptest.NewServer(&engine.Handler{Token: "token-of-the-engine", Store: store, Now: now,
		Merged: func(ctx context.Context, system string) (engine.Merged, error) { return readMain(ctx) }})
	defer server.Close()

	// ... and asks before it merges.
	guard := engine.Guard{System: "shop", Store: store, Now: now, Merged: readMain}
	change := engine.Change{Environment: "dev", Component: "shop-api", Head: "9a8b7c6", Facts: systempolicy.Facts{Route: "fix", Criticality: "low",
		Files: systempolicy.Known(2), Adds: systempolicy.Known(30), Deletes: systempolicy.Known(4), RegressionTest: systempolicy.Yes, SecondReview: systempolicy.Yes}}
	ask := func() engine.Permit {
		p, err := guard.Reserve(ctx, change)
		fmt.Println(p.Merge, p.Reasons(), err)
		return p
	}
	permit := ask()
	// The merge itself is conditional on the head, and ends at permit.Lease.Expires. Then it is settled.
	if _, err := store.Settle(ctx, permit.Lease, engine.Evidence{Merged: true, Main: "d00dfee", At: now()}); err != nil {
		panic(err)
	}
	ask()

	// A person stops it.
	client := engine.Client{Tokens: engine.Tokens{Variable: "token-of-the-engine"}}
	pause := engine.Signal{Version: 1, ID: engine.NewID(), System: "shop", Environment: "dev", Kind: engine.Pause, By: "ana", At: now()}
	for _, d := range client.Send(ctx, []engine.Signal{pause}, func(string) string { return server.URL }) {
		fmt.Println(d.Environment, d.Word, d.State.Effective)
	}
	ask()
	// Output:
	// true [] <nil>
	// false [budget.mergesPerDay] <nil>
	// dev confirmed observe
	// false [level budget.mergesPerDay] <nil>
}

func ExampleMerged_Accept() {
	m, err := readMain(context.Background())
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	set := engine.Signal{Version: 1, ID: "1", System: "shop", Environment: "dev", Kind: engine.Set, At: now, Policy: []byte(`{"level": "propose", "riskGate": {"maxFiles": 9}}`)}
	_, refused := m.Accept(engine.Signals{}, set, now)
	fmt.Println(refused.Code, refused.Loosens)

	set.Policy = []byte(`{"level": "propose"}`)
	state, refused := m.Accept(engine.Signals{}, set, now)
	f := m.InForce("dev", state)
	fmt.Println(refused, f.Effective, f.Signals[0].Kind)
	// Output:
	// loosens [riskGate.maxFiles]
	// <nil> propose set
}

func ExampleTokens_Token() {
	e, err := systempolicy.ParseEngineURL("https://ai-ops.dev.example.com")
	if err != nil {
		panic(err)
	}
	_, err = engine.Tokens{}.Token(context.Background(), e)
	fmt.Println(err, "for", e.KeychainAccount())
	// Output: no engine token for engine:ai-ops.dev.example.com
}
