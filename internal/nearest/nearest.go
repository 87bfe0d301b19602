// Package nearest finds the word that a mistyped one was probably meant to be.
package nearest

// Of gives the candidate with the fewest edits (insert, delete, replace, swap of neighbours) from word, the earlier
// of equals; "" when none is within a third of the word's length, or within one edit of a short word.
func Of(word string, candidates []string) string {
	best, bestDist := "", max(1, len([]rune(word))/3)+1
	for _, c := range candidates {
		if d := distance([]rune(word), []rune(c)); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
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
