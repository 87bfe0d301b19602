package main

import (
	"fmt"
	"slices"
	"strings"
)

func completionCommands() []command {
	return []command{{
		name: "completion", operands: "bash|zsh|fish", min: 1, max: 1,
		about:   "print a shell completion script",
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

// completions gives, for each prefix of command words ("", "envelope", "envelope get"), the words that may follow.
func completions(table []command) (prefixes []string, next map[string][]string) {
	next = map[string][]string{}
	add := func(prefix, word string) {
		if !slices.Contains(prefixes, prefix) {
			prefixes = append(prefixes, prefix)
		}
		if !slices.Contains(next[prefix], word) {
			next[prefix] = append(next[prefix], word)
		}
	}
	for _, c := range table {
		noun, verb, two := strings.Cut(c.name, " ")
		add("", noun)
		if two {
			add(noun, verb)
		}
	}
	for _, c := range table {
		for _, f := range slices.Concat(c.flags, commonFlags()) {
			add(c.name, f.spelling())
		}
		if c.name == "completion" {
			for _, s := range []string{"bash", "zsh", "fish"} {
				add(c.name, s)
			}
		}
	}
	return prefixes, next
}

// valueFlags lists the spellings of the flags that take a value: the word after them is not a command's.
func valueFlags(table []command) []string {
	var out []string
	for _, c := range append([]command{{flags: commonFlags()}}, table...) {
		for _, f := range c.flags {
			if f.value != "" && !slices.Contains(out, f.spelling()) {
				out = append(out, f.spelling())
			}
		}
	}
	return out
}

// wordCase prints the shell function body that finds which command is being typed: the same for bash and zsh.
func wordCase(b *strings.Builder, table []command, words string) {
	prefixes, next := completions(table)
	fmt.Fprintf(b, "  local key=\"\" skip=\"\" w\n  for w in %s; do\n", words)
	b.WriteString("    if [ -n \"$skip\" ]; then skip=\"\"; continue; fi\n    case \"$w\" in\n")
	fmt.Fprintf(b, "      %s) skip=\"$w\"; continue ;;\n", strings.Join(valueFlags(table), "|"))
	b.WriteString("      -*) continue ;;\n    esac\n    case \"${key:+$key }$w\" in\n")
	var keys []string
	for _, p := range prefixes {
		if p != "" {
			keys = append(keys, "'"+p+"'")
		}
	}
	fmt.Fprintf(b, "      %s) key=\"${key:+$key }$w\" ;;\n    esac\n  done\n  local list=\"\"\n  case \"$key\" in\n", strings.Join(keys, "|"))
	for _, p := range prefixes {
		fmt.Fprintf(b, "    '%s') list='%s' ;;\n", p, strings.Join(next[p], " "))
	}
	b.WriteString("  esac\n  [ -z \"$skip\" ] || case \"$key $skip\" in\n")
	for _, c := range table {
		for _, f := range c.flags {
			if len(f.oneOf) > 0 {
				fmt.Fprintf(b, "    '%s %s') list='%s' ;;\n", c.name, f.spelling(), strings.Join(f.oneOf, " "))
			}
		}
	}
	for _, f := range commonFlags() {
		if len(f.oneOf) > 0 {
			fmt.Fprintf(b, "    *' %s') list='%s' ;;\n", f.spelling(), strings.Join(f.oneOf, " "))
		}
	}
	b.WriteString("    *) list='' ;;\n  esac\n")
}

func bashScript(b *strings.Builder, table []command) {
	b.WriteString("# bash completion for ambit: source <(ambit completion bash)\n_ambit() {\n")
	wordCase(b, table, `"${COMP_WORDS[@]:1:COMP_CWORD-1}"`)
	b.WriteString("  COMPREPLY=( $(compgen -W \"$list\" -- \"${COMP_WORDS[COMP_CWORD]}\") )\n}\ncomplete -o default -F _ambit ambit\n")
}

func zshScript(b *strings.Builder, table []command) {
	b.WriteString("#compdef ambit\n# zsh completion for ambit: source <(ambit completion zsh)\n_ambit() {\n")
	wordCase(b, table, `"${(@)words[2,CURRENT-1]}"`)
	b.WriteString("  compadd -- ${=list}\n  [ -n \"$list\" ] && [ \"$list\" = \"${list#* --}\" ] || _files\n}\ncompdef _ambit ambit\n")
}

func fishScript(b *strings.Builder, table []command) {
	b.WriteString("# fish completion for ambit: ambit completion fish | source\n")
	prefixes, next := completions(table)
	for _, p := range prefixes {
		condition := "__fish_use_subcommand"
		if p != "" {
			var parts []string
			for w := range strings.FieldsSeq(p) {
				parts = append(parts, "__fish_seen_subcommand_from "+w)
			}
			condition = strings.Join(parts, "; and ")
		}
		for _, w := range next[p] {
			long, isFlag := strings.CutPrefix(w, "--")
			switch {
			case isFlag:
				fmt.Fprintf(b, "complete -c ambit -n '%s' -l %s%s\n", condition, long, fishValue(p, long, table))
			case strings.HasPrefix(w, "-"):
				fmt.Fprintf(b, "complete -c ambit -n '%s' -s %s\n", condition, w[1:])
			default:
				fmt.Fprintf(b, "complete -c ambit -n '%s' -a %s\n", condition, w)
			}
		}
	}
}

// fishValue is what fish is told of a flag's value: nothing where it takes none, and which ones there are.
func fishValue(name, flag string, table []command) string {
	own := commonFlags()
	if i := slices.IndexFunc(table, func(c command) bool { return c.name == name }); i >= 0 {
		own = slices.Concat(table[i].flags, own)
	}
	i := slices.IndexFunc(own, func(f flagDef) bool { return f.name == flag })
	switch {
	case i < 0 || own[i].value == "":
		return ""
	case len(own[i].oneOf) > 0:
		return fmt.Sprintf(" -x -a '%s'", strings.Join(own[i].oneOf, " "))
	}
	return " -r"
}
