package lane

import (
	"testing"

	"pgregory.net/rapid"
)

// TestHeap takes and gives back blocks at random. No two overlap, and after a merge what
// is free is the same, and in as large blocks as can be.
func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const first, end = HeadBank + 7, HeadBank + 7 + 3000
		h := Heap{Mem: make([]uint64, end)}
		h.Reset(first, end)
		type block struct{ at, n int }
		var held []block
		owner := make([]int, end)
		taken := 0
		for i := range rapid.IntRange(1, 200).Draw(t, "turns") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				h.Merge(first, end)
			case 1, 2, 3, 4:
				if len(held) == 0 {
					continue
				}
				k := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				b := held[k]
				held = append(held[:k], held[k+1:]...)
				h.Free(uint32(b.at), b.n)
				taken -= b.n
				for at := b.at; at < b.at+b.n; at++ {
					owner[at] = 0
				}
			default:
				c := rapid.IntRange(0, 8).Draw(t, "class")
				at, ok := h.Alloc(1 << c)
				if !ok {
					if at, ok = h.Split(c); !ok {
						continue
					}
				}
				held = append(held, block{int(at), 1 << c})
				taken += 1 << c
				for w := int(at); w < int(at)+1<<c; w++ {
					if w < first || w >= end || owner[w] != 0 {
						t.Fatalf("word %d is handed out twice, or is none of the heap", w)
					}
					owner[w] = i + 1
				}
			}
			if n := h.Unused(); n != end-first-taken {
				t.Fatalf("%d words are unused, %d of %d are taken", n, taken, end-first)
			}
		}
		for _, b := range held {
			h.Free(uint32(b.at), b.n)
		}
		h.Merge(first, end)
		for c := Classes - 1; c >= 0; c-- {
			if n := end - first; n>>c&1 != 0 && h.pop(c) == 0 {
				t.Fatalf("all %d words are free, and there is no block of %d", n, 1<<c)
			}
		}
	})
}
