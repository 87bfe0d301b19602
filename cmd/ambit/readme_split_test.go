package main

import (
	"fmt"
	"strings"
)

// words is the kind of what stands between the blocks.
const words = "words"

// part is a run of a page: words, or the inside of one fenced block.
type part struct{ kind, text string }

// splitPage takes a page apart at its fences. Put together again, the parts are the page.
func splitPage(text string) ([]part, error) {
	parts := []part{{kind: words}}
	opened, n := 0, 0
	for line := range strings.Lines(text) {
		n++
		last := &parts[len(parts)-1]
		fence, isFence := strings.CutPrefix(strings.TrimRight(line, " \n"), "```")
		switch set := strings.TrimLeft(line, " \t"); {
		case last.kind != words && isFence && fence == "":
			parts = append(parts, part{kind: words})
		case last.kind != words:
			last.text += line
		case isFence:
			if blockKinds[fence] == nil {
				return nil, fmt.Errorf("line %d: a block of the unknown kind %q", n, fence)
			}
			opened = n
			parts = append(parts, part{kind: fence})
		case strings.HasPrefix(set, "~~~"):
			return nil, fmt.Errorf("line %d: a fence of ~~~, want one of ```", n)
		case strings.HasPrefix(set, "```"):
			return nil, fmt.Errorf("line %d: a fence that is set in, which this test does not run", n)
		default:
			last.text += line
		}
	}
	if parts[len(parts)-1].kind != words {
		return nil, fmt.Errorf("line %d: a block that is not closed", opened)
	}
	return parts, nil
}

// shownCommand is a command of a console block and what is shown below it.
type shownCommand struct{ text, shown string }

// commandsOf gives the commands of a console block: what follows "$ ", with continuation lines behind "> ".
func commandsOf(block string) (out []shownCommand) {
	for line := range strings.Lines(block) {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, shownCommand{text: strings.TrimSuffix(text, "\n")})
			continue
		}
		if len(out) == 0 {
			continue
		}
		last := &out[len(out)-1]
		if more, ok := strings.CutPrefix(line, "> "); ok && last.shown == "" && goesOn(last.text) {
			last.text += "\n" + strings.TrimSuffix(more, "\n")
			continue
		}
		last.shown += line
	}
	return out
}

// goesOn reports a line of shell that is not finished.
func goesOn(line string) bool {
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.Count(line, "'")%2 == 1
}
