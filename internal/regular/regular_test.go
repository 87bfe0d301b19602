package regular_test

import (
	"errors"
	"testing"

	"example.com/ambit/internal/regular"
	"pgregory.net/rapid"
)

// glob builds a pattern from a small notation: * any run, + any run without blanks, ~ blank-separated words, | choice.
func glob(s string) *regular.Pattern {
	var p regular.Pattern
	for _, r := range s {
		switch r {
		case '*':
			p.Many(regular.AnyChar())
		case '+':
			p.One(regular.NonBlank())
			p.Many(regular.NonBlank())
		case '~':
			p.Repeat(func(p *regular.Pattern) {
				p.Text(" ")
				p.One(regular.NonBlank())
				p.Many(regular.NonBlank())
			})
		case '|':
			p.Choice(func(p *regular.Pattern) { p.Text("a") }, func(p *regular.Pattern) { p.Text("bb") })
		default:
			p.Text(string(r))
		}
	}
	return &p
}

func TestRelations(t *testing.T) {
	for _, tt := range []struct {
		p, q         string
		inside, meet bool
	}{
		{"git push*", "git*", true, true},
		{"git*", "git push*", false, true},
		{"git * main", "git push~", false, true},
		{"git~", "git push~", false, true},
		{"git push~", "git~", true, true},
		{"ls*", "git*", false, false},
		{"a+", "a*", true, true},
		{"a*", "a+", false, true},
		{"|", "*", true, true},
		{"|", "a", false, true},
		{"", "*", true, true},
		{"*", "*", true, true},
	} {
		inside, w, err := regular.Inside(glob(tt.p), glob(tt.q), nil)
		if err != nil || inside != tt.inside {
			t.Errorf("%q inside %q: %v (%v)", tt.p, tt.q, inside, err)
		}
		if !inside && (!glob(tt.p).Match(w) || glob(tt.q).Match(w)) {
			t.Errorf("%q inside %q: %q is no witness", tt.p, tt.q, w)
		}
		meet, w, err := regular.Meet(glob(tt.p), glob(tt.q), nil)
		if err != nil || meet != tt.meet {
			t.Errorf("%q meets %q: %v (%v)", tt.p, tt.q, meet, err)
		}
		if meet && (!glob(tt.p).Match(w) || !glob(tt.q).Match(w)) {
			t.Errorf("%q meets %q: %q is no witness", tt.p, tt.q, w)
		}
	}
}

// TestAgainstAllShortTexts compares both answers with every text up to length 6 over {a, b, blank}.
func TestAgainstAllShortTexts(t *testing.T) {
	texts := []string{""}
	for i := 0; i < len(texts); i++ {
		if len(texts[i]) < 6 {
			texts = append(texts, texts[i]+"a", texts[i]+"b", texts[i]+" ")
		}
	}
	pattern := rapid.StringOfN(rapid.SampledFrom([]rune("aab *+~|")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		ps, qs := pattern.Draw(t, "p"), pattern.Draw(t, "q")
		p, q := glob(ps), glob(qs)
		inside, w, err := regular.Inside(p, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		meet, both, err := regular.Meet(p, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !inside && (!p.Match(w) || q.Match(w)) || meet && (!p.Match(both) || !q.Match(both)) {
			t.Fatalf("witnesses %q, %q do not hold", w, both)
		}
		for _, s := range texts {
			inP, inQ := p.Match(s), q.Match(s)
			if inside && inP && !inQ || !meet && inP && inQ {
				t.Fatalf("%q against %q: inside %v, meet %v, but %q: %v, %v", ps, qs, inside, meet, s, inP, inQ)
			}
		}
	})
}

// TestWithin leaves out what only texts outside the universe would show.
func TestWithin(t *testing.T) {
	words := glob("+~")
	if inside, w, err := regular.Inside(glob("a *b"), glob("a~b"), words); inside || err != nil || !words.Match(w) {
		t.Errorf("inside %v, witness %q, %v", inside, w, err)
	}
	if meet, w, _ := regular.Meet(glob("a  b*"), glob("a*"), words); meet {
		t.Errorf("%q has two blanks in a row", w)
	}
	if inside, w, _ := regular.Inside(glob("a  b*"), glob("b"), words); !inside {
		t.Errorf("%q has two blanks in a row", w)
	}
}

// TestHostilePatternIsRefused meets the classic pattern whose deterministic form has 2^n states.
func TestHostilePatternIsRefused(t *testing.T) {
	var hard regular.Pattern
	hard.Many(regular.AnyChar())
	hard.Text("a")
	for range 18 {
		hard.One(regular.AnyChar())
	}
	if _, _, err := regular.Meet(glob("*b++++++++++++++++"), &hard, nil); !errors.Is(err, regular.ErrTooLarge) {
		t.Errorf("meet: %v, want ErrTooLarge", err)
	}
}
