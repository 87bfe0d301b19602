package main

import "testing"

// hookLine is the command of the clean folder's hook.
const hookLine = "ambit hook --harness claude --event PreToolUse || exit 2"

// userHook is a settings file of one's own with one hook before the shell.
func userHook(command string) string {
	return `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
}

// doctorKinds are single faults of every kind that a reader takes without a word.
func doctorKinds() []oneFault {
	const envelopeFile, gaps, policy, turnFile = "agents/dave/autonomy-envelope.md", "campaign/coverage_gaps.json", "campaign/campaign_policy.json", "turns/one.turn.json"
	return []oneFault{
		// what an agent is told by hooks
		{"a hook that is not asked about commands", func(f folder) { f.sub(claudeSettings, `"Bash|`, `"`) }, []string{"warning .claude/settings.json:18 not_asked"}},
		{"a matcher in small letters", func(f folder) { f.sub(claudeSettings, `"Bash|Edit|MultiEdit|NotebookEdit|PowerShell|Write"`, `"bash"`) }, []string{"warning .claude/settings.json not_in_force", "warning .claude/settings.json:18 not_asked", "note .claude/settings.json:18 not_asked"}},
		{"a matcher that is no expression", func(f folder) { f.put(claudeLocal, `{"hooks": {"PreToolUse": [{"matcher": "Bash(", "hooks": []}]}}`) }, []string{"warning .claude/settings.local.json not_in_force"}},
		{"an event in another letter case", func(f folder) { f.put(claudeLocal, `{"hooks": {"preToolUse": []}}`) }, []string{"warning .claude/settings.local.json not_in_force"}},
		{"an event of another agent", func(f folder) { f.put(codexHooks, `{"hooks": {"BeforeTool": []}}`) }, []string{"warning .codex/hooks.json not_in_force"}},
		{"a hook of no type", func(f folder) { f.sub(claudeSettings, `"type": "command"`, `"type": "cmd"`) }, []string{"error .claude/settings.json:19 wrong_type"}},
		{"an async guard", func(f folder) { f.sub(claudeSettings, `"type": "command"`, `"type": "command", "async": true`) }, []string{"warning .claude/settings.json:20 hook_fails_open"}},
		{"a guard with a condition", func(f folder) { f.sub(claudeSettings, `"type": "command"`, `"type": "command", "if": "Bash(git *)"`) }, []string{"warning .claude/settings.json:20 hook_fails_open"}},
		{"a guard that is killed at once", func(f folder) { f.sub(claudeSettings, `"type": "command"`, `"type": "command", "timeout": 1`) }, []string{"warning .claude/settings.json:20 hook_fails_open"}},
		{"a timeout that is a text", func(f folder) { f.sub(claudeSettings, `"type": "command"`, `"type": "command", "timeout": "9"`) }, []string{"error .claude/settings.json:19 wrong_type"}},
		{"a hook without its list", func(f folder) {
			f.put(claudeLocal, `{"hooks": {"PreToolUse": [{"matcher": "Bash", "command": "ls"}]}}`)
		}, []string{"error .claude/settings.local.json:1 wrong_type"}},
		{"hooks that are a list", func(f folder) { f.put(claudeLocal, `{"hooks": []}`) }, []string{"error .claude/settings.local.json:1 wrong_type"}},
		{"another dialect", func(f folder) { f.sub(claudeSettings, "--harness claude", "--harness codex") }, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a flag that is none", func(f folder) { f.sub(claudeSettings, "--harness", "--harnes") }, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"another event", func(f folder) { f.sub(claudeSettings, "--event PreToolUse", "--event SessionStart") }, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"an agent without envelope", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude --agent erin --task x || exit 2")
		}, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a task without record", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude --agent dave --task x || exit 2")
		}, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a protocol that is not there", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude --protocol x.json || exit 2")
		}, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a root that is not there", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude --root gone || exit 2")
		}, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a root that is no folder", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude --root system.yaml || exit 2")
		}, []string{"error .claude/settings.json:20 hook_wrong"}},
		{"a guard in a pipe", func(f folder) {
			f.sub(claudeSettings, hookLine, "ambit hook --harness claude | read line || exit 2")
		}, []string{"warning .claude/settings.json:20 hook_fails_open"}},
		{"a guard in the background", func(f folder) {
			f.sub(claudeSettings, hookLine, "{ ambit hook --harness claude || exit 2; } &")
		}, []string{"warning .claude/settings.json:20 hook_fails_open"}},
		{"a script that is not there", func(f folder) { f.put(claudeLocal, userHook("$CLAUDE_PROJECT_DIR/guard.sh")) }, []string{"error .claude/settings.local.json:1 hook_missing"}},
		{"a script that is not executable", func(f folder) { f.put(claudeLocal, userHook("./guard.sh")); f.put("guard.sh", "#!/bin/sh\n") }, []string{"error .claude/settings.local.json:1 hook_not_executable"}},
		{"a script that is empty", func(f folder) { f.put(claudeLocal, userHook("sh ./guard.sh")); f.put("guard.sh", "") }, []string{"error .claude/settings.local.json:1 hook_empty"}},
		{"a program that is not there", func(f folder) { f.put(claudeLocal, userHook("no-such-program --x")) }, []string{"warning .claude/settings.local.json:1 hook_program_missing"}},
		{"a command that is no shell", func(f folder) { f.put(claudeLocal, userHook("echo 'a")) }, []string{"error .claude/settings.local.json:1 hook_unrunnable"}},
		{"a command that is empty", func(f folder) { f.put(claudeLocal, userHook("")) }, []string{"error .claude/settings.local.json:1 hook_missing"}},
		{"a script that is missing at Copilot", func(f folder) {
			f.put(".github/hooks/a.json", `{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./gone.sh"}]}}`)
		}, []string{"error .github/hooks/a.json:1 hook_missing"}},
		// what an agent is told by rules
		{"a key in the singular", func(f folder) { f.put(claudeLocal, `{"permission": {}}`) }, []string{"warning .claude/settings.local.json:1 unknown_field"}},
		{"a key that permissions lacks", func(f folder) { f.put(claudeLocal, `{"permissions": {"denied": []}}`) }, []string{"warning .claude/settings.local.json:1 unknown_field"}},
		{"a list at the top", func(f folder) { f.put(claudeLocal, `{"deny": []}`) }, []string{"warning .claude/settings.local.json:1 unknown_field"}},
		{"a mode that is none", func(f folder) { f.put(claudeLocal, `{"permissions": {"defaultMode": "yolo"}}`) }, []string{"warning .claude/settings.local.json:1 bad_value"}},
		{"a mode that a project cannot set", func(f folder) { f.put(claudeLocal, `{"permissions": {"defaultMode": "auto"}}`) }, []string{"warning .claude/settings.local.json not_in_force"}},
		{"a switch that is a text", func(f folder) { f.put(claudeLocal, `{"disableAllHooks": "yes"}`) }, []string{"error .claude/settings.local.json:1 wrong_type"}},
		{"rules that are none", func(f folder) {
			f.put(claudeLocal, `{"permissions": {"deny": ["bash(ls)", "Bash(ls", "", "Bsah(ls)"]}}`)
		}, []string{"warning .claude/settings.local.json:1 dead_rule", "warning .claude/settings.local.json:1 dead_rule", "warning .claude/settings.local.json:1 dead_rule"}},
		{"a rule that another file takes back", func(f folder) { f.put(claudeLocal, `{"permissions": {"deny": ["Bash(git log:*)"]}}`) }, []string{"warning .claude/settings.json shadowed_rule"}},
		{"settings of one's own as a link", func(f folder) { f.put("mine.json", `{}`); f.link(claudeLocal, "../mine.json") }, []string{"warning .claude/settings.local.json not_in_force"}},
		{"alternatives, one of them tier3", func(f folder) { f.put(".codex/rules/mine.rules", `prefix_rule(pattern=["git", ["fetch", "push"]])`) }, []string{"error .codex/rules/mine.rules:1 tier3_allowed"}},
		{"words in one text", func(f folder) {
			f.put(".codex/rules/mine.rules", `prefix_rule(pattern=["git push"], decision="forbidden")`)
		}, []string{"warning .codex/rules/mine.rules:1 dead_rule"}},
		{"rules that are not UTF-8", func(f folder) { f.put(".codex/rules/mine.rules", "# \xe9\n") }, []string{"error .codex/rules/mine.rules not_utf8"}},
		{"TOML that is none", func(f folder) { f.put(codexConfig, "a = 1\na = 2\n") }, []string{"error .codex/config.toml:2 toml"}},
		{"a word that Codex does not know", func(f folder) { f.put(codexConfig, "[profiles.x]\napproval_policy = \"never_ever\"\n") }, []string{"error .codex/config.toml:2 bad_value"}},
		{"a key that Codex does not know", func(f folder) { f.put(codexConfig, "aproval_policy = \"never\"\n") }, []string{"warning .codex/config.toml:1 unknown_field"}},
		{"no bound at all", func(f folder) { f.put(codexConfig, "sandbox_mode = \"danger-full-access\"\n") }, []string{"warning .codex/config.toml:1 bypass_mode"}},
		{"profiles that are off", func(f folder) { f.put(codexConfig, "sandbox_mode = \"read-only\"\ndefault_permissions = \"x\"\n") }, []string{"warning .codex/config.toml not_in_force"}},
		{"a tool by its newer name", func(f folder) { f.put(".opencode/opencode.json", `{"permission": {"shell": "deny"}}`) }, []string{"warning .opencode/opencode.json:1 unknown_field"}},
		{"a tool by almost its name", func(f folder) { f.put(".opencode/opencode.json", `{"permission": {"bahs": {"*": "deny"}}}`) }, []string{"warning .opencode/opencode.json:1 unknown_field"}},
		{"a permission that is no word", func(f folder) { f.put(".opencode/opencode.json", `{"permission": {"edit": "never"}}`) }, []string{"error .opencode/opencode.json:1 wrong_type"}},
		{"an agent that may everything", func(f folder) { f.put(".opencode/agent/x.md", "---\npermission:\n  bash: allow\n---\n") }, []string{"warning .opencode/agent/x.md broad_allow"}},
		{"an agent that cannot be read", func(f folder) { f.put(".opencode/agents/x.md", "---\npermission: [\n---\n") }, []string{"error .opencode/agents/x.md yaml"}},
		{"a policy that is not there", func(f folder) { f.put(geminiSettings, `{"policyPaths": ["gone.toml"]}`) }, []string{"warning .gemini/settings.json not_in_force"}},
		{"a policy without sense", func(f folder) {
			f.put(geminiSettings, `{"policyPaths": ["p.toml"]}`)
			f.put("p.toml", "[[rule]]\ndecision = \"block\"\npriority = 1000\n")
		}, []string{"error p.toml:2 bad_value", "warning p.toml:3 bad_value"}},
		{"hooks without a version", func(f folder) { f.put(cursorHooks, `{"hooks": {}}`) }, []string{"warning .cursor/hooks.json not_in_force"}},
		{"a list that Cursor lacks, rules of another agent, a whole program", func(f folder) {
			f.put(cursorSettings, `{"permissions": {"ask": [], "deny": ["Bash(ls)"], "allow": ["Shell(git)"]}}`)
		}, []string{"warning .cursor/cli.json not_in_force", "warning .cursor/cli.json:1 dead_rule", "warning .cursor/cli.json:1 tier3_overlap"}},
		{"permissions of a project at Copilot", func(f folder) { f.put(copilotSettings, `{"permissions": {}}`) }, []string{"warning .github/copilot/settings.json not_in_force"}},
		// protocol and ledger
		{"an entry twice, in two tiers, inside another, and one that asks anyway", func(f folder) {
			f.sub(protocolFile, `"git log *"]`, `"git log *", "git log *", "git status", "make *"]`)
			f.sub(protocolFile, `{"aioson_commands"`, `{"shell_patterns": ["git log *"], "write_paths": ["../x/**", ".codex/**", "**"], "aioson_commands"`)
		}, []string{"warning .aioson/config/autonomy-protocol.json:4 duplicate_entry", "warning .aioson/config/autonomy-protocol.json:4 shadowed_entry", "warning .aioson/config/autonomy-protocol.json:4 never_allowed", "warning .aioson/config/autonomy-protocol.json:5 contradiction", "warning .aioson/config/autonomy-protocol.json:5 dead_write_path", "warning .aioson/config/autonomy-protocol.json:5 dead_write_path", "note .aioson/config/autonomy-protocol.json:5 write_path_overlap", "error .claude/settings.json drifted", "error .codex/permissions.json drifted", "error opencode.json drifted", "error .opencode/permissions.yaml drifted"}},
		{"an agent that is spelt otherwise", func(f folder) {
			f.sub(protocolFile, `"tools": {`, `"agents": {"daev": {"max_mode": "guarded"}}, "tools": {`)
		}, []string{"warning .aioson/config/autonomy-protocol.json:8 unknown_agent"}},
		{"a mode above the ceiling", func(f folder) {
			f.sub(protocolFile, `"version": "1.1",`, `"version": "1.1", "global_mode": "guarded",`)
			f.sub(protocolFile, `"opencode": {"mode": "guarded"`, `"opencode": {"mode": "trusted"`)
		}, []string{"note .aioson/config/autonomy-protocol.json:11 mode_lowered", "error .opencode/permissions.yaml drifted"}},
		{"a fingerprint of another file", func(f folder) { f.sub(".ambit/materialized.json", "sha256:68e909", "sha256:000000") }, []string{"warning .ambit/materialized.json:30 ledger_mismatch"}},
		{"drift", func(f folder) { f.sub(".codex/permissions.json", "guarded", "trusted") }, []string{"error .codex/permissions.json edited"}},
		{"a log that is no database", func(f folder) { f.put(".aioson/runtime/ambit-events.sqlite", "no") }, []string{"error .aioson/runtime/ambit-events.sqlite not_a_database"}},
		{"a file in place of the memory's folder", func(f folder) { f.link(bootstrapFolder, "../../system.yaml") }, []string{"warning .aioson/context/bootstrap bootstrap_missing"}},
		// envelopes
		{"a key that is spelt otherwise", func(f folder) { f.sub(envelopeFile, "operatorNote:", "operator_note:") }, []string{"warning agents/dave/autonomy-envelope.md:10 unknown_field"}},
		{"an approval that ends", func(f folder) { f.sub(envelopeFile, "    stateSince:", "    expires: 2020-01-01\n    stateSince:") }, []string{"warning agents/dave/autonomy-envelope.md:9 unknown_field"}},
		{"a table that shows something else", func(f folder) { f.sub(envelopeFile, "| fullyApproved |", "| checkBeforeCommitting |") }, []string{"error agents/dave/autonomy-envelope.md table-drift"}},
		{"an act that is still to come", func(f folder) { f.sub(envelopeFile, "updated: 2026", "updated: 2036") }, []string{"warning agents/dave/autonomy-envelope.md:4 future-updated"}},
		{"an act before the last one", func(f folder) { f.sub(envelopeFile, "updated: 2026", "updated: 2025") }, []string{"warning agents/dave/autonomy-envelope.md stale", "warning agents/dave/autonomy-envelope.md:4 updated-behind"}},
		{"the title of another", func(f folder) { f.sub(envelopeFile, "# Autonomy envelope; dave", "# Autonomy envelope; erin") }, []string{"warning agents/dave/autonomy-envelope.md:13 title-mismatch"}},
		{"an owner with unseen characters", func(f folder) { f.sub(envelopeFile, "owner: ", "owner: \u202e") }, []string{"warning agents/dave/autonomy-envelope.md suspicious_text"}},
		// system
		{"a system that is empty", func(f folder) { f.put(systemFile, " \n") }, []string{"warning system.yaml empty", "error applications/shop/autonomy.json autonomy_stale"}},
		{"a system without name", func(f folder) { f.sub(systemFile, "name: shop\n", "") }, []string{"warning system.yaml no_name"}},
		{"no system", func(f folder) { f.move(systemFile, "docs/system.yaml") }, []string{"warning applications/shop/autonomy.json autonomy_orphan"}},
		{"autonomy under another name", func(f folder) { f.sub(systemFile, "environments:", "enviroments:") }, []string{"warning system.yaml:4 autonomy_unread", "warning system.yaml:11 undeclared-env", "error applications/shop/autonomy.json:5 autonomy_drift"}},
		{"a level at which nothing is merged", func(f folder) { f.sub(systemFile, "level: act", "level: act\n      budget: {mergesPerDay: 0}") }, []string{"warning system.yaml never_merges", "error applications/shop/autonomy.json:12 autonomy_drift"}},
		{"a pause", func(f folder) { f.sub(systemFile, "name: shop", "name: shop\nautonomy: {paused: true}") }, []string{"note system.yaml paused", "error applications/shop/autonomy.json:3 autonomy_drift"}},
		// campaigns and turn envelopes
		{"keys that are spelt otherwise", func(f folder) { f.put(policy, `{"allowed_action": ["read_gap"], "max_candidates_count": 9}`) }, []string{"warning campaign/campaign_policy.json:1 unknown_field", "warning campaign/campaign_policy.json:1 unknown_field"}},
		{"no candidate", func(f folder) { f.put(policy, `{"allowed_actions": ["read_gap"], "max_candidate_count": 0}`) }, []string{"warning campaign/campaign_policy.json:1 no_candidates"}},
		{"an action twice", func(f folder) { f.put(policy, `{"allowed_actions": ["read_gap", "read_gap"]}`) }, []string{"warning campaign/campaign_policy.json:1 duplicate_entry"}},
		{"no gap", func(f folder) { f.put(gaps, `{"gaps": []}`) }, []string{"warning campaign/coverage_gaps.json:1 no_candidates"}},
		{"a size that is not its own", func(f folder) { f.sub(turnFile, `"envelope_json_bytes":`, `"envelope_json_bytes":1`) }, []string{"warning turns/one.turn.json:1 compaction_wrong"}},
		{"a saving that is not its own", func(f folder) { f.sub(turnFile, `"byte_reduction_ratio":0.`, `"byte_reduction_ratio":0.1`) }, []string{"warning turns/one.turn.json:1 compaction_wrong"}},
		{"a record that was edited", func(f folder) { f.put("receipts/bounded_autonomy_campaign_packet_result.json", `{}`) }, []string{"error receipts/bounded_autonomy_campaign_packet_result.json record_shape"}},
	}
}

// TestDoctorKinds plants them one at a time.
func TestDoctorKinds(t *testing.T) { runFaults(t, doctorKinds()) }
