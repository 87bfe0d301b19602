package main

import (
	"fmt"
	"slices"
	"strings"
)

// wordCase prints the shell function body that finds which command is being typed, how many operands it has, and which
// words may follow: the same for bash and zsh. A flag whose value is being typed may stand in skip.
func wordCase(b *strings.Builder, table []command, words string) {
	fmt.Fprintf(b, "  local key=\"\" skip=\"\" n=0 w\n  for w in %s; do\n", words)
	b.WriteString("    [ \"$w\" != = ] || continue # bash takes --flag=value apart\n")
	b.WriteString("    if [ -n \"$skip\" ]; then skip=\"\"; continue; fi\n    case \"$w\" in\n")
	fmt.Fprintf(b, "      %s) skip=\"$w\"; continue ;;\n", strings.Join(valueFlags(table), "|"))
	b.WriteString("      -?*) continue ;;\n    esac\n")
	fmt.Fprintf(b, "    case \"$n ${key:+$key }$w\" in\n      '0 %s') key=\"${key:+$key }$w\" ;;\n", strings.Join(keys(table), "'|'0 "))
	b.WriteString("      *) n=$((n+1)) ;;\n    esac\n  done\n")
	b.WriteString("  [ -z \"$inline\" ] || skip=\"$inline\"\n  local list=\"\"\n")
	b.WriteString("  if [ -n \"$skip\" ]; then case \"$key $skip\" in\n")
	for _, c := range table {
		for _, f := range c.flags {
			if values := flagWords(f); len(values) > 0 {
				fmt.Fprintf(b, "    '%s %s') list='%s' ;;\n", c.name, f.spelling(), strings.Join(values, " "))
			}
		}
	}
	for _, f := range commonFlags() {
		if values := flagWords(f); len(values) > 0 {
			fmt.Fprintf(b, "    *' %s') list='%s' ;;\n", f.spelling(), strings.Join(values, " "))
		}
	}
	b.WriteString("  esac; else\n  case \"$n $key\" in\n")
	prefixes, next := verbs(table)
	for _, p := range prefixes {
		fmt.Fprintf(b, "    '0 %s') list='%s' ;;\n", p, strings.Join(wordsOf(next[p]), " "))
	}
	for _, c := range table {
		for i, words := range operandWords(c.name) {
			if len(words) > 0 {
				fmt.Fprintf(b, "    '%d %s') list='%s' ;;\n", i, c.name, strings.Join(words, " "))
			}
		}
	}
	b.WriteString("  esac\n  case \"$key\" in\n")
	for _, c := range table {
		fmt.Fprintf(b, "    '%s') list=\"$list %s\" ;;\n", c.name, strings.Join(spellings(ownFlags(c)), " "))
	}
	fmt.Fprintf(b, "    *) list=\"$list %s\" ;;\n  esac; fi\n", strings.Join(spellings(commonFlags()), " "))
}

func wordsOf(list []choice) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.word)
	}
	return out
}

func spellings(list []flagDef) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.spelling())
	}
	return out
}

func bashScript(b *strings.Builder, table []command) {
	b.WriteString("# bash completion for ambit: source <(ambit completion bash)\n_ambit() {\n")
	b.WriteString("  local inline=\"\" cur=\"${COMP_WORDS[COMP_CWORD]}\"\n  [ \"$cur\" != = ] || cur=\"\"\n")
	wordCase(b, table, `"${COMP_WORDS[@]:1:COMP_CWORD-1}"`)
	// Flags are offered where one is begun or nothing else is known, so that operands that are files stay near.
	b.WriteString("  case \"$cur\" in -*) ;; *) [ -n \"$skip\" ] || list=\" $list\" list=\"${list%% -*}\" ;; esac\n")
	b.WriteString("  COMPREPLY=( $(compgen -W \"$list\" -- \"$cur\") )\n}\ncomplete -o default -F _ambit ambit\n")
}

func zshScript(b *strings.Builder, table []command) {
	b.WriteString("#compdef ambit\n# zsh completion for ambit: source <(ambit completion zsh)\n_ambit() {\n")
	b.WriteString("  local inline=\"\" cur=\"${words[CURRENT]}\"\n")
	b.WriteString("  case \"$cur\" in --*=*) inline=\"${cur%%=*}\"; compset -P '*=' ;; esac\n")
	wordCase(b, table, `"${(@)words[2,CURRENT-1]}"`)
	b.WriteString("  case \"$cur\" in -*) ;; *) [ -n \"$skip\" ] || list=\" $list\" list=\"${list%% -*}\" ;; esac\n")
	b.WriteString("  if [ -n \"${list// /}\" ]; then compadd -- ${=list}; else _files; fi\n}\ncompdef _ambit ambit\n")
}

// fishScript prints one line a word: fish itself knows what begins a flag, and shows what each is about.
func fishScript(b *strings.Builder, table []command) {
	fmt.Fprintf(b, `# fish completion for ambit: ambit completion fish | source
function __ambit_at # COMMAND [OPERANDS]: is this what stands before the cursor
  set -l key
  set -l skip 0
  set -l n 0
  for w in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $w %s
      set skip 1
    else if not string match -q -- '-?*' $w
      if test $n = 0; and contains -- (string join ' ' $key $w) %s
        set key (string join ' ' $key $w)
      else
        set n (math $n + 1)
      end
    end
  end
  test "$key" = "$argv[1]"; and begin; not set -q argv[2]; or test $n = "$argv[2]"; end
end
`, strings.Join(valueFlags(table), " "), "'"+strings.Join(keys(table), "' '")+"'")
	line := func(at, rest, about string) {
		if about != "" {
			rest += " -d '" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(about) + "'"
		}
		fmt.Fprintf(b, "complete -c ambit -n '__ambit_at %s' %s\n", at, rest)
	}
	prefixes, next := verbs(table)
	for _, p := range prefixes {
		for _, c := range next[p] {
			line(`"`+p+`" 0`, "-f -a "+c.word, c.about)
		}
	}
	for _, c := range table {
		for i, words := range operandWords(c.name) {
			if len(words) > 0 {
				line(fmt.Sprintf(`"%s" %d`, c.name, i), "-f -a '"+strings.Join(words, " ")+"'", "")
			}
		}
		fishFlags(line, c.name, ownFlags(c))
	}
	for _, p := range prefixes {
		if !slices.ContainsFunc(table, func(c command) bool { return c.name == p }) {
			fishFlags(line, p, commonFlags())
		}
	}
}

func fishFlags(line func(at, rest, about string), name string, flags []flagDef) {
	for _, f := range flags {
		rest := "-l " + f.name
		if len(f.name) == 1 {
			rest = "-s " + f.name
		}
		switch values := flagWords(f); {
		case len(values) > 0:
			rest += " -x -a '" + strings.Join(values, " ") + "'"
		case f.value != "":
			rest += " -r"
		}
		line(`"`+name+`"`, rest, f.about)
	}
}
