package wasmgen

import (
	"bend/interp/word"
	"bend/jit/lane"
)

// A runtime holds the functions that are called out of line, and the addresses that
// all code uses. Addresses are byte addresses.
type runtime struct {
	m       *Module
	layout  lane.Layout
	hostOp  uint32 // (op, a, b) -> result: a primitive that the host computes
	fail    *Func  // (code, detail): sets the error word if it is not set
	alloc   *Func  // (class) -> address, the sink when the heap is full
	keep    *Func  // (word) -> word
	drop    *Func  // (word): the word is boxed
	open    *Func  // (word) -> address of its fields: the word is shared
	text    *Func  // (address of code points, how many) -> word
	chain   *Func  // see makeChain
	natMul  *Func  // (a, b) -> product, more than NatMax when that is too much
	count   *Func  // (address of an owner's counts, sp): profile kernels only
	profile bool
}

// head returns the byte address of a header word.
func head(i int) int { return i * 8 }

func newRuntime(m *Module, l lane.Layout, profile bool) *runtime {
	rt := &runtime{m: m, layout: l, profile: profile}
	rt.hostOp = m.Import("bend", "op", []ValType{I32, I64, I64}, []ValType{I64})
	rt.makeFail()
	rt.makeAlloc()
	rt.makeKeep()
	rt.makeDrop()
	rt.makeOpen()
	rt.makeText()
	rt.makeChain()
	rt.makeNatMul()
	if profile {
		rt.makeCount()
	}
	return rt
}

// load and store access a header word, the low half of it.
func (c *Code) loadHead(i int) {
	c.i32(0)
	c.mem(opI32Load, head(i))
}

// boxed tests a word on the stack: only what owns a node has a size.
func (c *Code) boxed() {
	c.i64(0xff << word.SizeShift)
	c.op(opI64And, opI64Eqz, opI32Eqz)
}

// address turns a word on the stack into the address of its node or count cell.
func (c *Code) address() {
	c.op(opI32WrapI64)
	c.i32(3)
	c.op(opI32Shl)
}

// size turns a word on the stack into the number of words of its node.
func (c *Code) size() {
	c.i64(word.SizeShift)
	c.op(opI64ShrU, opI32WrapI64)
	c.i32(0xff)
	c.op(opI32And)
}

// free puts the block of a class at the address in a local on its free list.
func (c *Code) free(addr uint32, class int) {
	c.get(addr)
	c.loadHead(lane.HeadFree + class)
	c.mem(opI32Store, 0)
	c.i32(0)
	c.get(addr)
	c.mem(opI32Store, head(lane.HeadFree+class))
}

// freeSize is free for a number of words in a local; list is a local of scratch.
func (c *Code) freeSize(addr, size, list uint32) {
	c.classAddress(func() { c.get(size) })
	c.set(list)
	c.get(addr)
	c.get(list)
	c.mem(opI32Load, head(lane.HeadFree))
	c.mem(opI32Store, 0)
	c.get(list)
	c.get(addr)
	c.mem(opI32Store, head(lane.HeadFree))
}

// classAddress pushes 8 times the class of the number of words that size pushes.
func (c *Code) classAddress(size func()) {
	c.i32(32)
	size()
	c.i32(1)
	c.op(opI32Sub, opI32Clz, opI32Sub)
	c.i32(3)
	c.op(opI32Shl)
}

func (rt *runtime) makeFail() {
	f := rt.m.Func([]ValType{I32, I64}, nil)
	rt.fail = f
	f.loadHead(lane.HeadError)
	f.op(opI32Eqz)
	f.cond()
	f.i32(0)
	f.get(0)
	f.mem(opI32Store, head(lane.HeadError))
	f.i32(0)
	f.get(1)
	f.mem(opI64Store, head(lane.HeadDetail))
	f.end()
}

