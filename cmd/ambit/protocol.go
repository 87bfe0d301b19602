package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/nearest"
	"example.com/ambit/tiers"
)

// flagProtocol and flagTool are understood by every command that judges by a protocol.
var (
	flagProtocol = flagDef{name: "protocol", value: "FILE", about: "the protocol (default " + tiers.ProtocolPath + " under the root, else the built-in one)"}
	flagTool     = flagDef{name: "tool", value: "TOOL", about: "only what this tool of the protocol may do"}
)

// loadProtocol reads --protocol, else the root's own file, else takes the built-in protocol. Only a file that is not
// there leads to the built-in one: what cannot be read, or is invalid, is an error of its own (T1). code is exitOK when
// there is a protocol.
func (c *call) loadProtocol() (p *tiers.Protocol, code int) {
	path, given := c.flag("protocol")
	if !given {
		path = filepath.Join(c.root(), filepath.FromSlash(tiers.ProtocolPath))
	}
	within := c.root()
	if given {
		within = ""
	}
	data, _, err := atomicfile.Read(within, path, tiers.MaxProtocolBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !given:
		c.noteProtocolAbove()
		return tiers.Default(), exitOK
	case errors.Is(err, fs.ErrNotExist):
		c.fail("protocol_absent", err)
		return nil, exitIO
	case errors.Is(err, atomicfile.ErrTooLarge):
		c.fail("protocol_invalid", err)
		return nil, exitRefused
	case err != nil:
		c.fail("protocol_unreadable", err)
		return nil, exitIO
	}
	if p, err = tiers.Parse(path, data); err != nil {
		c.fail("protocol_invalid", err)
		return nil, exitRefused
	}
	return p, exitOK
}

// noteProtocolAbove says that a folder above has a protocol, where the current folder was taken for the root and has none. Of
// several it names the topmost, by which the agent's hook judges.
func (c *call) noteProtocolAbove() {
	if c.root() != "." {
		return
	}
	folder, err := os.Getwd()
	if err != nil {
		return
	}
	top := ""
	for up := ".."; folder != filepath.Dir(folder); up = filepath.Join(up, "..") {
		folder = filepath.Dir(folder)
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(tiers.ProtocolPath))); err == nil {
			top = up
		}
	}
	if top != "" {
		c.note("protocol_above", hinted{errors.New("the built-in protocol is used, though a folder above has one of its own"), "--root " + top})
	}
}

// declaredTool reads --tool, which must be one that the protocol declares; "" when it is not given.
func (c *call) declaredTool(p *tiers.Protocol) (string, int) {
	name, given := c.flag("tool")
	if !given {
		return "", exitOK
	}
	var names []string
	for t := range p.Tools() {
		names = append(names, t.Name)
	}
	if !slices.Contains(names, name) {
		c.fail("unknown_tool", suggest(fmt.Errorf("the protocol declares no tool %q; it has: %s", name, orNone(names)), nearest.Of(name, names)))
		return "", exitRefused
	}
	return name, exitOK
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
