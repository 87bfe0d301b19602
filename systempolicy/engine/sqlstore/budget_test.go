//go:build unix

package sqlstore_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"example.com/ambit/systempolicy/engine"
)

const mergesPerDay = 2

// main is the main branch of the simulation: a file to which a merge appends one line "day head", atomically.
type mainBranch string

func (m mainBranch) merge(day, head string) error {
	f, err := os.OpenFile(string(m), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(day + " " + head + "\n")
	return err
}

func (m mainBranch) merged() ([]byte, error) {
	data, err := os.ReadFile(string(m))
	if os.IsNotExist(err) {
		return nil, nil
	}
	return data, err
}

// has is what an engine asks its forge: is this head on main?
func (m mainBranch) has(_ context.Context, l engine.Lease) (string, bool, error) {
	data, err := m.merged()
	return fmt.Sprintf("main-%d", len(data)), bytes.Contains(data, []byte(" "+l.Head+"\n")), err
}

// worker is one replica: it settles what others left, then tries so many reservations, and merges what it gets. It is
// killed from outside, and it kills itself between any two steps.
func worker() int {
	place, branch := os.Getenv("AMBIT_TEST_WORKER"), mainBranch(os.Getenv("AMBIT_TEST_MAIN"))
	attempts, err1 := strconv.Atoi(os.Getenv("AMBIT_TEST_ATTEMPTS"))
	now, err2 := time.Parse(time.RFC3339, os.Getenv("AMBIT_TEST_NOW"))
	s, err3 := open(place)
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			fmt.Println("error", err)
			return 1
		}
	}
	die := func() {
		if os.Getenv("AMBIT_TEST_STEADY") == "" && rand.IntN(4) == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	ctx := context.Background()
	if err := engine.SettleExpired(ctx, s, "shop", now, branch.has); err != nil {
		fmt.Println("error", err)
		return 1
	}
	for range attempts {
		head := strconv.FormatUint(rand.Uint64(), 36)
		l, ok, err := s.Reserve(ctx, merge(now, mergesPerDay, head))
		fmt.Println("attempt")
		if err != nil {
			fmt.Println("error", err)
			return 1
		}
		if !ok {
			continue
		}
		die()
		merged := rand.IntN(4) > 0 || os.Getenv("AMBIT_TEST_STEADY") != "" // else the forge refuses: the head has moved on
		if merged {
			if err := branch.merge(engine.Day(now), head); err != nil {
				fmt.Println("error", err)
				return 1
			}
		}
		die()
		if _, err := s.Settle(ctx, l, engine.Evidence{Merged: merged, Main: "main", At: now}); err != nil {
			fmt.Println("error", err)
			return 1
		}
	}
	_ = s.Close()
	return 0
}

// TestBudgetHolds runs 8 replicas against a budget of 2 merges a day, day after day, killing them at any moment. Never is
// more merged than the budget; and once every lease is settled, exactly the budget.
func TestBudgetHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const processes, rounds = 8, 5
	days := regime.Cases(t, 3, 20)
	perRound := 50 / rounds // 8 processes x 1,000 reservations over 20 days
	places(t, func(t *testing.T, place string) {
		branch := mainBranch(filepath.Join(t.TempDir(), "main"))
		if s, err := open(place); err != nil { // the tables
			t.Fatal(err)
		} else if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		spawn := func(now time.Time, attempts int, steady bool) (done int, killed bool) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "AMBIT_TEST_WORKER="+place, "AMBIT_TEST_MAIN="+string(branch),
				"AMBIT_TEST_ATTEMPTS="+strconv.Itoa(attempts), "AMBIT_TEST_NOW="+now.Format(time.RFC3339))
			if steady {
				cmd.Env = append(cmd.Env, "AMBIT_TEST_STEADY=1")
			}
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Error(err)
				return attempts, false
			}
			if !steady && rand.IntN(3) == 0 {
				kill := time.AfterFunc(time.Duration(rand.IntN(60))*time.Millisecond, func() { _ = cmd.Process.Kill() })
				defer kill.Stop()
			}
			for sc := bufio.NewScanner(out); sc.Scan(); {
				if sc.Text() == "attempt" {
					done++
				} else {
					t.Errorf("worker: %s", sc.Text())
				}
			}
			err = cmd.Wait()
			status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if killed = status.Signaled(); err != nil && !killed {
				t.Errorf("worker: %v", err)
				return attempts, false
			}
			return done, killed
		}
		reservations, kills, left := 0, 0, 0
		var mu sync.Mutex
		for d := range days {
			day := time.Date(2026, 3, 20+d, 0, 0, 0, 0, time.UTC)
			for r := range rounds {
				now := day.Add(time.Duration(r) * time.Hour)
				var wg sync.WaitGroup
				for range processes {
					wg.Go(func() {
						for todo := perRound; todo > 0; {
							done, killed := spawn(now, todo, false)
							todo -= done
							mu.Lock()
							reservations += done
							if killed {
								kills++
							}
							mu.Unlock()
							if !killed {
								break
							}
						}
					})
				}
				wg.Wait()
				if n := merges(t, branch, day); n > mergesPerDay {
					t.Fatalf("%s: %d merges, the budget is %d", engine.Day(day), n, mergesPerDay)
				}
				left += openLeases(t, place)
			}
			spawn(day.Add(23*time.Hour), mergesPerDay+1, true)
			if n := merges(t, branch, day); n != mergesPerDay {
				t.Fatalf("%s: %d merges once every lease is settled, want exactly %d", engine.Day(day), n, mergesPerDay)
			}
		}
		t.Logf("%d days, %d reservations, %d SIGKILLs, %d leases left to others", days, reservations, kills, left)
		if kills == 0 || left == 0 && !testing.Short() {
			t.Error("nothing was killed where it matters")
		}
	})
}

func openLeases(t *testing.T, place string) int {
	t.Helper()
	s, err := open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	leases, err := s.OpenLeases(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	return len(leases)
}

func merges(t *testing.T, m mainBranch, day time.Time) int {
	t.Helper()
	data, err := m.merged()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), engine.Day(day)+" ")
}
