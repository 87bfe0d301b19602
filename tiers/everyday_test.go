package tiers

import (
	"strings"
	"testing"
)

// everyday is a protocol that a careful team would write.
var everyday = struct{ tier1, tier2, tier3, writePaths []string }{
	tier1: []string{
		"cat *", "ls *", "head *", "tail *", "wc *", "grep *", "rg *", "find *", "sort *", "uniq *", "cut *", "tr *", "sed *", "awk *", "jq *",
		"diff *", "stat *", "file *", "du *", "df *", "tree *", "date *", "which *", "whoami", "uname *", "ps *", "lsof *", "sleep *", "xargs *", "tee *",
		"basename *", "dirname *", "realpath *", "readlink *", "md5sum *", "sha256sum *", "base64 *", "printenv *", "env", "column *", "nl *", "xxd *",
		"od *", "strings *", "seq *", "comm *", "paste *", "rev *", "tac *", "mkdir -p *", "touch *", "cp *", "shellcheck *", "curl -s http://localhost:* *",
		"git status *", "git log *", "git diff *", "git show *", "git blame *", "git branch *", "git ls-files *", "git rev-parse *", "git describe *",
		"git remote -v", "git stash list", "git tag -l *", "git grep *", "git fetch *", "git config --get *", "git help *",
		"go build *", "go test *", "go vet *", "go list *", "go version", "go env *", "go doc *", "gofmt *", "golangci-lint run *",
		"npm test", "npm ci", "npm run build *", "npm run lint", "npm ls *", "npm outdated", "pytest *", "python -m pytest *", "python3 -m pytest *",
		"ruff check *", "mypy *", "cargo build *", "cargo test *", "cargo check *", "cargo clippy *", "cargo fmt --check", "make test", "make build", "make lint",
		"docker ps *", "docker images *", "docker logs *", "docker inspect *", "docker compose ps *", "docker compose logs *",
		"kubectl get *", "kubectl -n web get *", "kubectl describe *", "kubectl logs *", "terraform validate", "terraform fmt -check", "gh pr view *", "gh pr list *",
	},
	tier2: []string{"git add *", "git commit *"},
	tier3: []string{
		"git push *", "npm publish *", "cargo publish *", "docker push *", "rm -rf *", "git reset --hard *", "git clean -f *",
	},
	writePaths: []string{"notes/**", "tmp/**"},
}

// TestEverydayLines states how everyday lines of real work are judged: the verdicts were written by hand, and at most
// one in twenty may differ.
func TestEverydayLines(t *testing.T) {
	e := Evaluator{Protocol: protocolOf(t, everyday.tier1, everyday.tier2, everyday.tier3, everyday.writePaths...), Root: "/repo"}
	differ, of := 0, 0
	for _, line := range readForms(t, "everyday.txt") {
		want, text, _ := strings.Cut(line, " ")
		of++
		v := e.Evaluate(text)
		if v.Decision.String() == want {
			continue
		}
		differ++
		t.Logf("%s, by hand %s: %q\n%s", v.Decision, want, text, v.Explain())
		if v.Allows() && (want == "ask" || want == "block") {
			t.Errorf("looser than by hand: %q", text)
		}
	}
	t.Logf("%d of %d lines differ from the hand's verdict", differ, of)
	if of < 300 || differ*20 > of {
		t.Errorf("%d of %d lines differ, want at most 5%% of at least 300", differ, of)
	}
}
