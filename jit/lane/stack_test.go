package lane

import (
	"testing"

	"pgregory.net/rapid"
)

// A model runs a Stack against a slice that holds every frame.
type model struct {
	Stack
	frames []int    // return ids, the oldest first
	words  []uint64 // what the frames should hold
	next   uint64
	pushed int // words pushed and popped by the program
}

const (
	modelHeap = 6000 // above the highest stack and a frame in the slack
	modelMost = 400  // blocks that the heap has room for
	modelEnd  = modelHeap + modelMost*BlockWords
)

// newModel makes a lane of size words; return id i stands for a frame of sizes[i-1]
// words, and after those come the ids of a second step of the same frames.
func newModel(policy Policy, size int, sizes []int) *model {
	m := &model{}
	m.Mem = make([]uint64, modelEnd)
	m.Heap = Heap{Mem: m.Mem}
	m.Heap.Reset(modelHeap, modelEnd)
	m.Policy, m.Lo, m.Limit = policy, 1000, 1000+size
	m.Returns = []Return{{Words: ExitWords}}
	for _, n := range sizes {
		m.Returns = append(m.Returns, Return{Words: n, Pushed: n})
	}
	for _, n := range sizes {
		m.Returns = append(m.Returns, Return{Words: n + 1, Pushed: 2})
	}
	m.Start()
	return m
}

func (m *model) value() uint64 {
	m.next++
	return m.next<<16 | 0xabcd
}

// put writes n words that end in id above sp, in the stack and in the model.
func (m *model) put(n, id int) {
	for range n - 1 {
		w := m.value()
		m.Mem[m.SP] = w
		m.words = append(m.words, w)
		m.SP++
	}
	m.Mem[m.SP] = uint64(id)
	m.words = append(m.words, uint64(id))
	m.SP++
	m.pushed += n
}

// settle does what the host does when the push went above the limit.
func (m *model) settle() *Error {
	if m.SP > m.Limit {
		return m.Overflow()
	}
	return nil
}

func (m *model) push(id int) *Error {
	m.frames = append(m.frames, id)
	m.put(m.Returns[id].Words, id)
	return m.settle()
}

// again takes the second step of the frame at the top: its id gives way to a result
// and another id.
func (m *model) again(steps int) *Error {
	id := m.frames[len(m.frames)-1] + steps
	m.frames[len(m.frames)-1] = id
	m.SP--
	m.words = m.words[:len(m.words)-1]
	m.put(2, id)
	return m.settle()
}

// pop returns to the frame at the top and compares it.
func (m *model) pop(fail func(string, ...any)) {
	m.reach(fail)
	id := m.frames[len(m.frames)-1]
	n := m.Returns[id].Words
	want := m.words[len(m.words)-n:]
	for i, w := range m.Mem[m.SP-n : m.SP] {
		if w != want[i] {
			fail("frame %d, word %d: %x, want %x", len(m.frames), i, w, want[i])
		}
	}
	m.SP -= n
	m.frames = m.frames[:len(m.frames)-1]
	m.words = m.words[:len(m.words)-n]
	m.pushed += n
}

// reach makes the frame at the top present, as a return does.
func (m *model) reach(fail func(string, ...any)) {
	if m.Mem[m.SP-1] == ExitID {
		if m.SP != m.Lo+ExitWords {
			fail("an exit id %d words above the bottom", m.SP-m.Lo)
		}
		if m.Restore() {
			fail("the job is done with %d frames to go", len(m.frames))
		}
	}
}

// end returns from all frames; nothing may be left then.
func (m *model) end(fail func(string, ...any)) {
	for len(m.frames) > 0 {
		m.pop(fail)
	}
	if m.SP != m.Lo+ExitWords || !m.Restore() {
		fail("the job is not done at its end")
	}
	if n := modelEnd - modelHeap - m.Heap.Unused(); n != 0 || m.Blocks != 0 || m.out != 0 {
		fail("%d words and %d blocks left, %d words out", n, m.Blocks, m.out)
	}
}

// drive lets next choose: pushes, second steps and pops, in runs.
func drive(policy Policy, size int, sizes []int, next func(n int) int, turns int, fail func(string, ...any)) {
	m := newModel(policy, size, sizes)
	for range turns {
		kind, times := next(3), 1+next(200)
		for range times {
			var err *Error
			switch {
			case kind == 0 && m.Blocks < modelMost:
				err = m.push(1 + next(len(sizes)))
			case kind == 1 && m.Blocks < modelMost && len(m.frames) > 0 && m.frames[len(m.frames)-1] <= len(sizes):
				m.reach(fail)
				err = m.again(len(sizes))
			case len(m.frames) > 0:
				m.pop(fail)
			}
			if err != nil {
				fail("%v", err)
			}
			if m.SP > m.Limit || m.SP < m.Lo+ExitWords {
				fail("the stack pointer is %d words up", m.SP-m.Lo)
			}
		}
		total := 0
		for _, n := range m.Levels(1) {
			total += n
		}
		if total != len(m.frames) {
			fail("%d levels counted of %d", total, len(m.frames))
		}
	}
	m.end(fail)
	if policy == Half && m.Moved > 6*m.pushed {
		fail("%d words moved for %d pushed and popped", m.Moved, m.pushed)
	}
	if m.PeakWords > size {
		fail("a peak of %d words", m.PeakWords)
	}
}

func TestStackModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{64, 65, 100, 256, 2047, 2048}).Draw(t, "size")
		policy := rapid.SampledFrom([]Policy{Half, Whole}).Draw(t, "policy")
		widest := min(size-ExitWords-1, 248)
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 4), rapid.IntRange(1, widest)), 1, 5).Draw(t, "sizes")
		drive(policy, size, sizes, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "next") }, 20, t.Fatalf)
	})
}

func FuzzLane(f *testing.F) {
	f.Add(uint16(64), false, []byte{1, 2, 3}, []byte{0, 150, 1, 2, 0, 2, 90})
	f.Add(uint16(2048), true, []byte{247, 1}, []byte{0, 199, 1, 0, 1, 199, 2, 30, 0, 50, 1})
	f.Fuzz(func(t *testing.T, size uint16, whole bool, widths, script []byte) {
		if len(widths) == 0 || len(widths) > 8 || len(script) > 1000 {
			return
		}
		lane := MinLaneWords + int(size)%(LaneWords-MinLaneWords+1)
		var sizes []int
		for _, w := range widths {
			sizes = append(sizes, 1+int(w)%min(lane-ExitWords-1, 248))
		}
		policy := Half
		if whole {
			policy = Whole
		}
		at := 0
		next := func(n int) int {
			if at == len(script) {
				return 0
			}
			at++
			return int(script[at-1]) % n
		}
		drive(policy, lane, sizes, next, len(script)/4, t.Fatalf)
	})
}

// TestBoundaries checks the number of spills of plain recursions.
func TestBoundaries(t *testing.T) {
	for _, tt := range []struct{ words, depth, whole, half int }{
		{1, 2044, 0, 0}, {1, 2045, 0, 0}, {1, 2046, 1, 1}, {1, 4090, 1, 3}, {1, 4091, 2, 3},
		{2, 1021, 0, 0}, {2, 1022, 0, 0}, {2, 1023, 1, 1}, {2, 2043, 1, 2}, {2, 2044, 1, 2}, {2, 2045, 2, 3},
		{3, 680, 0, 0}, {3, 681, 0, 0}, {3, 682, 1, 1}, {3, 683, 1, 1},
		{2045, 1, 0, 0}, {2045, 3, 2, 2},
	} {
		for policy, want := range map[Policy]int{Whole: tt.whole, Half: tt.half} {
			m := newModel(policy, LaneWords, []int{tt.words})
			for range tt.depth {
				if err := m.push(1); err != nil {
					t.Fatalf("%+v: %v", tt, err)
				}
			}
			m.Note(m.SP)
			if m.Spills != want || m.PeakDeep != ExitWords+tt.words*tt.depth {
				t.Errorf("%+v, %v: %d spills, deepest %d", tt, policy, m.Spills, m.PeakDeep)
			}
			m.end(t.Fatalf)
		}
	}
}

// TestOrder checks that a frame that fits no lane is found before a block is taken,
// and that a block is taken before anything moves.
func TestOrder(t *testing.T) {
	for _, policy := range []Policy{Half, Whole} {
		m := newModel(policy, 64, []int{20, 62, 61})
		m.push(1)
		if err := m.push(2); err == nil || err.Code != TooDeep || m.Blocks != 0 {
			t.Errorf("%v: %v, %d blocks", policy, err, m.Blocks)
		}
		m = newModel(policy, 64, []int{20, 61})
		m.push(1)
		if err := m.push(2); err != nil || m.Blocks != 1 {
			t.Errorf("%v: %v, %d blocks", policy, err, m.Blocks)
		}
		m.end(t.Fatalf)
		m = newModel(policy, 64, []int{20, 61})
		m.Heap.Reset(modelHeap, modelHeap+BlockWords-1)
		m.push(1)
		if err := m.push(2); err == nil || err.Code != OutOfHeap || m.Moved != 0 {
			t.Errorf("%v: %v, %d words moved", policy, err, m.Moved)
		}
	}
	m := newModel(Off, 64, []int{20})
	for range 3 {
		m.push(1)
	}
	if err := m.push(1); err == nil || err.Code != Overflow || err.Words != 20 || err.Depth != 4 || err.Fits != 3 {
		t.Errorf("off: %+v", err)
	}
}

// TestPingPong pushes and pops around every depth: no pair of them costs more than a
// constant.
func TestPingPong(t *testing.T) {
	for _, w := range []int{1, 2, 3, 40, 248} {
		m := newModel(Half, LaneWords, []int{w})
		for depth := 0; depth < 5000/w; depth++ {
			m.push(1)
			before, words := m.Moved, 0
			for range 50 {
				for i := range 3 {
					if len(m.frames) > i {
						m.pop(t.Fatalf)
						words += w
					}
				}
				for range 3 {
					m.push(1)
					words += w
				}
			}
			for len(m.frames) > depth+1 {
				m.pop(t.Fatalf)
			}
			if moved := m.Moved - before; moved > 3*LaneWords+4*words {
				t.Errorf("width %d, depth %d: %d words moved for %d", w, depth, moved, words)
			}
		}
		m.end(t.Fatalf)
	}
}
