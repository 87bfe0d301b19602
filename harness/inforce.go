package harness

import "strings"

// DenyInForce gives the first deny rule of Claude's settings whose text matches a command, "" when there is none (K19):
// such a rule wins over whatever a hook answers. data is the settings file, name is for messages; compound commands are
// compared as a whole, so that a rule may be in force which this does not see.
func DenyInForce(name string, data []byte, command string) (string, error) {
	doc, err := openSettings(name, data, true)
	if err != nil {
		return "", err
	}
	text := " " + strings.Join(strings.Fields(command), " ")
	for v := range doc.Root.At("permissions", "deny").Items() {
		if r := parseClaudeRule(v.Text()); (r.tool == "Bash" || r.tool == "*") && r.language().Match(text) {
			return v.Text(), nil
		}
	}
	return "", nil
}