func (rt *runtime) makeAlloc() {
	f := rt.m.Func([]ValType{I32}, []ValType{I32})
	rt.alloc = f
	const class = 0
	at, end := f.Local(I32), f.Local(I32)
	f.get(class)
	f.i32(3)
	f.op(opI32Shl)
	f.mem(opI32Load, head(lane.HeadFree))
	f.tee(at)
	f.cond()
	f.get(class)
	f.i32(3)
	f.op(opI32Shl)
	f.get(at)
	f.mem(opI32Load, 0)
	f.mem(opI32Store, head(lane.HeadFree))
	f.get(at)
	f.op(opReturn)
	f.end()
	f.loadHead(lane.HeadBump)
	f.tee(at)
	f.i32(8)
	f.get(class)
	f.op(opI32Shl, opI32Add)
	f.tee(end)
	f.loadHead(lane.HeadEnd)
	f.op(opI32GtU)
	f.get(end)
	f.get(at)
	f.op(opI32LtU, opI32Or)
	f.cond()
	f.i32(int32(lane.OutOfHeap))
	f.i64(0)
	f.call(rt.fail.Index)
	f.i32(rt.sink())
	f.op(opReturn)
	f.end()
	f.i32(0)
	f.get(end)
	f.mem(opI32Store, head(lane.HeadBump))
	f.get(at)
}

func (rt *runtime) sink() int32 { return int32(rt.layout.Sink * 8) }

func (rt *runtime) makeKeep() {
	f := rt.m.Func([]ValType{I64}, []ValType{I64})
	rt.keep = f
	const w = 0
	at, cell := f.Local(I32), f.Local(I64)
	f.get(w)
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
	f.get(w)
	f.address()
	f.tee(at)
	f.mem(opI64Load, 0)
	f.tee(cell)
	f.i64(word.CountMax)
	f.op(opI64And)
	f.i64(word.CountMax)
	f.op(opI64Eq)
	f.cond()
	f.i32(int32(lane.Copies))
	f.i64(0)
	f.call(rt.fail.Index)
	f.otherwise()
	f.get(at)
	f.get(cell)
	f.i64(1)
	f.op(opI64Add)
	f.mem(opI64Store, 0)
	f.end()
	f.get(w)
	f.op(opReturn)
	f.end()

	f.i32(0)
	f.call(rt.alloc.Index)
	f.tee(at)
	f.get(w)
	f.i64(1<<32 - 1)
	f.op(opI64And)
	f.i64(word.CountShift)
	f.op(opI64Shl)
	f.i64(2)
	f.op(opI64Or)
	f.mem(opI64Store, 0)
	f.get(w)
	f.i64(-1 << 32)
	f.op(opI64And)
	f.i64(-1 << 63)
	f.op(opI64Or)
	f.get(at)
	f.i32(3)
	f.op(opI32ShrU, opI64ExtendU, opI64Or)
}

// cell splits the count cell in a local: it tests whether it has more than one owner.
func (c *Code) manyOwners(cell uint32) {
	c.get(cell)
	c.i64(word.CountMax)
	c.op(opI64And)
	c.i64(1)
	c.op(opI64GtU)
}

