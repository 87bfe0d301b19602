package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"example.com/ambit/systempolicy/engine/sqlstore/postgres"
)

// All replicas of an engine open the same database; the budgets that they reserve from are then one.
func ExampleOpen() {
	store, err := postgres.Open(context.Background(), os.Getenv("AMBIT_STORE")) // postgres://engine@db.example.com/runs
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
}

// A program with a pool of its own hands it over.
func ExampleNew() {
	db, err := sql.Open("pgx", os.Getenv("AMBIT_STORE"))
	if err != nil {
		fmt.Println(err)
		return
	}
	store, err := postgres.New(context.Background(), db)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close() // closes db too
}
