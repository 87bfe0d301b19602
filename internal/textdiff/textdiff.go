// Package textdiff shows what changed between two texts, as a unified diff.
package textdiff

import (
	"fmt"
	"strings"
)

const context = 3

// maxTable bounds the work of finding the smallest diff; larger middles are shown as one replacement.
const maxTable = 4_000_000

// Unified gives the unified diff from old to new, with three lines of context; "" when they are equal. An empty name
// stands for a file that does not exist.
func Unified(oldName, newName string, old, new []byte) string {
	if string(old) == string(new) {
		return ""
	}
	a, b := lines(string(old)), lines(string(new))
	ops := compare(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", orNull(oldName), orNull(newName))
	for start := 0; start < len(ops); {
		if ops[start].kind == ' ' {
			start++
			continue
		}
		from := max(0, start-context)
		end, quiet := start, 0 // end is behind the last change of the hunk
		for i := start; i < len(ops) && quiet <= 2*context; i++ {
			if ops[i].kind == ' ' {
				quiet++
			} else {
				end, quiet = i+1, 0
			}
		}
		to := min(len(ops), end+context)
		writeHunk(&out, ops, from, to)
		start = to
	}
	return out.String()
}

func orNull(name string) string {
	if name == "" {
		return "/dev/null"
	}
	return name
}

type op struct {
	kind byte // ' ', '-', '+'
	line string
}

func writeHunk(out *strings.Builder, ops []op, from, to int) {
	oldAt, newAt := 0, 0
	for _, o := range ops[:from] {
		oldAt += btoi(o.kind != '+')
		newAt += btoi(o.kind != '-')
	}
	oldN, newN := 0, 0
	for _, o := range ops[from:to] {
		oldN += btoi(o.kind != '+')
		newN += btoi(o.kind != '-')
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(oldAt, oldN), extent(newAt, newN))
	for _, o := range ops[from:to] {
		out.WriteByte(o.kind)
		out.WriteString(o.line)
		if !strings.HasSuffix(o.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func extent(at, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", at)
	case 1:
		return fmt.Sprint(at + 1)
	}
	return fmt.Sprintf("%d,%d", at+1, n)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compare finds a smallest list of deletions and insertions: what is equal at both ends stands aside, the middle goes
// through a table of longest common subsequences.
func compare(a, b []string) []op {
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	suf := 0
	for suf < len(a)-pre && suf < len(b)-pre && a[len(a)-1-suf] == b[len(b)-1-suf] {
		suf++
	}
	var ops []op
	for _, l := range a[:pre] {
		ops = append(ops, op{' ', l})
	}
	ops = append(ops, middle(a[pre:len(a)-suf], b[pre:len(b)-suf])...)
	for _, l := range a[len(a)-suf:] {
		ops = append(ops, op{' ', l})
	}
	return ops
}

func middle(a, b []string) []op {
	var ops []op
	i, j := 0, 0
	if (len(a)+1)*(len(b)+1) <= maxTable {
		width := len(b) + 1
		common := make([]int32, (len(a)+1)*width)
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				if a[i] == b[j] {
					common[i*width+j] = common[(i+1)*width+j+1] + 1
				} else {
					common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
				}
			}
		}
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				ops = append(ops, op{' ', a[i]})
				i++
				j++
			case common[(i+1)*width+j] >= common[i*width+j+1]:
				ops = append(ops, op{'-', a[i]})
				i++
			default:
				ops = append(ops, op{'+', b[j]})
				j++
			}
		}
	}
	for _, l := range a[i:] {
		ops = append(ops, op{'-', l})
	}
	for _, l := range b[j:] {
		ops = append(ops, op{'+', l})
	}
	return ops
}

// lines splits after each line end; a last line without one is a line too.
func lines(s string) []string {
	out := strings.SplitAfter(s, "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
