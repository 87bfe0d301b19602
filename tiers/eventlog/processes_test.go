package eventlog_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ambit/internal/regime"
	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
)

// TestMain lets the test binary stand in for one of many recording processes.
func TestMain(m *testing.M) {
	if file := os.Getenv("AMBIT_TEST_EVENTS"); file != "" {
		os.Exit(recordMany(file, os.Getenv("AMBIT_TEST_WRITER"), os.Getenv("AMBIT_TEST_COUNT")))
	}
	os.Exit(m.Run())
}

func recordMany(file, writer, count string) int {
	n, _ := strconv.Atoi(count)
	log := eventlog.Log{File: file, Timeout: 5 * time.Minute}
	for i := range n {
		err := log.Record(context.Background(), tiers.Notification{Level: tiers.LevelInfo, Topic: writer, Message: fmt.Sprint(i)}, "w"+writer, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if os.Getenv("AMBIT_TEST_TELL") != "" {
			fmt.Println(i)
		}
	}
	return 0
}

// TestManyProcesses: processes that record at once, the first of them making the file, lose no row (T51).
func TestManyProcesses(t *testing.T) {
	processes, each := regime.Cases(t, 16, 64), 50
	if testing.Short() {
		processes, each = 4, 10
	}
	file := filepath.Join(t.TempDir(), "events.sqlite")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	running := make([]*exec.Cmd, processes)
	outputs := make([]strings.Builder, processes)
	for i := range running {
		c := exec.Command(self)
		c.Env = append(os.Environ(), "AMBIT_TEST_EVENTS="+file, fmt.Sprintf("AMBIT_TEST_WRITER=%d", i), fmt.Sprintf("AMBIT_TEST_COUNT=%d", each))
		c.Stderr = &outputs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running[i] = c
	}
	for i, c := range running {
		if err := c.Wait(); err != nil {
			t.Errorf("writer %d: %v: %s", i, err, outputs[i].String())
		}
	}
	log := eventlog.Log{File: file}
	events, err := log.Query(t.Context(), eventlog.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows of %d", len(events), processes*each)
	seen := map[string]int{}
	for i, e := range events {
		seen[e.Topic+"/"+e.Message]++
		if e.Type != "notify_info" || e.ID != int64(i+1) {
			t.Fatalf("event %d is %+v", i, e)
		}
	}
	if len(events) != processes*each || len(seen) != len(events) {
		t.Errorf("%d rows, %d different, of %d", len(events), len(seen), processes*each)
	}
}
