package wasmgen

import (
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/plan"
)

// chain prints a chain of nodes and returns what follows it.
func (e *emitter) chain(c *plan.Chain) flat.Code {
	at := e.node(c.First.Fields)
	tail := e.temp(I64)
	e.word(word.Ctr(c.First.Ctor, len(c.First.Fields), 0), at)
	e.set(tail)
	e.get(laneAt)
	e.i32(int32(table + c.Data))
	e.i32(int32(c.Count))
	e.i32(int32(c.Size))
	e.i32(int32(c.Pos))
	e.i64(int64(c.Node))
	e.get(tail)
	e.call(e.rt.chain.Index)
	e.bind(c.Last.Dst, repWord)
	return c.Last.Next
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
