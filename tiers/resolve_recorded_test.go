package tiers_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/ambit/internal/conformance"
	"example.com/ambit/tiers"
	"github.com/google/go-cmp/cmp"
)

// generatorCase is one recorded run of the reference generator; only what its resolution gave matters here.
type generatorCase struct {
	Name     string
	Protocol conformance.Text
	Holes    []string
	Result   struct {
		Sets map[string]struct {
			ShellPatterns, AiosonCommands, DenyShellPatterns, DenyAiosonCommands []json.RawMessage
		}
	}
}

type lists struct{ ShellAllow, CommandAllow, ShellDeny, CommandDeny []string }

// TestResolveAgainstTheReference compares the four lists with the recorded ones, after trimming and with first
// occurrences only, wherever the reference is plainly right. Where it has holes, the protocol must be refused, or
// the invariant must hold on what comes out.
func TestResolveAgainstTheReference(t *testing.T) {
	equal, refused := 0, 0
	conformance.Run(t, "harness/generator.jsonl", 246, func(c generatorCase) string { return c.Name }, func(t *testing.T, c generatorCase) {
		p, err := tiers.Parse("protocol", c.Protocol.Bytes())
		if err != nil {
			refused++
			if len(c.Holes) == 0 && c.Result.Sets != nil && !refusedByRule(c.Protocol.Bytes()) {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		for tool := range p.Tools() {
			holdsInvariant(t, p.Resolve(tool.Name))
		}
		if len(c.Holes) > 0 {
			return
		}
		for tool, want := range c.Result.Sets {
			s := p.Resolve(tool)
			got := lists{s.Allow.Texts(tiers.KindShell), s.Allow.Texts(tiers.KindCommand), tiers.DenyTexts(s.Deny, tiers.KindShell), tiers.DenyTexts(s.Deny, tiers.KindCommand)}
			recorded := lists{
				slices.DeleteFunc(texts(t, want.ShellPatterns), denyOnly), texts(t, want.AiosonCommands),
				texts(t, want.DenyShellPatterns), texts(t, want.DenyAiosonCommands),
			}
			if derived, ok := declared(p, tool).DerivedFrom(); ok && len(derived) == 0 {
				recorded.ShellAllow, recorded.CommandAllow = []string{}, []string{} // T10: not the whitelist, as there (H04)
			}
			if diff := cmp.Diff(recorded, got); diff != "" {
				t.Errorf("%s (-recorded +got):\n%s", tool, diff)
			}
		}
		equal++
	})
	t.Logf("equal %d, refused %d", equal, refused)
}

// refusedByRule reports what the reference took and the rules refuse although nothing is unsafe in it: bytes that are not
// UTF-8 (T1) and tabs inside entries (T4).
func refusedByRule(data []byte) bool { return !utf8.Valid(data) || bytes.Contains(data, []byte(`\t`)) }

func declared(p *tiers.Protocol, tool string) tiers.Tool {
	t, _ := p.Tool(tool)
	return t
}

// denyOnly takes out of a recorded allow list what an allow list may not hold here: pipelines and redirects.
func denyOnly(text string) bool {
	p, err := tiers.ParsePattern(text)
	return err == nil && p.DenyOnly()
}

func texts(t *testing.T, raw []json.RawMessage) []string {
	out := []string{}
	for _, r := range raw {
		var s string
		if err := json.Unmarshal(r, &s); err != nil {
			t.Fatal(err)
		}
		if s = strings.TrimSpace(s); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// holdsInvariant checks T13 on a result, whatever produced it.
func holdsInvariant(t interface{ Errorf(string, ...any) }, s tiers.Sets) {
	for a := range s.Allow.All() {
		if a.Tier() != tiers.Tier1Silent && a.Tier() != tiers.Tier2Notified {
			t.Errorf("%s: allow entry %q comes from %v", s.Tool, a.Text, a.Source)
		}
		if a.Pattern.DenyOnly() {
			t.Errorf("%s: allow entry %q is no simple command", s.Tool, a.Text)
		}
		for _, d := range s.Deny {
			if a.Pattern.Inside(d.Pattern) || a.Kind == d.Kind && a.Text == d.Text {
				t.Errorf("%s: allow entry %q lies inside %v %q", s.Tool, a.Text, d.Source, d.Text)
			}
		}
	}
}
