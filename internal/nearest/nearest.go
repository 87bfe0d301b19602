// Package nearest finds the word that a mistyped one was probably meant to be.
package nearest

// Of gives the candidate with the fewest edits (insert, delete, replace, swap of neighbours) from word, the earlier
// of equals; "" when none is within a third of the word's length, or within one edit of a short word.
func Of(word string, candidates []string) string {
	letters := []rune(word)
	best, bestDist := "", max(1, len(letters)/3)+1
	for _, c := range candidates {
		other := []rune(c)
		if far := len(letters) - len(other); max(far, -far) >= bestDist {
			continue // so many edits at least; a hostile word costs nothing
		}
		if d := distance(letters, other); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// Hint is Of as advice, "did you mean X?"; "" when nothing is near.
func Hint(word string, candidates []string) string {
	if near := Of(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

func distance(a, b []rune) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i, x := range a {
		cur[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				cur[j+1] = min(cur[j+1], before[j-1]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
