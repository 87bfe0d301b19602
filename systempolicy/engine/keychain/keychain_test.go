package keychain

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fake puts a shell script in the place of a client.
func fake(t *testing.T, body string) System {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for the client")
	}
	path := filepath.Join(t.TempDir(), "client")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return System{OS: "linux", LookPath: func(string) (string, error) { return path, nil }, Deadline: 5 * time.Second}
}

func TestSecret(t *testing.T) {
	const service, account = "sdlc-foundry", "engine:ai-ops.dev.example.com"
	for _, c := range []struct{ name, os, script, want, err string }{
		{"linux", "linux", `[ "$*" = "lookup service sdlc-foundry account engine:ai-ops.dev.example.com" ] && printf 's3cret'`, "s3cret", ""},
		{"linux, the attribute is called username", "linux", `[ "$4" = username ] && printf s3cret || exit 1`, "s3cret", ""},
		{"linux, none", "linux", "exit 1", "", ""},
		{"linux, the bus is down", "linux", "echo s3cret >&2; exit 2", "", "secret-tool did not answer: exit code 2"},
		{"mac", "darwin", `[ "$*" = "find-generic-password -s sdlc-foundry -a engine:ai-ops.dev.example.com -w" ] && echo s3cret`, "s3cret", ""},
		{"mac, none", "darwin", "echo 'security: could not be found' >&2; exit 44", "", ""},
		{"mac, locked", "darwin", "exit 51", "", "security did not answer: exit code 51"},
		{"too much", "linux", "head -c 70000 /dev/zero", "", "secret-tool: more than 65536 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := fake(t, c.script+"\n")
			k.OS = c.os
			got, err := k.Secret(t.Context(), service, account)
			said := ""
			if err != nil {
				said = err.Error()
			}
			if got != c.want || said != c.err {
				t.Errorf("%q, %q", got, said)
			}
		})
	}
}

func TestSecretNeedsAClient(t *testing.T) {
	none := System{LookPath: func(string) (string, error) { return "", exec.ErrNotFound }}
	for _, goos := range []string{"linux", "darwin", "windows", ""} {
		none.OS = goos
		if _, err := none.Secret(t.Context(), "s", "a"); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%q: %v", goos, err)
		}
	}
	if _, err := none.Secret(t.Context(), "s", "-a"); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("an option as an account: %v", err)
	}
}

func TestSecretHasADeadline(t *testing.T) {
	k := fake(t, "exec sleep 30\n")
	k.Deadline = 50 * time.Millisecond
	if _, err := k.Secret(t.Context(), "s", "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestSecretEnvironment(t *testing.T) {
	t.Setenv("CPLAT_ENGINE_TOKEN", "other-secret")
	k := fake(t, "env\n")
	k.Env = []string{"PATH=/usr/bin:/bin"}
	got, err := k.Secret(t.Context(), "s", "a")
	if err != nil || strings.Contains(got, "other-secret") || !strings.Contains(got, "PATH=") {
		t.Errorf("the client sees %q, %v", got, err)
	}
}
