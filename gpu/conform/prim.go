package conform

import (
	"math"
	"testing"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// samples are arguments of each kind.
func samples(k flat.Kind) []word.Word {
	f := func(xs ...float32) (ws []word.Word) {
		for _, x := range xs {
			ws = append(ws, word.Word(math.Float32bits(x)))
		}
		return ws
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	switch k {
	case flat.KindU32:
		return []word.Word{0, 1, 2, 3, 31, 32, 33, 100, 0xd7ff, 0xffff, 0x10ffff, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1}
	case flat.KindNat:
		return []word.Word{0, 1, 2, 31, 32, 33, 1 << 24, 1<<24 - 1, 1<<32 - 1, 1 << 32, 1<<47 - 1, word.NatMax - 1, word.NatMax}
	case flat.KindF32:
		return append(f(0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 2.5, -2.5, 3, 1e-40, 1e38, 4294967040, 4294967296, -0.3, nan, inf, -inf,
			0.77, -0.79, 12.3, -46.1, 88.6, 103.5, -12345.678, 1.0001, 7.5e9), 0x7f800001, 0xffc00001)
	case flat.KindChar:
		return []word.Word{0, '\t', '\r', ' ', '/', '0', '9', ':', '@', 'A', 'Z', '[', '`', 'a', 'z', '{', 0xe9, 0x10ffff}
	case flat.KindBool:
		return []word.Word{word.Pak(0), word.Pak(1)}
	}
	return []word.Word{word.Pak(0), word.Pak(1), word.Pak(2)}
}

// Primitives compares every primitive with its reference: of parameters, of constants,
// after another primitive, and in a branch. It takes hundreds of kernels.
func Primitives(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	for op := range flat.NumOps {
		kinds := op.Args()
		b := newBook()
		plain := b.add("plain", "rrr", len(kinds), func(flat.DefID) flat.Code {
			return &flat.Prim{Dst: 2, Op: op, Args: as(v(0), v(1))[:len(kinds)], Next: &flat.Return{X: v(2)}}
		})
		// same(x, ..) passes its arguments through a primitive that gives them back.
		same := b.add("same", "rrrrr", len(kinds), func(flat.DefID) flat.Code {
			var code flat.Code = &flat.Prim{Dst: 4, Op: op, Args: as(v(2), v(3))[:len(kinds)], Next: &flat.Return{X: v(4)}}
			for i, k := range kinds {
				id := map[flat.Kind]flat.Op{flat.KindU32: flat.OpU32Max, flat.KindNat: flat.OpNatMax, flat.KindF32: flat.OpF32Bits,
					flat.KindChar: flat.OpCharToU32, flat.KindBool: flat.OpBoolAnd, flat.KindCmp: flat.OpCmpIsLe}[k]
				args := as(v(flat.Var(i)), v(flat.Var(i)))[:id.NumArgs()]
				if k == flat.KindCmp {
					code = subst(code.(*flat.Prim), flat.Var(2+i), flat.Var(i))
					continue
				}
				code = &flat.Prim{Dst: flat.Var(2 + i), Op: id, Args: args, Next: code}
			}
			return code
		})
		progs := []lane.Program{l.load(b, plain, false), l.load(b, same, false)}
		if op.Result() == flat.KindBool {
			branch := b.add("branch", "rr", len(kinds), func(flat.DefID) flat.Code {
				return &flat.If{Op: op, Args: as(v(0), v(1))[:len(kinds)], Then: &flat.Return{X: c(word.Pak(1))}, Else: &flat.Return{X: c(word.Pak(0))}}
			})
			progs = append(progs, l.load(b, branch, false))
		}
		second := []word.Word{0}
		if len(kinds) == 2 {
			second = samples(kinds[1])
		}
		for _, x := range samples(kinds[0]) {
			for _, y := range second {
				if op == flat.OpNatPred && x == 0 {
					continue
				}
				args := []word.Word{x, y}[:len(kinds)]
				want, wantErr := flat.Eval(op, args...)
				for i, p := range progs {
					got, _, err := l.run(p, lane.RunOptions{}, args...)
					if (err != nil) != (wantErr != nil) || err == nil && got != want {
						t.Errorf("%v(%#x) by program %d: %#x, %v, want %#x, %v", op, args, i, got, err, want, wantErr)
					}
					if err != nil && wantErr != nil && err.Error() != wantErr.Error() {
						t.Errorf("%v(%#x): %v, want %v", op, args, err, wantErr)
					}
				}
			}
		}
		for n := range progs {
			progs[n].Close()
		}
		constants(t, l, op, kinds)
	}
}

// prims compares every primitive of parameters with its reference, all in one kernel.
func prims(t *testing.T, open Opener) {
	l := newLab(t, open, 1)
	b := newBook()
	var ops []flat.Op
	for op := range flat.NumOps {
		one := newBook()
		kinds := op.Args()
		def := one.add("one", "rrr", len(kinds), func(flat.DefID) flat.Code {
			return &flat.Prim{Dst: 2, Op: op, Args: as(v(0), v(1))[:len(kinds)], Next: &flat.Return{X: v(2)}}
		})
		if _, err := l.build(one, def, false); err != nil {
			t.Log(err)
			continue
		}
		ops = append(ops, op)
	}
	// all(op, x, y)
	def := b.add("all", "rrrr", 3, func(flat.DefID) flat.Code {
		var code flat.Code = &flat.Return{X: c(0)}
		for _, op := range ops {
			code = &flat.If{Op: flat.OpU32IsEq, Args: as(v(0), c(word.Word(op))),
				Then: &flat.Prim{Dst: 3, Op: op, Args: as(v(1), v(2))[:len(op.Args())], Next: &flat.Return{X: v(3)}}, Else: code}
		}
		return code
	})
	p := l.load(b, def, false)
	for _, op := range ops {
		kinds := op.Args()
		second := []word.Word{0}
		if len(kinds) == 2 {
			second = samples(kinds[1])
		}
		for _, x := range samples(kinds[0]) {
			for _, y := range second {
				if op == flat.OpNatPred && x == 0 {
					continue
				}
				want, wantErr := flat.Eval(op, []word.Word{x, y}[:len(kinds)]...)
				got, _, err := l.run(p, lane.RunOptions{}, word.Word(op), x, y)
				if (err != nil) != (wantErr != nil) || err == nil && !same(op, got, want) {
					t.Errorf("%v(%#x, %#x): %#x, %v, want %#x, %v", op, x, y, got, err, want, wantErr)
				}
				if err != nil && wantErr != nil && err.Error() != wantErr.Error() {
					t.Errorf("%v(%#x, %#x): %v, want %v", op, x, y, err, wantErr)
				}
			}
		}
	}
}

// same compares results of a primitive. Arithmetic may give any NaN where it gives one:
// which, depends on the processor and on the order of operands that a compiler chose.
func same(op flat.Op, a, b word.Word) bool {
	if op.Result() != flat.KindF32 || op == flat.OpF32Neg || op == flat.OpF32Abs {
		return a == b
	}
	return a == b || nan(a) && nan(b)
}

func nan(w word.Word) bool { return w&0x7fffffff > 0x7f800000 }

// subst replaces one argument of a primitive.
func subst(p *flat.Prim, from, to flat.Var) *flat.Prim {
	for i, a := range p.Args {
		if a.Var == from {
			p.Args[i] = v(to)
		}
	}
	return p
}

// constants computes op of constants, all samples in one kernel.
func constants(t *testing.T, l *lab, op flat.Op, kinds []flat.Kind) {
	b := newBook()
	var all [][]word.Word
	second := []word.Word{0}
	if len(kinds) == 2 {
		second = samples(kinds[1])
	}
	for _, x := range samples(kinds[0]) {
		for _, y := range second {
			args := []word.Word{x, y}[:len(kinds)]
			if _, err := flat.Eval(op, args...); err == nil && !(op == flat.OpNatPred && x == 0) {
				all = append(all, args)
			}
		}
	}
	def := b.add("constants", "rr", 1, func(flat.DefID) flat.Code {
		var code flat.Code = &flat.Return{X: c(0)}
		for i, args := range all {
			var atoms []flat.Atom
			for _, a := range args {
				atoms = append(atoms, c(a))
			}
			code = &flat.If{Op: flat.OpU32IsEq, Args: as(v(0), c(word.Word(i))),
				Then: &flat.Prim{Dst: 1, Op: op, Args: atoms, Next: &flat.Return{X: v(1)}}, Else: code}
		}
		return code
	})
	p := l.load(b, def, false)
	defer p.Close()
	for i, args := range all {
		want, _ := flat.Eval(op, args...)
		if got, _, err := l.run(p, lane.RunOptions{}, word.Word(i)); err != nil || !same(op, got, want) {
			t.Errorf("%v of constants %#x: %#x, %v, want %#x", op, args, got, err, want)
		}
	}
}
