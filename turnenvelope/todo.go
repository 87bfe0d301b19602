package turnenvelope

import (
	"slices"
	"strings"
)

// E7.9: what kind of todo an item is.

// The classes of a todo.
const (
	classAdvancement = "advancement_task"
	classMonitor     = "continuous_monitor"
	classUserAction  = "user_action"
)

// knownClasses are the words of task_class.
var knownClasses = words{classAdvancement, classMonitor, "user_gate", classUserAction, "blocker"}

// kindClasses gives the class of an action_kind. E7.9
var kindClasses = []struct {
	class string
	kinds words
}{
	{classAdvancement, words{"advance", "analyze", "benchmark_run", "codex_run", "compact_blocker_writeback", "compare",
		"execute", "fix", "implement", "rebuild", "rebuild_score", "repair", "run", "run_eval", "test", "validate",
		"writeback"}},
	{classMonitor, words{"external_evidence", "monitor", "observe", "poll", "watch"}},
}

var (
	nonGatingKinds = words{"monitor", "observe", "watch", "fyi", "informational", "non_gating"}
	closedStates   = words{"done", "blocked", "deferred"}
)

// words is a closed set of words.
type words []string

func (ws words) has(s string) bool { return slices.Contains(ws, s) }

// todoClass classifies an item by its class, its kind, or its words. E7.9
func todoClass(item value) string {
	if c := norm(item.Get("task_class")); knownClasses.has(c) {
		return c
	}
	kind := norm(item.Get("action_kind"))
	for _, row := range kindClasses {
		if row.kinds.has(kind) {
			return row.class
		}
	}
	return classByText(folded(textIfTruthy(item.Get("title")) + " " + textIfTruthy(item.Get("text"))))
}

// nonGating reports an item that does not hold the agent up. E7.9
func nonGating(item value) bool {
	if exactly(item.Get("gating"), false) || exactly(item.Get("non_gating"), true) || nonGatingKinds.has(norm(item.Get("action_kind"))) {
		return true
	}
	c := todoClass(item)
	return c == classMonitor || c == classUserAction
}

// actionable reports an item that could be worked on now. E7.9
func actionable(item value) bool {
	if exactly(item.Get("done"), true) || closedStates.has(norm(item.Get("status"))) {
		return false
	}
	return !isResumeCondition(item.Get("resume_when")) || exactly(item.Get("resume_ready"), true)
}

// isTodoID reports todo_ and 3 to 64 of a-z 0-9 _ -. E7.9
func isTodoID(v value) bool {
	rest, ok := strings.CutPrefix(norm(v), "todo_")
	return ok && all(rest, 3, 64, "_-")
}

// isResumeCondition reports a condition that something can wait for. E7.9
func isResumeCondition(v value) bool {
	c := lower(folded(textIfTruthy(v)))
	if rest, ok := strings.CutPrefix(c, "pr_merged:"); ok && isPullRequest(rest) {
		return true
	}
	kind, rest, more := strings.Cut(c, ":")
	return all(kind, 1, 32, "_-") && kind[0] >= 'a' && kind[0] <= 'z' && (!more || all(rest, 1, 96, "_.:@-"))
}

// isPullRequest reports owner/repo#12 or #12.
func isPullRequest(s string) bool {
	repo, number, ok := strings.Cut(s, "#")
	if !ok || number == "" || len(number) > 9 || number[0] == '0' || strings.Trim(number, "0123456789") != "" {
		return false
	}
	owner, name, slash := strings.Cut(repo, "/")
	return repo == "" || slash && all(owner, 1, 80, "_.-") && all(name, 1, 100, "_.-")
}

// all reports from least to most bytes of a-z, 0-9 and extra.
func all(s string, least, most int, extra string) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(extra, c) >= 0) {
			return false
		}
	}
	return true
}
