package wasmgen

import "math"

// An op is an instruction of one byte.
type op = byte

// The instructions that kernels use.
const (
	opUnreachable op = 0x00
	opBlock       op = 0x02
	opLoop        op = 0x03
	opIf          op = 0x04
	opElse        op = 0x05
	opEnd         op = 0x0b
	opBr          op = 0x0c
	opBrIf        op = 0x0d
	opBrTable     op = 0x0e
	opReturn      op = 0x0f
	opCall        op = 0x10
	opDrop        op = 0x1a
	opSelect      op = 0x1b
	opLocalGet    op = 0x20
	opLocalSet    op = 0x21
	opLocalTee    op = 0x22

	opI32Load  op = 0x28
	opI64Load  op = 0x29
	opI32Store op = 0x36
	opI64Store op = 0x37

	opI32Const op = 0x41
	opI64Const op = 0x42
	opF32Const op = 0x43

	opI32Eqz op = 0x45
	opI32Eq  op = 0x46
	opI32Ne  op = 0x47
	opI32LtS op = 0x48
	opI32LtU op = 0x49
	opI32GtS op = 0x4a
	opI32GtU op = 0x4b
	opI32LeS op = 0x4c
	opI32LeU op = 0x4d
	opI32GeS op = 0x4e
	opI32GeU op = 0x4f
	opI64Eqz op = 0x50
	opI64Eq  op = 0x51
	opI64Ne  op = 0x52
	opI64LtS op = 0x53
	opI64LtU op = 0x54
	opI64GtU op = 0x56
	opI64LeU op = 0x58
	opI64GeU op = 0x5a
	opF32Eq  op = 0x5b
	opF32Ne  op = 0x5c
	opF32Lt  op = 0x5d
	opF32Gt  op = 0x5e
	opF32Le  op = 0x5f
	opF32Ge  op = 0x60

	opI32Clz  op = 0x67
	opI32Add  op = 0x6a
	opI32Sub  op = 0x6b
	opI32Mul  op = 0x6c
	opI32DivU op = 0x6e
	opI32RemU op = 0x70
	opI32And  op = 0x71
	opI32Or   op = 0x72
	opI32Xor  op = 0x73
	opI32Shl  op = 0x74
	opI32ShrU op = 0x76
	opI64Add  op = 0x7c
	opI64Sub  op = 0x7d
	opI64Mul  op = 0x7e
	opI64DivU op = 0x80
	opI64RemU op = 0x82
	opI64And  op = 0x83
	opI64Or   op = 0x84
	opI64Xor  op = 0x85
	opI64Shl  op = 0x86
	opI64ShrU op = 0x88

	opF32Abs     op = 0x8b
	opF32Neg     op = 0x8c
	opF32Ceil    op = 0x8d
	opF32Floor   op = 0x8e
	opF32Trunc   op = 0x8f
	opF32Sqrt    op = 0x91
	opF32Add     op = 0x92
	opF32Sub     op = 0x93
	opF32Mul     op = 0x94
	opF32Div     op = 0x95
	opI32WrapI64 op = 0xa7
	opI64ExtendU op = 0xad
	opF32FromU32 op = 0xb3
	opI32ReF32   op = 0xbc
	opF32ReI32   op = 0xbe
)

// The atomic instructions, all of which work on 64 bits, follow a prefix.
const (
	opAtomic        op = 0xfe
	opI64AtomicLoad op = 0x11
	opI64AtomicSub  op = 0x26
	opI64CmpXchg    op = 0x49
)

const noResult = 0x40

// Code is a sequence of instructions. Blocks are named by Labels, not by depth.
type Code struct {
	buf   []byte
	depth int
}

// A Label names an open block: a branch to it goes to the end of a block, or to the
// start of a loop.
type Label int

func (c *Code) op(ops ...op) { c.buf = append(c.buf, ops...) }

func (c *Code) u(n uint64) { c.buf = appendU(c.buf, n) }

func (c *Code) i32(n int32) {
	c.op(opI32Const)
	c.buf = appendS(c.buf, int64(n))
}

func (c *Code) i64(n int64) {
	c.op(opI64Const)
	c.buf = appendS(c.buf, n)
}

func (c *Code) f32bits(n uint32) {
	c.op(opF32Const, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

func (c *Code) f32(x float32) { c.f32bits(math.Float32bits(x)) }

func (c *Code) get(local uint32) { c.op(opLocalGet); c.u(uint64(local)) }
func (c *Code) set(local uint32) { c.op(opLocalSet); c.u(uint64(local)) }
func (c *Code) tee(local uint32) { c.op(opLocalTee); c.u(uint64(local)) }

// mem emits a load or store; the address on the stack is increased by offset.
func (c *Code) mem(o op, offset int) {
	align := uint64(3)
	if o == opI32Load || o == opI32Store {
		align = 2
	}
	c.op(o)
	c.u(align)
	c.u(uint64(offset))
}

// atomic emits an atomic instruction on the 64 bits at the address below its operands.
func (c *Code) atomic(o op) {
	c.op(opAtomic, o)
	c.u(3)
	c.u(0)
}

func (c *Code) enter(o op, result byte) Label {
	c.op(o, result)
	c.depth++
	return Label(c.depth)
}

func (c *Code) block() Label { return c.enter(opBlock, noResult) }
func (c *Code) loop() Label  { return c.enter(opLoop, noResult) }

// resultBlock opens a block with a result.
func (c *Code) resultBlock(t ValType) Label { return c.enter(opBlock, byte(t)) }

// cond opens an if without a result.
func (c *Code) cond() Label { return c.enter(opIf, noResult) }

// condOf opens an if with a result.
func (c *Code) condOf(t ValType) Label { return c.enter(opIf, byte(t)) }

func (c *Code) otherwise() { c.op(opElse) }

func (c *Code) end() {
	c.op(opEnd)
	c.depth--
}

func (c *Code) br(l Label)   { c.op(opBr); c.u(uint64(c.depth - int(l))) }
func (c *Code) brIf(l Label) { c.op(opBrIf); c.u(uint64(c.depth - int(l))) }

func (c *Code) brTable(ls []Label, other Label) {
	c.op(opBrTable)
	c.u(uint64(len(ls)))
	for _, l := range append(ls[:len(ls):len(ls)], other) {
		c.u(uint64(c.depth - int(l)))
	}
}

func (c *Code) call(fn uint32) { c.op(opCall); c.u(uint64(fn)) }
