package conform

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// spine adds spine(n, m): a fork of leaf(m) and spine(n-1, m), in this order if right,
// whose results are added.
func (b book) spine(name string, leaf flat.DefID, right bool) flat.DefID {
	return b.add(name, "rrrrrr", 2, func(self flat.DefID) flat.Code {
		calls := []flat.Call{call(leaf, v(1)), call(self, v(2), v(1))}
		caps := []flat.Var{1, 2}
		if !right {
			calls[0], calls[1] = calls[1], calls[0]
			caps = caps[:1]
		}
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Fork{Dsts: []flat.Var{3, 4}, Calls: calls, Frame: frame(caps...),
					Next: &flat.Prim{Dst: 5, Op: flat.OpU32Add, Args: as(v(3), v(4)), Next: &flat.Return{X: v(5)}}}}}
	})
}

// shared adds shared(n, xs): all leaves of a tree of forks of depth n add up the same
// list, in a def of their own.
func (b book) shared(leaf flat.DefID) flat.DefID {
	return b.add("shared", "rbrrrrrr", 2, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Tail{Call: call(leaf, v(1), c(0))},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Dup{X: 1, Next: &flat.Dup{X: 1,
					Next: &flat.Fork{Dsts: []flat.Var{3, 4, 5}, Calls: []flat.Call{call(self, v(2), v(1)), call(leaf, v(1), c(5)), call(self, v(2), v(1))}, Frame: frame(1, 2),
						Next: &flat.Prim{Dst: 7, Op: flat.OpU32Add, Args: as(v(3), v(4)),
							Next: &flat.Prim{Dst: 6, Op: flat.OpU32Add, Args: as(v(7), v(5)), Next: &flat.Return{X: v(6)}}}}}}}}
	})
}

// build adds build(n): a perfect tree of depth n, made by forks.
func (b book) build() flat.DefID {
	return b.add("build", "rrbbb", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.New{Dst: 4, Ctor: 0, Name: "Leaf", Fields: as(c(1)), Next: &flat.Return{X: v(4)}},
			Else: &flat.Prim{Dst: 1, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Fork{Dsts: []flat.Var{2, 3}, Calls: []flat.Call{call(self, v(1)), call(self, v(1))}, Frame: frame(1),
					Next: &flat.New{Dst: 4, Ctor: 1, Name: "Node", Fields: as(v(2), v(3)), Next: &flat.Return{X: v(4)}}}}}
	})
}

// closures adds closures(n, f): a tree of forks of depth n whose leaves apply closures
// that hold a shared list.
func (b book) closures(sum flat.DefID) flat.DefID {
	// held(xs, k) = sum(xs, k)
	held := b.add("held", "br", 2, func(flat.DefID) flat.Code { return &flat.Tail{Call: call(sum, v(0), v(1))} })
	fn := b.Fn(held, 1)
	apply := func(f flat.Var, x flat.Atom) flat.Call { return flat.Call{Apply: true, Fn: v(f), Args: as(x)} }
	return b.add("closures", "rbrbbrrrrrr", 2, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Dup{X: 1, Next: &flat.Closure{Dst: 3, Fn: fn, Held: as(v(1)), Next: &flat.Closure{Dst: 4, Fn: fn, Held: as(v(1)),
				Next: &flat.Fork{Dsts: []flat.Var{5, 6}, Calls: []flat.Call{apply(3, c(1)), apply(4, c(2))}, Frame: frame(4),
					Next: &flat.Prim{Dst: 7, Op: flat.OpU32Add, Args: as(v(5), v(6)), Next: &flat.Return{X: v(7)}}}}}},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Dup{X: 1,
					Next: &flat.Fork{Dsts: []flat.Var{8, 9}, Calls: []flat.Call{call(self, v(2), v(1)), call(self, v(2), v(1))}, Frame: frame(1, 2),
						Next: &flat.Prim{Dst: 10, Op: flat.OpU32Add, Args: as(v(8), v(9)), Next: &flat.Return{X: v(10)}}}}}}
	})
}

// parallel runs forks of all shapes on several lanes that are dealt work all the
// time. The results are those of one lane, and nothing is left in the heap.
func parallel(t *testing.T, open Opener) {
	b := newBook()
	gen, sum := b.gen(), b.sum()
	fib := b.fib()
	heavy := b.add("heavy", "rb", 1, func(flat.DefID) flat.Code {
		return &flat.Cut{Dst: 1, Call: call(gen, v(0), c(word.Pak(nilCtor))), Frame: frame(), Next: &flat.Tail{Call: call(sum, v(1), c(0))}}
	})
	list := func(l *lab) []word.Word { return []word.Word{7, l.list(30)} }
	plain := func(ws ...word.Word) func(*lab) []word.Word { return func(*lab) []word.Word { return ws } }
	tests := []struct {
		name string
		def  flat.DefID
		args func(*lab) []word.Word
		want word.Word
	}{
		{"pfib", b.pfib(), plain(17), 1597},
		{"right spine", b.spine("right", heavy, true), plain(2000, 30), 2000 * 435},
		{"left spine", b.spine("left", heavy, false), plain(2000, 30), 2000 * 435},
		{"right spine of fib", b.spine("rightfib", fib, true), plain(365, 10), 365 * 55},
		{"shared list", b.shared(sum), list, 255*435 + 127*5},
		{"shared in closures", b.closures(sum), list, 128 * (2*435 + 3)},
	}
	for _, lanes := range []int{2, 3, 8} {
		l := newLab(t, open, lanes)
		for _, tt := range tests {
			for _, profile := range l.profiles() {
				p := l.load(b, tt.def, profile)
				for _, policy := range []lane.Policy{lane.Half, lane.Whole, lane.Every} {
					for _, words := range []int{64, 2048} {
						name := fmt.Sprintf("%s on %d lanes of %d words, %v, profile=%v", tt.name, lanes, words, policy, profile)
						got, r, err := l.run(p, lane.RunOptions{Policy: policy, LaneWords: words, Turn: 20}, tt.args(l)...)
						if err != nil || got != tt.want {
							t.Fatalf("%s: %d, %v, want %d", name, got, err, tt.want)
						}
						if r.Profiled {
							for _, lv := range r.Levels {
								if lv.Depth > 1<<20 {
									t.Errorf("%s: %+v", name, lv)
								}
							}
						}
					}
				}
			}
		}
		if n := l.heap.Live(); n != 0 {
			t.Errorf("%d words left on the host", n)
		}
	}
}

