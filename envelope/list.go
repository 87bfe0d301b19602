package envelope

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"example.com/ambit/internal/atomicfile"
)

// Listed is one agent of a list.
type Listed struct {
	Agent    string    // the folder's name
	Envelope *Envelope // nil when Err is not; StateOf works all the same
	Err      error     // why the envelope cannot be believed: as of Get, but that bodies are not read
}

// List gives every agent that has an envelope, in the order of their names. It reads frontmatters only, so that its
// cost does not grow with the histories. A broken file is a row with an error; so is a folder with an envelope and a
// name that no agent can have. Passed over are folders without an envelope, names that begin with . or _, and files.
// The error says why there is no list at all: no root, no agents folder. Files are read by a few goroutines, which end
// with the loop. // S15, R39, R40, R45, R65
func (d Dir) List() (iter.Seq[Listed], error) {
	if err := d.checkRoot(); err != nil {
		return nil, err
	}
	agents, err := atomicfile.Resolve(d.root(), filepath.Join(d.root(), Folder))
	var entries []fs.DirEntry
	if err == nil {
		d.seen("list", agents)
		entries, err = os.ReadDir(agents)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, &Error{File: d.root(), Code: CodeNoRoot, Err: fmt.Errorf("%w: there is no folder %q in %q", ErrNoRoot, Folder, d.root())}
	case err != nil:
		return nil, diskFault(Folder, "", err)
	}
	return func(yield func(Listed) bool) { d.each(agents, entries, yield) }, nil
}

// ListAgent gives the row of List for one agent. It fails with ErrUnknownAgent where List has none.
func (d Dir) ListAgent(agent string) (Listed, error) {
	if err := CheckAgent(agent); err != nil {
		return Listed{}, err
	}
	if err := d.checkRoot(); err != nil {
		return Listed{}, err
	}
	l, _, ok := d.readListed(filepath.Join(d.root(), Folder), agent, false, nil)
	if !ok {
		return Listed{}, diskError(agent, fs.ErrNotExist)
	}
	return l, nil
}

const (
	listChunk   = 128 // agents that one goroutine reads in a row
	listWorkers = 16  // at most
)

// each reads chunks of agents ahead of the consumer, and yields them in order.
func (d Dir) each(agents string, entries []fs.DirEntry, yield func(Listed) bool) {
	var ahead []chan []Listed
	start := func() {
		n := min(listChunk, len(entries))
		chunk, out := entries[:n], make(chan []Listed, 1)
		entries = entries[n:]
		ahead = append(ahead, out)
		go func() { out <- d.readChunk(agents, chunk) }()
	}
	defer func() {
		for _, out := range ahead {
			<-out // no goroutine outlives the loop
		}
	}()
	for len(entries) > 0 || len(ahead) > 0 {
		for len(ahead) < workers() && len(entries) > 0 {
			start()
		}
		chunk := <-ahead[0]
		ahead = ahead[1:]
		for _, l := range chunk {
			if !yield(l) {
				return
			}
		}
	}
}

// workers is how many goroutines read at once: more than there are processors, since a disk may have to be waited for.
func workers() int { return min(listWorkers, 2*runtime.GOMAXPROCS(0)) }

func (d Dir) readChunk(agents string, entries []fs.DirEntry) []Listed {
	out := make([]Listed, 0, len(entries))
	buffer := make([]byte, 0, headSize)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0 {
			continue
		}
		var l Listed
		var ok bool
		if l, buffer, ok = d.readListed(agents, name, entry.IsDir(), buffer); ok {
			out = append(out, l)
		}
	}
	return out
}

// readListed reads one frontmatter; false when there is no envelope.
func (d Dir) readListed(agents, name string, folder bool, buffer []byte) (Listed, []byte, bool) {
	file := agents + string(filepath.Separator) + name + string(filepath.Separator) + FileName
	if err := agentFault(name); err != nil {
		if _, err := os.Lstat(file); err != nil {
			return Listed{}, buffer, false
		}
		return Listed{Agent: name, Err: &Error{File: display(name), Code: CodeBadName, Err: fmt.Errorf("%q is a %w; get cannot reach it", clip(name), err)}}, buffer, true
	}
	d.seen("head", file)
	data, err := buffer, errNotPlain
	if folder {
		data, err = readHead(file, buffer)
		buffer = data
	}
	if err == errNotPlain { // a link, or a system without the fast way
		data, _, err = atomicfile.Read(d.root(), d.path(name), maxFile)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Listed{}, buffer, false
	case err != nil:
		return Listed{Agent: name, Err: diskError(name, err)}, buffer, true
	}
	if e, ok := fastFront(name, data); ok {
		return Listed{Agent: name, Envelope: e}, buffer, true
	}
	e, err := readHeadOnly(display(name), name, data)
	return Listed{Agent: name, Envelope: e, Err: err}, buffer, true
}

// readHeadOnly is ParseDocument for the frontmatter alone. Bytes that are no text are refused where they stand in it.
func readHeadOnly(file, agent string, data []byte) (*Envelope, error) {
	head := data
	if f, problems := findFront(data); len(problems) == 0 {
		head = data[:f.body]
	}
	if problems := encodingProblems(head); len(problems) > 0 {
		return nil, named(file, problems)
	}
	e, _, _, err := readFront(file, agent, head)
	return e, err
}

// errNotPlain says that a file must be read the careful way.
var errNotPlain = errors.New("not a plain file in a plain folder")

// headSize is what is read of a file at first: most frontmatters are smaller.
const headSize = 4 << 10

// headDone reports whether data, the beginning of a file, holds the closing line of the frontmatter, or so much that
// it is too large anyway.
func headDone(data []byte) bool {
	if len(data) > maxFrontmatter+headSize {
		return true
	}
	for from := lineAt(data, 0).next; from < len(data); {
		l := lineAt(data, from)
		if text := data[l.start:l.end]; l.next > l.end && (isDelimiter(text, "---") || isDelimiter(text, "...")) {
			return true
		}
		from = l.next
	}
	return false
}
