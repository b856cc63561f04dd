package lane

import (
	"math/bits"

	"bend/interp/word"
)

// A Heap is the host's view of a lane's part of the heap in a kernel's memory. The
// free lists are in the lane's header: kernel and host take turns with them.
type Heap struct {
	Mem  []uint64
	Base int // the lane's first word
	// Refill, if not nil, finds a block of a class when the lane has none.
	Refill func(class int) (uint32, bool)
}

// Reset makes the heap empty: it has the words from first up to end. Nothing is
// cleared but the heads of the lists.
func (h Heap) Reset(first, end int) {
	clear(h.Mem[h.Base+HeadFree : h.Base+HeadFree+Classes])
	h.SetRest(first, end)
}

// Rest returns the words that were never used.
func (h Heap) Rest() (first, end int) {
	return int(h.Mem[h.Base+HeadBump] / 8), int(h.Mem[h.Base+HeadEnd] / 8)
}

// SetRest replaces the words that were never used.
func (h Heap) SetRest(first, end int) {
	h.Mem[h.Base+HeadBump] = uint64(first) * 8
	h.Mem[h.Base+HeadEnd] = uint64(end) * 8
}

// Words returns the memory.
func (h Heap) Words() []word.Word { return h.Mem }

// Alloc returns a block for n words, n >= 1, and false when the heap is full.
func (h Heap) Alloc(n int) (uint32, bool) {
	c := word.Class(n)
	if at := h.pop(c); at != 0 {
		return at, true
	}
	first, end := h.Rest()
	if first+1<<c > end {
		if h.Refill == nil {
			return 0, false
		}
		return h.Refill(c)
	}
	h.SetRest(first+1<<c, end)
	return uint32(first), true
}

// pop takes a block off a free list; it is 0 when that is empty.
func (h Heap) pop(c int) uint32 {
	at := h.Mem[h.Base+HeadFree+c]
	if at != 0 {
		h.Mem[h.Base+HeadFree+c] = uint64(uint32(h.Mem[at/8])) // a kernel writes half a word
	}
	return uint32(at / 8)
}

// push puts a block on a free list.
func (h Heap) push(c int, loc uint32) {
	h.Mem[loc] = h.Mem[h.Base+HeadFree+c]
	h.Mem[h.Base+HeadFree+c] = uint64(loc) * 8
}

// Free gives back the block of n words at loc.
func (h Heap) Free(loc uint32, n int) { h.push(word.Class(n), loc) }

// Split takes a block of class c out of a larger one that is free, whose rest goes to
// the free lists; false when there is none.
func (h Heap) Split(c int) (uint32, bool) {
	for big := c + 1; big < Classes; big++ {
		at := h.pop(big)
		if at == 0 {
			continue
		}
		for big--; big >= c; big-- {
			h.push(big, at+1<<big)
		}
		return at, true
	}
	return 0, false
}

// Scrap moves the words that were never used to the free lists, in blocks as large as
// can be.
func (h Heap) Scrap() {
	first, end := h.Rest()
	for c := Classes - 1; c >= 0; c-- {
		for first+1<<c <= end {
			h.push(c, uint32(first))
			first += 1 << c
		}
	}
	h.SetRest(first, end)
}

// Take gives the heap to at most n blocks of a class from the free lists of h, and
// returns one more.
func (h Heap) Take(c, n int, to Heap) (uint32, bool) {
	for ; n > 0; n-- {
		at := h.pop(c)
		if at == 0 {
			break
		}
		to.push(c, at)
	}
	at := to.pop(c)
	return at, at != 0
}

// Absorb moves all that is free in another heap to the free lists of h.
func (h Heap) Absorb(from Heap) {
	from.Scrap()
	for c := range Classes {
		first := from.Mem[from.Base+HeadFree+c]
		if first == 0 {
			continue
		}
		last := first
		for next := first; next != 0; next = uint64(uint32(h.Mem[next/8])) {
			last = next
		}
		h.Mem[last/8] = h.Mem[h.Base+HeadFree+c]
		h.Mem[h.Base+HeadFree+c] = first
		from.Mem[from.Base+HeadFree+c] = 0
	}
}

// Merge makes large blocks of small ones that lie side by side: all that is free in h,
// whose blocks are all between the words from and to, goes to the free lists anew. It
// takes a pass over the heap and an eighth of a byte for each word of it.
func (h Heap) Merge(from, to int) {
	h.Scrap()
	free := make([]uint64, (to-from+63)/64)
	for c := range Classes {
		for at := h.pop(c); at != 0; at = h.pop(c) {
			for i := int(at) - from; i < int(at)-from+1<<c; i++ {
				free[i/64] |= 1 << (i % 64)
			}
		}
	}
	isFree := func(i int) bool { return i < to-from && free[i/64]>>(i%64)&1 != 0 }
	for i := 0; i < to-from; i++ {
		if free[i/64] == 0 {
			i |= 63
			continue
		}
		start := i
		for isFree(i) {
			i++
		}
		for n := i - start; n > 0; n = i - start {
			c := bits.Len(uint(n)) - 1
			h.push(c, uint32(from+start))
			start += 1 << c
		}
	}
}

// Unused returns the number of words that are free. It walks the free lists.
func (h Heap) Unused() int {
	first, end := h.Rest()
	n := end - first
	for c := range Classes {
		for at := h.Mem[h.Base+HeadFree+c]; at != 0; at = uint64(uint32(h.Mem[at/8])) {
			n += 1 << c
		}
	}
	return n
}
