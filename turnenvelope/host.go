package turnenvelope

import "strings"

// E8 and N6: how the host asks for the full decision again.

// Host is the host's context: the name of a runtime profile, or the triple of surface, owner and mode. Texts match
// exactly. A profile that is not "" decides alone. The zero Host, and any that is not known, gives no arguments. E8
type Host struct {
	Profile              string // one of Profiles; "" lets the triple decide
	Surface, Owner, Mode string // the triple
}

// hosts are the triples that give arguments, and the profile that stands for each. E8
var hosts = [...]struct{ profile, surface, owner, mode, arguments string }{
	{"ark_managed_agent_goal", "ark_managed_agent", "goal_runtime", "interactive", " --runtime-profile ark_managed_agent_goal"},
	{"codex_app_heartbeat", "codex_app", "host_automation", "hosted_automation", " --codex-app"},
	{"codex_app_ssh_goal", "codex_app_ssh", "agent_cli_loop", "interactive", " --runtime-profile codex_app_ssh_goal"},
	{"codex_cli", "codex_cli", "agent_cli_loop", "interactive", " --runtime-profile codex_cli"},
	{"claude_code", "claude_code", "agent_cli_loop", "interactive", " --runtime-profile claude_code"},
	{"kunluncode", "kunluncode", "agent_cli_loop", "interactive", " --runtime-profile kunluncode"},
	{"generic_cli", "generic_cli", "agent_cli_loop", "interactive", " --runtime-profile generic_cli"},
	{"outer_controller", "generic_cli", "outer_controller", "isolated_headless", " --runtime-profile outer_controller"},
	{"", "codex_cli", "outer_controller", "isolated_headless", " -H codex_cli -O outer_controller -M isolated_headless"},
	{"", "claude_code", "outer_controller", "isolated_headless", " -H claude_code -O outer_controller -M isolated_headless"},
	{"", "kunluncode", "outer_controller", "isolated_headless", " -H kunluncode -O outer_controller -M isolated_headless"},
	{"", "codex_cli", "agent_cli_loop", "isolated_headless", " -H codex_cli -O agent_cli_loop -M isolated_headless"},
	{"", "claude_code", "agent_cli_loop", "isolated_headless", " -H claude_code -O agent_cli_loop -M isolated_headless"},
	{"", "kunluncode", "agent_cli_loop", "isolated_headless", " -H kunluncode -O agent_cli_loop -M isolated_headless"},
	{"", "generic_cli", "agent_cli_loop", "isolated_headless", " -H generic_cli -O agent_cli_loop -M isolated_headless"},
	{"", "codex_cli", "none", "interactive", " -H codex_cli -O none -M interactive"},
	{"", "claude_code", "none", "interactive", " -H claude_code -O none -M interactive"},
	{"", "kunluncode", "none", "interactive", " -H kunluncode -O none -M interactive"},
	{"", "generic_cli", "none", "interactive", " -H generic_cli -O none -M interactive"},
	{"", "local_scheduler", "host_automation", "hosted_automation", " -H local_scheduler -O host_automation -M hosted_automation"},
}

// Profiles lists the runtime profiles.
func Profiles() []string {
	var out []string
	for _, h := range hosts {
		if h.profile != "" {
			out = append(out, h.profile)
		}
	}
	return out
}

// arguments gives the arguments that name the host; "" when it is not known.
func (h Host) arguments() string {
	for _, row := range hosts {
		if h.Profile != "" && row.profile == h.Profile ||
			h.Profile == "" && row.surface == h.Surface && row.owner == h.Owner && row.mode == h.Mode {
			return row.arguments
		}
	}
	return ""
}

// emitDetailRef writes where the rest of the decision is. E8
func (p *projection) emitDetailRef(e *emitter, host Host) {
	goal := " --goal-id <goal-id>"
	if v := p.d.Get("goal_id"); truthy(v) {
		goal = idArgument("--goal-id", textOf(v))
	}
	full := "rerun the typed quota_guard from the current host packet"
	if args := host.arguments(); args != "" {
		full = "loopx --format json quota should-run" + goal
		if id := identityID(p.d); id != "" {
			full += idArgument("--agent-id", id)
		}
		full += args
	}
	e.object("detail_ref", func(e *emitter) {
		e.textField("full_decision", full)
		e.textField("todo_detail", "loopx --format json todo list"+goal)
		e.textField("status_detail", "loopx --format json status"+goal)
		e.textsIf("contains", coldContents)
	})
}

// idArgument writes a flag and its value so that a shell reads back exactly that value. N6
func idArgument(flag, id string) string {
	if strings.HasPrefix(id, "-") {
		return " " + flag + "=" + quote(id)
	}
	if plainID(id) {
		return " " + flag + " " + id
	}
	return " " + flag + " " + quote(id)
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// plainID reports ^[A-Za-z0-9._:@/][A-Za-z0-9._:@/-]*$; the caller has seen that it does not begin with a dash. N6
func plainID(id string) bool {
	for _, c := range []byte(id) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._:@/-", c) >= 0) {
			return false
		}
	}
	return id != ""
}

// Known reports whether the host is one for which the envelope names a command.
func (h Host) Known() bool { return h.arguments() != "" }
