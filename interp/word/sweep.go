package word

import "slices"

// walk finds the blocks that roots own, each once. It tells owner of each owner of a count
// cell; owner says whether it is the first.
func (h *Heap) walk(roots []Word, owner func(cell uint32) (first bool), found func(loc uint32, class int)) {
	todo := slices.Clone(roots)
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !Boxed(w) {
			continue
		}
		loc := Loc(w)
		if Shared(w) {
			if !owner(loc) {
				continue
			}
			found(loc, 0)
			loc = uint32(h.Mem[loc] >> countBits)
		}
		n := Size(w)
		found(loc, Class(n))
		todo = append(todo, h.Mem[loc:loc+uint32(n)]...)
	}
}

// Reach returns the number of words in the blocks that roots own. It equals Live
// when nothing else is in the heap.
func (h *Heap) Reach(roots ...Word) int {
	n := 0
	met := map[uint32]bool{}
	h.walk(roots, func(cell uint32) bool {
		first := !met[cell]
		met[cell] = true
		return first
	}, func(_ uint32, class int) { n += 1 << class })
	return n
}

// Sweep frees every block that roots do not own, and makes the count of every cell that
// of its owners: it is called after a run that ended with an error, which leaves what it
// was working on behind. Memory that would stand mostly empty is given back.
func (h *Heap) Sweep(roots ...Word) {
	used := make([]bool, h.bump) // by location
	h.bump = 1
	h.walk(roots, func(cell uint32) bool {
		if used[cell] {
			h.Mem[cell]++
			return false
		}
		h.Mem[cell] = h.Mem[cell]&^countMask | 1
		return true
	}, func(loc uint32, class int) {
		end := loc + 1<<class
		for i := loc; i < end; i++ {
			used[i] = true
		}
		h.bump = max(h.bump, end)
	})
	if n := max(1<<12, 2*int(h.bump)); 4*n < len(h.Mem) {
		h.Mem = append(make([]Word, 0, n), h.Mem[:h.bump]...)[:n]
	}
	h.free = [32]uint32{}
	for hi := h.bump; hi > 1; {
		end := hi
		for hi > 1 && !used[hi-1] {
			hi--
		}
		h.freeGap(hi, end)
		for hi > 1 && used[hi-1] {
			hi--
		}
	}
}

// freeGap makes the locations from lo to before hi free blocks, each as large as it can be.
func (h *Heap) freeGap(lo, hi uint32) {
	for lo < hi {
		c := Class(int(hi-lo)+1) - 1
		h.Push(c, lo)
		lo += 1 << c
	}
}
