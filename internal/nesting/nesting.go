// Package nesting answers: about how deep are the brackets of a text nested, before a parser that recurses reads it?
package nesting

// Depth gives how deep brackets and braces are nested, as they are counted byte by byte: those in texts and comments
// count too, and a closing one that nothing opened counts for nothing.
func Depth(data []byte) (deepest int) {
	depth := 0
	for _, b := range data {
		switch b {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return deepest
}
