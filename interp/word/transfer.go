package word

// A Space is a memory with a heap to which values can be copied.
type Space interface {
	// Words returns the memory. It is asked for again after each Alloc.
	Words() []Word
	// Alloc returns a block for n words, and false when there is no room.
	Alloc(n int) (uint32, bool)
}

// A Room is a Heap as a Space.
type Room struct{ *Heap }

// Words implements Space.
func (r Room) Words() []Word { return r.Mem }

// Alloc implements Space.
func (r Room) Alloc(n int) (loc uint32, ok bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case Fault{ErrMemory}:
			ok = false
		default:
			panic(r)
		}
	}()
	return r.Heap.Alloc(n), true
}

// Transfer copies the values ws from the memory src to dst and replaces the words by
// those of the copies. What is shared among them is copied once and is shared in dst.
// Nothing in src changes. It returns the number of words of the nodes and cells copied,
// and false when dst is full; what was copied until then stays there.
func Transfer(dst Space, src []Word, ws []Word) (moved int, ok bool) {
	// A copied node holds the words of its original until the place of each is taken
	// off todo. Roots are the places from 0 on counted downward: ^i is ws[i].
	t := transfer{dst: dst, src: src, ws: ws, shared: map[uint32]sharing{}}
	for i := len(ws) - 1; i >= 0; i-- {
		t.todo = append(t.todo, place(^i))
	}
	for len(t.todo) > 0 {
		p := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		if !t.copy(p) {
			return t.moved, false
		}
	}
	return t.moved, true
}

// A place is the location of a word in dst, or the complement of an index of ws.
type place int64

// A sharing tells about a count cell of src that was met: where its first owner was
// put, and, from the second on, the cell in dst.
type sharing struct {
	first place
	cell  uint32
}

type transfer struct {
	dst    Space
	src    []Word
	ws     []Word
	todo   []place
	shared map[uint32]sharing
	moved  int
}

func (t *transfer) at(p place) *Word {
	if p < 0 {
		return &t.ws[^p]
	}
	return &t.dst.Words()[p]
}

// copy replaces the word of src at a place by that of a copy.
func (t *transfer) copy(p place) bool {
	w := *t.at(p)
	if !Boxed(w) {
		return true
	}
	loc := Loc(w)
	if Shared(w) {
		cell := loc
		if s, ok := t.shared[cell]; ok {
			return t.share(cell, s, p)
		}
		t.shared[cell] = sharing{first: p}
		loc = uint32(t.src[cell] >> countBits)
		w &^= SharedBit
	}
	n := Size(w)
	to, ok := t.dst.Alloc(n)
	if !ok {
		return false
	}
	copy(t.dst.Words()[to:], t.src[loc:loc+uint32(n)])
	t.moved += n
	*t.at(p) = w&^locMask | Word(to)
	for i := n - 1; i >= 0; i-- {
		if Boxed(t.src[loc+uint32(i)]) {
			t.todo = append(t.todo, place(to)+place(i))
		}
	}
	return true
}

// share makes the place p one more owner of what was copied already.
func (t *transfer) share(cell uint32, s sharing, p place) bool {
	if s.cell == 0 {
		c, ok := t.dst.Alloc(1)
		if !ok {
			return false
		}
		t.moved++
		first := t.at(s.first)
		t.dst.Words()[c] = Word(Loc(*first))<<countBits | 1
		*first = *first&^locMask | SharedBit | Word(c)
		s.cell = c
		t.shared[cell] = s
	}
	t.dst.Words()[s.cell]++ // no more owners than in src
	*t.at(p) = *t.at(s.first)
	return true
}