// giveUpOwner takes one owner off the cell in a local, which is at an address.
func (c *Code) giveUpOwner(at, cell uint32) {
	c.get(at)
	c.get(cell)
	c.i64(1)
	c.op(opI64Sub)
	c.mem(opI64Store, 0)
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
	f := rt.m.Func([]ValType{I64}, nil)
	rt.drop = f
	const w = 0
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
	f.get(at)
	f.mem(opI64Load, 0)
	f.set(cell)
	f.manyOwners(cell)
	f.cond()
	f.giveUpOwner(at, cell)
	f.br(done)
	f.end()
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

// makeOpen makes the function that takes a shared node apart into the scratch words.
func (rt *runtime) makeOpen() {
	f := rt.m.Func([]ValType{I64}, []ValType{I32})
	rt.open = f
	const w = 0
	at, node, n, end, list := f.Local(I32), f.Local(I32), f.Local(I32), f.Local(I32), f.Local(I32)
	to := f.Local(I32)
	cell, field := f.Local(I64), f.Local(I64)
	scratch := int32(rt.layout.Scratch * 8)
	f.get(w)
	f.address()
	f.tee(at)
	f.mem(opI64Load, 0)
	f.set(cell)
	f.node(cell)
	f.tee(node)
	f.get(w)
	f.size()
	f.tee(n)
	f.i32(3)
	f.op(opI32Shl, opI32Add)
	f.set(end)
	f.i32(scratch)
	f.set(to)
	f.manyOwners(cell)
	f.cond()
	f.giveUpOwner(at, cell)
	copyKept := f.loop()
	f.get(node)
	f.get(node)
	f.mem(opI64Load, 0)
	f.call(rt.keep.Index)
	f.tee(field)
	f.mem(opI64Store, 0)
	f.get(to)
	f.get(field)
	f.mem(opI64Store, 0)
	f.step(to)
	f.step(node)
	f.get(node)
	f.get(end)
	f.op(opI32LtU)
	f.brIf(copyKept)
	f.end()
	f.otherwise()
	f.free(at, 0)
	f.get(node)
	f.set(at)
	copyAll := f.loop()
	f.get(to)
	f.get(node)
	f.mem(opI64Load, 0)
	f.mem(opI64Store, 0)
	f.step(to)
	f.step(node)
	f.get(node)
	f.get(end)
	f.op(opI32LtU)
	f.brIf(copyAll)
	f.end()
	f.freeSize(at, n, list)
	f.end()
	f.i32(scratch)
}

// step adds the size of a word to an address in a local.
func (c *Code) step(local uint32) {
	c.get(local)
	c.i32(8)
	c.op(opI32Add)
	c.set(local)
}

// makeText makes the function that builds a String from its end.
func (rt *runtime) makeText() {
	f := rt.m.Func([]ValType{I32, I32}, []ValType{I64})
	rt.text = f
	const from, n = 0, 1
	at, w := f.Local(I32), f.Local(I64)
	f.i64(int64(word.Pak(stringNil)))
	f.set(w)
	done := f.block()
	next := f.loop()
	f.get(n)
	f.op(opI32Eqz)
	f.brIf(done)
	f.get(n)
	f.i32(1)
	f.op(opI32Sub)
	f.set(n)
	f.i32(int32(word.Class(2)))
	f.call(rt.alloc.Index)
	f.tee(at)
	f.i32(rt.sink())
	f.op(opI32Eq)
	f.brIf(done)
	f.get(at)
	f.get(from)
	f.get(n)
	f.i32(2)
	f.op(opI32Shl, opI32Add)
	f.mem(opI32Load, 0)
	f.op(opI64ExtendU)
	f.mem(opI64Store, 0)
	f.get(at)
	f.get(w)
	f.mem(opI64Store, 8)
	f.word(word.Ctr(stringCons, 2, 0), at)
	f.set(w)
	f.br(next)
	f.end()
	f.end()
	f.get(w)
}

// The constructors of Base's String.
const (
	stringNil  = 0
	stringCons = 1
)

// word pushes the word that is like w and whose node is at the address in a local.
func (c *Code) word(w word.Word, at uint32) {
	c.get(at)
	c.i32(3)
	c.op(opI32ShrU, opI64ExtendU)
	c.i64(int64(w))
	c.op(opI64Or)
}

// makeNatMul makes the product that cannot wrap unnoticed.
func (rt *runtime) makeNatMul() {
	f := rt.m.Func([]ValType{I64, I64}, []ValType{I64})
	rt.natMul = f
	const a, b = 0, 1
	f.get(a)
	f.op(opI64Eqz)
	f.cond()
	f.i64(0)
	f.op(opReturn)
	f.end()
	f.get(b)
	f.i64(word.NatMax)
	f.get(a)
	f.op(opI64DivU, opI64GtU)
	f.cond()
	f.i64(word.NatMax + 1)
	f.op(opReturn)
	f.end()
	f.get(a)
	f.get(b)
	f.op(opI64Mul)
}

// makeCount makes what a profile kernel calls at a push.
func (rt *runtime) makeCount() {
	f := rt.m.Func([]ValType{I32, I32}, nil)
	rt.count = f
	const counts, sp = 0, 1
	n := f.Local(I32)
	f.get(counts)
	f.get(counts)
	f.mem(opI32Load, 0)
	f.i32(1)
	f.op(opI32Add)
	f.tee(n)
	f.mem(opI32Store, 0)
	f.get(n)
	f.get(counts)
	f.mem(opI32Load, 8)
	f.op(opI32GtU)
	f.cond()
	f.get(counts)
	f.get(n)
	f.mem(opI32Store, 8)
	f.end()
	f.get(sp)
	f.loadHead(lane.HeadPeak)
	f.op(opI32GtU)
	f.get(sp)
	f.i32(int32(rt.layout.Limit*8 - 8))
	f.op(opI32LeU, opI32And)
	f.cond()
	f.i32(0)
	f.get(sp)
	f.mem(opI32Store, head(lane.HeadPeak))
	f.end()
}
