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
	refill  uint32 // (lane, class) -> address, 0 when the heap is full
	fail    *Func  // (lane, code, detail): sets the lane's error if it has none
	alloc   *Func  // (lane, class) -> address, the sink when the heap is full
	keep    *Func  // (lane, word) -> word
	drop    *Func  // (lane, word): the word is boxed
	seal    *Func  // (lane, place) -> word
	open    *Func  // (lane, word) -> address of its fields: the word is shared
	text    *Func  // (lane, address of code points, how many) -> word
	chain   *Func  // see makeChain
	natMul  *Func  // (a, b) -> product, more than NatMax when that is too much
	count   *Func  // (lane, address of an owner's counts, sp): profile kernels only
	profile bool
	// Values may be shared between lanes.
	parallel bool
}

// head returns the byte address of a header word.
func head(i int) int { return i * 8 }

func newRuntime(m *Module, l lane.Layout, profile, parallel bool) *runtime {
	rt := &runtime{m: m, layout: l, profile: profile, parallel: parallel}
	rt.hostOp = m.Import("bend", "op", []ValType{I32, I64, I64}, []ValType{I64})
	rt.refill = m.Import("bend", "refill", []ValType{I32, I32}, []ValType{I32})
	rt.makeFail()
	rt.makeAlloc()
	rt.makeKeep()
	rt.makeDrop()
	rt.makeSeal()
	rt.makeOpen()
	rt.makeText()
	rt.makeChain()
	rt.makeNatMul()
	if profile {
		rt.makeCount()
	}
	return rt
}

// laneAt is the parameter that holds the address of the lane, in the kernel and in all
// functions that work for one.
const laneAt = 0

// loadHead pushes the low half of a header word.
func (c *Code) loadHead(i int) {
	c.get(laneAt)
	c.mem(opI32Load, head(i))
}

// storeHead stores what push pushes as the low half of a header word.
func (c *Code) storeHead(i int, push func()) {
	c.get(laneAt)
	push()
	c.mem(opI32Store, head(i))
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
	c.storeHead(lane.HeadFree+class, func() { c.get(addr) })
}

// freeSize is free for a number of words in a local; list is a local of scratch.
func (c *Code) freeSize(addr, size, list uint32) {
	c.classAddress(func() { c.get(size) })
	c.get(laneAt)
	c.op(opI32Add)
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
	f := rt.m.Func([]ValType{I32, I32, I64}, nil)
	rt.fail = f
	const code, detail = 1, 2
	f.loadHead(lane.HeadError)
	f.op(opI32Eqz)
	f.cond()
	f.storeHead(lane.HeadError, func() { f.get(code) })
	f.get(laneAt)
	f.get(detail)
	f.mem(opI64Store, head(lane.HeadDetail))
	f.end()
}

// makeAlloc makes the function that allocates a block.
func (rt *runtime) makeAlloc() {
	f := rt.m.Func([]ValType{I32, I32}, []ValType{I32})
	rt.alloc = f
	const class = 1
	at, end, list := f.Local(I32), f.Local(I32), f.Local(I32)
	f.get(class)
	f.i32(3)
	f.op(opI32Shl)
	f.get(laneAt)
	f.op(opI32Add)
	f.tee(list)
	f.mem(opI32Load, head(lane.HeadFree))
	f.tee(at)
	f.cond()
	f.get(list)
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
	f.get(laneAt)
	f.get(class)
	f.call(rt.refill)
	f.tee(at)
	f.cond()
	f.get(at)
	f.op(opReturn)
	f.end()
	f.get(laneAt)
	f.i32(int32(lane.OutOfHeap))
	f.i64(0)
	f.call(rt.fail.Index)
	f.sink(rt)
	f.op(opReturn)
	f.end()
	f.storeHead(lane.HeadBump, func() { f.get(end) })
	f.get(at)
}

// sink pushes the address that a failed allocation hands out.
func (c *Code) sink(rt *runtime) {
	c.get(laneAt)
	c.i32(int32(rt.layout.Sink * 8))
	c.op(opI32Add)
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
	f := rt.m.Func([]ValType{I32, I32, I32}, []ValType{I64})
	rt.text = f
	const from, n = 1, 2
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
	f.get(laneAt)
	f.i32(int32(word.Class(2)))
	f.call(rt.alloc.Index)
	f.tee(at)
	f.sink(rt)
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
	f := rt.m.Func([]ValType{I32, I32, I32}, nil)
	rt.count = f
	const counts, sp = 1, 2
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
	f.loadHead(lane.HeadLimit)
	f.op(opI32LeU, opI32And)
	f.cond()
	f.storeHead(lane.HeadPeak, func() { f.get(sp) })
	f.end()
}
