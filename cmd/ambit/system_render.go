package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/systempolicy"
)

// renderTarget says where autonomy.json goes: -o, else applications/NAME/autonomy.json under the root; "" is standard
// output. within is the folder that it must lie in.
func (c *call) renderTarget(name string) (path, within string, err error) {
	if v, ok := c.flag("o"); ok {
		if v == "-" {
			return "", "", nil
		}
		return v, "", nil
	}
	if name == "" {
		return "", "", nil
	}
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || name == "." || name != printable(name) {
		return "", "", fmt.Errorf("the system's name %q is no name of a folder; say where with -o", name)
	}
	return filepath.Join(c.root(), "applications", name, "autonomy.json"), c.root(), nil
}

func systemRender(c *call) int {
	file, source, code := c.systemData()
	if code != exitOK {
		return code
	}
	sys, code := c.parseSystem(file, source)
	if code != exitOK {
		return code
	}
	data, err := sys.Render()
	if err != nil {
		c.fail("invalid", err)
		return exitRefused
	}
	name := sys.Name()
	if !sys.Declared() { // such a file is not judged, but a stale rendering is to be found by its name
		name = systempolicy.NameOf(source)
	}
	path, within, err := c.renderTarget(name)
	if err != nil {
		c.fail("bad-name", err)
		return exitRefused
	}
	if path == "" {
		if _, given := c.flag("o"); !given && sys.Declared() {
			c.warn("no-name", errors.New("the system has no name, so there is no place for autonomy.json: it is printed"))
		}
		c.stdout.Write(data)
		return exitOK
	}
	action, err := writeRendered(path, within, data)
	if err != nil {
		c.fail("io", err)
		return exitIO
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version  int    `json:"version"`
			Path     string `json:"path"`
			Action   string `json:"action"`
			Declared bool   `json:"declared"`
		}{1, filepath.ToSlash(path), action, sys.Declared()})
		return exitOK
	}
	about := map[string]string{
		"create": "written", "update": "written anew", "same": "up to date", "remove": "removed: nothing declares autonomy any more",
		"none": "not there, and not needed: nothing declares autonomy",
	}
	fmt.Fprintf(c.stdout, "%s: %s\n", printable(filepath.ToSlash(path)), about[action])
	return exitOK
}

// writeRendered brings a file to the rendered bytes; nil bytes are no file.
func writeRendered(path, within string, data []byte) (action string, err error) {
	old, _, err := atomicfile.Read(within, path, systempolicy.MaxRenderedBytes)
	exists := err == nil
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	case data == nil && !exists:
		return "none", nil
	case data == nil:
		target, err := atomicfile.Resolve(within, path)
		if err != nil {
			return "", err
		}
		return "remove", os.Remove(target)
	case exists && string(old) == string(data):
		return "same", nil
	}
	if err := atomicfile.MkdirAll(within, filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	if exists {
		return "update", atomicfile.Write(within, path, data, 0o644)
	}
	return "create", atomicfile.Write(within, path, data, 0o644)
}
