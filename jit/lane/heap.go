package lane

import "bend/interp/word"

// A Heap is the host's view of the heap in a kernel's memory, which holds the free
// lists themselves: kernel and host take turns with it.
type Heap struct {
	Mem []uint64
}

// Reset makes the heap empty: it takes the words from first up to end. Nothing is
// cleared but the heads of the lists.
func (h Heap) Reset(first, end int) {
	clear(h.Mem[HeadFree : HeadFree+headClasses])
	h.Mem[HeadBump] = uint64(first) * 8
	h.Mem[HeadEnd] = uint64(end) * 8
}

// Words returns the memory.
func (h Heap) Words() []word.Word { return h.Mem }

// Alloc returns a block for n words, n >= 1, and false when the heap is full.
func (h Heap) Alloc(n int) (uint32, bool) {
	c := word.Class(n)
	if at := h.Mem[HeadFree+c]; at != 0 {
		h.Mem[HeadFree+c] = uint64(uint32(h.Mem[at/8])) // a kernel writes half a word
		return uint32(at / 8), true
	}
	at := h.Mem[HeadBump]
	end := at + 8<<c
	if end > h.Mem[HeadEnd] {
		return 0, false
	}
	h.Mem[HeadBump] = end
	return uint32(at / 8), true
}

// Free gives back the block of n words at loc.
func (h Heap) Free(loc uint32, n int) {
	c := word.Class(n)
	h.Mem[loc] = h.Mem[HeadFree+c]
	h.Mem[HeadFree+c] = uint64(loc) * 8
}

// Used returns the number of words that were ever taken, the heap beginning at first.
func (h Heap) Used(first int) int { return int(h.Mem[HeadBump]/8) - first }

// Live returns the number of words in blocks in use. It walks the free lists.
func (h Heap) Live(first int) int {
	n := h.Used(first)
	for c := range headClasses {
		for at := h.Mem[HeadFree+c]; at != 0; at = uint64(uint32(h.Mem[at/8])) {
			n -= 1 << c
		}
	}
	return n
}
