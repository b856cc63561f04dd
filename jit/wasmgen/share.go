package wasmgen

import (
	"bend/interp/word"
	"bend/jit/lane"
)

// Owners are counted in cells (see word.Heap.Keep). In a parallel kernel the owners of
// a value may be on different lanes, and
//
//   - a count goes up and down in one atomic step; whoever brings it to zero is alone
//     with the node;
//   - a field of a node that has several owners gets its own count cell by a
//     compare-and-swap, so that two lanes that take the node apart at once agree on
//     one cell;
//   - an owner is given up after the fields were read, never before.

// makeKeep makes the function that gives a word one more owner.
func (rt *runtime) makeKeep() {
	f := rt.m.Func([]ValType{I32, I64}, []ValType{I64})
	rt.keep = f
	const w = 1
	at, cell := f.Local(I32), f.Local(I64)
	f.get(w)
	f.boxed()
	f.op(opI32Eqz)
	f.cond()
	f.get(w)
	f.op(opReturn)
	f.end()

	rt.noteShare(&f.Code)
	f.get(w)
	f.i64(0)
	f.op(opI64LtS)
	f.cond()
	f.get(w)
	f.address()
	f.set(at)
	again := f.loop()
	f.get(at)
	rt.loadCell(&f.Code)
	f.tee(cell)
	f.i64(word.CountMax)
	f.op(opI64And)
	f.i64(word.CountMax)
	f.op(opI64Eq)
	f.cond()
	f.get(laneAt)
	f.i32(int32(lane.Copies))
	f.i64(0)
	f.call(rt.fail.Index)
	f.otherwise()
	next := func() {
		f.get(cell)
		f.i64(1)
		f.op(opI64Add)
	}
	f.get(at)
	if rt.parallel {
		f.get(cell)
		next()
		f.atomic(opI64CmpXchg)
		f.get(cell)
		f.op(opI64Ne)
		f.brIf(again)
	} else {
		next()
		f.mem(opI64Store, 0)
	}
	f.end()
	f.end()
	f.get(w)
	f.op(opReturn)
	f.end()

	f.get(laneAt)
	f.i32(0)
	f.call(rt.alloc.Index)
	f.set(at)
	f.cellOfTwo(w, at)
}

// noteShare counts a change of a share count, in a profile kernel.
func (rt *runtime) noteShare(c *Code) {
	if rt.profile {
		c.storeHead(lane.HeadShares, func() {
			c.loadHead(lane.HeadShares)
			c.i32(1)
			c.op(opI32Add)
		})
	}
}

// cellOfTwo fills the cell at an address for two owners of an unshared word and pushes
// the shared word.
func (c *Code) cellOfTwo(w, at uint32) {
	c.get(at)
	c.get(w)
	c.i64(1<<32 - 1)
	c.op(opI64And)
	c.i64(word.CountShift)
	c.op(opI64Shl)
	c.i64(2)
	c.op(opI64Or)
	c.mem(opI64Store, 0)
	c.get(w)
	c.i64(-1 << 32)
	c.op(opI64And)
	c.i64(-1 << 63)
	c.op(opI64Or)
	c.get(at)
	c.i32(3)
	c.op(opI32ShrU, opI64ExtendU, opI64Or)
}

// loadCell loads the count cell at the address on the stack.
func (rt *runtime) loadCell(c *Code) {
	if rt.parallel {
		c.atomic(opI64AtomicLoad)
	} else {
		c.mem(opI64Load, 0)
	}
}

// giveUp takes one owner off the cell at an address: cell is then what it was before,
// and the test pushed is whether there are others.
func (rt *runtime) giveUp(c *Code, at, cell uint32) {
	rt.noteShare(c)
	if rt.parallel {
		c.get(at)
		c.i64(1)
		c.atomic(opI64AtomicSub)
		c.set(cell)
		c.manyOwners(cell)
		return
	}
	c.get(at)
	c.mem(opI64Load, 0)
	c.set(cell)
	c.get(at)
	c.get(cell)
	c.i64(1)
	c.op(opI64Sub)
	c.mem(opI64Store, 0)
	c.manyOwners(cell)
}

// manyOwners tests whether the count cell in a local has more than one owner.
func (c *Code) manyOwners(cell uint32) {
	c.get(cell)
	c.i64(word.CountMax)
	c.op(opI64And)
	c.i64(1)
	c.op(opI64GtU)
}

// node pushes the address of the node that a cell in a local leads to.
func (c *Code) node(cell uint32) {
	c.get(cell)
	c.i64(word.CountShift)
	c.op(opI64ShrU)
	c.address()
}