// parallelBuild builds a tree on several lanes: blocks that one lane takes another
// gives back.
func parallelBuild(t *testing.T, open Opener) {
	b := newBook()
	build := b.build()
	// count(t) = t is a leaf: 1; else a fork of both halves
	count := b.add("count", "bbbrrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.Match{X: 0, Arms: []flat.Arm{
			{Ctor: 0, Name: "Leaf", Fields: []flat.Var{3}, Body: &flat.Return{X: v(3)}},
			{Ctor: 1, Name: "Node", Fields: []flat.Var{1, 2},
				Body: &flat.Fork{Dsts: []flat.Var{4, 5}, Calls: []flat.Call{call(self, v(1)), call(self, v(2))}, Frame: frame(2),
					Next: &flat.Prim{Dst: 6, Op: flat.OpU32Add, Args: as(v(4), v(5)), Next: &flat.Return{X: v(6)}}}},
		}}
	})
	// again(k, n) = k is 0: 0; else count(build(n)) + again(k-1, n)
	again := b.add("again", "rrrbrrr", 2, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 3, Call: call(build, v(1)), Frame: frame(1, 2),
					Next: &flat.Cut{Dst: 4, Call: call(count, v(3)), Frame: frame(1, 2),
						Next: &flat.Cut{Dst: 5, Call: call(self, v(2), v(1)), Frame: frame(4),
							Next: &flat.Prim{Dst: 6, Op: flat.OpU32Add, Args: as(v(4), v(5)), Next: &flat.Return{X: v(6)}}}}}}}
	})
	for _, lanes := range []int{2, 5} {
		l := newLab(t, open, lanes)
		p := l.load(b, again, false)
		for _, heap := range []int{1 << 20, 256 << 20} {
			got, r, err := l.run(p, lane.RunOptions{Turn: 500, HeapBytes: heap}, 40, 12)
			if err != nil || got != 40<<12 {
				t.Errorf("%d lanes, %d bytes: %d, %v", lanes, heap, got, err)
			}
			if r.HeapBytes > 16<<20 {
				t.Errorf("%d lanes, %d bytes: %d bytes of heap used", lanes, heap, r.HeapBytes)
			}
		}
	}
}

// parallelErrors: an error on any lane ends the run, and the program is good for
// another one.
func parallelErrors(t *testing.T, open Opener) {
	b := newBook()
	bad := b.add("bad", "rr", 1, func(flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsEq, Args: as(v(0), c(7)),
			Then: &flat.Prim{Dst: 1, Op: flat.OpNatAdd, Args: as(c(word.NatMax), c(1)), Next: &flat.Return{X: v(1)}},
			Else: &flat.Return{X: v(0)}}
	})
	spin := b.add("spin", "r", 1, func(self flat.DefID) flat.Code { return &flat.Tail{Call: call(self, v(0))} })
	hungry := b.add("hungry", "bb", 1, func(self flat.DefID) flat.Code {
		return &flat.New{Dst: 1, Ctor: consCtor, Name: "Con", Fields: as(c(1), v(0)), Next: &flat.Tail{Call: call(self, v(1))}}
	})
	eat := b.add("eat", "r", 1, func(flat.DefID) flat.Code { return &flat.Tail{Call: call(hungry, c(word.Pak(nilCtor)))} })
	l := newLab(t, open, 4)
	for _, tt := range []struct {
		name string
		leaf flat.DefID
		o    lane.RunOptions
		code lane.Code
	}{
		{"Nat", bad, lane.RunOptions{}, lane.NatOverflow},
		{"heap", eat, lane.RunOptions{HeapBytes: 8 << 20}, lane.OutOfHeap},
		{"stack", bad, lane.RunOptions{Policy: lane.Off}, lane.Overflow},
	} {
		m := word.Word(7)
		if tt.code == lane.Overflow {
			m = 1
		}
		p := l.load(b, b.spine(tt.name, tt.leaf, tt.code != lane.Overflow), false)
		for range 3 {
			tt.o.Turn = 50
			_, _, err := l.run(p, tt.o, 20000, m)
			if !errors.Is(err, &lane.Error{Code: tt.code}) {
				t.Errorf("%s: %v", tt.name, err)
			}
			if tt.leaf == bad {
				if w, _, err := l.run(p, lane.RunOptions{Turn: 50}, 20, 1); err != nil || w != 20 {
					t.Errorf("after %s: %d, %v", tt.name, w, err)
				}
			}
		}
	}
	p := l.load(b, b.spine("spins", spin, true), false)
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if _, _, err := p.Run(ctx, l.heap, []word.Word{100, 1}, lane.RunOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("spins: %v", err)
	}
}
