package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"example.com/ambit/internal/atomicfile"
	"example.com/ambit/internal/canonjson"
)

// claudeTopKeys are the names at the top of a settings file that bound anything, and that a mistyped one was meant to be.
var claudeTopKeys = []string{"permissions", "hooks", "disableAllHooks", "sandbox"}

// claudePermissionKeys are all that permissions may have.
var claudePermissionKeys = []string{"allow", "ask", "deny", "defaultMode", "additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode"}

// claudeModes are what defaultMode may say. A project's file cannot turn on auto.
var claudeModes = []string{"default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "delegate", "manual"}

// claudeKeys looks at the names of settings, and at the words that switch what bounds the agent.
func (d *doctor) claudeKeys(file string, root canonjson.Value, data []byte) {
	looked := 0
	for k := range root.Members() {
		if looked++; looked > maxKeys {
			break
		}
		name := k.Text()
		switch right := nearKey(name, claudeTopKeys); {
		case slices.Contains(claudePermissionKeys, name):
			d.unknownKey(file, lineOf(data, k), "", name, "permissions."+name, "it does nothing here")
		case right != "":
			d.unknownKey(file, lineOf(data, k), "", name, right, "it does nothing")
		}
	}
	permissions := root.Get("permissions")
	for k := range permissions.Members() {
		if name := k.Text(); !slices.Contains(claudePermissionKeys, name) {
			right := nearKey(name, claudePermissionKeys)
			if right == "" {
				right = "one of " + strings.Join(claudePermissionKeys, ", ")
			}
			d.unknownKey(file, lineOf(data, k), "permissions", name, right, "nothing is allowed or denied by it")
		}
	}
	mode := permissions.Get("defaultMode")
	switch text := mode.Text(); {
	case !mode.Exists():
	case !slices.Contains(claudeModes, text):
		d.add(severityWarning, "bad_value", file, lineOf(data, mode), fmt.Sprintf("permissions.defaultMode %s is no mode, so it does nothing", mode.Raw()), "write one of "+strings.Join(claudeModes[:6], ", "))
	case text == "auto":
		d.notRead(file, "permissions.defaultMode auto is not taken from a project's files", "take permissions.defaultMode out")
	case text == "bypassPermissions":
		d.add(severityWarning, "bypass_mode", file, lineOf(data, mode), "in this mode nobody is asked: only deny rules and hooks hold", "take permissions.defaultMode out")
	}
	off := root.Get("disableAllHooks")
	switch {
	case off.True():
		d.add(severityWarning, "hooks_off", file, lineOf(data, off), "no hook runs while disableAllHooks is true", "take disableAllHooks out")
	case off.Exists() && !off.Is(canonjson.KindBool):
		d.add(severityError, "wrong_type", file, lineOf(data, off), "disableAllHooks is neither true nor false", "take disableAllHooks out")
	}
}

// claudeRuleForm is a rule of Claude Code: a tool, or a tool and what of it.
var claudeRuleForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_*.:-]*)(\((?s:.*)\))?$`)

// claudeRule reports a rule that no tool of Claude Code can match.
func (d *doctor) claudeRule(file string, r rule) {
	m := claudeRuleForm.FindStringSubmatch(r.text)
	why := ""
	switch {
	case r.text == "*":
		return
	case m == nil:
		why = "it is no rule, which is Tool or Tool(what)"
	case strings.HasPrefix(m[1], "mcp__"), slices.Contains(matchedTools[claudeName], m[1]):
		return
	default:
		for _, tool := range matchedTools[claudeName] {
			if strings.EqualFold(tool, m[1]) || nearKey(m[1], []string{tool}) != "" {
				why = "there is no tool " + m[1] + "; did you mean " + tool + "?"
			}
		}
	}
	if why != "" && !d.said(file, "dead_rule", r.line, r.text) {
		d.add(severityWarning, "dead_rule", file, r.line, fmt.Sprintf("%s %s: %s", r.list, orEmpty(r.text), why), "write the rule so that it can match, or take it out")
	}
}

func orEmpty(text string) string {
	if text == "" {
		return `""`
	}
	return text
}

// said reports whether a finding about a rule was made already.
func (d *doctor) said(file, code string, line int, text string) bool {
	return slices.ContainsFunc(d.findings, func(f finding) bool {
		return f.File == file && f.Code == code && f.Line != nil && *f.Line == line && strings.Contains(f.Message, text)
	})
}

// claudeLocalHeld warns where a person's own file is not one: Claude Code then holds its allow rules back until the
// folder is trusted, as those of the project.
func (d *doctor) claudeLocalHeld() {
	if _, err := os.Readlink(d.path(claudeLocal)); err == nil {
		d.notRead(claudeLocal, "it is a link, so its allow rules wait for the trust dialog as the project's do", "write it as a file")
	}
	if d.tracked(claudeLocal) {
		d.notRead(claudeLocal, "git tracks it, so its allow rules wait for the trust dialog as the project's do; .gitignore should name it", "git rm --cached "+claudeLocal)
	}
}

// maxGitIndex bounds what is read of a repository's index.
const maxGitIndex = 64 << 20

// tracked reports whether the index of the repository at the root names a file. Nothing is run: in every version but the
// fourth, which cuts common beginnings off, the index holds each name in full.
func (d *doctor) tracked(file string) bool {
	index := d.path(".git/index")
	if pointer, ok := d.glance(".git"); ok { // a work tree of a repository elsewhere
		if dir, found := strings.CutPrefix(strings.TrimSpace(string(pointer)), "gitdir: "); found {
			index = dir + "/index"
		}
	}
	data, _, err := atomicfile.Read("", index, maxGitIndex)
	return err == nil && bytes.Contains(data, []byte(file+"\x00"))
}
