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
func (s *Stack) Start() { s.begin(Hole, 0) }

// begin makes the stack hold nothing but an exit frame or a spill frame.
func (s *Stack) begin(first word.Word, second int) {
	s.pushBottom(first, second)
	s.SP = s.Lo + ExitWords
}

// Top returns the highest place of a top word that does not overflow.
func (s *Stack) Top() int {
	if s.Policy == Every {
		return s.SP - 1
	}
	return s.Limit - 1
}

func (s *Stack) pushBottom(first word.Word, second int) {
	s.Mem[s.Lo] = first
	s.Mem[s.Lo+1] = uint64(second)
	s.Mem[s.Lo+2] = ExitID
}

// spillFrame returns the block that the spill frame at the bottom leads to and the
// number of words in it; ok is false for the exit frame of the job.
func (s *Stack) spillFrame() (b block, k int, ok bool) {
	first := s.Mem[s.Lo]
	if first&TagMask != TagTask {
		return block{}, 0, false
	}
	return block{int(word.Loc(first)), word.Aux(first)}, int(s.Mem[s.Lo+1]), true
}

// A block is where frames are moved to.
type block struct{ at, class int }

// first returns the first word of the spill frame that leads to b.
func (b block) first() word.Word {
	return TagTask | word.Word(b.class)<<word.AuxShift | word.Word(b.at)
}

// The first word of a frame at the bottom is Hole or has one of these tags.
const (
	TagTask = 5 << word.TagShift // a spill frame: the location of the block
	TagJoin = 6 << word.TagShift // the exit frame of a job: the location of its join
	TagMask = 0xff << word.TagShift
)

// Note takes a height of the stack into account for the peaks.
func (s *Stack) Note(sp int) {
	s.PeakWords = max(s.PeakWords, sp-s.Lo)
	s.PeakDeep = max(s.PeakDeep, sp-s.Lo+s.out)
}

// size returns the words of the frame whose return id is the word at top-1.
func (s *Stack) size(mem []uint64, top int) int { return s.at(mem, top).Words }

// at describes the frame whose return id is the word at top-1. Beside the id, that word
// may hold a location.
func (s *Stack) at(mem []uint64, top int) *Return { return &s.Returns[uint32(mem[top-1])] }

// Overflow makes room for the frame that was put on the stack in spite of the limit.
func (s *Stack) Overflow() *Error {
	top := *s.at(s.Mem, s.SP)
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
		r := s.at(s.Mem, at)
		if r.Owner == top.Owner {
			e.Depth++
		}
		at -= r.Words
	}
	e.Fits = Fits(e.LaneWords, top.Words)
	return e
}

// take takes a block for n words from the heap.
func (s *Stack) take(n int) (block, *Error) {
	loc, ok := s.Heap.Alloc(n)
	if !ok {
		return block{}, &Error{Code: OutOfHeap, SpillHeld: s.Blocks * BlockWords * 8}
	}
	s.Spills++
	s.Blocks++
	s.MostBlocks = max(s.MostBlocks, s.Blocks)
	return block{int(loc), word.Class(n)}, nil
}

func (s *Stack) free(b block) {
	s.Heap.Free(uint32(b.at), 1<<b.class)
	s.Blocks--
}

// half returns how many words a spill leaves, about, and a restore brings at most; a
// frame at the least.
func (s *Stack) half() int {
	if s.Policy == Every {
		return 0
	}
	return (s.Limit - s.Lo) / 2
}

// Sample tells what the stack holds now. It looks at every frame, those in blocks included.
func (s *Stack) Sample(owners int) Sample {
	words := s.SP - s.Lo
	return Sample{
		Words: words, Deep: words + s.out, Blocks: s.Blocks,
		Spills: s.Spills, Restores: s.Restores, Levels: s.Levels(owners),
	}
}

// Frame describes the frame at the top.
func (s *Stack) Frame() Return { return *s.at(s.Mem, s.SP) }

// move copies n words.
func (s *Stack) move(to, from, n int) {
	copy(s.Mem[to:to+n], s.Mem[from:from+n])
	s.Moved += n
}

// spillWhole moves all below the frame of the current def to a block.
func (s *Stack) spillWhole(top Return) *Error {
	d := top.Words - top.Pushed
	k := s.SP - top.Words - s.Lo
	b, err := s.take(BlockWords)
	if err != nil {
		return err
	}
	s.move(b.at, s.Lo, k+d)
	s.pushBottom(b.first(), k)
	s.move(s.Lo+ExitWords, b.at+k, d)
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
	half := s.half()
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
	old, k, ok := s.spillFrame()
	part := first
	if ok && k+cut-first <= 1<<old.class {
		part = cut
	} else if ok {
		for part = cut; k+part-first > 1<<old.class; {
			part -= s.size(s.Mem, part)
		}
	}
	var fresh block
	if part < cut {
		var err *Error
		if fresh, err = s.take(BlockWords); err != nil {
			return err
		}
	} else {
		s.Spills++
	}
	if part > first {
		s.move(old.at+k, first, part-first)
		s.Mem[s.Lo+1] += uint64(part - first)
	}
	if part < cut {
		copy(s.Mem[fresh.at:fresh.at+ExitWords], s.Mem[s.Lo:first])
		s.move(fresh.at+ExitWords, part, cut-part)
		s.pushBottom(fresh.first(), ExitWords+cut-part)
	}
	s.move(first, cut, s.SP-cut)
	s.SP -= cut - first
	s.out += cut - first
	return nil
}

// Restore serves a return that found the frame at the bottom: it brings frames back
// from the newest block, or reports that the job is done.
func (s *Stack) Restore() (done bool) {
	b, k, ok := s.spillFrame()
	if !ok {
		return true
	}
	if s.Policy == Whole {
		s.Restores++
		s.move(s.Lo, b.at, k)
		s.free(b)
		s.SP = s.Lo + k
		s.out -= k - ExitWords
		return false
	}
	for k == ExitWords { // a block that is empty but for the frame that leads on
		copy(s.Mem[s.Lo:s.Lo+ExitWords], s.Mem[b.at:b.at+ExitWords])
		s.free(b)
		if b, k, ok = s.spillFrame(); !ok {
			return true
		}
	}
	half := s.half()
	from := b.at + k
	for from > b.at+ExitWords {
		n := s.size(s.Mem, from)
		if got := b.at + k - from; got > 0 && got+n > half {
			break
		}
		from -= n
	}
	n := b.at + k - from
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
			r := s.at(s.Mem, at)
			depth[r.Owner]++
			at -= r.Words
		}
	}
	first, second := s.Mem[s.Lo], s.Mem[s.Lo+1]
	count(s.Lo+ExitWords, s.SP)
	for first&TagMask == TagTask {
		block, k := int(word.Loc(first)), int(second)
		count(block+ExitWords, block+k)
		first, second = s.Mem[block], s.Mem[block+1]
	}
	return depth
}
