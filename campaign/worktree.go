package campaign

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// watched gives what is watched around a builder's root: the work tree of the git repository that holds it, or the root
// itself when there is none. root is absolute and without links. // P33
func watched(root string) watch {
	w := watch{root: root, limit: treeLimit{MaxTreeFiles, MaxTreeBytes}}
	for dir := root; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case err == nil && info.IsDir():
			w.root = dir
			return w
		case err == nil && info.Mode().IsRegular():
			w.root = dir
			w.more = linkedGit(dir)
			return w
		case dir == filepath.Dir(dir):
			return w
		}
	}
}

// linkedGit finds the git folders that a linked work tree uses: its own, and the one that it shares. Their paths are
// shown as git:own/... and git:shared/...
func linkedGit(dir string) map[string]string {
	own, ok := pointed(filepath.Join(dir, ".git"), "gitdir:", dir)
	if !ok {
		return nil
	}
	more := map[string]string{"git:own": own}
	if shared, ok := pointed(filepath.Join(own, "commondir"), "", own); ok && shared != own {
		more["git:shared"] = shared
	}
	return more
}

// pointed reads a one-line file that names a folder, relative to base.
func pointed(file, prefix, base string) (string, bool) {
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return "", false
	}
	defer func() { _ = root.Close() }()
	data, err := readRegular(root, filepath.Base(file), 4096)
	if err != nil {
		return "", false
	}
	line, ok := strings.CutPrefix(strings.TrimSpace(string(data)), prefix)
	if !ok {
		return "", false
	}
	line = filepath.FromSlash(strings.TrimSpace(line))
	if !filepath.IsAbs(line) {
		line = filepath.Join(base, line)
	}
	info, err := os.Stat(line)
	return filepath.Clean(line), err == nil && info.Mode()&fs.ModeDir != 0
}
