package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "runs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "runs.db"))
	if err != nil {
		panic(err)
	}
	defer store.Close()

	r := engine.Reservation{System: "shop", Environment: "dev", Kind: engine.Merge, Limit: 1, At: time.Date(2026, 7, 22, 23, 59, 0, 0, time.UTC), Head: "9a8b7c6"}
	for range 2 {
		lease, ok, err := store.Reserve(ctx, r)
		fmt.Println(lease.Day, ok, err)
	}
	r.At = r.At.Add(time.Minute) // the budget is new at UTC midnight
	lease, ok, err := store.Reserve(ctx, r)
	fmt.Println(lease.Day, ok, err)
	// Output:
	// 2026-07-22 true <nil>
	//  false <nil>
	// 2026-07-23 true <nil>
}