// makeDrop makes the function that gives up a word and all that only it holds. It
// needs no stack: nodes that wait are chained through their first words, whose own
// contents were given up before (see word.Heap.Drop).
func (rt *runtime) makeDrop() {
	f := rt.m.Func([]ValType{I32, I64}, nil)
	rt.drop = f
	const w = 1
	todo, at, list := f.Local(I32), f.Local(I32), f.Local(I32)
	cur, i, n := f.Local(I32), f.Local(I32), f.Local(I32)
	cell := f.Local(I64)
	f.loadHead(lane.HeadError)
	f.cond()
	f.op(opReturn)
	f.end()

	release := f.loop() // gives up w
	done := f.block()
	f.get(w)
	f.boxed()
	f.op(opI32Eqz)
	f.brIf(done)
	f.get(w)
	f.address()
	f.set(at)
	f.get(w)
	f.i64(0)
	f.op(opI64LtS)
	f.cond()
	rt.giveUp(&f.Code, at, cell)
	f.brIf(done)
	f.free(at, 0)
	f.node(cell)
	f.set(at)
	f.end()
	// Chain the node; what its first word held comes next.
	f.get(at)
	f.mem(opI64Load, 0)
	f.set(cell)
	f.get(at)
	f.get(w)
	f.size()
	f.op(opI64ExtendU)
	f.i64(32)
	f.op(opI64Shl)
	f.get(todo)
	f.op(opI64ExtendU, opI64Or)
	f.mem(opI64Store, 0)
	f.get(at)
	f.set(todo)
	f.get(cell)
	f.set(w)
	f.br(release)
	f.end()

	next := f.loop() // the next word of node cur, or the next node
	f.get(i)
	f.get(n)
	f.op(opI32LtU)
	f.cond()
	f.get(cur)
	f.get(i)
	f.i32(3)
	f.op(opI32Shl, opI32Add)
	f.mem(opI64Load, 0)
	f.set(w)
	f.get(i)
	f.i32(1)
	f.op(opI32Add)
	f.set(i)
	f.br(release)
	f.end()
	f.get(cur)
	f.cond()
	f.freeSize(cur, n, list)
	f.end()
	f.get(todo)
	f.op(opI32Eqz)
	f.cond()
	f.op(opReturn)
	f.end()
	f.get(todo)
	f.tee(cur)
	f.mem(opI64Load, 0)
	f.tee(cell)
	f.op(opI32WrapI64)
	f.set(todo)
	f.get(cell)
	f.i64(32)
	f.op(opI64ShrU, opI32WrapI64)
	f.set(n)
	f.i32(1)
	f.set(i)
	f.br(next)
	f.end()
	f.end()
}

// makeSeal makes the function that gives the word at a place, a field of a node with
// several owners, one more owner. The place then holds a word with a count cell.
func (rt *runtime) makeSeal() {
	f := rt.m.Func([]ValType{I32, I32}, []ValType{I64})
	rt.seal = f
	const place = 1
	w, shared, at := f.Local(I64), f.Local(I64), f.Local(I32)
	if !rt.parallel {
		f.get(laneAt)
		f.get(place)
		f.mem(opI64Load, 0)
		f.call(rt.keep.Index)
		f.set(w)
		f.get(place)
		f.get(w)
		f.mem(opI64Store, 0)
		f.get(w)
		return
	}
	again := f.loop()
	f.get(place)
	f.atomic(opI64AtomicLoad)
	f.tee(w)
	f.boxed()
	f.op(opI32Eqz)
	f.cond()
	f.get(w)
	f.op(opReturn)
	f.end()
	f.get(w)
	f.i64(0)
	f.op(opI64LtS)
	f.cond()
	f.get(laneAt)
	f.get(w)
	f.call(rt.keep.Index)
	f.op(opReturn)
	f.end()
	f.get(laneAt)
	f.i32(0)
	f.call(rt.alloc.Index)
	f.tee(at)
	f.sink(rt)
	f.op(opI32Eq)
	f.cond()
	f.get(w)
	f.op(opReturn)
	f.end()
	f.cellOfTwo(w, at)
	f.set(shared)
	f.get(place)
	f.get(w)
	f.get(shared)
	f.atomic(opI64CmpXchg)
	f.get(w)
	f.op(opI64Ne)
	f.cond()
	f.free(at, 0)
	f.br(again)
	f.end()
	f.end()
	f.get(shared)
}

// makeOpen makes the function that takes a shared node apart into the scratch words.
func (rt *runtime) makeOpen() {
	f := rt.m.Func([]ValType{I32, I64}, []ValType{I32})
	rt.open = f
	const w = 1
	at, node, n, end, list := f.Local(I32), f.Local(I32), f.Local(I32), f.Local(I32), f.Local(I32)
	to := f.Local(I32)
	cell := f.Local(I64)
	scratch := func() {
		f.get(laneAt)
		f.i32(int32(rt.layout.Scratch * 8))
		f.op(opI32Add)
	}
	f.get(w)
	f.address()
	f.tee(at)
	rt.loadCell(&f.Code)
	f.set(cell)
	f.node(cell)
	f.tee(node)
	f.get(w)
	f.size()
	f.tee(n)
	f.i32(3)
	f.op(opI32Shl, opI32Add)
	f.set(end)
	scratch()
	f.set(to)
	copyAll := func(field func()) {
		next := f.loop()
		f.get(to)
		field()
		f.mem(opI64Store, 0)
		f.step(to)
		f.step(node)
		f.get(node)
		f.get(end)
		f.op(opI32LtU)
		f.brIf(next)
		f.end()
	}
	f.manyOwners(cell)
	f.cond()
	copyAll(func() {
		f.get(laneAt)
		f.get(node)
		f.call(rt.seal.Index)
	})
	// Meanwhile the others may have gone, and the last owner clears up.
	f.get(laneAt)
	f.get(w)
	f.call(rt.drop.Index)
	f.otherwise()
	f.free(at, 0)
	f.get(node)
	f.set(at)
	copyAll(func() {
		f.get(node)
		f.mem(opI64Load, 0)
	})
	f.freeSize(at, n, list)
	f.end()
	scratch()
}
