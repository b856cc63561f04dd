package lane

import "bend/interp/word"

// A Stack is the host's view of a lane's stack. It serves the two places where a
// kernel cannot go on by itself: a frame that was put above the limit, and a return
// that found a frame of three words.
//
// Costs, in words moved. Half: a spill leaves about half a stack, and so does a
// restore from a full block; a spill happens when a whole stack is full. Between a
// spill and the one before it, or a restore and the spill before it, about half a
// stack is pushed or popped, which pays for the half that moves out and the half that
// slides. A restore after a restore is paid for by the pops of all that the first one
// brought.
type Stack struct {
	Mem     []uint64
	Heap    Heap
	Lo      int // index of the first word
	Limit   int // index past the last
	Policy  Policy
	Returns []Return
	Profile bool

	SP int // index of the next free word

	Spills, Restores, Moved int
	Blocks, MostBlocks      int
	out                     int // words of frames in blocks
	PeakWords, PeakDeep     int
}

// Start makes the stack hold nothing but the exit frame of a job.
func (s *Stack) Start() {
	s.SP = s.Lo
	s.pushBottom(Hole, 0)
	s.SP += ExitWords
}

func (s *Stack) pushBottom(first word.Word, second int) {
	s.Mem[s.Lo] = first
	s.Mem[s.Lo+1] = uint64(second)
	s.Mem[s.Lo+2] = ExitID
}

// spillFrame returns the block and the number of words in it that the spill frame at
// the bottom leads to; ok is false for the exit frame of the job.
func (s *Stack) spillFrame() (block, k int, ok bool) {
	first := s.Mem[s.Lo]
	if first == Hole {
		return 0, 0, false
	}
	return int(word.Loc(first)), int(s.Mem[s.Lo+1]), true
}

// tagTask marks the first word of a spill frame.
const tagTask = 5 << word.TagShift

// Note takes a height of the stack into account for the peaks.
func (s *Stack) Note(sp int) {
	s.PeakWords = max(s.PeakWords, sp-s.Lo)
	s.PeakDeep = max(s.PeakDeep, sp-s.Lo+s.out)
}

// size returns the words of the frame whose return id is the word at top-1.
func (s *Stack) size(mem []uint64, top int) int { return s.Returns[mem[top-1]].Words }

// Overflow makes room for the frame that was put on the stack in spite of the limit.
func (s *Stack) Overflow() *Error {
	top := s.Returns[s.Mem[s.SP-1]]
	s.Note(s.SP - top.Pushed)
	s.PeakDeep = max(s.PeakDeep, s.SP-s.Lo+s.out)
	size := s.Limit - s.Lo
	if s.Policy == Off {
		return s.overflow(top)
	}
	if top.Words+ExitWords > size { // top.Words is D + n
		e := s.overflow(top)
		e.Code = TooDeep
		return e
	}
	spill := s.spillHalf
	if s.Policy == Whole {
		spill = s.spillWhole
	}
	err := spill(top)
	s.Note(s.SP)
	return err
}

// overflow describes the frame at the top, which does not fit.
func (s *Stack) overflow(top Return) *Error {
	e := &Error{Code: Overflow, LaneWords: s.Limit - s.Lo, Words: top.Pushed}
	for at := s.SP; at > s.Lo+ExitWords; {
		r := s.Returns[s.Mem[at-1]]
		if r.Owner == top.Owner {
			e.Depth++
		}
		at -= r.Words
	}
	e.Fits = Fits(e.LaneWords, top.Words)
	return e
}

// take takes a block from the heap.
func (s *Stack) take() (int, *Error) {
	loc, ok := s.Heap.Alloc(BlockWords)
	if !ok {
		return 0, &Error{Code: OutOfHeap, SpillHeld: s.Blocks * BlockWords * 8}
	}
	s.Spills++
	s.Blocks++
	s.MostBlocks = max(s.MostBlocks, s.Blocks)
	return int(loc), nil
}

func (s *Stack) free(block int) {
	s.Heap.Free(uint32(block), BlockWords)
	s.Blocks--
}

// move copies n words.
func (s *Stack) move(to, from, n int) {
	copy(s.Mem[to:to+n], s.Mem[from:from+n])
	s.Moved += n
}

