package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"example.com/ambit/envelope"
	"example.com/ambit/internal/atomicfile"
)

// read gives the bytes of a document below the root. One that is not there is silence; any other failure is an error of
// it, a link that leads nowhere among them.
func (d *doctor) read(file, kind string, limit int64) ([]byte, bool) {
	data, ok := d.fetch(file, limit)
	if at, _ := d.culprit(file); ok || at == file && d.exists(file) {
		d.found(file, kind)
	}
	return data, ok
}

// fetch is read of a file that is no document.
func (d *doctor) fetch(file string, limit int64) ([]byte, bool) {
	data, _, err := atomicfile.Read(d.folder, d.path(file), limit)
	if err == nil {
		return data, true
	}
	at, why := d.culprit(file)
	if why == nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false
		}
		why = err
	}
	d.unreadable(at, why)
	return nil, false
}

// culprit gives the first part of a path that is there and is no way to the file: a link that leads nowhere, a file in
// place of a folder, a folder that may not be searched. Else it is the file, and nil.
func (d *doctor) culprit(file string) (string, error) {
	parts := strings.Split(file, "/")
	for i := range parts {
		part := path.Join(parts[:i+1]...)
		info, err := os.Stat(d.path(part))
		switch {
		case errors.Is(err, fs.ErrPermission) && i > 0:
			return path.Join(parts[:i]...), fs.ErrPermission
		case err != nil:
			if to, linkErr := os.Readlink(d.path(part)); linkErr == nil {
				if errors.Is(err, syscall.ELOOP) {
					return part, errors.New("it is a link that leads back to itself")
				}
				return part, fmt.Errorf("it is a link to %s, which is not there", filepath.ToSlash(to))
			}
			return file, nil
		case i < len(parts)-1 && !info.IsDir():
			return part, errors.New("it is no folder")
		}
	}
	return file, nil
}

// unreadable reports that a file, or a folder on the way to one, cannot be read.
func (d *doctor) unreadable(file string, err error) {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	fix := "make it a regular file inside the folder that you may read"
	switch {
	case errors.Is(err, fs.ErrPermission):
		fix = "chmod u+rX " + shellWord(file)
	case errors.Is(err, atomicfile.ErrTooLarge):
		fix = "make it shorter; nothing reads a file of that size"
	}
	d.add(severityError, "unreadable", file, 0, err.Error(), fix)
}

// blocked reports whether a file, or a folder on the way to it, was said to be unreadable.
func (d *doctor) blocked(file string) bool {
	return slices.ContainsFunc(d.findings, func(f finding) bool {
		return f.Code == "unreadable" && (f.File == file || f.File == "." || strings.HasPrefix(file, f.File+"/"))
	})
}

// broken reports whether a file has an error.
func (d *doctor) broken(file string) bool {
	return slices.ContainsFunc(d.findings, func(f finding) bool { return f.File == file && f.Severity == severityError })
}

func (d *doctor) path(file string) string { return filepath.Join(d.folder, filepath.FromSlash(file)) }

// exists reports whether something of that name is below the root, be it a link that leads nowhere.
func (d *doctor) exists(file string) bool {
	_, err := os.Lstat(d.path(file))
	return err == nil
}

// glob gives the files of a folder below the root that match, slash-separated and sorted. One of ownFolders that is
// there and cannot be listed is an error of it.
func (d *doctor) glob(folder, pattern string) (out []string) {
	for _, name := range d.list(folder) {
		if ok, _ := path.Match(pattern, name); ok {
			out = append(out, path.Join(folder, name))
		}
	}
	return out
}

// ownFolders are those whose names mean what this program knows of; others may be anything.
var ownFolders = []string{".", envelope.Folder, ".aioson", ".aioson/config", ".claude", ".codex", codexRulesFolder, ".opencode", ".gemini", ".gemini/policies", ".cursor", ".github/hooks", applicationsFolder}

// list gives the names in a folder below the root, sorted.
func (d *doctor) list(folder string) (names []string) {
	if listed, done := d.listed[folder]; done {
		return listed
	}
	entries, err := os.ReadDir(d.path(folder))
	if err != nil {
		at, why := d.culprit(folder)
		if why == nil && !errors.Is(err, fs.ErrNotExist) {
			why = err
		}
		if why != nil && slices.Contains(ownFolders, folder) {
			d.unreadable(at, why)
		}
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if d.listed == nil {
		d.listed = map[string][]string{}
	}
	d.listed[folder] = names
	return names
}

// glance reads a file that may be no document at all, and says nothing of one that it cannot read.
func (d *doctor) glance(file string) ([]byte, bool) {
	data, _, err := atomicfile.Read(d.folder, d.path(file), maxGlance)
	return data, err == nil
}

func (d *doctor) isFolder(file string) bool {
	info, err := os.Stat(d.path(file))
	return err == nil && info.IsDir()
}

// sameFile reports whether two names stand for one file.
func (d *doctor) sameFile(a, b string) bool {
	x, errX := os.Stat(d.path(a))
	y, errY := os.Stat(d.path(b))
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (d *doctor) isLink(file string) bool {
	_, err := os.Readlink(d.path(file))
	return err == nil
}

// saidOften reports whether a file has so many findings of a kind that one more says nothing.
func (d *doctor) saidOften(file, code string) bool {
	n := 0
	for _, f := range d.findings {
		if f.File == file && f.Code == code {
			n++
		}
	}
	return n >= 20
}
