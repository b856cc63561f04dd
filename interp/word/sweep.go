package word

import (
	"cmp"
	"slices"
)

// A block is a reachable block of a heap.
type block struct {
	loc   uint32
	class uint8
}

// reach returns the blocks that roots own, each once, and how many owners it met of
// each count cell.
func (h *Heap) reach(roots []Word) (found []block, owners map[uint32]Word) {
	owners = map[uint32]Word{}
	todo := slices.Clone(roots)
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !Boxed(w) {
			continue
		}
		loc := Loc(w)
		if Shared(w) {
			owners[loc]++
			if owners[loc] > 1 {
				continue
			}
			found = append(found, block{loc, 0})
			loc = uint32(h.Mem[loc] >> countBits)
		}
		n := Size(w)
		found = append(found, block{loc, uint8(Class(n))})
		todo = append(todo, h.Mem[loc:loc+uint32(n)]...)
	}
	return found, owners
}

// Reach returns the number of words in the blocks that roots own. It equals Live
// when nothing else is in the heap.
func (h *Heap) Reach(roots ...Word) int {
	n := 0
	found, _ := h.reach(roots)
	for _, b := range found {
		n += 1 << b.class
	}
	return n
}

// Sweep frees every block that roots do not own: it is called after a run that ended
// with an error, which leaves what it was working on behind.
func (h *Heap) Sweep(roots ...Word) {
	used, owners := h.reach(roots)
	for cell, n := range owners {
		h.Mem[cell] = h.Mem[cell]&^countMask | n
	}
	slices.SortFunc(used, func(a, b block) int { return cmp.Compare(a.loc, b.loc) })
	h.free = [32]uint32{}
	end := uint32(1)
	gaps := make([][2]uint32, 0, len(used))
	for _, b := range used {
		if b.loc > end {
			gaps = append(gaps, [2]uint32{end, b.loc})
		}
		end = b.loc + 1<<b.class
	}
	h.bump = end
	for i := len(gaps) - 1; i >= 0; i-- {
		for lo, hi := gaps[i][0], gaps[i][1]; lo < hi; {
			c := Class(int(hi-lo)+1) - 1 // the largest block that fits
			h.Push(c, lo)
			lo += 1 << c
		}
	}
}
