package conform

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit"
	"bend/jit/lane"
)

// list makes the list n-1, .. 1, 0 in the lab's heap.
func (l *lab) list(n int) word.Word {
	w := word.Pak(nilCtor)
	for i := range n {
		w = l.heap.New(consCtor, word.Word(i), w)
	}
	return w
}

// length takes a list apart.
func (l *lab) length(w word.Word) int {
	n := 0
	for word.Aux(w) == consCtor {
		var cell [2]word.Word
		l.heap.Open(w, cell[:])
		w = cell[1]
		n++
	}
	return n
}

// boundary checks, to the digit, where a recursion fills a lane.
func boundary(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	deep, deep3, app := b.deep(), b.deep3(), b.app()
	type depth struct {
		n     int
		whole int // spills under Whole
	}
	tests := []struct {
		name   string
		def    flat.DefID
		fits   int
		words  int
		depths []depth
	}{
		{"deep", deep, 2045, 1, []depth{{2044, 0}, {2045, 0}, {2046, 1}, {4090, 1}, {4091, 2}}},
		{"append", app, 1022, 2, []depth{{1021, 0}, {1022, 0}, {1023, 1}, {2043, 1}, {2044, 1}, {2045, 2}}},
		{"deep3", deep3, 681, 3, []depth{{680, 0}, {681, 0}, {682, 1}, {683, 1}}},
	}
	for _, tt := range tests {
		for _, profile := range l.profiles() {
			p := l.load(b, tt.def, profile)
			call := func(n int, o lane.RunOptions) (int, *lane.Report, error) {
				switch tt.def {
				case deep:
					w, r, err := l.run(p, o, word.Word(n))
					return int(w), r, err
				case deep3:
					w, r, err := l.run(p, o, word.Word(n), 0, 1)
					return int(w), r, err
				}
				w, r, err := l.run(p, o, l.list(n), l.list(0))
				if err != nil {
					return 0, r, err
				}
				return l.length(w), r, err
			}
			for _, d := range tt.depths {
				for _, policy := range []lane.Policy{lane.Off, lane.Whole, lane.Half} {
					name := fmt.Sprintf("%s %d %v profile=%v", tt.name, d.n, policy, profile)
					got, r, err := call(d.n, lane.RunOptions{Policy: policy})
					if policy == lane.Off && d.n > tt.fits {
						first := fmt.Sprintf("stack overflow on lane 0: frame of %d words does not fit (2048)", tt.words)
						note := fmt.Sprintf("%s keeps %d words a level: %d levels fit, level %d does not", tt.name, tt.words, tt.fits, tt.fits+1)
						if tt.words == 1 {
							first = strings.Replace(first, "1 words", "1 word", 1)
							note = strings.Replace(note, "1 words", "1 word", 1)
						}
						var e *lane.Error
						if !errors.As(err, &e) || e.Error() != first || e.Note() != note {
							t.Errorf("%s: %v, note %q, want %q, %q", name, err, e.Note(), first, note)
						}
						continue
					}
					if err != nil || got != d.n {
						t.Errorf("%s: %d, %v", name, got, err)
						continue
					}
					if policy == lane.Whole && r.Spills != d.whole || (r.Spills > 0) != (d.n > tt.fits) {
						t.Errorf("%s: %d spills", name, r.Spills)
					}
					if r.Restores < r.Blocks {
						t.Errorf("%s: %d restores of %d blocks", name, r.Restores, r.Blocks)
					}
					if r.Profiled {
						peak := min(lane.ExitWords+tt.words*d.n, lane.ExitWords+tt.words*tt.fits)
						if lv := r.Levels[0]; lv.Depth != d.n || lv.Fits != tt.fits || lv.Words != tt.words || r.PeakWords != peak {
							t.Errorf("%s: %+v, peak %d, want %d", name, lv, r.PeakWords, peak)
						}
						if deep := lane.ExitWords + tt.words*d.n; r.PeakDeep != deep {
							t.Errorf("%s: %d words at the deepest, want %d", name, r.PeakDeep, deep)
						}
					}
				}
			}
		}
	}
}