// spillWhole moves all below the frame of the current def to a block.
func (s *Stack) spillWhole(top Return) *Error {
	d := top.Words - top.Pushed
	k := s.SP - top.Words - s.Lo
	b, err := s.take()
	if err != nil {
		return err
	}
	s.move(b, s.Lo, k+d)
	s.pushBottom(tagTask|word.Word(b), k)
	s.move(s.Lo+ExitWords, b+k, d)
	// The words about to be pushed are on the stack already; they follow.
	copy(s.Mem[s.Lo+ExitWords+d:], s.Mem[s.SP-top.Pushed:s.SP])
	s.SP = s.Lo + ExitWords + top.Words
	s.out += k - ExitWords
	return nil
}

// spillHalf moves the older frames to the newest block, and to a new one when that is
// full, and slides the others down.
func (s *Stack) spillHalf(top Return) *Error {
	first := s.Lo + ExitWords
	half := (s.Limit - s.Lo) / 2
	cut := s.SP - top.Words
	for cut > first {
		n := s.size(s.Mem, cut)
		kept := s.SP - cut
		if kept+n > half && kept+n-half >= half-kept || s.Lo+ExitWords+kept+n > s.Limit {
			break
		}
		cut -= n
	}
	// [first, cut) moves: what has room to the newest block, up to a frame boundary.
	block, k, ok := s.spillFrame()
	part := first
	if ok && k+cut-first <= BlockWords {
		part = cut
	} else if ok {
		for part = cut; k+part-first > BlockWords; {
			part -= s.size(s.Mem, part)
		}
	}
	fresh := 0
	if part < cut {
		var err *Error
		if fresh, err = s.take(); err != nil {
			return err
		}
	} else {
		s.Spills++
	}
	if part > first {
		s.move(block+k, first, part-first)
		s.Mem[s.Lo+1] += uint64(part - first)
	}
	if part < cut {
		copy(s.Mem[fresh:fresh+ExitWords], s.Mem[s.Lo:first])
		s.move(fresh+ExitWords, part, cut-part)
		s.pushBottom(tagTask|word.Word(fresh), ExitWords+cut-part)
	}
	s.move(first, cut, s.SP-cut)
	s.SP -= cut - first
	s.out += cut - first
	return nil
}

// Restore serves a return that found the frame at the bottom: it brings frames back
// from the newest block, or reports that the job is done.
func (s *Stack) Restore() (done bool) {
	block, k, ok := s.spillFrame()
	if !ok {
		return true
	}
	if s.Policy == Whole {
		s.Restores++
		s.move(s.Lo, block, k)
		s.free(block)
		s.SP = s.Lo + k
		s.out -= k - ExitWords
		return false
	}
	for k == ExitWords { // a block that is empty but for the frame that leads on
		copy(s.Mem[s.Lo:s.Lo+ExitWords], s.Mem[block:block+ExitWords])
		s.free(block)
		if block, k, ok = s.spillFrame(); !ok {
			return true
		}
	}
	half := (s.Limit - s.Lo) / 2
	from := block + k
	for from > block+ExitWords {
		n := s.size(s.Mem, from)
		if got := block + k - from; got > 0 && got+n > half {
			break
		}
		from -= n
	}
	n := block + k - from
	s.Restores++
	s.move(s.Lo+ExitWords, from, n)
	s.Mem[s.Lo+1] -= uint64(n)
	s.SP = s.Lo + ExitWords + n
	s.out -= n
	return false
}

// Levels returns how many frames each owner has on the stack and in the blocks.
func (s *Stack) Levels(owners int) []int {
	depth := make([]int, owners)
	count := func(lo, top int) {
		for at := top; at > lo; {
			r := s.Returns[s.Mem[at-1]]
			depth[r.Owner]++
			at -= r.Words
		}
	}
	first, second := s.Mem[s.Lo], s.Mem[s.Lo+1]
	count(s.Lo+ExitWords, s.SP)
	for first != Hole {
		block, k := int(word.Loc(first)), int(second)
		count(block+ExitWords, block+k)
		first, second = s.Mem[block], s.Mem[block+1]
	}
	return depth
}
