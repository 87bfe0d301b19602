package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ambit/campaign"
	"example.com/ambit/envelope"
	"example.com/ambit/systempolicy"
	"example.com/ambit/turnenvelope"
)

func completionCommands() []command {
	return []command{{
		name: "completion", operands: "bash|zsh|fish", min: 1, max: 1,
		about: "print a shell completion script",
		detail: "The line of the example goes into ~/.bashrc; source <(ambit completion zsh) goes into ~/.zshrc, after compinit, and " +
			"ambit completion fish | source into ~/.config/fish/config.fish.",
		example: `source <(ambit completion bash)`,
		run:     runCompletion,
	}}
}

// shells maps a shell's name to what prints its script.
var shells = map[string]func(*strings.Builder, []command){"bash": bashScript, "zsh": zshScript, "fish": fishScript}

func runCompletion(c *call) int {
	write, ok := shells[c.operands[0]]
	if !ok {
		return c.usage(fmt.Errorf("unknown shell %q; allowed: bash, zsh, fish", c.operands[0]))
	}
	var b strings.Builder
	write(&b, commands())
	c.stdout.WriteString(b.String())
	return exitOK
}

// operandWords gives, by place, the operands of a command that are of a closed set.
func operandWords(name string) [][]string {
	switch name {
	case "completion":
		return [][]string{{"bash", "zsh", "fish"}}
	case "envelope set":
		return [][]string{nil, nil, envelope.States()}
	case "system set":
		var levels []string
		for l := systempolicy.Observe; l <= systempolicy.Improve; l++ {
			levels = append(levels, l.String())
		}
		return [][]string{nil, levels}
	case "campaign negative":
		return [][]string{campaign.NegativeCases()}
	}
	return nil
}

// flagWords gives the values of a flag that are of a closed set, or known by name.
func flagWords(f flagDef) []string {
	switch {
	case len(f.oneOf) > 0:
		return f.oneOf
	case f.name == "profile":
		return turnenvelope.Profiles()
	case strings.Contains(f.value, "|") && f.value == strings.ToLower(f.value):
		return strings.Split(f.value, "|")
	}
	return nil
}

// ownFlags gives the flags that a command takes, each name once: its own come before the common ones.
func ownFlags(c command) []flagDef {
	own := slices.Clone(c.flags)
	for _, f := range commonFlags() {
		if !slices.ContainsFunc(own, func(o flagDef) bool { return o.name == f.name }) {
			own = append(own, f)
		}
	}
	return own
}

// choice is a word that may follow, and what it is about; "" where there is nothing to say.
type choice struct{ word, about string }

// verbs gives, for each prefix that is no whole line ("", "envelope", but also "hook"), the words that may follow it.
func verbs(table []command) (prefixes []string, next map[string][]choice) {
	next = map[string][]choice{}
	add := func(prefix string, c choice) {
		if !slices.Contains(prefixes, prefix) {
			prefixes = append(prefixes, prefix)
		}
		if i := slices.IndexFunc(next[prefix], func(o choice) bool { return o.word == c.word }); i < 0 {
			next[prefix] = append(next[prefix], c)
		}
	}
	for _, c := range table {
		noun, verb, two := strings.Cut(c.name, " ")
		if !two {
			add("", choice{noun, c.about})
			continue
		}
		add("", choice{noun, ""})
		add(noun, choice{verb, c.about})
	}
	return prefixes, next
}

// valueFlags lists the spellings of the flags that take a value: the word after them is not a command's.
func valueFlags(table []command) []string {
	var out []string
	for _, c := range append([]command{{}}, table...) {
		for _, f := range ownFlags(c) {
			if f.value != "" && !slices.Contains(out, f.spelling()) {
				out = append(out, f.spelling())
			}
		}
	}
	return out
}

// keys lists what the words of a line can have named so far: the nouns and the whole names.
func keys(table []command) []string {
	prefixes, _ := verbs(table)
	out := slices.DeleteFunc(prefixes, func(p string) bool { return p == "" })
	for _, c := range table {
		if !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}
