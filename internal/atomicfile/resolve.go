package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks bounds a chain of dangling links, as systems do.
const maxLinks = 40

// Resolve gives the absolute path at which a write to path happens: every link followed, a dangling one to the place
// that it names. The last element need not exist, its folder must. With a root other than "" the result lies below
// it, else the error wraps ErrOutsideRoot.
func Resolve(root, path string) (string, error) {
	real, err := follow(path)
	if err != nil {
		return "", err
	}
	if root != "" {
		if _, _, err := below(root, real, path); err != nil {
			return "", err
		}
	}
	return real, nil
}

func follow(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	for range maxLinks {
		dir, name := filepath.Split(abs) // unlike Dir it does not clean: "link/.." is not "."
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return "", err
		}
		abs = filepath.Join(dir, name)
		dest, err := os.Readlink(abs)
		if err != nil {
			return abs, nil // no link: nothing is there, or it appeared just now and is looked at when it is opened
		}
		if !filepath.IsAbs(dest) {
			dest = dir + string(filepath.Separator) + dest
		}
		abs = dest
	}
	return "", &fs.PathError{Op: "resolve", Path: path, Err: errors.New("too many links")}
}

// below gives the real root and the path of real relative to it.
func below(root, real, path string) (realRoot, rel string, err error) {
	if realRoot, err = filepath.Abs(root); err != nil {
		return "", "", err
	}
	if realRoot, err = filepath.EvalSymlinks(realRoot); err != nil {
		return "", "", err
	}
	rel, err = filepath.Rel(realRoot, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", "", &fs.PathError{Op: "open", Path: path, Err: ErrOutsideRoot}
	}
	return realRoot, rel, nil
}

// open gives the opened folder of the resolved target, reached without leaving the root, and the target's name in it.
func open(root, path string) (*os.Root, string, error) {
	real, err := follow(path)
	if err != nil {
		return nil, "", err
	}
	if root == "" {
		dir, err := os.OpenRoot(filepath.Dir(real))
		return dir, filepath.Base(real), err
	}
	realRoot, rel, err := below(root, real, path)
	if err != nil {
		return nil, "", err
	}
	top, err := os.OpenRoot(realRoot)
	if err != nil || filepath.Dir(rel) == "." {
		return top, filepath.Base(rel), err
	}
	defer func() { _ = top.Close() }()
	dir, err := top.OpenRoot(filepath.Dir(rel))
	return dir, filepath.Base(rel), err
}

// MkdirAll makes the folder and its parents, as os.MkdirAll does, and makes none outside the root.
func MkdirAll(root, folder string, perm fs.FileMode) error {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if root == "" {
		return os.MkdirAll(abs, perm)
	}
	// The part that exists is resolved; the rest is made below it.
	exists, rest := abs, ""
	real, err := filepath.EvalSymlinks(exists)
	for errors.Is(err, fs.ErrNotExist) && exists != filepath.Dir(exists) {
		if _, lerr := os.Lstat(exists); lerr == nil {
			if real, err = filepath.EvalSymlinks(exists); err == nil {
				break // somebody made it meanwhile
			}
			return err // a dangling link
		}
		rest = filepath.Join(filepath.Base(exists), rest)
		exists = filepath.Dir(exists)
		real, err = filepath.EvalSymlinks(exists)
	}
	if err != nil {
		return err
	}
	realRoot, rel, err := below(root, filepath.Join(real, rest), folder)
	if err != nil {
		return err
	}
	top, err := os.OpenRoot(realRoot)
	if err != nil {
		return err
	}
	defer func() { _ = top.Close() }()
	return top.MkdirAll(rel, perm)
}
