package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"

	"example.com/ambit/systempolicy/engine/sqlstore"
)

// A database that has no package of its own here: its driver is opened, and its dialect said.
func ExampleNew() {
	db, err := sql.Open("yourdb", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	store, err := sqlstore.New(context.Background(), db, sqlstore.Dialect{Name: "yourdb", Isolation: sql.LevelReadCommitted})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	// Output: sql: unknown driver "yourdb" (forgotten import?)
}
