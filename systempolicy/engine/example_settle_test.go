package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

// A lease that its holder did not settle, because it died, counts until main proves that nothing was merged.
func ExampleSettleExpired() {
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
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	lease, ok, err := store.Reserve(ctx, engine.Reservation{ID: "7", System: "shop", Environment: "dev", Kind: engine.Merge, Limit: 1, At: now, Head: "9a8b7c6"})
	fmt.Println(ok, lease.State, lease.Day == engine.Day(now), err)

	later := lease.Expires.Add(engine.Grace + time.Minute)
	err = engine.SettleExpired(ctx, store, "shop", later, func(context.Context, engine.Lease) (main string, merged bool, err error) {
		return "d00dfee", false, nil // what the forge says of the lease's head
	})
	used, _ := store.Used(ctx, "shop", "dev", engine.Day(now))
	fmt.Println(used.Merges, err)

	// The rule itself, without a store.
	_, err = engine.Settlement(lease, engine.Evidence{Main: "d00dfee", At: now}, false)
	fmt.Println(err)
	// Output:
	// true held true <nil>
	// 0 <nil>
	// lease 7: the lease is still held until 2026-07-22T12:12:00Z
}

// A signal arrives as the body of a request; what is wrong with it is said field by field.
func ExampleReadSignal() {
	now := time.Date(2026, 7, 22, 12, 0, 0, 0, time.UTC)
	signal, refused := engine.ReadSignal([]byte(`{"version": 1, "id": "7b0c2b0e-4b0a-4f0e-9d55-3f2d9a0a6a10", "system": "shop",
		"environment": "dev", "kind": "pause", "by": "ana", "at": "2026-07-22T12:00:00Z"}`), now)
	fmt.Println(signal.Kind, signal.By, refused)
	_, refused = engine.ReadSignal([]byte(`{"version": 1, "kind": "stop"}`), now)
	fmt.Println(refused.Code, refused.Keys)
	// Output:
	// pause ana <nil>
	// body [id system environment kind at]
}

// When main has caught up with a set signal, the signal is dropped.
func ExampleReconcile() {
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
	main, err := readMain(ctx) // act
	if err != nil {
		panic(err)
	}
	set := engine.Signal{Version: 1, ID: "1", System: "shop", Environment: "dev", Kind: engine.Set, At: main.ReadAt, Policy: []byte(`{"level": "propose"}`)}
	err = store.ChangeSignals(ctx, "shop", "dev", func(s engine.Signals) (engine.Signals, error) {
		after, refused := main.Accept(s, set, main.ReadAt)
		if refused != nil {
			return s, errors.New(refused.Message)
		}
		return after, nil
	})
	fmt.Println(err)
	show := func() {
		signals, err := store.Signals(ctx, "shop", "dev")
		f := main.InForce("dev", signals)
		fmt.Println(f.Level, len(f.Signals), err)
	}
	show()

	main.System, err = systempolicy.Parse("system.yaml", []byte(`{name: shop, environments: {dev: {autonomy: {level: propose}}}}`))
	main.ReadAt = main.ReadAt.Add(time.Minute)
	fmt.Println(err, engine.Reconcile(ctx, store, "shop", main))
	show()
	// Output:
	// <nil>
	// propose 1 <nil>
	// <nil> <nil>
	// propose 0 <nil>
}
