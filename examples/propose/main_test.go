//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/ambit/campaign"
)

// TestMain lets the test binary be its own builder, as the program is.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--check") {
		syscall.Exit(build(os.Stdout))
	}
	os.Exit(m.Run())
}

func TestPropose(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "records")
	lay := func(files map[string]string) {
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	lay(map[string]string{
		campaign.GapsFile:     `{"gaps":[{"gap_id":"no test of parse.go"},{"gap_id":"no test of render.go"}]}`,
		campaign.PolicyFile:   `{"allowed_actions":["draft_candidate_packet"],"max_candidate_count":8}`,
		campaign.LedgerFile:   `{"failed_digests":[]}`,
		campaign.ProtocolFile: `{}`,
		"parse.go":            "package x\n", "lex.go": "package x\n", "lex_test.go": "package x\n",
	})
	var stdout, stderr bytes.Buffer
	if code := propose(in, out, &stdout, &stderr); code != 0 || !strings.HasPrefix(stdout.String(), "real_builder::1  no test of parse.go  (draft_candidate_packet, writes none") {
		t.Fatalf("exit %d: %s%s", code, &stdout, &stderr)
	}
	data, err := os.ReadFile(filepath.Join(out, campaign.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	documents, err := campaign.Load(in)
	if err != nil {
		t.Fatal(err)
	}
	if v := campaign.Verify(data, documents); !v.OK() {
		t.Error(v.Problems)
	}

	lay(map[string]string{campaign.PolicyFile: `{"allowed_actions":["write_source"]}`})
	stdout.Reset()
	if code := propose(in, out, &stdout, &stderr); code != 2 || !strings.Contains(stdout.String(), string(campaign.SourceWriteForbidden)) {
		t.Errorf("exit %d: %s%s", code, &stdout, &stderr)
	}
	if code := propose(in, filepath.Join(in, "parse.go"), &stdout, &stderr); code != 3 {
		t.Errorf("a file for a folder: exit %d", code)
	}
}
