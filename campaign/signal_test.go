package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestBuilderEndsItself: a builder that a signal ended is not one that ended well, whatever it printed before, and the
// observation has the signal: also in a namespace, whose first process no signal of its own would end. // P31, P32
func TestBuilderEndsItself(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	report := `{"kind":"standard_skill_pairing_campaign_summary","candidate_target_count":2,"source_digest":"d00d","wrote_packet":null}`
	for _, tt := range []struct {
		name, step string
		code       int
	}{
		{"SIGKILL", "kill -9 $$", -int(syscall.SIGKILL)},
		{"SIGTERM", "kill -TERM $$", -int(syscall.SIGTERM)},
		{"SIGHUP", "kill -HUP $$", -int(syscall.SIGHUP)},
		{"SIGPIPE", "kill -PIPE $$", -int(syscall.SIGPIPE)},
		{"a code that is not a signal", "exit 137", 137},
	} {
		root := t.TempDir()
		path := filepath.Join(root, "b.sh")
		script := fmt.Sprintf("#!/bin/sh\necho '%s'\n%s\n", report, tt.step)
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		o := Builder{Path: path, Root: root}.Observe(context.Background(), 2)
		if o.Live == nil || o.Live.ReturnCode == nil {
			t.Fatalf("%s: %v %v", tt.name, o.Status(), o.ErrorCode)
		}
		if os.Geteuid() != 0 && o.Live.Containment == "pid_namespace" {
			t.Skip("the builder is the first process of a user's namespace")
		}
		if o.Status() != Blocked || *o.Live.ReturnCode != tt.code {
			t.Errorf("%s (%s): %v with code %d, want %d", tt.name, o.Live.Containment, o.Status(), *o.Live.ReturnCode, tt.code)
		}
	}
}
