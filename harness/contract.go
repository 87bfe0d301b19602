package harness

import (
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"

	"example.com/ambit/internal/canonjson"
)

// The contract's own two formats: whole files, in the protocol's grammar. The agents themselves do not read them.

func draftCodexPermissions(in input) (draft, error) {
	l := in.sets.lists()
	return draft{data: renderCodexPermissions(l), generated: marked(l.ShellAllowed, l.NamedAllowed), notices: []Notice{notRead(CodexPermissions, ".codex/rules")}}, nil
}

func draftOpenCodePermissions(in input) (draft, error) {
	l := in.sets.lists()
	return draft{data: renderOpenCodePermissions(l), generated: marked(l.ShellAllowed, l.NamedAllowed), notices: []Notice{notRead(OpenCodePermissions, "opencode.json")}}, nil
}

func notRead(t Target, instead string) Notice {
	return Notice{Code: NoticeNotRead, Target: t.String(), Entry: t.Path(),
		Message: fmt.Sprintf("%s itself does not read %s: it is the contract's own format, for people and hooks; %s is what it reads (--native writes it)", t.Tool(), t.Path(), instead)}
}

// marked joins the two lists of allowed entries, each entry with its kind.
func marked(shell, named []string) []string {
	var out []string
	for _, s := range shell {
		out = append(out, shellMark+s)
	}
	for _, s := range named {
		out = append(out, commandMark+s)
	}
	return out
}

type contractAllows struct {
	Shell []string `json:"shell_allowed" yaml:"shell_allowed"`
	Named []string `json:"aioson_allowed" yaml:"aioson_allowed"`
}

func codexPermissionsAllows(name string, data []byte) ([]string, error) {
	if _, err := canonjson.Parse(name, data, jsonLimits); err != nil {
		return nil, err
	}
	var a contractAllows
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, &Error{File: name, Code: CodeType, Err: err}
	}
	return marked(a.Shell, a.Named), nil
}

func openCodePermissionsAllows(name string, data []byte) ([]string, error) {
	var a contractAllows
	if err := yaml.Unmarshal(data, &a); err != nil {
		return nil, &Error{File: name, Code: CodeType, Err: err}
	}
	return marked(a.Shell, a.Named), nil
}
