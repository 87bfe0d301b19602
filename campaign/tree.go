package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Bounds of what is watched without being told which paths. // P33
const (
	MaxTreeFiles = 200_000 // paths of every kind
	MaxTreeBytes = 4 << 30 // 4 GiB in all
)

var errTreeTooLarge = errors.New("the tree is too large")

// tree is what a folder held at one moment: every path's type, permissions, size, and SHA-256 or link target. Owners
// and times are not part of it.
type tree struct {
	entries []entry // sorted by path
}

type entry struct {
	path string // slash-separated, relative to the watched root
	mode fs.FileMode
	size int64
	sum  digest
	link string
	file string // where to read it; "" when its content is not part of the tree
}

// watch is what a tree is taken of.
type watch struct {
	root  string            // the folder
	paths []string          // narrows it: slash-separated paths below root; nil is everything
	more  map[string]string // further folders by the prefix that their paths get: a git folder that lies elsewhere
	skip  string            // one path that is not looked at: the scratch folder
	limit treeLimit
}

type treeLimit struct {
	files int
	bytes int64
}

// take walks and hashes. An unreadable file is an entry of its own kind, not an error: its permissions are watched.
func (w watch) take(ctx context.Context) (tree, error) {
	k := walker{watch: w, ctx: ctx}
	switch {
	case w.paths == nil:
		k.walk(w.root, "", "")
	default:
		for _, p := range w.paths {
			k.one(filepath.Join(w.root, filepath.FromSlash(p)), p, "")
		}
		k.one(filepath.Join(w.root, ".git"), ".git", "")
	}
	for prefix, dir := range w.more {
		k.walk(dir, prefix, prefix)
	}
	if k.err == nil {
		k.err = k.hash()
	}
	if k.err != nil {
		return tree{}, k.err
	}
	slices.SortFunc(k.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return tree{slices.CompactFunc(k.entries, func(a, b entry) bool { return a.path == b.path })}, nil
}

// digest is a digest of the whole tree.
func (t tree) digest() string {
	h := sha256.New()
	var n [8]byte
	text := func(s string) {
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		io.WriteString(h, s)
	}
	for _, e := range t.entries {
		text(e.path)
		binary.BigEndian.PutUint64(n[:], uint64(e.mode))
		h.Write(n[:])
		binary.BigEndian.PutUint64(n[:], uint64(e.size))
		h.Write(n[:])
		h.Write(e.sum[:])
		text(e.link)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// changes gives the paths in which two trees differ, sorted.
func (t tree) changes(after tree) []string {
	var out []string
	a, b := t.entries, after.entries
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].path < b[0].path:
			out, a = append(out, a[0].path), a[1:]
		case len(a) == 0 || b[0].path < a[0].path:
			out, b = append(out, b[0].path), b[1:]
		default:
			if !a[0].same(b[0]) {
				out = append(out, a[0].path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

func (e entry) same(f entry) bool {
	return e.mode == f.mode && e.size == f.size && e.sum == f.sum && e.link == f.link
}

type walker struct {
	watch
	ctx     context.Context
	entries []entry
	err     error
}

func (k *walker) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

// add appends an entry while the limit on their number allows.
func (k *walker) add(e entry) {
	k.entries = append(k.entries, e)
	if len(k.entries) > k.limit.files {
		k.fail(fmt.Errorf("%w: more than %d files", errTreeTooLarge, k.limit.files))
	}
}

// walk adds what a folder holds. git is the path of the git folder that it is or lies in, "" for none.
func (k *walker) walk(dir, rel, git string) {
	if k.err != nil {
		return
	}
	if err := k.ctx.Err(); err != nil {
		k.fail(err)
		return
	}
	list, err := readFolder(dir)
	if err != nil {
		k.add(entry{path: rel + "/", link: "unreadable"})
		return
	}
	for _, d := range list {
		if k.err != nil {
			return
		}
		p := path.Join(rel, d.Name())
		full := dir + string(filepath.Separator) + d.Name()
		if d.Type().IsRegular() && !objects(p, git) {
			k.add(entry{path: p, file: full}) // looked at when it is hashed, once and through one open file
			continue
		}
		k.one(full, p, git)
	}
}

// one adds a path of any kind, and what is below it. A path that is not there is an entry as well.
func (k *walker) one(full, rel, git string) {
	if k.err != nil || full == k.skip {
		return
	}
	info, err := os.Lstat(full)
	if err != nil {
		k.add(entry{path: rel, link: "absent"})
		return
	}
	e := entry{path: rel, mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		if e.link, err = os.Readlink(full); err != nil {
			e.link = "unreadable"
		}
	case info.IsDir():
		k.add(e)
		if git == "" && path.Base(rel) == ".git" {
			git = rel
		}
		k.walk(full, rel, git)
		return
	case info.Mode().IsRegular():
		e.size = info.Size()
		if !objects(rel, git) {
			e.file = full
		}
	}
	k.add(e)
}

// objects reports a path below a git folder whose content is named by its own hash: its name, size and permissions are
// watched, its content is not read. Everything else of a git folder is: refs, index, configuration, hooks.
func objects(rel, git string) bool {
	if git == "" {
		return false
	}
	rest := rel[len(git)+1:]
	return strings.HasPrefix(rest, "objects/") ||
		strings.HasPrefix(rest, "modules/") && strings.Contains(rest, "/objects/") && !strings.Contains(rest, "/refs/")
}

// hash reads the files, in as many workers as there are processors.
func (k *walker) hash() error {
	left := budget{}
	left.Store(k.limit.bytes)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(k.entries)/8+1) {
		wg.Go(func() {
			buf := make([]byte, 128<<10)
			const batch = 16
			for k.ctx.Err() == nil && left.Load() >= 0 {
				from := int(next.Add(batch)) - batch
				if from >= len(k.entries) {
					return
				}
				for i := from; i < min(from+batch, len(k.entries)); i++ {
					if e := &k.entries[i]; e.file != "" {
						e.read(buf, &left)
					}
				}
			}
		})
	}
	wg.Wait()
	if left.Load() < 0 {
		return fmt.Errorf("%w: more than %d bytes", errTreeTooLarge, k.limit.bytes)
	}
	return k.ctx.Err()
}

// budget is how many bytes may still be read; below zero nothing is.
type budget struct{ atomic.Int64 }

func (b *budget) take(n int64) bool { return b.Add(-n) >= 0 }

// read fills in an entry from its file, opened once. What the budget does not allow is not read.
func (e *entry) read(buf []byte, left *budget) {
	file := e.file
	e.file = ""
	f, err := os.OpenFile(file, os.O_RDONLY|openFlags, 0)
	if err != nil {
		e.unreadable(file)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		e.unreadable(file)
		return
	}
	e.mode = info.Mode()
	if !left.take(info.Size()) {
		return
	}
	h := sha256.New()
	for {
		n, err := f.Read(buf)
		e.size += int64(n)
		if n < len(buf) && e.size == info.Size() && e.size == int64(n) { // the common small file, in one read
			e.sum = sha256.Sum256(buf[:n])
			return
		}
		h.Write(buf[:n])
		switch {
		case err == io.EOF:
			h.Sum(e.sum[:0])
			return
		case err != nil:
			e.link = "unreadable"
			return
		case e.size > info.Size() && !left.take(int64(n)): // it grows while it is read
			return
		}
	}
}

// unreadable notes a file that cannot be opened by what can be seen of it.
func (e *entry) unreadable(file string) {
	e.link = "unreadable"
	if info, err := os.Lstat(file); err == nil {
		e.mode, e.size = info.Mode(), info.Size()
	}
}

// readFolder lists a folder unsorted, without following a link in its place.
func readFolder(dir string) ([]fs.DirEntry, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.ReadDir(-1)
}
