package main

import (
	"os"
	"os/signal"
	"syscall"
)

// The exit codes, one table for every command.
const (
	exitOK      = 0 // ok; or: go ahead
	exitUsage   = 1 // the call is wrong
	exitRefused = 2 // invalid input, unknown name, outside, blocked; a person must look
	exitIO      = 3 // could not judge: IO error, malformed store
)

// exit ends the process with Main's code. A closed reader must be an error that we see (exit 3), not a silent death.
func exit() {
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}