// smallLanes runs everything on lanes so small that it always spills.
func smallLanes(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	pair := b.pair()
	tests := []struct {
		name string
		def  flat.DefID
		args []word.Word
		want word.Word
	}{
		{"deep", b.deep(), []word.Word{3000}, 3000},
		{"deep3", b.deep3(), []word.Word{3000, 2, 3}, 15000},
		{"fib", b.fib(), []word.Word{20}, 6765},
		{"pfib", b.pfib(), []word.Word{20}, 6765},
		{"pair", pair, []word.Word{600, 1, 2}, 600*3 + 600 + 1},
		{"appsum", b.appsum(), []word.Word{2048}, 2096135},
	}
	for _, tt := range tests {
		for _, profile := range l.profiles() {
			p := l.load(b, tt.def, profile)
			for words := 64; words < 90; words++ {
				for _, policy := range []lane.Policy{lane.Half, lane.Whole} {
					got, r, err := l.run(p, lane.RunOptions{Policy: policy, LaneWords: words}, tt.args...)
					if err != nil || got != tt.want {
						t.Fatalf("%s on %d words, %v: %d, %v", tt.name, words, policy, got, err)
					}
					if tt.name != "fib" && tt.name != "pfib" && r.Spills == 0 {
						t.Errorf("%s on %d words, %v: no spill", tt.name, words, policy)
					}
				}
			}
		}
	}
	// The second step of pair's fork pushes 2 words above the 3 that are there.
	p := l.load(b, pair, false)
	for _, tt := range []struct{ words, fits int }{{2048, 409}, {2047, 408}, {64, 12}} {
		if _, _, err := l.run(p, lane.RunOptions{Policy: lane.Off, LaneWords: tt.words}, word.Word(tt.fits), 1, 2); err != nil {
			t.Errorf("pair %d on %d words: %v", tt.fits, tt.words, err)
		}
		_, _, err := l.run(p, lane.RunOptions{Policy: lane.Off, LaneWords: tt.words}, word.Word(tt.fits+1), 1, 2)
		var e *lane.Error
		if !errors.As(err, &e) || e.Code != lane.Overflow || e.Depth != tt.fits+1 {
			t.Errorf("pair %d on %d words: %v, depth %d", tt.fits+1, tt.words, err, e.Depth)
		}
	}
}

// pair adds pair(n, x, y) = n is 0: 1; else a fork of one(x) and pair(n-1, x, y), and
// a + b + x + y: 5 words while the second call runs.
func (b book) pair() flat.DefID {
	one := b.add("one", "r", 1, func(flat.DefID) flat.Code { return &flat.Return{X: c(1)} })
	return b.add("pair", "rrrrrrrrr", 3, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(1)},
			Else: &flat.Prim{Dst: 3, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Fork{Dsts: []flat.Var{4, 5}, Calls: []flat.Call{call(one, v(1)), call(self, v(3), v(1), v(2))}, Frame: frame(1, 2, 3),
					Next: &flat.Prim{Dst: 6, Op: flat.OpU32Add, Args: as(v(4), v(5)),
						Next: &flat.Prim{Dst: 7, Op: flat.OpU32Add, Args: as(v(6), v(1)),
							Next: &flat.Prim{Dst: 8, Op: flat.OpU32Add, Args: as(v(7), v(2)), Next: &flat.Return{X: v(8)}}}}}}}
	})
}

