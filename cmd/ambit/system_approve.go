package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/ambit/systempolicy/engine/forge"
)

func systemApprove(c *call) int {
	repo, number, err := forge.ParsePull(c.operands[0])
	if err != nil {
		return c.usage(err)
	}
	deadline, err := c.deadline()
	if err != nil {
		return c.usage(err)
	}
	client, err := c.forgeClient("github.com")
	if err != nil {
		c.fail("forge", fmt.Errorf("nothing was approved: %w", err))
		return exitRefused
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	p, err := forge.Approve(ctx, client, repo, number, min(2*time.Second, deadline/5))
	var not *forge.Unready
	why := ""
	code := exitOK
	switch {
	case errors.As(err, &not):
		c.fail(not.Why, err)
		why, code = not.Why, exitRefused
	case err != nil:
		c.fail("forge", err)
		why, code = "forge", exitIO
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version int     `json:"version"`
			Pull    string  `json:"pull"`
			Merged  bool    `json:"merged"`
			Head    *string `json:"head"`
			Commit  *string `json:"commit"`
			Why     *string `json:"why"`
		}{1, c.operands[0], code == exitOK, optional(p.Head), optional(p.Commit), optional(why)})
	} else if code == exitOK {
		fmt.Fprintf(c.stdout, "%s: approved and merged at %.12s as %.12s\n", printable(c.operands[0]), printable(p.Head), printable(p.Commit))
	}
	return code
}
