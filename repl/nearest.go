package repl

// Nearest returns the name that text was probably meant to be: less than half of it is
// another. It returns "" if there is none.
func Nearest(text string, names []string) string {
	best, bestDist := "", (len(text)+1)/2
	for _, n := range names {
		if d := distance(text, n); d < bestDist {
			best, bestDist = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func distance(a, b string) int {
	var prev2 []int
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
