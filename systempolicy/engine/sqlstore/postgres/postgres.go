// Package postgres answers: where do several replicas of one engine keep their run store? In one PostgreSQL database.
package postgres

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"example.com/ambit/systempolicy/engine/sqlstore"
)

// Open opens the store in the database that a postgres:// URL names, and lays its tables where they are missing. An error never
// repeats the URL, which may hold a password.
func Open(ctx context.Context, url string) (*sqlstore.Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("run store: the postgres URL cannot be read")
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(16) // of one replica; a server commonly takes 100
	return New(ctx, db)
}

// New is Open for a database that the caller opened; the store owns it from then on.
func New(ctx context.Context, db *sql.DB) (*sqlstore.Store, error) {
	// Two replicas that start at once would both create the tables: one waits for the other.
	return sqlstore.New(ctx, db, sqlstore.Dialect{Name: "postgres", Numbered: true, Begin: "SELECT pg_advisory_xact_lock(4712033561)", Isolation: sql.LevelReadCommitted})
}
