package main

import (
	"fmt"
	"strings"
	"testing"
)

var argTable = []command{
	{name: "note add", max: 2, flags: []flagDef{{name: "text", value: "T"}, {name: "fix"}, {name: "k", value: "V", repeat: true}}},
	{name: "note list", flags: []flagDef{{name: "limit", value: "N"}}},
	{name: "note", max: 1},
	{name: "tell", max: -1},
}

func TestParseArgs(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"note add a b", "note add [a b] map[]"},
		{"note add a --text hello b", "note add [a b] map[text:[hello]]"},
		{"--text=x=y note add a", "note add [a] map[text:[x=y]]"},
		{"note add --text --fix a", "note add [a] map[text:[--fix]]"},
		{"note add --text -- a", "note add [a] map[text:[--]]"},
		{"note add --fix a", "note add [a] map[fix:[true]]"},
		{"note add -k 1 -k 2", "note add [] map[k:[1 2]]"},
		{"note add -- --fix", "note add [--fix] map[]"},
		{"note add -", "note add [-] map[]"},
		{"note add --text=", "note add [] map[text:[]]"},
		{"note x", "note [x] map[]"},
		{"--root r note list", "note list [] map[root:[r]]"},
		{"tell -- a && --help", "tell [a && --help] map[]"},
		{"note add --fix=true", "error: --fix takes no value"},
		{"note add --text", "error: --text needs a value (T)"},
		{"note add --text a --text b", "error: --text is given twice"},
		{"note add --txet a", "error: unknown flag --txet for note add (did you mean --text?)"},
		{"note add --limit 3", "error: --limit is not a flag of note add"},
		{"note add -fix", "error: unknown flag -fix for note add (did you mean --fix?)"},
		{"note add --k 1", "error: unknown flag --k for note add (did you mean -k?)"},
		{"note add --format xml", `error: --format "xml" is not allowed; allowed: text, json`},
		{"nota x", `error: unknown command "nota" (did you mean note?)`},
		{"--bogus", "error: unknown flag --bogus"},
		{"--root x", "error: no command (ambit --help lists them)"},
	} {
		p, err := parseArgs(strings.Fields(tt.args), argTable)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
			if h, ok := err.(hinted); ok {
				got += " (" + h.hint + ")"
			}
		} else {
			got = fmt.Sprintf("%s %v %v", p.cmd.name, p.operands, p.flags)
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

// TestFlagKinds holds what lets flags precede the command's name: one name, one kind.
func TestFlagKinds(t *testing.T) {
	value := map[string]bool{}
	for _, f := range commonFlags() {
		value[f.name] = f.value != ""
	}
	for _, c := range commands() {
		for _, f := range c.flags {
			if was, ok := value[f.name]; ok && was != (f.value != "") {
				t.Errorf("%s: %s takes a value in one command and none in another", c.name, f.spelling())
			}
			value[f.name] = f.value != ""
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for _, args := range [][]string{{"nosuch"}, {"--bogus"}, {"--now", "yesterday"}} {
		if code, out, errs := run(t, "", nil, args...); code != exitUsage || out != "" || !strings.HasPrefix(errs, "ambit: error: ") {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
	if code, out, _ := run(t, "", nil, "--help"); code != exitOK || !strings.Contains(out, "Usage: ambit COMMAND") {
		t.Errorf("--help: exit %d, %q", code, out)
	}
	if code, out, _ := run(t, "", nil, "--version"); code != exitOK || out != "ambit "+version+"\n" {
		t.Errorf("--version: exit %d, %q", code, out)
	}
	code, out, errs := run(t, "", nil, "nosuch", "--format", "json")
	if code != exitUsage || out != "" || !strings.Contains(errs, `"code": "usage"`) {
		t.Errorf("json usage error: exit %d, %q, %q", code, out, errs)
	}
}
