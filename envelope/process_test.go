package envelope

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
)

// The test binary is also the processes that these tests need: with this variable it loops sets and ends.
const childEnv = "AMBIT_TEST_SETS" // "root agent count name"

func TestMain(m *testing.M) {
	if args := strings.Fields(os.Getenv(childEnv)); len(args) == 4 {
		os.Exit(setLoop(args[0], args[1], args[2], args[3]))
	}
	os.Exit(m.Run())
}

// setLoop does count sets, each with its own note, in turn up and down.
func setLoop(root, agent, count, name string) int {
	n, err := strconv.Atoi(count)
	for i := 0; i < n && err == nil; i++ {
		text := fmt.Sprintf("%s-%d", name, i)
		_, err = Dir{Root: root}.Set(agent, Change{Task: "code-dispatch", State: State(i % 3), Note: &text})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func child(t testing.TB, root, agent string, count int, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d %s", childEnv, root, agent, count, name))
	c.Stderr = os.Stderr
	return c
}

// Many processes set one envelope at once, each act with a note of its own: every one of them is in the history, once.
func TestManyProcesses(t *testing.T) {
	if regime.Race {
		t.Skip("processes built for the race detector are too slow, and share no memory")
	}
	processes, sets := 8, 15
	if regime.Long() {
		processes, sets = 64, 100
	} else if testing.Short() {
		processes, sets = 4, 4
	}
	root := t.TempDir()
	file := place(t, root, "dave", sample)
	var running []*exec.Cmd
	for p := range processes {
		c := child(t, root, "dave", sets, fmt.Sprintf("p%d", p))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	data := read(t, file)
	d, err := ParseDocument(FileName, "dave", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for p := range processes {
		for i := range sets {
			if strings.Count(data, fmt.Sprintf("\nOperator note: p%d-%d\n", p, i)) == 1 {
				found++
			}
		}
	}
	if entries := len(d.body().history()); found != processes*sets || entries != processes*sets+2 {
		t.Errorf("%d of %d notes, %d entries", found, processes*sets, entries)
	}
	t.Logf("%d processes, %d sets each: %d history entries of %d", processes, sets, found, processes*sets)
	if w := d.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	onlyFile(t, file)
}

func onlyFile(t *testing.T, file string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(file) && !strings.HasSuffix(e.Name(), "lock") {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

// Processes that set are killed at random points. What is there afterwards is a whole file whose history goes on from
// what was there before; beside it there is at most one temporary, always of the same name, and none after the next set.
func TestKilled(t *testing.T) {
	if regime.Race {
		t.Skip("processes built for the race detector are too slow, and share no memory")
	}
	root := t.TempDir()
	file := place(t, root, "dave", sample)
	temporaries := map[string]int{}
	before := 2
	kills := regime.Cases(t, 60, 1000)
	for i := range kills {
		c := child(t, root, "dave", 1_000_000, fmt.Sprintf("k%d", i))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5000+rand.IntN(35_000)) * time.Microsecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
			t.Fatalf("the process was not killed: %v", err)
		}
		d, err := ParseDocument(FileName, "dave", []byte(read(t, file)))
		if err != nil {
			t.Fatalf("kill %d left neither the old file nor a new one: %v", i, err)
		}
		history := d.body().history()
		if len(history) < before || len(d.Warnings()) > 0 {
			t.Fatalf("kill %d: %d entries, %d before; %v", i, len(history), before, d.Warnings())
		}
		entries, err := os.ReadDir(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != FileName {
				temporaries[e.Name()]++
			}
		}
		if len(entries) > 2 {
			t.Fatalf("kill %d left %v", i, entries)
		}
		if i%10 == 0 {
			text := fmt.Sprintf("after kill %d", i)
			if _, err := (Dir{Root: root}).Set("dave", Change{Task: "x", State: FullyApproved, Note: &text}); err != nil {
				t.Fatal(err)
			}
			onlyFile(t, file)
			// The history must not grow so long that the kills never reach the end of a set.
			if len(history) > 300 {
				place(t, root, "dave", sample)
				before = 2
				continue
			}
		}
		before = len(history)
	}
	if len(temporaries) > 1 {
		t.Errorf("more than one temporary name: %v", temporaries)
	}
	t.Logf("%d kills; temporaries left by how many: %v; entries in the end: %d", kills, temporaries, before)
}
