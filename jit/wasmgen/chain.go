package wasmgen

import (
	"encoding/binary"

	"bend/interp/flat"
	"bend/interp/word"
)

// leastChain is the number of nodes from which on a chain of constants is built by a
// loop.
const leastChain = 8

// run prints a chain of nodes, each but the first made of constants and the one
// before it, as a list literal is, and returns what follows it. It returns nil, and
// prints nothing, when s does not begin such a chain.
func (e *emitter) run(s *flat.New) flat.Code {
	second, ok := s.Next.(*flat.New)
	if !ok {
		return nil
	}
	pos := -1
	for i, a := range second.Fields {
		if !a.IsConst() {
			pos = i
		}
	}
	var rows []byte
	count := 0
	last := s
	for {
		n, ok := last.Next.(*flat.New)
		if !ok || pos < 0 || n.Ctor != second.Ctor || len(n.Fields) != len(second.Fields) || !chained(n, pos, last.Dst) {
			break
		}
		for i, a := range n.Fields {
			if i != pos {
				rows = binary.LittleEndian.AppendUint64(rows, a.Word)
			}
		}
		last = n
		count++
	}
	if count < leastChain {
		return nil
	}
	at := e.node(s.Fields)
	tail := e.temp(I64)
	e.word(word.Ctr(s.Ctor, len(s.Fields), 0), at)
	e.set(tail)
	e.get(laneAt)
	e.i32(int32(table + len(e.k.Data)))
	e.k.Data = append(e.k.Data, rows...)
	e.i32(int32(count))
	e.i32(int32(len(second.Fields)))
	e.i32(int32(pos))
	e.i64(int64(word.Ctr(second.Ctor, len(second.Fields), 0)))
	e.get(tail)
	e.call(e.rt.chain.Index)
	e.bind(last.Dst, repWord)
	return last.Next
}

// chained reports whether all fields of n are constants but the one at pos, which is v.
func chained(n *flat.New, pos int, v flat.Var) bool {
	for i, a := range n.Fields {
		if a.IsConst() == (i == pos) || i == pos && a.Var != v {
			return false
		}
	}
	return true
}

// makeChain makes the function that builds a chain: from count rows of constants at
// from, nodes of n words of which the one at pos is the node before, w at first.
func (rt *runtime) makeChain() {
	f := rt.m.Func([]ValType{I32, I32, I32, I32, I32, I64, I64}, []ValType{I64})
	rt.chain = f
	const from, count, n, pos, ctor, w = 1, 2, 3, 4, 5, 6
	at, to, i := f.Local(I32), f.Local(I32), f.Local(I32)
	done := f.block()
	next := f.loop()
	f.get(count)
	f.op(opI32Eqz)
	f.brIf(done)
	f.get(laneAt)
	f.i32(32)
	f.get(n)
	f.i32(1)
	f.op(opI32Sub, opI32Clz, opI32Sub)
	f.call(rt.alloc.Index)
	f.tee(at)
	f.tee(to)
	f.sink(rt)
	f.op(opI32Eq)
	f.brIf(done)
	f.i32(0)
	f.set(i)
	field := f.loop()
	f.get(i)
	f.get(pos)
	f.op(opI32Eq)
	f.cond()
	f.get(to)
	f.get(w)
	f.mem(opI64Store, 0)
	f.otherwise()
	f.get(to)
	f.get(from)
	f.mem(opI64Load, 0)
	f.mem(opI64Store, 0)
	f.step(from)
	f.end()
	f.step(to)
	f.get(i)
	f.i32(1)
	f.op(opI32Add)
	f.tee(i)
	f.get(n)
	f.op(opI32LtU)
	f.brIf(field)
	f.end()
	f.get(at)
	f.i32(3)
	f.op(opI32ShrU, opI64ExtendU)
	f.get(ctor)
	f.op(opI64Or)
	f.set(w)
	f.get(count)
	f.i32(1)
	f.op(opI32Sub)
	f.set(count)
	f.br(next)
	f.end()
	f.end()
	f.get(w)
}
