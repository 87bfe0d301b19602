package envelope

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"example.com/ambit/internal/atomicfile"
)

// Dir is a folder of envelopes on the disk: Root holds agents/, which holds one folder per agent. The zero value is
// the current folder. Links are followed while they stay inside the root; nothing outside it is read or written. // R49
type Dir struct {
	Root string           // "" is the current folder
	Now  func() time.Time // nil is time.Now

	observe func(operation, path string) // tests only: sees every file and folder that is opened
}

// Get reads the envelope of one agent: one small file, no folder scan, no lock. It fails with ErrUnknownAgent when
// there is no such file, and as ParseDocument does when the file is not sound. // S13, S20
func (d Dir) Get(agent string) (*Document, error) {
	if err := CheckAgent(agent); err != nil {
		return nil, err
	}
	if err := d.checkRoot(); err != nil {
		return nil, err
	}
	d.seen("read", d.path(agent))
	data, _, err := atomicfile.Read(d.root(), d.path(agent), maxFile)
	if err != nil {
		return nil, diskError(agent, err)
	}
	return ParseDocument(display(agent), agent, data)
}

// Init creates an empty envelope for an agent, approved by owner. An envelope that exists is left as it is, and the
// error then is ErrExists: of many calls at once one succeeds. // S12, R1, R45
func (d Dir) Init(agent, owner string) error {
	data, err := New(agent, owner, d.now())
	if err != nil {
		return err
	}
	if err := d.checkRoot(); err != nil {
		return err
	}
	file := d.path(agent)
	if err := atomicfile.MkdirAll(d.root(), filepath.Dir(file), 0o755); err != nil {
		e := diskError(agent, err)
		if e.Code == CodeUnknownAgent || e.Code == CodeExists { // a file where the folder should be, or a link to nothing
			e.Code, e.Err, e.Hint = CodeIO, err, ""
		}
		return e
	}
	d.seen("create", file)
	if err := atomicfile.Create(d.root(), file, data, 0o644); err != nil {
		return diskError(agent, err)
	}
	return nil
}

// Set does Document.Set on the envelope of an agent. It holds the envelope's lock from before the file is read until
// after it is replaced, so that concurrent calls lose nothing; a crash leaves the old file or the new one. A zero
// Change.Now is the clock of d, read under the lock. An act that changes nothing writes nothing. // S14, R46-R48
func (d Dir) Set(agent string, c Change) (Result, error) {
	given := c.Now
	if given.IsZero() {
		c.Now = d.now()
	}
	if err := errors.Join(CheckAgent(agent), c.check()); err != nil { // before any file is opened: R9
		return Result{}, err
	}
	var result Result
	err := d.update(agent, func(doc *Document) (err error) {
		if given.IsZero() {
			c.Now = d.now() // the lock may have taken a while, and the acts that it waited for must not seem to lie ahead: R22
		}
		result, err = doc.Set(c)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// Render does Document.Render on the envelope of an agent, under its lock, and reports whether anything changed.
func (d Dir) Render(agent string) (changed bool, err error) {
	if err := CheckAgent(agent); err != nil {
		return false, err
	}
	err = d.update(agent, func(doc *Document) (err error) {
		changed, err = doc.Render()
		return err
	})
	return changed && err == nil, err
}

func (d Dir) update(agent string, edit func(*Document) error) error {
	if err := d.checkRoot(); err != nil {
		return err
	}
	d.seen("update", d.path(agent))
	return updateFile(d.root(), d.path(agent), display(agent), agent, edit)
}

// updateFile edits one file under the lock of its folder.
func updateFile(root, file, name, agent string, edit func(*Document) error) error {
	var refused error
	_, err := atomicfile.Update(root, file, maxFile, 0, func(old []byte, exists bool) ([]byte, error) {
		if refused = nil; !exists {
			return nil, fs.ErrNotExist
		}
		doc, err := ParseDocument(name, agent, old)
		if err == nil {
			err = edit(doc)
		}
		if err != nil {
			refused = err
			return nil, err
		}
		return doc.Bytes(), nil
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return diskFault(name, agent, err)
	}
	return nil
}

// ReadFile reads an envelope wherever it lies, as Get does; a file path that ends in agents/NAME/autonomy-envelope.md
// must be the envelope of NAME. It is for people who check a file by hand: neither Root nor links limit where it lies.
func (d Dir) ReadFile(file string) (*Document, error) {
	agent := agentOf(file)
	d.seen("read", file)
	data, _, err := atomicfile.Read("", file, maxFile)
	if err != nil {
		return nil, diskFault(file, agent, err)
	}
	return ParseDocument(file, agent, data)
}

// RenderFile does Document.Render on a file wherever it lies, under the lock of its folder, and reports whether
// anything changed.
func (d Dir) RenderFile(file string) (changed bool, err error) {
	d.seen("update", file)
	err = updateFile("", file, file, agentOf(file), func(doc *Document) (err error) {
		changed, err = doc.Render()
		return err
	})
	return changed && err == nil, err
}

// agentOf gives the agent whose envelope lies at a path, "" where the path does not say. // R58
func agentOf(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	folder := filepath.Dir(abs)
	if filepath.Base(abs) != FileName || filepath.Base(filepath.Dir(folder)) != Folder {
		return ""
	}
	return filepath.Base(folder)
}

func (d Dir) root() string {
	if d.Root == "" {
		return "."
	}
	return d.Root
}

func (d Dir) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

func (d Dir) path(agent string) string { return filepath.Join(d.root(), Folder, agent, FileName) }

// display is the path of an envelope in messages: the same on every system and from every current folder.
func display(agent string) string { return path.Join(Folder, agent, FileName) }

func (d Dir) seen(operation, path string) {
	if d.observe != nil {
		d.observe(operation, path)
	}
}

func (d Dir) checkRoot() error {
	info, err := os.Stat(d.root())
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return &Error{File: d.root(), Code: CodeNoRoot, Err: fmt.Errorf("%w: %q is not a folder", ErrNoRoot, d.root())}
	case err != nil:
		return diskFault(d.root(), "", err)
	}
	return nil
}

// diskError gives an error of the disk the code and the words of this package.
func diskError(agent string, err error) *Error { return diskFault(display(agent), agent, err) }

func diskFault(name, agent string, err error) *Error {
	e := &Error{File: name, Code: CodeIO, Err: err}
	// The path is said by File already, and a path of the machine must not be in a message that tests compare.
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		e.Err = fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		e.Code, e.Err = CodeExists, ErrExists
		e.Hint = "it is left as it is; ambit envelope get shows it"
	case errors.Is(err, atomicfile.ErrOutsideRoot):
		e.Code = CodeOutsideRoot
	case errors.Is(err, atomicfile.ErrNotRegular):
		e.Code = CodeNotRegular
	case errors.Is(err, atomicfile.ErrTooLarge):
		e.Code = CodeTooLarge
	case errors.Is(err, atomicfile.ErrLocked):
		e.Code = CodeLocked
	case agent != "" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)):
		e.Code, e.Err = CodeUnknownAgent, fmt.Errorf("%w %q: there is no envelope", ErrUnknownAgent, agent) // R46
	}
	return e
}