func errorsOfRuns(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	deep := b.deep()
	// over(n) = n is 0: 2^48-1 + 1; else over(n-1)
	over := b.add("over", "rrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Prim{Dst: 1, Op: flat.OpNatAdd, Args: as(c(word.NatMax), c(1)), Next: &flat.Return{X: v(1)}},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 3, Call: call(self, v(2)), Frame: frame(), Next: &flat.Return{X: v(3)}}}}
	})
	mul := b.add("mul", "rrr", 2, func(flat.DefID) flat.Code {
		return &flat.Prim{Dst: 2, Op: flat.OpNatMul, Args: as(v(0), v(1)), Next: &flat.Return{X: v(2)}}
	})
	char := b.add("char", "rr", 1, func(flat.DefID) flat.Code {
		return &flat.Prim{Dst: 1, Op: flat.OpCharFromU32, Args: as(v(0)), Next: &flat.Return{X: v(1)}}
	})
	stop := b.add("stop", "", 0, func(flat.DefID) flat.Code { return &flat.Stop{Why: "no way on"} })
	spin := b.add("spin", "r", 1, func(self flat.DefID) flat.Code { return &flat.Tail{Call: call(self, v(0))} })
	hungry := b.add("hungry", "bb", 1, func(self flat.DefID) flat.Code {
		return &flat.New{Dst: 1, Ctor: consCtor, Name: "Con", Fields: as(c(1), v(0)), Next: &flat.Tail{Call: call(self, v(1))}}
	})
	wide := b.wide(62)
	apply := b.add("apply", "bb", 2, func(flat.DefID) flat.Code {
		return &flat.Tail{Call: flat.Call{Apply: true, Fn: v(0), Args: as(v(1))}}
	})
	unknown := b.Fn(deep, 0)
	args := func(ws ...word.Word) []word.Word { return ws }
	tests := []struct {
		name string
		def  flat.DefID
		args []word.Word
		o    lane.RunOptions
		want string
	}{
		{"Nat overflow", over, args(0), lane.RunOptions{}, "a Nat past the largest immediate 2^48-1"},
		{"Nat overflow at depth", over, args(50000), lane.RunOptions{}, "a Nat past the largest immediate 2^48-1"},
		{"product", mul, args(1<<24, 1<<24), lane.RunOptions{}, "a Nat past the largest immediate 2^48-1"},
		{"product that wraps", mul, args(1<<47, 1<<47), lane.RunOptions{}, "a Nat past the largest immediate 2^48-1"},
		{"surrogate", char, args(0xd800), lane.RunOptions{}, "55296 is not a Unicode scalar value"},
		{"past Unicode", char, args(0x110000), lane.RunOptions{}, "1114112 is not a Unicode scalar value"},
		{"stop", stop, nil, lane.RunOptions{}, "no way on"},
		{"closure that is not held", apply, args(word.Clo(int(unknown), 0, 0), 1), lane.RunOptions{}, "a function the device does not hold"},
		{"function past the table", apply, args(word.Clo(4711, 0, 0), 1), lane.RunOptions{}, "a function the device does not hold"},
		{"heap full of nodes", hungry, args(word.Pak(nilCtor)), lane.RunOptions{HeapBytes: 1 << 20}, "out of memory: the kernel's heap of 1.0 MiB is full: give it more, as in --heap 2MB or :set heap 2MB"},
		{"heap full of blocks", deep, args(1e8), lane.RunOptions{HeapBytes: 64 << 20}, "out of memory: the kernel's heap of 64 MiB is full (64 MiB of it spill blocks): give it more, as in --heap 128MB or :set heap 128MB"},
		{"too deep", wide, args(1), lane.RunOptions{LaneWords: 64}, "a frame of 63 words fits no lane of 64: wide keeps too much across one call"},
		{"too deep, whole", wide, args(1), lane.RunOptions{LaneWords: 64, Policy: lane.Whole}, "a frame of 63 words fits no lane of 64: wide keeps too much across one call"},
		{"too deep before a block is taken", wide, args(1), lane.RunOptions{LaneWords: 64, HeapBytes: 8}, "a frame of 63 words fits no lane of 64: wide keeps too much across one call"},
		{"no room for a block", deep, args(3000), lane.RunOptions{HeapBytes: 8}, "out of memory: the kernel's heap of 8 B is full: give it more, as in --heap 1MB or :set heap 1MB"},
	}
	for _, tt := range tests {
		p := l.load(b, tt.def, false)
		_, _, err := l.run(p, tt.o, tt.args...)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
		// The program is good for another run.
		if tt.def == deep {
			if w, _, err := l.run(p, lane.RunOptions{}, 5000); err != nil || w != 5000 {
				t.Errorf("after %s: %d, %v", tt.name, w, err)
			}
		}
	}

	p := l.load(b, spin, false)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := p.Run(ctx, l.heap, args(1), lane.RunOptions{})
	if !errors.Is(err, &lane.Error{Code: lane.Interrupted}) || !errors.Is(err, context.Canceled) {
		t.Errorf("spin: %v", err)
	}
}

