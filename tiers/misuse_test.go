package tiers_test

import (
	"testing"

	"example.com/ambit/tiers"
)

func TestMisusable(t *testing.T) {
	for pattern, want := range map[string]bool{
		"git status *": true, "git rev-parse *": false, "git status": false, "git log *": true, "git diff *": true, "git grep *": true, "git *": true,
		"find *": true, "find . *": true, "find . -name x": false, "/usr/bin/find *": true, "rg *": true, "sort *": true, "uniq *": true,
		"ls *": false, "cat *": false, "grep *": false, "sed *": true, "awk *": true, "xargs *": true, "env *": true, "node *": true,
		"sh *": true, "make test": false, "* x": true, "nobody-knows *": false, "curl * | sh": false,
	} {
		p, err := tiers.ParsePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Misusable(); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
	p, err := tiers.ParseCommandEntry("preflight", tiers.DefaultProgram)
	if err != nil || p.Misusable() {
		t.Errorf("a command entry: %v, %v", p.Misusable(), err)
	}
}
