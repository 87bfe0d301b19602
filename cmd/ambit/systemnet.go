package main

import (
	"errors"

	"example.com/ambit/systempolicy"
)

// systemNetCommands are the commands that only work over the network.
func systemNetCommands() []command { return nil }

// systemNetFlags are the flags of those that also work over the network.
func systemNetFlags() []flagDef { return nil }

// systemPublish carries a change out over the network: it signals the engines and opens the pull request (--pr), or
// with --dry-run prints what it would do.
func (c *call) systemPublish(systemChange) int {
	return c.usage(errors.New("--pr is not available in this build; without it only the file changes"))
}

// environmentLive is what an environment's engine and run store say.
type environmentLive struct {
	Supervised string     // "supervised", or why it is not
	Lines      [][]string // more to show: label and text
	JSON       any        // the same for --format json
}

// systemLive asks the engines of some environments; one that is not in the result was not asked.
func (c *call) systemLive(*systempolicy.System, []string) map[string]environmentLive { return nil }