// wide adds wide(n), which keeps n captures and an id across a call of itself.
func (b book) wide(n int) flat.DefID {
	var caps []flat.Var
	for i := range n {
		caps = append(caps, flat.Var(1+i))
	}
	return b.add("wide", strings.Repeat("r", n+2), 1, func(self flat.DefID) flat.Code {
		var code flat.Code = &flat.Cut{Dst: flat.Var(n + 1), Call: call(self, c(0)), Frame: frame(caps...), Next: &flat.Return{X: v(flat.Var(n))}}
		for _, x := range caps {
			code = &flat.Prim{Dst: x, Op: flat.OpU32Inc, Args: as(v(0)), Next: code}
		}
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)), Then: &flat.Return{X: c(0)}, Else: code}
	})
}

// keeps adds keepsN(n), which recurses n levels and keeps words of them across each call.
func (b book) keeps(words int) flat.DefID {
	var caps []flat.Var
	for i := range words - 1 {
		caps = append(caps, flat.Var(2+i))
	}
	result := flat.Var(words + 1)
	return b.add(fmt.Sprintf("keeps%d", words), strings.Repeat("r", 2*words+2), 1, func(self flat.DefID) flat.Code {
		var code flat.Code = &flat.Return{X: v(result + flat.Var(len(caps)))}
		for i := len(caps) - 1; i >= 0; i-- {
			sum := result + flat.Var(i)
			code = &flat.Prim{Dst: sum + 1, Op: flat.OpU32Add, Args: as(v(sum), v(caps[i])), Next: code}
		}
		code = &flat.Cut{Dst: result, Call: call(self, v(1)), Frame: frame(caps...), Next: code}
		for _, x := range caps {
			code = &flat.Prim{Dst: x, Op: flat.OpU32And, Args: as(v(0), c(1)), Next: code}
		}
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)), Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 1, Op: flat.OpNatPred, Args: as(v(0)), Next: code}}
	})
}

// heapUse checks that a recursion gets 95 of 100 words of the heap, however many it
// keeps a level, up to a hundred.
func heapUse(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	const heap = 16 << 20
	for _, words := range []int{1, 2, 3, 7, 20, 64, 100} {
		p := l.load(b, b.keeps(words), false)
		for _, policy := range []lane.Policy{lane.Half, lane.Whole} {
			n := word.Word(heap / 8 * 95 / 100 / words)
			want := (n + 1) / 2 * word.Word(words-1)
			if w, _, err := l.run(p, lane.RunOptions{Policy: policy, HeapBytes: heap}, n); err != nil || w != want {
				t.Errorf("%d words a level, %v: %d, %v, want %d", words, policy, w, err, want)
			}
		}
	}
}

// hotBoundary compares, in words moved, a loop of calls at the depth where the
// stack is full with one a frame shallower.
func hotBoundary(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	one := b.deep()
	// loop(k) = k is 0: 0; else deep(1), loop(k-1)
	loop := b.add("loop", "rrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 1, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 2, Call: call(one, c(1)), Frame: frame(1), Next: &flat.Tail{Call: call(self, v(1))}}}}
	})
	// hot(n, k) calls loop(k) at depth n.
	hot := b.add("hot", "rrrr", 2, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Tail{Call: call(loop, v(1))},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 3, Call: call(self, v(2), v(1)), Frame: frame(), Next: &flat.Return{X: v(3)}}}}
	})
	p := l.load(b, hot, false)
	const calls = 10000
	for depth := 2030; depth < 2060; depth++ {
		_, r, err := l.run(p, lane.RunOptions{}, word.Word(depth), calls)
		if err != nil || r.Moved > 3*lane.LaneWords {
			t.Errorf("depth %d: %d words moved, %v", depth, r.Moved, err)
		}
	}
	_, r, err := l.run(p, lane.RunOptions{Policy: lane.Whole}, 2043, calls)
	if err != nil || r.Moved < calls*lane.LaneWords {
		t.Errorf("the whole policy: %d words moved, %v", r.Moved, err)
	}
}

