package tiers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDrives states how paths are read where the project's root has a drive, and that it is so nowhere else.
func TestDrives(t *testing.T) {
	p := protocolOf(t, []string{"git status *", "ls *", "cp *"}, nil, irreversible, "docs/**", "D:/scratch/**", `C:\repo\out\*`)
	for _, tt := range []struct {
		root, dir, text string
		want            Decision
	}{
		{`C:\repo`, `C:\repo`, "git status", Silent},
		{`C:\repo`, `c:\Repo\`, "git status", Silent},
		{`C:\repo`, "/c/repo", "git status", Silent},
		{`C:\repo`, "/cygdrive/C/repo", "git status", Silent},
		{`/c/repo`, `/c/repo`, "git status", Silent},
		{`C:\repo`, `C:\repo\sub`, "git status", Ask},
		{`C:\repo`, `C:\repository`, "git status", Ask},
		{`C:\repo`, `D:\repo`, "git status", Ask},
		{`C:\repo`, `C:repo`, "git status", Ask},
		{`C:\repo`, "", "cd C:/repo && git status", Silent},
		{`C:\repo`, "", "cd /c/repo && git status", Silent},
		{`C:\repo`, "", `cd 'C:\repo' && git status`, Silent},
		{`C:\repo`, "", "cd sub && ls", Silent},
		{`C:\repo`, "", "cd D:/x && ls", Ask},
		{`C:\repo`, "", "cd D: && ls", Ask},
		{`C:\repo`, "", "cd /d/x && ls", Ask},
		{`C:\repo`, `C:\repo`, "ls > docs/a", Notify},
		{`C:\repo`, "", "ls > docs/CLAUDE~1/SETTIN~1.JSO", Ask},
		{`C:\repo`, "", "cp a CLAUDE~1/SETTIN~1.JSO", Ask},
		{`C:\repo`, "", "cp a b~1", Ask},
		{`C:\repo`, "", "cp a b~", Silent},
		{"/repo", "", "cp a b~1", Silent},
		{`C:\repo`, `C:\repo\docs`, "ls > a", Notify},
		{`C:\repo`, "", "ls > C:/repo/docs/a", Notify},
		{`C:\repo`, "", "ls > C:/REPO/docs/a", Notify},
		{`C:\repo`, "", "ls > /c/repo/docs/a", Notify},
		{`C:\repo`, "", `ls > 'docs\a'`, Notify},
		{`C:\repo`, "", `ls > 'C:\repo\docs\a'`, Notify},
		{`C:\repo`, "", "ls > C:/repo/out/a", Notify},
		{`C:\repo`, "", `ls > 'docs\..\a'`, Ask},
		{`C:\repo`, "", "ls > D:/docs/a", Ask},
		{`C:\repo`, "", "ls > D:docs/a", Ask},
		{`C:\repo`, "", "ls > D:/scratch/a", Notify},
		{`C:\repo`, "", "ls > /d/scratch/a", Notify},
		{`C:\repo`, "", `cp a 'C:\repo\.claude\settings.json'`, Block},
		{"/repo", "/repo", "cd D:/x && ls", Silent},
		{"/repo", "/repo", "ls > C:/repo/docs/a", Ask},
		{"/repo", "/repo", `ls > 'docs\a'`, Ask},
		{"", `C:\repo`, "git status", Ask},
	} {
		if v := (Evaluator{Protocol: p, Root: tt.root, Dir: tt.dir}).Evaluate(tt.text); v.Decision != tt.want {
			t.Errorf("root %s, dir %s: %s, want %s: %s\n%s", tt.root, tt.dir, v.Decision, tt.want, tt.text, v.Explain())
		}
	}
	v := (Evaluator{Protocol: p, Root: `C:\repo`}).Evaluate("ls > D:/scratch/a; ls > /c/repo/docs/a")
	if diff := cmp.Diff([]string{"d:/scratch/a", "docs/a"}, v.Writes); diff != "" {
		t.Error(diff)
	}
}
