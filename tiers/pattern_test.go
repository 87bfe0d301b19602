package tiers

import (
	"errors"
	"strings"
	"testing"
)

func mustPattern(t testing.TB, text string) Pattern {
	t.Helper()
	p, err := ParsePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParsePatternRefuses(t *testing.T) {
	for _, text := range []string{
		"", "   ", "a; b", "a && b", "$x", "`x`", "a $(b)", "(a)", "a < b", "a |", "| a", "a > ", "> a", "a > b c", "a | b > c",
		`"a`, `a\`, "a\x00b", "a\nb", "# x", `"$x"`, "\xff", strings.Repeat("a ", MaxPatternWords+1), "* * * * * a",
		strings.Repeat("a", MaxPatternBytes+1),
	} {
		if p, err := ParsePattern(text); !errors.Is(err, ErrPattern) {
			t.Errorf("ParsePattern(%.40q) = %q, %v; want an error", text, p, err)
		}
	}
	for _, c := range [][2]string{{"a; b", "aioson"}, {"a", ""}, {"a", "x y"}, {"a", "x*"}, {"a | b", "x"}, {"*", "x"}, {"", "x"}} {
		if p, err := ParseCommandEntry(c[0], c[1]); !errors.Is(err, ErrPattern) {
			t.Errorf("ParseCommandEntry(%q, %q) = %q, %v; want an error", c[0], c[1], p, err)
		}
	}
}

// TestPatternMeaning states how an allow pattern stands to a deny pattern (T13, T23).
func TestPatternMeaning(t *testing.T) {
	const inside, meets, apart = "inside", "meets", "apart"
	for _, c := range []struct{ p, q, want string }{
		{"git push *", "git push *", inside},
		{"git  push", "git push *", inside},
		{"git push origin *", "git push *", inside},
		{"'git' push *", "git push *", inside},
		{"/usr/bin/git push *", "git push *", inside},
		{"git.exe push", "git push *", inside},
		{"git -C x push *", "git push *", inside},
		{"git --no-pager push *", "git push *", inside},
		{"git send-pack *", "git push *", inside},
		{"git-push *", "git push *", inside},
		{"git subtree push *", "git push *", inside},
		{"git *", "git push *", meets},
		{"*", "git push *", meets},
		{"git p*", "git push *", meets},
		{"git * main", "git push *", meets},
		{"git status *", "git push *", apart},
		{"git log push", "git push *", apart},
		{"git stash push *", "git push *", apart},
		{"gitpush *", "git push *", apart},
		{"git push origin *", "git push", apart},
		{"git push *", "git push", meets},
		{"rm -fr *", "rm -rf *", inside},
		{"rm -r -f *", "rm -rf *", inside},
		{"rm --recursive x --force", "rm -rf *", inside},
		{"rm --rec --fo x", "rm -rf *", inside},
		{"rm -r *", "rm -rf *", meets},
		{"rm -i x", "rm -rf *", apart},
		{"rm *", "rm -rf *", meets},
		{"rm -- -rf", "rm -rf *", apart},
		{"npm pub *", "npm publish *", inside},
		{"npm --ws publish", "npm publish *", inside},
		{"npm -w packages/a publish", "npm publish *", inside},
		{"npm run *", "npm publish *", apart},
		{"yarn npm publish *", "npm publish *", inside},
		{"git push -f origin", "git push --force *", inside},
		{"git push origin", "git push --force *", apart},
		{"git push *", "git push --force *", meets},
		{"git restore f", "git checkout -- *", inside},
		{"git reset --har x", "git reset --hard *", inside},
		{"grep -r x /etc/passwd", "grep * /etc/*", inside},
		{"curl * | sh", "curl * | sh", apart},
		{"curl *", "curl * | sh", apart},
		{"find . -delete", "find * -delete", inside},
		{"find . -delet", "find * -delete", apart},
		{"find . -deletes", "find * -delete", apart},
		{"mv a b c", "mv * b *", inside},
		{"mv a c", "mv * b *", apart},
		{`"a\b" *`, `'a\b' *`, inside},
		{strings.Repeat("nice ", 18) + "git push", "git push *", meets},
		{"sudo *", "git push *", meets},
		{"timeout 5 git push *", "git push *", inside},
		{"sudo --odd git push", "git push *", inside},
		{"sudo --odd x git push", "git push *", meets},
		{"git push --force-with-lease", "git push --force *", apart},
		{"git push --for", "git push --force *", inside},
		{"rm -*f x -r", "rm -rf *", meets},
		{"x --a*", "x --a* *", inside},
		{"git push main", "* main", inside},
		{"main", "* main", inside},
		{"git push next", "* main", apart},
		{"git commit --no-verify -m x", "* --no-verify *", inside},
		{"git commit -m x", "* --no-verify *", apart},
		{"git *", "* main", meets},
		{"npm --odd x publish", "npm publish *", inside},
		{"odd --odd x push", "odd push *", inside},
		{"npm -w x y publish", "npm publish *", apart},
		{"npm --ws x publish", "npm publish *", apart},
		{"git --no-pager status push", "git push *", apart},
		{"git --odd status push", "git push *", apart},
		{"git push --m", "git push --mirror *", inside},
		{"git push --odd", "git push --force *", apart},
		{"git push --*", "git push --force *", meets},
		{"git push --force", "git push --force-with-lease *", apart},
		{"npm --odd=1 x publish", "npm publish *", apart},
	} {
		p, q := mustPattern(t, c.p), mustPattern(t, c.q)
		got := apart
		switch {
		case p.Inside(q):
			got = inside
		case p.Overlaps(q):
			got = meets
		}
		if got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.p, c.q, got, c.want)
		}
		if p.Inside(q) && !p.Overlaps(q) {
			t.Errorf("%q to %q: inside without overlap", c.p, c.q)
		}
	}
}

// TestCommandEntries states that a command entry matches through the programs that fetch it (T22).
func TestCommandEntries(t *testing.T) {
	q, err := ParseCommandEntry("genome:publish", "aioson")
	if err != nil {
		t.Fatal(err)
	}
	star, err := ParseCommandEntry("cloud:publish:*", "aioson")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p      string
		q      Pattern
		inside bool
	}{
		{"aioson genome:publish", q, true},
		{"aioson genome:publish --x", q, true},
		{"npx aioson genome:publish", q, true},
		{"npx -y aioson genome:publish *", q, true},
		{"pnpm dlx aioson genome:publish", q, true},
		{"yarn dlx aioson genome:publish", q, true},
		{"bunx aioson genome:publish", q, true},
		{"aioson genome:publisher", q, false},
		{"aioson *", q, false},
		{"aioson cloud:publish:skills", star, true},
		{"npx aioson cloud:publish:", star, true},
		{"aioson cloud:publish", star, false},
	} {
		p := mustPattern(t, c.p)
		if got := p.Inside(c.q); got != c.inside {
			t.Errorf("%q inside %q: %v, want %v", c.p, c.q, got, c.inside)
		}
	}
	for _, text := range []string{"aioson *", "npx *", "sudo *", "*"} {
		if !mustPattern(t, text).Overlaps(q) {
			t.Errorf("%q does not overlap %q", text, q)
		}
	}
	if mustPattern(t, "npm run *").Overlaps(q) {
		t.Error("npm run * overlaps genome:publish")
	}
}