// closures applies closures that hold arguments, shared ones and those that came
// with the arguments.
func closures(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	add3 := b.add("add3", "rrrrr", 3, func(flat.DefID) flat.Code {
		return &flat.Prim{Dst: 3, Op: flat.OpU32Mul, Args: as(v(0), v(1)),
			Next: &flat.Prim{Dst: 4, Op: flat.OpU32Add, Args: as(v(3), v(2)), Next: &flat.Return{X: v(4)}}}
	})
	apply := func(f, x flat.Atom) flat.Call { return flat.Call{Apply: true, Fn: f, Args: as(x)} }
	// twice(f) = f(3)(4) + f(5)(6)
	twice := b.add("twice", "bbbrrrb", 1, func(flat.DefID) flat.Code {
		return &flat.Dup{X: 0,
			Next: &flat.Cut{Dst: 1, Call: apply(v(0), c(3)), Frame: frame(0),
				Next: &flat.Cut{Dst: 3, Call: apply(v(1), c(4)), Frame: frame(0),
					Next: &flat.Cut{Dst: 2, Call: apply(v(0), c(5)), Frame: frame(3),
						Next: &flat.Cut{Dst: 4, Call: apply(v(2), c(6)), Frame: frame(3),
							Next: &flat.Prim{Dst: 5, Op: flat.OpU32Add, Args: as(v(3), v(4)), Next: &flat.Return{X: v(5)}}}}}}}
	})
	inside := b.add("inside", "bb", 1, func(flat.DefID) flat.Code {
		return &flat.Closure{Dst: 1, Fn: b.Fn(add3, 1), Held: as(v(0)), Next: &flat.Tail{Call: call(twice, v(1))}}
	})
	if w, _, err := l.run(l.load(b, inside, false), lane.RunOptions{}, 10); err != nil || w != 10*3+4+10*5+6 {
		t.Errorf("inside: %d, %v", w, err)
	}
	none := b.add("none", "b", 0, func(flat.DefID) flat.Code {
		return &flat.Closure{Dst: 0, Fn: b.Fn(add3, 0), Next: &flat.Tail{Call: apply(v(0), c(8))}}
	})
	w, _, err := l.run(l.load(b, none, false), lane.RunOptions{})
	if err != nil || word.Tag(w) != word.TagClo || flat.FnID(word.Aux(w)) != b.Fn(add3, 1) || l.heap.Node(w)[0] != 8 {
		t.Errorf("none: %x, %v", w, err)
	}
	// What came back is applied by another kernel.
	arg := []word.Word{w}
	if w, _, err := l.run(l.load(b, twice, false, jit.ClosuresIn(l.heap, arg)...), lane.RunOptions{}, arg...); err != nil || w != 8*3+4+8*5+6 {
		t.Errorf("handed on: %d, %v", w, err)
	}
	if n := l.heap.Live(); n != 0 {
		t.Errorf("%d words left on the host", n)
	}
}

// sharing opens and drops shared nodes.
func sharing(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	gen, sum, app := b.gen(), b.sum(), b.app()
	// both(xs) = sum(append(xs, xs)) with a third owner that is dropped
	both := b.add("both", "bb", 1, func(flat.DefID) flat.Code {
		return &flat.Dup{X: 0, Next: &flat.Dup{X: 0,
			Next: &flat.Cut{Dst: 1, Call: call(app, v(0), v(0)), Frame: frame(0),
				Next: &flat.Drop{X: 0, Next: &flat.Tail{Call: call(sum, v(1), c(0))}}}}}
	})
	made := b.add("made", "rb", 1, func(flat.DefID) flat.Code {
		return &flat.Cut{Dst: 1, Call: call(gen, v(0), c(word.Pak(nilCtor))), Frame: frame(), Next: &flat.Tail{Call: call(both, v(1))}}
	})
	for _, words := range []int{64, 2048} {
		if w, _, err := l.run(l.load(b, made, false), lane.RunOptions{LaneWords: words}, 3000); err != nil || w != 2*4498500 {
			t.Errorf("made: %d, %v", w, err)
		}
	}
	// A list that the host keeps an owner of.
	p := l.load(b, both, false)
	xs := l.heap.Keep(l.list(3000))
	if w, _, err := l.run(p, lane.RunOptions{}, xs); err != nil || w != 2*4498500 {
		t.Errorf("both: %d, %v", w, err)
	}
	if n := l.length(xs); n != 3000 {
		t.Errorf("the host's list has %d elements", n)
	}
	drop := b.add("drop", "b", 1, func(flat.DefID) flat.Code { return &flat.Drop{X: 0, Next: &flat.Return{X: c(1)}} })
	if w, _, err := l.run(l.load(b, drop, false), lane.RunOptions{}, l.list(1000000)); err != nil || w != 1 {
		t.Errorf("drop: %d, %v", w, err)
	}
	// A pair that shares a list comes back sharing it.
	same := b.add("same", "bb", 1, func(flat.DefID) flat.Code {
		return &flat.Dup{X: 0, Next: &flat.New{Dst: 1, Ctor: 0, Name: "Pair", Fields: as(v(0), v(0)), Next: &flat.Return{X: v(1)}}}
	})
	w, r, err := l.run(l.load(b, same, false), lane.RunOptions{}, l.list(10))
	if err != nil || l.heap.Live() != 2+1+20 || r.Copied != 20+2+1+20 {
		t.Errorf("same: %v, %d words, %d copied", err, l.heap.Live(), r.Copied)
	}
	l.heap.Drop(w)
	if n := l.heap.Live(); n != 0 {
		t.Errorf("%d words left on the host", n)
	}
}

