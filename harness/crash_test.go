package harness_test

import (
	"bufio"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/ambit/harness"
	"example.com/ambit/internal/regime"
	"github.com/google/go-cmp/cmp"
)

const (
	killedRoot = "AMBIT_TEST_KILLED_ROOT"
	killedStep = "AMBIT_TEST_KILLED_STEP"
)

func self(t *testing.T) *os.Process {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	livedFiles = map[string]string{
		".claude/settings.json": `{"env": {"A": "1"}, "permissions": {"allow": ["Read", "Bash(git status)"], "deny": ["Read(.env)"]}}`,
		"opencode.json":         `{"permission": {"bash": {"*": "ask", "git push *": "ask", "ls *": "allow"}}}`,
	}
	firstLife  = small
	secondLife = strings.NewReplacer(`"git status", "git log *"`, `"ls", "git log *"`, `"git push *", "curl * | sh"`, `"git clean *"`).Replace(small)
)

// TestKilledHelper is the process that is killed: it plans, says so, waits to be told, and applies.
func TestKilledHelper(t *testing.T) {
	root := os.Getenv(killedRoot)
	if root == "" {
		t.Skip("runs inside TestKilledAnywhere")
	}
	c, err := harness.Plan(root, protocol(t, secondLife), harness.Options{Native: true, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	if at := os.Getenv(killedStep); at != "" {
		harness.SetFault(c, func(step string) error {
			if step == at {
				_ = self(t).Kill()
				select {} // it comes at once
			}
			return nil
		})
	}
	if _, err := os.Stdout.WriteString("ready\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Apply(c); err != nil {
		t.Fatal(err)
	}
}

// withoutBackups is a tree as far as it must be the same whatever happened on the way.
func withoutBackups(files map[string]string) map[string]string {
	out := map[string]string{}
	for path, text := range files {
		if !strings.HasPrefix(path, harness.BackupsPath) && !strings.Contains(path, ".atomic-tmp") {
			out[path] = text
		}
	}
	return out
}

// TestKilledAnywhere kills a run at random points: every file is then the old or the new one, and a second run completes
// it with the right ownership.
func TestKilledAnywhere(t *testing.T) {
	steps := []string{"prepare 0", "prepare 4", "ledger", "commit 0", "commit 1", "commit 2", "commit 3", "commit 4", "confirm"}
	n := max(len(steps), regime.Cases(t, 50, 1000))
	native := harness.Options{Native: true}
	lived := func() string {
		root := fastDir(t)
		for path, text := range livedFiles {
			put(t, root, path, text)
		}
		materialize(t, root, protocol(t, firstLife), native)
		return root
	}
	quiet := lived()
	old := withoutBackups(tree(t, quiet))
	took := time.Hour
	for range 5 {
		materialize(t, quiet, protocol(t, firstLife), native)
		start := time.Now()
		materialize(t, quiet, protocol(t, secondLife), native)
		took = min(took, time.Since(start))
	}
	want := withoutBackups(tree(t, quiet))
	materialize(t, quiet, protocol(t, firstLife), native)
	back := withoutBackups(tree(t, quiet))

	untouched, torn, whole := 0, 0, 0
	for i := range n {
		root := lived()
		step := ""
		if i < len(steps) {
			step = steps[i]
		}
		kill(t, root, step, time.Duration(rand.Int64N(int64(took))))
		got := withoutBackups(tree(t, root))
		news, olds := 0, 0
		for path, text := range got {
			switch {
			case path == harness.LedgerPath:
			case text == want[path]:
				news++
				if text == old[path] {
					olds++
				}
			case text == old[path]:
				olds++
			default:
				t.Fatalf("%s is neither the old nor the new file:\n%s", path, text)
			}
		}
		switch len(want) - 1 {
		case olds:
			untouched++
		case news:
			whole++
		default:
			torn++
		}
		materialize(t, root, protocol(t, secondLife), native)
		if d := cmp.Diff(want, withoutBackups(tree(t, root))); d != "" {
			t.Fatalf("the second run (-want +got):\n%s", d)
		}
		materialize(t, root, protocol(t, firstLife), native)
		if d := cmp.Diff(back, withoutBackups(tree(t, root))); d != "" {
			t.Fatalf("the way back (-want +got):\n%s", d)
		}
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("killed %d times: before %d, between %d, after %d (of a run of %v)", n, untouched, torn, whole, took)
	if torn < 4 {
		t.Errorf("only %d were killed between two files", torn)
	}
}

// kill runs the helper and kills it that long after it began to write.
// With a step it dies there by itself.
func kill(t *testing.T, root, step string, after time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledHelper$")
	cmd.Env = append(os.Environ(), killedRoot+"="+root, killedStep+"="+step)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != "ready\n" {
		rest, _ := io.ReadAll(lines)
		t.Fatalf("the helper said %q%s (%v)", line, rest, err)
	}
	if _, err := in.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	if step == "" {
		for start := time.Now(); time.Since(start) < after; { // a sleep is too coarse
			runtime.Gosched()
		}
		_ = cmd.Process.Kill()
	}
	_, _ = io.Copy(io.Discard, lines)
	_ = cmd.Wait()
}
