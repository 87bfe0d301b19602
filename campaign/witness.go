package campaign

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

// Bounds of a builder's run. // P31
const (
	DefaultTimeout = 45 * time.Second       // of Builder.Timeout 0
	MaxOutput      = 1 << 20                // bytes of each stream: a report is a page
	grace          = 500 * time.Millisecond // for what a dead process left behind
)

// Builder is the live witness: it runs a campaign builder in its check-only mode, as
//
//	<interpreter> <builder> --check --report --max-targets <n>
//
// with an empty standard input and an environment of its own, and compares the whole work tree before and after. It is
// started once. Path, Interpreter and Root are absolute, and are never searched for. The builder is a regular file that
// only root or the caller may change. // P31 to P34
type Builder struct {
	Path        string        // the program that is run
	Interpreter string        // "": the builder is run itself
	Root        string        // its working folder
	Timeout     time.Duration // 0 is DefaultTimeout
	Env         []string      // NAME=value, beside the fixed few
	Watch       []string      // narrows a tree that is too large to these slash-separated paths below the work tree

	weaker  int  // for tests: how many of the ways to contain a process are not tried
	unbound bool // for tests: no Landlock
}

// confinements says what kept the builder from writing, or found out: the closed set of Live.Confinement.
var confinements = []string{"snapshot", "landlock+snapshot"}

// containments says what was ended with the builder: the closed set of Live.Containment. Only the first claims that no
// descendant is left.
var containments = []string{"pid_namespace", "process_group+nonce", "process_group", "process"}

// nonceName is the variable by which a descendant is found again that left the process group.
const nonceName = "AMBIT_CAMPAIGN_NONCE"

