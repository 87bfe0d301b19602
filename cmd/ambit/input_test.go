package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ambit/campaign"
	"example.com/ambit/harness"
	"example.com/ambit/systempolicy"
	"example.com/ambit/tiers"
)

// Every command refuses what is larger than its limit, and cannot judge what is not there.
func TestInputsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	system := filepath.Join(dir, "system.yaml")
	if err := os.WriteFile(system, []byte("name: shop\nenvironments: {dev: {autonomy: {level: act}}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	absent := filepath.Join(dir, "absent")
	decide := []string{"system", "decide", "dev", "--component", "api", "--system", system}
	for _, tt := range []struct {
		limit int64
		code  string
		args  []string // FILE is the input
	}{
		{tiers.MaxProtocolBytes, "protocol", []string{"check", "ls", "--protocol", "FILE"}},
		{systempolicy.MaxFactsBytes, "io", append(decide, "--facts", "FILE")},
		{systempolicy.MaxSignalsBytes, "io", []string{"system", "effective", "dev", "--system", system, "--signals", "FILE"}},
		{maxSystemFile, "io", []string{"system", "show", "--system", "FILE"}},
		{maxSystemFile, "io", []string{"system", "validate", "FILE"}},
		{maxSystemFile, "io", []string{"system", "compare", system, "FILE"}},
		{maxSystemFile, "io", []string{"system", "set", "dev", "act", "--system", "FILE"}},
		{harness.MaxFile, "", []string{"tiers", "lint", "FILE"}},
		{campaign.MaxRecord, "", []string{"campaign", "show", "FILE"}},
	} {
		large := filepath.Join(dir, "large")
		if err := os.WriteFile(large, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(large, tt.limit+1); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]int{large: exitRefused, absent: exitIO} {
			args := strings.Split(strings.ReplaceAll(strings.Join(tt.args, "\n"), "FILE", file), "\n")
			code, _, errs := run(t, "", nil, append(args, "--format", "json")...)
			if code != want || !strings.Contains(errs, `"code": "`+tt.code) || !strings.Contains(errs, filepath.Base(file)) {
				t.Errorf("%v: exit %d, want %d: %s", args, code, want, errs)
			}
		}
	}
}

func TestStandardInputIsBounded(t *testing.T) {
	code, out, errs := run(t, strings.Repeat(" ", systempolicy.MaxFactsBytes+1), nil, "system", "outside", "dev", "--facts", "-", "--system", os.DevNull)
	if code != exitIO || out != "" || !strings.Contains(errs, "standard input: file too large") {
		t.Errorf("%d %q %q", code, out, errs)
	}
}
