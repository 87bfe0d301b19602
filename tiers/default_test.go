package tiers_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

func TestDefault(t *testing.T) {
	p := tiers.Default()
	if p != tiers.Default() || p.Name() != "default" {
		t.Error("Default is not one value with its name")
	}
	if n := p.Notices(); len(n) > 0 {
		t.Errorf("the default protocol has notices: %+v", n)
	}
	if err := p.Strict(); err != nil {
		t.Errorf("the default protocol is not strict: %v", err)
	}
	again, err := tiers.Parse("default", tiers.DefaultSource())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"", "claude", "codex", "opencode"} {
		s := p.Resolve(tool)
		holdsInvariant(t, s)
		if diff := cmp.Diff(s.Allow.Texts(tiers.KindShell), again.Resolve(tool).Allow.Texts(tiers.KindShell)); diff != "" {
			t.Error(diff)
		}
		if s.Allow.Len() == 0 || len(s.Deny) == 0 || len(s.WritePaths) == 0 {
			t.Errorf("%q: an empty list", tool)
		}
	}
	tiers.DefaultSource()[0] = 'x'
	if tiers.DefaultSource()[0] != '{' {
		t.Error("DefaultSource hands out its own bytes")
	}
	var allow []string
	for a := range p.Resolve("").Allow.All() {
		allow = append(allow, a.Text)
	}
	// What tier3 is for (T6): each must lie inside some entry of it.
	for _, must := range []string{
		"git push", "git push --force", "git reset --hard HEAD~1", "git checkout -- f", "git checkout HEAD -- f", "git clean -f", "git clean -fdx",
		"rm -rf x", "rm -r -f x", "npm publish", "cargo publish", "gem push x", "twine upload x", "docker push x",
		"gh release create v1", "gh release edit v1", "gh release delete v1", "gh release upload v1 f",
		"aioson cloud:publish:squad", "aioson genome:publish x", "npx aioson genome:publish", "sudo git push",
	} {
		q, err := tiers.ParsePattern(must)
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for _, d := range p.Resolve("").Deny {
			inside = inside || q.Inside(d.Pattern)
		}
		if !inside {
			t.Errorf("%q is not denied", must)
		}
	}
	if joined := strings.Join(allow, ","); strings.Contains(joined, "doctor") || strings.Contains(joined, "notify") {
		t.Errorf("tier1 holds what writes (H09): %s", joined)
	}
}

func ExampleDefault() {
	s := tiers.Default().Resolve("claude")
	fmt.Println(s.Allow.Len() > 0, s.Deny[0].Text)
	// Output: true git push *
}
