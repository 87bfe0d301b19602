//go:build !unix

// Package pgtest starts a PostgreSQL server for a test; here it cannot.
package pgtest
