package word

import "errors"

// The ways a heap can fail.
var (
	ErrMemory = errors.New("out of memory")
	ErrCopies = errors.New("a value has more than 2^24-1 live copies: keep fewer alive at once")
)

// A Heap is a memory of words with free lists by size class. Location 0 is never
// handed out. Methods that can fail panic with a Fault, which the executor's entry
// recovers, so that the hot path has no error results.
type Heap struct {
	Mem   []Word
	Limit int // most words the heap may grow to, 0 for no limit
	bump  uint32
	free  [32]uint32
}

// A Fault is the panic value of a failing heap operation.
type Fault struct{ Err error }

// NewHeap returns an empty heap that may grow to limit words (0: as far as it can).
func NewHeap(limit int) *Heap { return &Heap{Mem: make([]Word, 1<<12), Limit: limit, bump: 1} }

// Live returns the number of words in blocks in use. It looks at every free block.
func (h *Heap) Live() int {
	n := int(h.bump) - 1
	for c, loc := range h.free {
		for ; loc != 0; loc = uint32(h.Mem[loc]) {
			n -= 1 << c
		}
	}
	return n
}

// High returns the number of words up to the last that was in use since the heap was made
// or swept.
func (h *Heap) High() int { return int(h.bump) - 1 }

// Fresh makes High rise by the most words that are in use at once from now on: blocks that
// are free now are not used before the next Sweep.
func (h *Heap) Fresh() { h.free = [32]uint32{} }

// Alloc returns a block for n words (n >= 1), its contents undefined.
func (h *Heap) Alloc(n int) uint32 {
	c := Class(n)
	if loc := h.Pop(c); loc != 0 {
		return loc
	}
	loc := h.bump
	end := uint64(loc) + 1<<c
	if end > uint64(len(h.Mem)) {
		h.grow(end)
	}
	h.bump = uint32(end)
	return loc
}

// Pop takes a block off the free list of class c; it returns 0 when that is empty.
func (h *Heap) Pop(c int) uint32 {
	loc := h.free[c&31]
	if loc != 0 {
		h.free[c&31] = uint32(h.Mem[loc])
	}
	return loc
}

// Push puts the block of class c at loc on its free list.
func (h *Heap) Push(c int, loc uint32) {
	h.Mem[loc] = Word(h.free[c&31])
	h.free[c&31] = loc
}

func (h *Heap) grow(need uint64) {
	if h.Limit > 0 && need > uint64(h.Limit) || need > locMask {
		panic(Fault{ErrMemory})
	}
	n := uint64(len(h.Mem)) * 2
	if n < need {
		n = need
	}
	if h.Limit > 0 && n > uint64(h.Limit) {
		n = uint64(h.Limit)
	}
	m := make([]Word, n)
	copy(m, h.Mem)
	h.Mem = m
}

// Free gives back the block of n words at loc.
func (h *Heap) Free(loc uint32, n int) { h.Push(Class(n), loc) }

// Keep returns w for a second owner. Both owners must from now on hold the word
// that it returns in place of w.
func (h *Heap) Keep(w Word) Word {
	if !Boxed(w) {
		return w
	}
	if Shared(w) {
		cell := &h.Mem[Loc(w)]
		if *cell&countMask == CountMax {
			panic(Fault{ErrCopies})
		}
		*cell++
		return w
	}
	c := h.Alloc(1)
	h.Mem[c] = Word(Loc(w))<<countBits | 2
	return w&^locMask | SharedBit | Word(c)
}

// Open takes w's node apart: it copies the node's words to dst, which has at least
// Size(w) words, as their new owner, and gives up w.
func (h *Heap) Open(w Word, dst []Word) {
	n := Size(w)
	loc := Loc(w)
	if Shared(w) {
		cell := loc
		loc = uint32(h.Mem[cell] >> countBits)
		if h.Mem[cell]&countMask > 1 {
			h.Mem[cell]--
			for i := 0; i < n; i++ {
				k := h.Keep(h.Mem[loc+uint32(i)])
				h.Mem[loc+uint32(i)] = k
				dst[i] = k
			}
			return
		}
		h.Free(cell, 1)
	}
	copy(dst[:n], h.Mem[loc:])
	if n > 0 {
		h.Free(loc, n)
	}
}

// Drop gives up w and all that only w holds. It needs no stack: the nodes that wait
// are chained through their own first words.
func (h *Heap) Drop(w Word) {
	if !Boxed(w) {
		return
	}
	todo := h.release(w, 0)
	for todo != 0 {
		// A waiting node's first word is a header: size in the high half, next in the
		// low half; its own first word was released before it was chained.
		head := h.Mem[todo]
		n, next, loc := int(head>>32), uint32(head), todo
		todo = next
		for i := 1; i < n; i++ {
			todo = h.release(h.Mem[loc+uint32(i)], todo)
		}
		h.Free(loc, n)
	}
}

// release gives up w; a node that nobody else holds is put in front of the chain,
// and its first word is released too, along the first words.
func (h *Heap) release(w Word, todo uint32) uint32 {
	for Boxed(w) {
		loc := Loc(w)
		if Shared(w) {
			cell := loc
			if h.Mem[cell]&countMask > 1 {
				h.Mem[cell]--
				return todo
			}
			loc = uint32(h.Mem[cell] >> countBits)
			h.Free(cell, 1)
		}
		first := h.Mem[loc]
		h.Mem[loc] = Word(Size(w))<<32 | Word(todo)
		todo = loc
		w = first
	}
	return todo
}

// KeepAt gives the word at loc, a field of a node that stays, one more owner, and
// returns the word for it.
func (h *Heap) KeepAt(loc uint32) Word {
	w := h.Keep(h.Mem[loc])
	h.Mem[loc] = w
	return w
}

// NodeAt returns the location of the node that w refers to.
func (h *Heap) NodeAt(w Word) uint32 {
	if Shared(w) {
		return uint32(h.Mem[Loc(w)] >> countBits)
	}
	return Loc(w)
}

// Node returns the words of the node that w refers to, without taking it.
func (h *Heap) Node(w Word) []Word {
	loc := Loc(w)
	if Shared(w) {
		loc = uint32(h.Mem[loc] >> countBits)
	}
	return h.Mem[loc : loc+uint32(Size(w))]
}

// New returns constructor index k over fields, which it takes over.
func (h *Heap) New(k int, fields ...Word) Word {
	if len(fields) == 0 {
		return Pak(k)
	}
	loc := h.Alloc(len(fields))
	copy(h.Mem[loc:], fields)
	return Ctr(k, len(fields), loc)
}
