package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
	"example.com/ambit/tiers"
)

// BackupsPath is where backups lie below the root; slash-separated (K16).
const BackupsPath = ".aioson/backups"

const (
	backupFolder = "permissions"
	manifestName = "manifest.json"
)

// manifest says what a backup holds.
type manifest struct {
	Version int            `json:"version"`
	Stamp   string         `json:"stamp"`
	Files   []manifestFile `json:"files"`
}

type manifestFile struct {
	Target Target `json:"target"`
	Path   string `json:"path"`   // slash-separated, below the root and below the backup's folder
	SHA256 string `json:"sha256"` // of the copy
	Mode   string `json:"mode"`   // octal
	After  string `json:"after"`  // the SHA-256 of what took its place; "" when the file was removed

	// What the ledger knew of the copy: it comes back with it, so that a rule is ours exactly where we wrote it.
	Record *record `json:"record,omitempty"`
}

// backup is one folder of copies.
type backup struct {
	folder string // of the stamp
	stamp  string
	copies []string
}

// stampOf writes a time as the name of a backup.
func stampOf(t time.Time) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// backUp copies every file that will change or go; nil when none does. The manifest comes last: a folder without one is
// a run that was killed.
func (c *Changes) backUp() (*backup, error) {
	var files []FileChange
	for _, f := range c.Files {
		if f.Action == Update || f.Action == Remove {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	b, err := newBackup(c.Root, stampOf(c.options.Now))
	if err != nil {
		return nil, err
	}
	if err := b.fill(c, files); err != nil {
		b.remove()
		return nil, err
	}
	return b, nil
}

// newBackup makes a folder that was not there, with a counter where the stamp is taken (H22).
func newBackup(root, stamp string) (*backup, error) {
	all := filepath.Join(root, filepath.FromSlash(BackupsPath))
	if err := atomicfile.MkdirAll(root, all, 0o700); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		b := &backup{stamp: stamp}
		if n > 1 {
			b.stamp += "-" + strconv.Itoa(n)
		}
		b.folder = filepath.Join(all, b.stamp)
		err := os.Mkdir(b.folder, 0o700)
		if err == nil {
			return b, nil
		}
		if !errors.Is(err, fs.ErrExist) || n == 10_000 {
			return nil, err
		}
	}
}

func (b *backup) fill(c *Changes, files []FileChange) error {
	m := manifest{Version: 1, Stamp: b.stamp}
	put := func(path string, data []byte, mode fs.FileMode) error {
		if c.fault != nil {
			if err := c.fault("backup " + path); err != nil {
				return err
			}
		}
		name := filepath.Join(b.folder, backupFolder, filepath.FromSlash(path))
		if err := atomicfile.MkdirAll(b.folder, filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := atomicfile.Create(b.folder, name, data, mode); err != nil {
			return err
		}
		return os.Chmod(name, mode) // whatever the umask
	}
	for _, f := range files {
		if err := put(f.Path, f.old, f.mode); err != nil {
			return err
		}
		after := ""
		if f.Action == Update {
			after = hash(f.new)
		}
		m.Files = append(m.Files, manifestFile{f.Target, f.Path, hash(f.old), fmt.Sprintf("%04o", f.mode), after, c.ledger.Files[f.Path].standing(f.old)})
		b.copies = append(b.copies, strings.Join([]string{BackupsPath, b.stamp, backupFolder, f.Path}, "/"))
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return err
	}
	return put(manifestName, text.Bytes(), 0o600)
}

// remove takes the folder away again; nil is no folder.
func (b *backup) remove() {
	if b != nil {
		_ = os.RemoveAll(b.folder)
	}
}

// stampForm is what a stamp looks like: no text from outside names any other folder.
var stampForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-\d{1,5})?$`) })

// PlanRestore says what putting a backup back would do (K16): each file as the backup has it, proved against the
// protocol like any other: a rule that is tier3 does not come back.
func PlanRestore(root string, p *tiers.Protocol, stamp string, o Options) (*Changes, error) {
	return steady(root, func(c *Changes) error { return c.planRestore(p, stamp) }, o)
}

func (c *Changes) planRestore(p *tiers.Protocol, stamp string) error {
	m, err := readManifest(c.Root, stamp)
	if err != nil {
		return err
	}
	for _, saved := range m.Files {
		f := planRestored(c, p, m.Stamp, saved)
		c.Files = append(c.Files, f)
		switch {
		case f.Err != nil:
		case saved.Record == nil:
			delete(c.next.Files, f.Path)
		default:
			r := *saved.Record
			r.Target, r.Pending = saved.Target, nil
			c.next.Files[f.Path] = &r
		}
	}
	return nil
}

func readManifest(root, stamp string) (manifest, error) {
	var m manifest
	if !stampForm().MatchString(stamp) {
		return m, fmt.Errorf("backup %q is %w; a name is like 2026-07-05T14-30-00-000Z", stamp, ErrUnknown)
	}
	path := strings.Join([]string{BackupsPath, stamp, backupFolder, manifestName}, "/")
	data, exists, _, err := readLive(root, path)
	switch {
	case err != nil:
		return m, err
	case !exists:
		return m, fmt.Errorf("backup %s is %w, or has no manifest", stamp, ErrUnknown)
	}
	name := filepath.Join(root, filepath.FromSlash(path))
	if _, err := canonjson.Parse(name, data, jsonLimits); err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, &Error{File: name, Code: CodeBackup, Err: err}
	}
	if m.Version != 1 || m.Stamp != stamp {
		return m, &Error{File: name, Code: CodeBackup, Err: fmt.Errorf("version %d of %q, want version 1 of %q", m.Version, m.Stamp, stamp)}
	}
	return m, nil
}

// planRestored makes one file's change. Only files that this package writes are put back, wherever a manifest points.
func planRestored(c *Changes, p *tiers.Protocol, stamp string, saved manifestFile) FileChange {
	f := FileChange{Target: saved.Target, Path: saved.Path}
	name := filepath.Join(c.Root, filepath.FromSlash(saved.Path))
	refuse := func(err error) FileChange {
		f.Action, f.Err = Refuse, err
		return f
	}
	if saved.Path != saved.Target.Path() && !(saved.Target == OpenCodeConfig && saved.Path == "opencode.jsonc") {
		return refuse(&fault.Error{File: name, Code: CodeBackup, Err: fmt.Errorf("it is not a file of %s: %w", saved.Target, ErrRefused)})
	}
	var err error
	if f.old, f.exists, f.mode, err = readLive(c.Root, f.Path); err != nil {
		return refuse(err)
	}
	data, exists, mode, err := readLive(c.Root, strings.Join([]string{BackupsPath, stamp, backupFolder, saved.Path}, "/"))
	if err != nil {
		return refuse(err)
	}
	if !exists || hash(data) != saved.SHA256 {
		return refuse(&Error{File: name, Code: CodeBackup, Err: fmt.Errorf("the backup's copy is not what its manifest says: %w", ErrRefused)})
	}
	if !f.exists {
		f.mode = mode
	}
	s := newSets(p, tiers.Tool{Name: saved.Target.Tool().String()})
	generated := saved.Record.owned("allow")
	if saved.Target.row().whole {
		generated, _ = saved.Target.row().allows(name, data)
	}
	if err := prove(saved.Target, name, data, generated, s); err != nil {
		return refuse(err)
	}
	f.become(data)
	return f
}