// match goes through all forms of a match, literals and wide calls.
func match(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	arms := func(n int) []flat.Arm {
		var arms []flat.Arm
		for i := range n {
			arms = append(arms, flat.Arm{Ctor: i, Body: &flat.Return{X: c(word.Word(100 + i))}})
		}
		return arms
	}
	for n := 1; n <= 6; n++ {
		whole := b.add("whole", "b", 1, func(flat.DefID) flat.Code { return &flat.Match{X: 0, Arms: arms(n)} })
		part := b.add("part", "b", 1, func(flat.DefID) flat.Code {
			return &flat.Match{X: 0, Arms: arms(n), Else: &flat.Drop{X: 0, Next: &flat.Return{X: c(7)}}}
		})
		pw, pp := l.load(b, whole, false), l.load(b, part, false)
		for k := range n {
			w, _, err := l.run(pw, lane.RunOptions{}, word.Pak(k))
			u, _, err2 := l.run(pp, lane.RunOptions{}, word.Pak(k))
			if w != word.Word(100+k) || u != w || err != nil || err2 != nil {
				t.Errorf("constructor %d of %d: %d, %d, %v, %v", k, n, w, u, err, err2)
			}
		}
		if w, _, err := l.run(pp, lane.RunOptions{}, l.heap.New(n, 1, 2, 3)); w != 7 || err != nil {
			t.Errorf("else of %d: %d, %v", n, w, err)
		}
	}

	text := b.add("text", "b", 0, func(flat.DefID) flat.Code {
		return &flat.Text{Dst: 0, Codes: []uint32{'x', 0x1f600, 'z'}, Next: &flat.Return{X: v(0)}}
	})
	w, _, err := l.run(l.load(b, text, false), lane.RunOptions{})
	want := l.heap.New(1, 'x', l.heap.New(1, 0x1f600, l.heap.New(1, 'z', word.Pak(0))))
	if err != nil || !equal(l.heap, w, want) {
		t.Errorf("text: %v", err)
	}

	// A literal list: long enough to be built by a loop, the elements on either side.
	for pos := range 2 {
		const n = 100000
		lit := b.add("literal", strings.Repeat("b", n), 0, func(flat.DefID) flat.Code {
			fields := func(i int, rest flat.Atom) []flat.Atom {
				if pos == 0 {
					return as(rest, c(word.Word(i)))
				}
				return as(c(word.Word(i)), rest)
			}
			var code flat.Code = &flat.Return{X: v(n - 1)}
			for i := n - 1; i >= 0; i-- {
				rest := c(word.Pak(0))
				if i > 0 {
					rest = v(flat.Var(i - 1))
				}
				code = &flat.New{Dst: flat.Var(i), Ctor: 1, Fields: fields(i, rest), Next: code}
			}
			return code
		})
		w, _, err := l.run(l.load(b, lit, false), lane.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := n - 1; i >= 0; i-- {
			var cell [2]word.Word
			l.heap.Open(w, cell[:])
			if w = cell[pos]; cell[1-pos] != word.Word(i) {
				t.Fatalf("literal: element %d is %d", i, cell[1-pos])
			}
		}
	}

	// sum of 40 parameters, rotated by a self call, then handed to an earlier def
	const n = 40
	raw := strings.Repeat("r", 2*n+1)
	var ps []flat.Atom
	for i := range n {
		ps = append(ps, v(flat.Var(i)))
	}
	total := b.add("total", raw, n, func(self flat.DefID) flat.Code {
		acc := c(0)
		var code []*flat.Prim
		for i := range n {
			p := &flat.Prim{Dst: flat.Var(n + i), Op: flat.OpU32Mul, Args: as(ps[i], c(word.Word(i)))}
			code = append(code, p)
		}
		var next flat.Code = &flat.Return{X: v(2*n - 1)}
		for i := n - 1; i >= 0; i-- {
			p := code[i]
			if i > 0 {
				p.Op, p.Args = flat.OpU32Add, as(v(flat.Var(n+i-1)), ps[i])
			} else {
				p.Op, p.Args = flat.OpU32Add, as(acc, ps[i])
			}
			p.Next = next
			next = p
		}
		return &flat.If{Op: flat.OpU32IsZero, Args: as(ps[0]), Then: next,
			Else: &flat.Tail{Call: call(self, append(append([]flat.Atom{}, ps[1:]...), ps[0])...)}}
	})
	var args []word.Word
	for i := range n {
		args = append(args, word.Word((i+5)%n))
	}
	if w, _, err := l.run(l.load(b, total, false), lane.RunOptions{}, args...); err != nil || w != n*(n-1)/2 {
		t.Errorf("total: %d, %v", w, err)
	}
}

// mutual calls back and forth, so that one of the calls goes through memory.
func mutual(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	odd := flat.DefID(1)
	step := func(other *flat.DefID, end word.Word) func(flat.DefID) flat.Code {
		return func(flat.DefID) flat.Code {
			return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)), Then: &flat.Return{X: c(end)},
				Else: &flat.Prim{Dst: 1, Op: flat.OpNatPred, Args: as(v(0)), Next: &flat.Tail{Call: call(*other, v(1))}}}
		}
	}
	even := b.add("even", "rr", 1, step(&odd, 1))
	b.add("odd", "rr", 1, step(&even, 0))
	p := l.load(b, even, false)
	for n := range word.Word(10) {
		if w, _, err := l.run(p, lane.RunOptions{}, 100000+n); err != nil || w != 1-n%2 {
			t.Errorf("even %d: %d, %v", n, w, err)
		}
	}
}

