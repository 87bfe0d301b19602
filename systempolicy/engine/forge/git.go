package forge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Git runs the git program on a clone. Every call has an explicit argument list, hooks and prompts off, and operands
// behind what ends options; it never touches the work tree, the index or the branch that is checked out.
type Git struct {
	Dir     string   // the top folder of the clone's work tree
	Program string   // "" is git
	Env     []string // "" is the environment of this process
	Hide    []string // names of environment variables that git has no business to see, such as an engine's token
}

// maxHistory is how many commits of one file are looked at; maxOutput is what their contents, and any other output of git, may take.
const (
	maxHistory = 10_000
	maxOutput  = 64 << 20
)

// Resolve gives the commit that a revision names; "" when there is none.
func (g Git) Resolve(ctx context.Context, revision string) (string, error) {
	out, err := g.run(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Top gives the top folder of the work tree.
func (g Git) Top(ctx context.Context) (string, error) {
	out, err := g.run(ctx, nil, "rev-parse", "--show-toplevel")
	return strings.TrimRight(string(out), "\r\n"), err
}

// Identity gives the name under which this person commits; "" when none is set.
func (g Git) Identity(ctx context.Context) string {
	out, err := g.run(ctx, nil, "config", "--get", "user.name")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Remote gives the address of a remote.
func (g Git) Remote(ctx context.Context, remote string) (string, error) {
	out, err := g.run(ctx, nil, "remote", "get-url", "--", remote)
	return strings.TrimSpace(string(out)), err
}

// Fetch brings a remote's branch up to date and gives its commit.
func (g Git) Fetch(ctx context.Context, remote, branch string) (string, error) {
	tracking := "refs/remotes/" + remote + "/" + branch
	if _, err := g.run(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--",
		remote, "+refs/heads/"+branch+":"+tracking); err != nil {
		return "", err
	}
	return g.Resolve(ctx, tracking)
}

// Read gives a file of a commit; ok is false when it has none, or when it is no regular file. path is slash-separated.
func (g Git) Read(ctx context.Context, commit, path string) (data []byte, ok bool, err error) {
	mode, blob, err := g.entry(ctx, commit, path)
	if err != nil || mode != "100644" && mode != "100755" {
		return nil, false, err
	}
	data, err = g.run(ctx, nil, "cat-file", "blob", blob)
	return data, err == nil, err
}

// entry gives the mode and object of a path in a commit; "" where there is none.
func (g Git) entry(ctx context.Context, commit, path string) (mode, object string, err error) {
	out, err := g.run(ctx, nil, "ls-tree", "-z", "--full-tree", commit, "--", path)
	if err != nil {
		return "", "", err
	}
	meta, name, _ := strings.Cut(strings.TrimSuffix(string(out), "\x00"), "\t")
	fields := strings.Fields(meta)
	if name != path || len(fields) != 3 || fields[1] != "blob" {
		return "", "", nil
	}
	return fields[0], fields[2], nil
}

// History gives every content that a file had in the history of a commit, its own included, each once, newest first.
func (g Git) History(ctx context.Context, commit, path string) ([][]byte, error) {
	// Full history: simplification would drop what one side of a merge had pinned.
	out, err := g.run(ctx, nil, "log", "--full-history", "--format=%H:"+strings.ReplaceAll(path, "%", "%%"), "--max-count="+strconv.Itoa(maxHistory), "--end-of-options", commit, "--", path)
	if err != nil {
		return nil, err
	}
	out, err = g.run(ctx, bytes.NewReader(out), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var versions [][]byte
	seen := map[string]bool{}
	for len(out) > 0 {
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		if bytes.HasSuffix(header, []byte(" missing")) { // a commit that deleted it
			out = rest
			continue
		}
		fields := strings.Fields(string(header))
		size, err := 0, errors.New("short header")
		if len(fields) == 3 {
			size, err = strconv.Atoi(fields[2])
		}
		if err != nil || size < 0 || size+1 > len(rest) {
			return nil, fmt.Errorf("git cat-file: %q cannot be read", header)
		}
		if fields[1] == "blob" && !seen[fields[0]] {
			seen[fields[0]] = true
			versions = append(versions, rest[:size])
		}
		out = rest[size+1:]
	}
	return versions, nil
}

// Commit writes a commit on top of base that changes only these files, and gives it. nil deletes a file. The mode of a
// file that exists is kept.
func (g Git) Commit(ctx context.Context, base string, files map[string][]byte, message string) (string, error) {
	dir, err := os.MkdirTemp("", "ambit-index")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	own := g
	own.Env = append(slices.Clone(g.environ()), "GIT_INDEX_FILE="+filepath.Join(dir, "index"))
	if _, err := own.run(ctx, nil, "read-tree", base); err != nil {
		return "", err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		mode, _, err := own.entry(ctx, base, path)
		if err != nil {
			return "", err
		}
		if files[path] == nil {
			if _, err := own.run(ctx, nil, "update-index", "--force-remove", "--", path); err != nil {
				return "", err
			}
			continue
		}
		switch mode {
		case "":
			mode = "100644"
		case "100644", "100755":
		default:
			return "", fmt.Errorf("%s is no regular file in %.12s", path, base)
		}
		blob, err := own.run(ctx, bytes.NewReader(files[path]), "hash-object", "-w", "--stdin")
		if err != nil {
			return "", err
		}
		if _, err := own.run(ctx, nil, "update-index", "--add", "--cacheinfo", mode+","+strings.TrimSpace(string(blob))+","+path); err != nil {
			return "", err
		}
	}
	tree, err := own.run(ctx, nil, "write-tree")
	if err != nil {
		return "", err
	}
	out, err := own.run(ctx, strings.NewReader(message), "commit-tree", "-p", base, "-F", "-", strings.TrimSpace(string(tree)))
	return strings.TrimSpace(string(out)), err
}

// Push makes the commit a new branch of the remote. A branch that is there already is ErrExists, also when two machines push at once:
// the remote decides.
func (g Git) Push(ctx context.Context, remote, commit, branch string) error {
	ref := "refs/heads/" + branch
	_, err := g.run(ctx, nil, "push", "--quiet", "--no-verify", "--no-follow-tags", "--no-recurse-submodules", "--force-with-lease="+ref+":", "--",
		remote, commit+":"+ref)
	if err == nil {
		return nil
	}
	if there, lsErr := g.run(ctx, nil, "ls-remote", "--", remote, ref); lsErr == nil && len(there) > 0 {
		if sha, _, _ := strings.Cut(string(there), "\t"); sha != commit {
			return fmt.Errorf("%s: %w", branch, ErrExists)
		}
		return nil // it arrived, only the answer did not
	}
	return err
}

// Unpush removes a branch of the remote again, if it is still at that commit.
func (g Git) Unpush(ctx context.Context, remote, commit, branch string) error {
	ref := "refs/heads/" + branch
	_, err := g.run(ctx, nil, "push", "--quiet", "--no-verify", "--no-recurse-submodules", "--force-with-lease="+ref+":"+commit, "--", remote, ":"+ref)
	return err
}

// run runs one git command and gives its standard output.
func (g Git) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	program := g.Program
	if program == "" {
		program = "git"
	}
	all := append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
		"-c", "commit.gpgSign=false", "-c", "protocol.ext.allow=never", "--literal-pathspecs"}, args...)
	cmd := exec.CommandContext(ctx, program, all...)
	cmd.Dir, cmd.Stdin, cmd.Env = g.Dir, stdin, g.environ()
	var out, errs limited
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], ctx.Err())
	case out.over:
		return nil, fmt.Errorf("git %s: more than %d bytes of output", args[0], maxOutput)
	case err != nil:
		said := strings.TrimSpace(errs.buf.String())
		if said != "" {
			said = ": " + userInfo.ReplaceAllString(lastLines(said, 3), "://")
		}
		return nil, fmt.Errorf("git %s: %w%s", args[0], err, said)
	}
	return out.buf.Bytes(), nil
}

// environ is what git sees: no prompt, no repository chosen from outside, the C locale, and nothing that is hidden.
func (g Git) environ() []string {
	env := g.Env
	if env == nil {
		env = os.Environ()
	}
	hidden := append([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_PREFIX", "GIT_TRACE", "GIT_TRACE_CURL", "GIT_CURL_VERBOSE"}, g.Hide...)
	if g.Env == nil {
		hidden = append(hidden, "GIT_INDEX_FILE")
	}
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(hidden, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
}

// userInfo is what git may repeat of a remote's address, and what may hold a password.
var userInfo = regexp.MustCompile(`://[^/@\s]*@`)

// limited keeps at most maxOutput bytes. The buffer is no embedded one: its ReadFrom would be taken instead of Write.
type limited struct {
	buf  bytes.Buffer
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := maxOutput - l.buf.Len(); len(p) > room {
		l.over = true
		l.buf.Write(p[:room])
		return len(p), nil
	}
	return l.buf.Write(p)
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}