// Observe runs the builder and says what it saw. The context ends it early, as the time limit does.
func (b Builder) Observe(ctx context.Context, maxTargets int) Observation {
	o := Observation{BuilderRef: b.ref()}
	refuse := func(c Code) Observation { o.ErrorCode = c; return o }
	sum, err := b.check()
	if err != nil {
		return refuse(BuilderNotStarted)
	}
	scratch, err := os.MkdirTemp("", "ambit-campaign-")
	if err != nil {
		return refuse(BuilderNotStarted)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	w, err := b.watched(scratch)
	if err != nil {
		return refuse(BuilderNotStarted)
	}
	before, err := w.take(ctx)
	switch {
	case errors.Is(err, errTreeTooLarge):
		return refuse(TreeTooLarge)
	case err != nil:
		return refuse(BuilderNotStarted)
	}
	l := &Live{BuilderSHA256: sum, Watched: slices.Clone(b.Watch), TreeBefore: before.digest(), TreeFiles: len(before.entries)}
	report, code := b.run(ctx, scratch, maxTargets, l)
	if code == BuilderNotStarted {
		return refuse(code)
	}
	o.Live, o.ErrorCode = l, code
	after, err := w.take(context.WithoutCancel(ctx)) // what was changed is reported also when time is up
	if err != nil {
		return refuse(TreeTooLarge)
	}
	l.TreeAfter = after.digest()
	changed := before.changes(after)
	l.ChangedCount, l.Changed = len(changed), b.shown(changed)
	if code == "" && *l.ReturnCode == 0 {
		o.SourceDigest, o.ErrorCode = l.read(report)
		if b.tells(l.Slug) || b.tells(o.SourceDigest) {
			l.Slug, o.SourceDigest, o.ErrorCode = "", "", BuilderReportInvalid
		}
	}
	if o.ErrorCode == "" && !l.unchanged() {
		o.ErrorCode = BuilderWrote
	}
	return o
}

// ref names the builder relative to its root.
func (b Builder) ref() string {
	rel, err := filepath.Rel(b.Root, b.Path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || filepath.IsAbs(rel) {
		rel = filepath.Base(b.Path)
	}
	if rel = filepath.ToSlash(rel); usableText(rel) != "" {
		rel = named(rel)
	}
	return rel
}

// check looks at the program and the folder before anything is started, and gives the builder's SHA-256. // H11, H31
func (b Builder) check() (string, error) {
	for _, p := range []string{b.Path, b.Root} {
		if !filepath.IsAbs(p) {
			return "", fmt.Errorf("%s is not absolute", p)
		}
	}
	if info, err := os.Stat(b.Root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", b.Root)
	}
	if b.Interpreter != "" {
		real, err := filepath.EvalSymlinks(b.Interpreter)
		if err != nil {
			return "", err
		}
		info, err := os.Stat(real)
		if err != nil || !filepath.IsAbs(b.Interpreter) || !info.Mode().IsRegular() || !trusted(info) {
			return "", fmt.Errorf("%s is not a program to trust", b.Interpreter)
		}
	}
	before, err := os.Lstat(b.Path)
	if err != nil || !before.Mode().IsRegular() {
		return "", fmt.Errorf("%s: %w", b.Path, errNotRegular)
	}
	f, err := os.OpenFile(b.Path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !os.SameFile(before, info) || !trusted(info) {
		return "", fmt.Errorf("%s is not a program to trust", b.Path)
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// watched says which tree is compared, less the scratch folder.
func (b Builder) watched(scratch string) (watch, error) {
	root, err := filepath.EvalSymlinks(b.Root)
	if err != nil {
		return watch{}, err
	}
	w := watched(root)
	if w.skip, err = filepath.EvalSymlinks(scratch); err != nil {
		return watch{}, err
	}
	for _, p := range b.Watch {
		if !fs.ValidPath(p) {
			return watch{}, fmt.Errorf("%q is not a path below the work tree", p)
		}
		w.paths = append(w.paths, p)
	}
	return w, nil
}

// shown gives changed paths as they may stand in a record: one line each, and no value of the environment in them.
func (b Builder) shown(paths []string) []string {
	shown := slices.Clone(paths[:min(len(paths), MaxChanged)])
	for i, p := range shown {
		if b.tells(p) {
			shown[i] = "sha256:" + hexOf([]byte(p))
		}
	}
	return cleanPaths(shown, len(shown))
}

// tells reports a text that says a value of the environment that the caller gave.
func (b Builder) tells(text string) bool {
	return slices.ContainsFunc(b.Env, func(kv string) bool {
		_, value, _ := strings.Cut(kv, "=")
		return len(value) >= 4 && strings.Contains(text, value)
	})
}

// program is a start that is ready to happen.
type program struct {
	argv           []string
	dir            string
	env            []string
	stdout, stderr *os.File // the builder's ends of the pipes
	scratch        string
	nonce          string
	weaker         int
	unbound        bool
}

func (p program) command() *exec.Cmd {
	return &exec.Cmd{Path: p.argv[0], Args: p.argv, Dir: p.dir, Env: p.env, Stdout: p.stdout, Stderr: p.stderr}
}

// started is a program that runs. done is closed when it has ended and been waited for; code is set before.
type started struct {
	cmd  *exec.Cmd
	done chan struct{}
	code *int

	mu     sync.Mutex // held while the process is reaped, so that nothing is ever sent to a number that is free again
	reaped bool

	containment string
	leader      *leader // of a namespace of its own; nil without
	abi         int     // Landlock's level; 0 when not in force
	tcp         bool    // denied
}

// wait waits for the program, ends the group that it may have left, and notes how it ended.
func (s *started) wait() {
	if settle(s.cmd.Process.Pid) { // it has ended, and its number is still its own
		s.mu.Lock()
		killGroup(s.cmd.Process)
		_ = s.cmd.Wait()
	} else {
		_ = s.cmd.Wait()
		s.mu.Lock()
		killGroup(s.cmd.Process)
	}
	s.reaped = true
	s.mu.Unlock()
	s.leader.end()
	code := s.cmd.ProcessState.ExitCode()
	if ws, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		code = -int(ws.Signal())
	}
	s.code = &code
	close(s.done)
}

// kill ends the builder and its process group; in a namespace of its own, everything.
func (s *started) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reaped {
		killGroup(s.cmd.Process)
	}
}

// run starts the builder, reads what it prints, and ends it and whatever it left behind. It fills l, and gives the
// report's bytes.
func (b Builder) run(ctx context.Context, scratch string, maxTargets int, l *Live) (report []byte, code Code) {
	timeout := b.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	nonce := rand.Text()
	out, outEnd, err := os.Pipe()
	if err != nil {
		return nil, BuilderNotStarted
	}
	defer func() { _ = out.Close() }()
	errs, errsEnd, err := os.Pipe()
	if err != nil {
		_ = outEnd.Close()
		return nil, BuilderNotStarted
	}
	defer func() { _ = errs.Close() }()
	argv := []string{b.Path, "--check", "--report", "--max-targets", strconv.Itoa(maxTargets)}
	if b.Interpreter != "" {
		argv = slices.Insert(argv, 0, b.Interpreter)
	}
	p := program{
		argv: argv, dir: b.Root, env: b.environment(scratch, nonce), stdout: outEnd, stderr: errsEnd,
		scratch: scratch, nonce: nonce, weaker: b.weaker, unbound: b.unbound,
	}
	s, err := p.start()
	_, _ = outEnd.Close(), errsEnd.Close()
	if err != nil {
		return nil, BuilderNotStarted
	}
	l.Containment, l.Confinement, l.LandlockABI, l.DeniesTCP = s.containment, "snapshot", s.abi, s.tcp
	if s.abi > 0 {
		l.Confinement = "landlock+snapshot"
	}

	full := make(chan struct{}, 2) // one for each stream
	stdout, stderr := stream{full: full}, stream{full: full}
	var reading sync.WaitGroup
	reading.Go(func() { stdout.read(out) })
	reading.Go(func() { stderr.read(errs) })

	limit := time.NewTimer(timeout)
	defer limit.Stop()
	select {
	case <-s.done:
	case <-full:
		code = BuilderOutputLarge
	case <-limit.C:
		code = BuilderTimeout
	case <-ctx.Done():
		code = BuilderTimeout
	}
	s.kill()
	<-s.done
	s.sweep(nonce)
	_ = out.SetReadDeadline(time.Now().Add(grace)) // a descendant that got away may still hold them open
	_ = errs.SetReadDeadline(time.Now().Add(grace))
	reading.Wait()

	if code == "" && (stdout.over || stderr.over) {
		code = BuilderOutputLarge
	}
	if code == "" {
		l.ReturnCode = s.code
	}
	l.StdoutSHA256, l.StdoutBytes = stdout.sum()
	l.StderrSHA256, l.StderrBytes = stderr.sum()
	if code == "" && !utf8.Valid(stderr.kept) {
		code = BuilderReportInvalid // text is expected on both; what is not text is not looked at further
	}
	return stdout.kept, code
}

// environment is all that the builder gets to see of ours. // P31, H17
func (b Builder) environment(scratch, nonce string) []string {
	return slices.Concat([]string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + scratch, "TMPDIR=" + scratch,
		"LANG=C.UTF-8", "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1",
	}, b.Env, []string{nonceName + "=" + nonce})
}

// stream reads one output: at most MaxOutput bytes.
type stream struct {
	kept []byte
	over bool
	full chan<- struct{} // told when there is more
}

func (s *stream) read(f *os.File) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.Read(buf)
		if room := MaxOutput - len(s.kept); n > room {
			n, s.over = room, true
		}
		s.kept = append(s.kept, buf[:n]...)
		if s.over {
			s.full <- struct{}{}
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) sum() (string, int64) { return hexOf(s.kept), int64(len(s.kept)) }