// equal compares two values of h.
func equal(h *word.Heap, a, b word.Word) bool {
	if word.Tag(a) != word.Tag(b) || word.Aux(a) != word.Aux(b) || word.Size(a) != word.Size(b) {
		return false
	}
	if !word.Boxed(a) {
		return a == b
	}
	x, y := h.Node(a), h.Node(b)
	for i := range x {
		if !equal(h, x[i], y[i]) {
			return false
		}
	}
	return true
}

// Fragments builds a list that takes most of the heap and drops it; the words of its
// nodes are then good for spill blocks, which are larger.
func Fragments(t *testing.T, open Opener) {
	b := newBook()
	gen, sum, deep := b.gen(), b.sum(), b.deep()
	// both(n, m) = sum(gen(n)) and then deep(m)
	both := b.add("both", "rrbrr", 2, func(flat.DefID) flat.Code {
		return &flat.Cut{Dst: 2, Call: call(gen, v(0), c(word.Pak(nilCtor))), Frame: frame(1),
			Next: &flat.Cut{Dst: 3, Call: call(sum, v(2), c(0)), Frame: frame(1),
				Next: &flat.Tail{Call: call(deep, v(1))}}}
	})
	const heap = 8 << 20
	n, m := word.Word(heap/8/2*9/10), word.Word(heap/8*8/10)
	for _, lanes := range []int{1, 3} {
		l := newLab(t, open, lanes)
		if w, _, err := l.run(l.load(b, both, false), lane.RunOptions{HeapBytes: heap}, n, m); err != nil || w != m {
			t.Errorf("%d lanes: %d, %v", lanes, w, err)
		}
	}
}
