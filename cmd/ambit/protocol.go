package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/ambit/tiers"
)

// flagProtocol and flagTool are understood by every command that judges by a protocol.
var (
	flagProtocol = flagDef{name: "protocol", value: "FILE", about: "the protocol (default " + tiers.ProtocolPath + " under the root, else the built-in one)"}
	flagTool     = flagDef{name: "tool", value: "TOOL", about: "only what this tool of the protocol may do"}
)

// loadProtocol is ownProtocol, and says when the project above has another one.
func (c *call) loadProtocol() (p *tiers.Protocol, code int) {
	if p, code = c.ownProtocol(); code == exitOK {
		c.noteProtocolAbove(p, c.projectAbove())
	}
	return p, code
}

// ownProtocol reads --protocol, else the root's own file, else takes the built-in protocol. Only a file that is not
// there leads to the built-in one: what cannot be read, or is invalid, is an error of its own (T1). code is exitOK when
// there is a protocol.
func (c *call) ownProtocol() (p *tiers.Protocol, code int) {
	if err := c.namedRoot(); err != nil {
		c.fail("root", err)
		return nil, exitIO
	}
	return c.protocolFor(c.root())
}

// namedRoot says what is wrong with a root that was named: one that is not there has no protocol either, and must not be
// judged by the built-in one.
func (c *call) namedRoot() error {
	root := c.root()
	info, err := os.Stat(root)
	switch {
	case root == ".":
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return &fs.PathError{Op: "root", Path: root, Err: errors.New("not a folder")}
	}
	return nil
}

// protocolFor reads --protocol, else the root's protocol.
func (c *call) protocolFor(root string) (p *tiers.Protocol, code int) {
	if path, given := c.flag("protocol"); given {
		return c.readProtocol(path, "")
	}
	return c.protocolOf(root)
}

// protocolOf reads a root's own protocol, or takes the built-in one.
func (c *call) protocolOf(root string) (p *tiers.Protocol, code int) {
	path := filepath.Join(root, filepath.FromSlash(tiers.ProtocolPath))
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return tiers.Default(), exitOK
	}
	return c.readProtocol(path, root)
}

func (c *call) readProtocol(path, within string) (p *tiers.Protocol, code int) {
	data, err := c.readInput(path, within, tiers.MaxProtocolBytes)
	if err != nil {
		return nil, c.readFailed(readCodes{"protocol_absent", "protocol_invalid", "protocol_unreadable"}, err)
	}
	if p, err = tiers.Parse(path, data); err != nil {
		c.fail("protocol_invalid", err)
		return nil, exitRefused
	}
	return p, exitOK
}

// noteProtocolAbove says that p is not what an agent's hook judges by, when the project is further up at top.
func (c *call) noteProtocolAbove(p *tiers.Protocol, top string) {
	if top == "" {
		return
	}
	which := "this folder's protocol is used, though an agent's hook judges by that of a folder above"
	if p == tiers.Default() {
		which = "the built-in protocol is used, though a folder above has one of its own"
	}
	c.note("protocol_above", hinted{errors.New(which), "--root " + top})
}

// projectAbove gives the way up to the project that the current folder is a part of, as "../.."; "" when it is the
// project itself or none, and when the root or the protocol was named.
func (c *call) projectAbove() string {
	if _, given := c.flag("protocol"); given || c.root() != "." {
		return ""
	}
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	top, ok := project(here)
	if !ok || top == here {
		return ""
	}
	up, err := filepath.Rel(here, top)
	if err != nil {
		return top
	}
	return up
}

// project gives the outermost folder, dir or above it, that holds a protocol. The outermost, because a folder that was
// cloned or written below the project must not bring its own policy.
func project(dir string) (top string, ok bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(tiers.ProtocolPath))); err == nil {
			top, ok = dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return top, ok
		}
		dir = up
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
		c.fail("unknown_tool", suggest(fmt.Errorf("the protocol declares no tool %q; it has: %s", name, orNone(names)), name, names))
		return "", exitRefused
	}
	return name, exitOK
}
