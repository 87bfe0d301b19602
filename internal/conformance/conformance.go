// Package conformance reads the recorded cases, which lie outside the repository, for tests.
package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Env names the folder of the recorded cases; its default is shared/conformance beside the repository.
const Env = "AMBIT_CONFORMANCE"

// Dir gives the folder of the recorded cases, and whether it is the default one, for which the named minima hold.
// The test is skipped where there is none.
func Dir(t testing.TB) (dir string, standard bool) {
	t.Helper()
	_, self, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("conformance: no source position")
	}
	standard = true
	dir = filepath.Join(filepath.Dir(self), "..", "..", "..", "shared", "conformance")
	if v := os.Getenv(Env); v != "" {
		dir, standard = v, false
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("conformance: no recorded cases at %s", dir)
	}
	return dir, standard
}

// File gives the bytes of one recorded file, unzipped when its name ends in .gz.
func File(t testing.TB, name string) []byte {
	t.Helper()
	dir, _ := Dir(t)
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(zr); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// Run decodes every line of a JSON-lines file into a fresh T and runs f on it as a subtest; name gives the subtest's
// name, and "" stands for its number. It prints "conformance: FILE ran N of M" and fails when fewer than minimum rows
// ran (in the default folder; elsewhere, when none did). A row whose f skips did not run.
func Run[T any](t *testing.T, file string, minimum int, name func(T) string, f func(t *testing.T, row T)) {
	t.Helper()
	_, standard := Dir(t)
	if !standard {
		minimum = 1
	}
	total, ran := 0, 0
	sc := bufio.NewScanner(bytes.NewReader(File(t, file)))
	sc.Buffer(make([]byte, 1<<20), 64<<20)
	for sc.Scan() {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		total++
		var row T
		dec := json.NewDecoder(bytes.NewReader(sc.Bytes()))
		dec.UseNumber()
		if err := dec.Decode(&row); err != nil {
			t.Errorf("%s:%d: %v", file, total, err)
			continue
		}
		id := strconv.Itoa(total)
		if n := name(row); n != "" {
			id = n
		}
		t.Run(id, func(t *testing.T) {
			defer func() {
				if !t.Skipped() {
					ran++
				}
			}()
			f(t, row)
		})
	}
	if err := sc.Err(); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	Report(t, file, ran, total, minimum)
}

// Report prints the line that the continuous integration sums, for tests that walk a file by themselves.
func Report(t testing.TB, file string, ran, total, minimum int) {
	t.Helper()
	fmt.Printf("\nconformance: %s ran %d of %d\n", file, ran, total)
	if ran < minimum {
		t.Errorf("conformance: %s ran %d of %d cases, want at least %d", file, ran, total, minimum)
	}
}

// Text is a recorded file: UTF-8 text, other bytes, or a symbolic link.
type Text struct {
	Text    *string `json:"text"`
	Base64  *string `json:"base64"`
	Symlink *string `json:"symlink"`
	Mode    string  `json:"mode"` // octal; "" is 0644
}

// Bytes gives the file's content; a link has none.
func (x Text) Bytes() []byte {
	switch {
	case x.Text != nil:
		return []byte(*x.Text)
	case x.Base64 != nil:
		b, err := base64.StdEncoding.DecodeString(*x.Base64)
		if err != nil {
			panic("conformance: " + err.Error())
		}
		return b
	}
	return nil
}

// Tree maps slash-separated relative paths to files.
type Tree map[string]Text

// Write lays the tree below dir.
func (tr Tree) Write(t testing.TB, dir string) {
	t.Helper()
	for name, x := range tr {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if x.Symlink != nil {
			_ = os.Remove(path)
			if err := os.Symlink(*x.Symlink, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		mode := fs.FileMode(0o644)
		if x.Mode != "" {
			m, err := strconv.ParseUint(x.Mode, 8, 32)
			if err != nil {
				t.Fatal(err)
			}
			mode = fs.FileMode(m)
		}
		if err := os.WriteFile(path, x.Bytes(), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}
