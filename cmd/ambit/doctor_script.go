package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// invocation is one program that a hook's command is sure to start, with the words that are known.
type invocation struct {
	words []string // a word whose text is not known here is ""
	moved bool     // after a cd, so relative paths mean something else
}

// maxHookCommand bounds the text of a hook's command that is parsed.
const maxHookCommand = 32 << 10

// invocations gives the programs that a shell is sure to start for a command: not those in conditions' branches, loops
// and substitutions, nor what follows a test. ok is false where no shell can read the text.
func invocations(command string) (out []invocation, ok bool) {
	if len(command) > maxHookCommand {
		return nil, true
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, false
	}
	moved := false
	var visit func(s *syntax.Stmt) (test bool)
	visit = func(s *syntax.Stmt) (test bool) {
		switch c := s.Cmd.(type) {
		case *syntax.BinaryCmd:
			test = visit(c.X)
			if c.Op == syntax.Pipe || c.Op == syntax.PipeAll || c.Op == syntax.AndStmt && !test {
				visit(c.Y)
			}
			return test || c.Op == syntax.OrStmt
		case *syntax.Block:
			for _, inner := range c.Stmts {
				visit(inner)
			}
		case *syntax.Subshell:
			before := moved
			for _, inner := range c.Stmts {
				visit(inner)
			}
			moved = before
		case *syntax.TestClause:
			return true
		case *syntax.CallExpr:
			if len(c.Args) == 0 {
				return false
			}
			run := invocation{moved: moved}
			for _, w := range c.Args {
				run.words = append(run.words, knownWord(w))
			}
			moved = moved || run.words[0] == "cd"
			if slices.Contains([]string{"[", "test", "command", "type", "which", "hash"}, run.words[0]) {
				return true
			}
			out = append(out, run)
		}
		return false
	}
	for _, s := range file.Stmts {
		visit(s)
	}
	return out, true
}

// statusLost reports whether the exit code of this program's hook goes nowhere: it is not the last of a pipe (where
// pipefail is not set), or is not waited for.
func statusLost(command string) (lost bool) {
	if len(command) > maxHookCommand {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return false
	}
	pipefail := strings.Contains(command, "pipefail")
	syntax.Walk(file, func(n syntax.Node) bool {
		s, ok := n.(*syntax.Stmt)
		if !ok {
			return true
		}
		left := s
		if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && !pipefail && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
			left = pipe.X
		} else if !s.Background {
			return true
		}
		lost = lost || runsAmbitHook(command[left.Pos().Offset():left.End().Offset()])
		return true
	})
	return lost
}

// projectVariables stand for the root in an agent's hook.
var projectVariables = []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"}

// knownWord is the text of a word, "" where it depends on what is not known here. The root is ".".
func knownWord(w *syntax.Word) string {
	var b strings.Builder
	var add func(parts []syntax.WordPart) bool
	add = func(parts []syntax.WordPart) bool {
		for _, part := range parts {
			switch p := part.(type) {
			case *syntax.Lit:
				if p.Value != "[" && strings.ContainsAny(p.Value, `~*?[\`) {
					return false
				}
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				if !add(p.Parts) {
					return false
				}
			case *syntax.ParamExp:
				if p.Param == nil || !slices.Contains(projectVariables, p.Param.Value) || p.Exp != nil && p.Exp.Op != syntax.DefaultUnsetOrNull && p.Exp.Op != syntax.DefaultUnset || p.Slice != nil || p.Repl != nil {
					return false
				}
				b.WriteString(".")
			default:
				return false
			}
		}
		return true
	}
	if !add(w.Parts) {
		return ""
	}
	return b.String()
}

// script is a file that a hook's command needs.
type script struct {
	file     string // as a path below the root, or absolute
	executed bool   // run by itself, not read by an interpreter
}

// interpreters read a script that need not be executable.
var interpreters = []string{"bash", "sh", "zsh", "dash", "ksh", "python", "python3", "node", "ruby", "perl", "deno", "bun", "php", "source", "."}

// needs gives the file that a program call is, or that an interpreter is given.
func (i invocation) needs() (s script, ok bool) {
	program := i.words[0]
	if program == "" || i.moved && !filepath.IsAbs(program) {
		return s, false
	}
	if !slices.Contains(interpreters, path.Base(program)) {
		return script{path.Clean(program), true}, strings.Contains(program, "/")
	}
	for _, word := range i.words[1:] {
		switch {
		case word == "", word == "-c", word == "-e", word == "-m", word == "-", word == "run", word == "eval":
			return s, false
		case !strings.HasPrefix(word, "-"):
			return script{path.Clean(word), false}, strings.ContainsAny(word, "/.")
		}
	}
	return s, false
}

// shellBuiltins are words that a shell answers by itself.
var shellBuiltins = strings.Fields("alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait . : [")

// scriptFault says why a script that is there cannot do what it should; "" where it can, as far as can be seen.
func (d *doctor) scriptFault(s script) (code, message, fix string) {
	at := s.file
	if !filepath.IsAbs(at) {
		at = d.path(at)
	}
	info, err := os.Stat(at)
	switch {
	case err != nil:
		return "hook_missing", s.file + " is not there", "put the script there, or take the hook out"
	case !info.Mode().IsRegular():
		return "hook_missing", s.file + " is no file", "put the script there, or take the hook out"
	case s.executed && runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return "hook_not_executable", s.file + " is not executable", "chmod +x " + shellWord(s.file)
	case info.Size() == 0:
		return "hook_empty", s.file + " is empty, so it decides nothing", "write the script, or take the hook out"
	}
	if !s.executed {
		return "", "", ""
	}
	head := firstLine(at)
	line, carriage := bytes.CutSuffix(head, []byte("\r"))
	rest, shebang := bytes.CutPrefix(line, []byte("#!"))
	words := strings.Fields(string(rest))
	if !shebang || len(words) == 0 {
		return "", "", ""
	}
	if carriage && runtime.GOOS != "windows" {
		return "hook_unrunnable", fmt.Sprintf("the first line of %s ends in a carriage return, so the system looks for a program of that name", s.file), fmt.Sprintf("sed -i 's/\\r$//' %s", shellWord(s.file))
	}
	if _, err := os.Stat(words[0]); filepath.IsAbs(words[0]) && os.IsNotExist(err) && runtime.GOOS != "windows" {
		return "hook_unrunnable", fmt.Sprintf("%s is to be run by %s, which is not here", s.file, words[0]), "install it, or name another interpreter in the first line"
	}
	if path.Base(words[0]) == "env" && len(words) > 1 && !strings.ContainsAny(words[1], "-=") && !d.onPath(words[1]) {
		return "hook_unrunnable", fmt.Sprintf("%s is to be run by %s, which is not on the PATH here", s.file, words[1]), "install it, or name another interpreter in the first line"
	}
	return "", "", ""
}

// firstLine gives the first line of a file without its line feed, of at most 256 bytes.
func firstLine(file string) []byte {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, 256)
	n, _ := f.Read(buf)
	line, _, _ := bytes.Cut(buf[:n], []byte("\n"))
	return line
}

// onPath reports whether a program is found, or cannot be looked for.
func (d *doctor) onPath(program string) bool {
	list := d.env["PATH"]
	if list == "" || strings.ContainsAny(program, `/\$`) {
		return true
	}
	for _, folder := range filepath.SplitList(list) {
		for _, ext := range [...]string{"", ".exe", ".cmd", ".bat"} {
			if info, err := os.Stat(filepath.Join(folder, program+ext)); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&fs.FileMode(0o111) != 0) {
				return true
			}
		}
	}
	return false
}
