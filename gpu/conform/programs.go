package conform

import (
	"bend/interp/flat"
	"bend/interp/word"
)

// The programs of the tests are built by hand.

func v(x flat.Var) flat.Atom        { return flat.V(x) }
func c(w word.Word) flat.Atom       { return flat.Const(w) }
func as(a ...flat.Atom) []flat.Atom { return a }

func vars(raw string) []flat.VarInfo {
	vs := make([]flat.VarInfo, len(raw))
	for i := range raw {
		vs[i] = flat.VarInfo{Raw: raw[i] == 'r'}
	}
	return vs
}

func frame(caps ...flat.Var) *flat.Frame { return &flat.Frame{Caps: caps, Words: len(caps) + 1} }

// A book is a program under construction.
type book struct{ *flat.Program }

func (b book) add(name, raw string, params int, body func(self flat.DefID) flat.Code) flat.DefID {
	d := &flat.Def{Key: name, Name: name, Params: params, Vars: vars(raw)}
	id := b.Add(d)
	d.Body = body(id)
	flat.Walk(d.Body, func(c flat.Code) {
		switch s := c.(type) {
		case *flat.Cut:
			s.Frame.ID, s.Frame.Owner = len(d.Frames), name
			d.Frames = append(d.Frames, s.Frame)
		case *flat.Fork:
			s.Frame.ID, s.Frame.Owner = len(d.Frames), name
			d.Frames = append(d.Frames, s.Frame)
		}
	})
	return id
}

func newBook() book { return book{flat.NewProgram()} }

func call(d flat.DefID, args ...flat.Atom) flat.Call { return flat.Call{Def: d, Args: args} }

const (
	nilCtor  = 0
	consCtor = 1
)

// deep adds deep(n) = n is 0: 0; else deep(n-1) + 1, which keeps 1 word a level.
func (b book) deep() flat.DefID {
	return b.add("deep", "rrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 1, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 2, Call: call(self, v(1)), Frame: frame(),
					Next: &flat.Prim{Dst: 3, Op: flat.OpNatAdd, Args: as(v(2), c(1)), Next: &flat.Return{X: v(3)}}}}}
	})
}

// deep3 adds deep3(n, a, b) = n is 0: 0; else deep3(n-1, a, b) + a + b: 3 words.
func (b book) deep3() flat.DefID {
	return b.add("deep3", "rrrrrrr", 3, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: c(0)},
			Else: &flat.Prim{Dst: 3, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.Cut{Dst: 4, Call: call(self, v(3), v(1), v(2)), Frame: frame(1, 2),
					Next: &flat.Prim{Dst: 5, Op: flat.OpU32Add, Args: as(v(4), v(1)),
						Next: &flat.Prim{Dst: 6, Op: flat.OpU32Add, Args: as(v(5), v(2)), Next: &flat.Return{X: v(6)}}}}}}
	})
}

// fib adds fib(n) on U32, with two cuts.
func (b book) fib() flat.DefID {
	return b.add("fib", "rrrrrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpU32IsLt, Args: as(v(0), c(2)),
			Then: &flat.Return{X: v(0)},
			Else: &flat.Prim{Dst: 1, Op: flat.OpU32Sub, Args: as(v(0), c(1)),
				Next: &flat.Cut{Dst: 2, Call: call(self, v(1)), Frame: frame(0),
					Next: &flat.Prim{Dst: 3, Op: flat.OpU32Sub, Args: as(v(0), c(2)),
						Next: &flat.Cut{Dst: 4, Call: call(self, v(3)), Frame: frame(2),
							Next: &flat.Prim{Dst: 5, Op: flat.OpU32Add, Args: as(v(2), v(4)), Next: &flat.Return{X: v(5)}}}}}}}
	})
}

// pfib adds fib(n) as a fork.
func (b book) pfib() flat.DefID {
	return b.add("pfib", "rrrrrrr", 1, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpU32IsLt, Args: as(v(0), c(2)),
			Then: &flat.Return{X: v(0)},
			Else: &flat.Prim{Dst: 1, Op: flat.OpU32Sub, Args: as(v(0), c(1)),
				Next: &flat.Prim{Dst: 2, Op: flat.OpU32Sub, Args: as(v(0), c(2)),
					Next: &flat.Fork{Dsts: []flat.Var{3, 4}, Calls: []flat.Call{call(self, v(1)), call(self, v(2))}, Frame: frame(2),
						Next: &flat.Prim{Dst: 5, Op: flat.OpU32Add, Args: as(v(3), v(4)), Next: &flat.Return{X: v(5)}}}}}}
	})
}

// gen adds gen(n, acc) = [0, .. n-1] in front of acc, by tail calls.
func (b book) gen() flat.DefID {
	return b.add("gen", "rbrb", 2, func(self flat.DefID) flat.Code {
		return &flat.If{Op: flat.OpNatIsZero, Args: as(v(0)),
			Then: &flat.Return{X: v(1)},
			Else: &flat.Prim{Dst: 2, Op: flat.OpNatPred, Args: as(v(0)),
				Next: &flat.New{Dst: 3, Ctor: consCtor, Name: "Con", Fields: as(v(2), v(1)),
					Next: &flat.Tail{Call: call(self, v(2), v(3))}}}}
	})
}

// sum adds sum(list, acc) on U32, by tail calls.
func (b book) sum() flat.DefID {
	return b.add("sum", "brrbr", 2, func(self flat.DefID) flat.Code {
		return &flat.Match{X: 0, Arms: []flat.Arm{
			{Ctor: nilCtor, Name: "Nil", Body: &flat.Return{X: v(1)}},
			{Ctor: consCtor, Name: "Con", Fields: []flat.Var{2, 3},
				Body: &flat.Prim{Dst: 4, Op: flat.OpU32Add, Args: as(v(1), v(2)), Next: &flat.Tail{Call: call(self, v(3), v(4))}}},
		}}
	})
}

// app adds append(xs, ys), which keeps 2 words a level.
func (b book) app() flat.DefID {
	return b.add("append", "bbbbbb", 2, func(self flat.DefID) flat.Code {
		return &flat.Match{X: 0, Arms: []flat.Arm{
			{Ctor: nilCtor, Name: "Nil", Body: &flat.Return{X: v(1)}},
			{Ctor: consCtor, Name: "Con", Fields: []flat.Var{2, 3},
				Body: &flat.Cut{Dst: 4, Call: call(self, v(3), v(1)), Frame: frame(2),
					Next: &flat.New{Dst: 5, Ctor: consCtor, Name: "Con", Fields: as(v(2), v(4)), Next: &flat.Return{X: v(5)}}}},
		}}
	})
}

// appsum adds appsum(n) = sum(append(gen(n), [7])).
func (b book) appsum() flat.DefID {
	gen, app, sum := b.gen(), b.app(), b.sum()
	return b.add("appsum", "rbbb", 1, func(flat.DefID) flat.Code {
		return &flat.Cut{Dst: 1, Call: call(gen, v(0), c(word.Pak(nilCtor))), Frame: frame(),
			Next: &flat.New{Dst: 2, Ctor: consCtor, Name: "Con", Fields: as(c(7), c(word.Pak(nilCtor))),
				Next: &flat.Cut{Dst: 3, Call: call(app, v(1), v(2)), Frame: frame(),
					Next: &flat.Tail{Call: call(sum, v(3), c(0))}}}}
	})
}

func u32(x uint32) word.Word { return word.Word(x) }
