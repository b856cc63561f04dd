package wasmgen

import (
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// A rep is how a variable is held in a local, or a value on the operand stack.
type rep uint8

const (
	repWord rep = iota // an i64: the word itself
	repU32             // an i32: a U32, a Char, or a small Nat
	repEnum            // an i32: the constructor index of a Bool or Cmp
	repF32             // an f32
)

var repTypes = [...]ValType{I64, I32, I32, F32}

// A place is where a variable is.
type place struct {
	rep   rep
	local uint32
}

// pushWord pushes an atom as a word.
func (e *emitter) pushWord(a flat.Atom) {
	if a.IsConst() {
		e.i64(int64(a.Word))
		return
	}
	p := e.places[a.Var]
	e.get(p.local)
	e.toWord(p.rep)
}

// kindReps tells how a number of each kind is held.
var kindReps = [...]rep{
	flat.KindU32: repU32, flat.KindNat: repWord, flat.KindF32: repF32,
	flat.KindChar: repU32, flat.KindBool: repEnum, flat.KindCmp: repEnum,
}

// pushAs pushes an atom as it is held in a rep.
func (e *emitter) pushAs(a flat.Atom, r rep) {
	switch r {
	case repU32:
		e.pushI32(a)
	case repEnum:
		e.pushEnum(a)
	case repF32:
		e.pushF32(a)
	default:
		e.pushWord(a)
	}
}

// fromWord turns a word on the stack into what is held in a rep.
func (e *emitter) fromWord(r rep) {
	switch r {
	case repU32:
		e.op(opI32WrapI64)
	case repEnum:
		e.i64(word.AuxShift)
		e.op(opI64ShrU, opI32WrapI64)
		e.i32(0xffff)
		e.op(opI32And)
	case repF32:
		e.op(opI32WrapI64, opF32ReI32)
	}
}

// toWord turns the value on the stack into a word.
func (e *emitter) toWord(r rep) {
	switch r {
	case repU32:
		e.op(opI64ExtendU)
	case repEnum:
		e.op(opI64ExtendU)
		e.i64(word.AuxShift)
		e.op(opI64Shl)
		e.i64(word.TagPak << word.TagShift)
		e.op(opI64Or)
	case repF32:
		e.op(opI32ReF32, opI64ExtendU)
	}
}

// pushI32 pushes an atom that is known to be below 2^32 as an i32.
func (e *emitter) pushI32(a flat.Atom) {
	if a.IsConst() {
		e.i32(int32(a.Word))
		return
	}
	p := e.places[a.Var]
	e.get(p.local)
	switch p.rep {
	case repWord:
		e.op(opI32WrapI64)
	case repF32:
		e.op(opI32ReF32)
	}
}

// pushEnum pushes the constructor index of an atom.
func (e *emitter) pushEnum(a flat.Atom) {
	if a.IsConst() {
		e.i32(int32(word.Aux(a.Word)))
		return
	}
	p := e.places[a.Var]
	e.get(p.local)
	if p.rep != repEnum {
		e.toWord(p.rep)
		e.fromWord(repEnum)
	}
}

// pushF32 pushes an atom as a number.
func (e *emitter) pushF32(a flat.Atom) {
	if a.IsConst() {
		e.f32bits(uint32(a.Word))
		return
	}
	if p := e.places[a.Var]; p.rep == repF32 {
		e.get(p.local)
		return
	}
	e.pushI32(a)
	e.op(opF32ReI32)
}

// The primitives that are one instruction over two, or one, operands of a kind.
var (
	u32Ops = map[flat.Op]op{
		flat.OpU32Add: opI32Add, flat.OpU32Sub: opI32Sub, flat.OpU32Mul: opI32Mul,
		flat.OpU32And: opI32And, flat.OpU32Or: opI32Or, flat.OpU32Xor: opI32Xor,
	}
	u32Tests = map[flat.Op]op{
		flat.OpU32IsEq: opI32Eq, flat.OpU32IsNe: opI32Ne, flat.OpU32IsLt: opI32LtU,
		flat.OpU32IsLe: opI32LeU, flat.OpU32IsGt: opI32GtU, flat.OpU32IsGe: opI32GeU,
		flat.OpCharIsEq: opI32Eq,
	}
	natTests = map[flat.Op]op{
		flat.OpNatIsEq: opI64Eq, flat.OpNatIsNe: opI64Ne, flat.OpNatIsLt: opI64LtU,
		flat.OpNatIsLe: opI64LeU, flat.OpNatIsGt: opI64GtU, flat.OpNatIsGe: opI64GeU,
	}
	f32Tests = map[flat.Op]op{
		flat.OpF32IsEq: opF32Eq, flat.OpF32IsNe: opF32Ne, flat.OpF32IsLt: opF32Lt,
		flat.OpF32IsLe: opF32Le, flat.OpF32IsGt: opF32Gt, flat.OpF32IsGe: opF32Ge,
	}
	boolOps = map[flat.Op]op{
		flat.OpBoolAnd: opI32And, flat.OpBoolOr: opI32Or, flat.OpBoolXor: opI32Xor,
	}
	f32Ops = map[flat.Op]op{
		flat.OpF32Add: opF32Add, flat.OpF32Sub: opF32Sub, flat.OpF32Mul: opF32Mul, flat.OpF32Div: opF32Div,
		flat.OpF32Sqrt: opF32Sqrt, flat.OpF32Floor: opF32Floor, flat.OpF32Ceil: opF32Ceil, flat.OpF32Trunc: opF32Trunc,
	}
)

// test pushes the result of a primitive that is a Bool, as 0 or 1; ok is false for
// any other primitive, and nothing is pushed.
func (e *emitter) test(o flat.Op, args []flat.Atom) (ok bool) {
	a := args[0]
	b := args[len(args)-1]
	if w, ok := u32Tests[o]; ok {
		e.pushI32(a)
		e.pushI32(b)
		e.op(w)
		return true
	}
	if w, ok := natTests[o]; ok {
		e.pushWord(a)
		e.pushWord(b)
		e.op(w)
		return true
	}
	if w, ok := f32Tests[o]; ok {
		e.pushF32(a)
		e.pushF32(b)
		e.op(w)
		return true
	}
	if w, ok := boolOps[o]; ok {
		e.pushEnum(a)
		e.pushEnum(b)
		e.op(w)
		return true
	}
	switch o {
	case flat.OpIsTrue:
		e.pushEnum(a)
	case flat.OpNatIsZero:
		e.pushWord(a)
		e.op(opI64Eqz)
	case flat.OpBit:
		e.shifted(opI32ShrU, a, b)
		e.i32(1)
		e.op(opI32And)
	case flat.OpU32IsZero:
		e.pushI32(a)
		e.op(opI32Eqz)
	case flat.OpU32IsEven:
		e.pushI32(a)
		e.i32(1)
		e.op(opI32And, opI32Eqz)
	case flat.OpBoolNot:
		e.pushEnum(a)
		e.op(opI32Eqz)
	case flat.OpCmpIsLt:
		e.enumIs(opI32Eq, a, 0)
	case flat.OpCmpIsEq:
		e.enumIs(opI32Eq, a, 1)
	case flat.OpCmpIsGt:
		e.enumIs(opI32Eq, a, 2)
	case flat.OpCmpIsLe:
		e.enumIs(opI32Ne, a, 2)
	case flat.OpCmpIsGe:
		e.enumIs(opI32Ne, a, 0)
	case flat.OpCharIsDigit:
		e.between(a, '0', '9')
	case flat.OpCharIsUpper:
		e.between(a, 'A', 'Z')
	case flat.OpCharIsLower:
		e.between(a, 'a', 'z')
	case flat.OpCharIsAlpha:
		e.between(a, 'A', 'Z')
		e.between(a, 'a', 'z')
		e.op(opI32Or)
	case flat.OpCharIsSpace:
		e.pushI32(a)
		e.i32(' ')
		e.op(opI32Eq)
		e.between(a, '\t', '\r')
		e.op(opI32Or)
	default:
		return false
	}
	return true
}

func (e *emitter) enumIs(test op, a flat.Atom, k int32) {
	e.pushEnum(a)
	e.i32(k)
	e.op(test)
}

// between pushes whether a is in a range.
func (e *emitter) between(a flat.Atom, lo, hi int32) {
	e.pushI32(a)
	e.i32(lo)
	e.op(opI32Sub)
	e.i32(hi - lo)
	e.op(opI32LeU)
}

// shifted pushes a shifted by b, a Nat: 0 from 32 on.
func (e *emitter) shifted(shift op, a, b flat.Atom) {
	if b.IsConst() {
		if b.Word >= 32 {
			e.i32(0)
			return
		}
		e.pushI32(a)
		e.i32(int32(b.Word))
		e.op(shift)
		return
	}
	e.pushI32(a)
	e.pushI32(b)
	e.op(shift)
	e.i32(0)
	e.pushWord(b)
	e.i64(32)
	e.op(opI64LtU, opSelect)
}

// order pushes the index of the Cmp of two operands.
func (e *emitter) order(push func(flat.Atom), a, b flat.Atom, gt, lt op) {
	push(a)
	push(b)
	e.op(gt)
	push(a)
	push(b)
	e.op(lt)
	e.op(opI32Sub)
	e.i32(1)
	e.op(opI32Add)
}

// prim pushes the result of a primitive and tells how it is held.
func (e *emitter) prim(o flat.Op, args []flat.Atom) rep {
	if e.test(o, args) {
		return repEnum
	}
	a := args[0]
	b := args[len(args)-1]
	if w, ok := u32Ops[o]; ok {
		e.pushI32(a)
		e.pushI32(b)
		e.op(w)
		return repU32
	}
	if w, ok := f32Ops[o]; ok {
		e.pushF32(a)
		if len(args) == 2 {
			e.pushF32(b)
		}
		e.op(w)
		return repF32
	}
	switch {
	case o < flat.OpNatAdd && o != flat.OpNatPred:
		return e.primU32(o, a, b)
	case o < flat.OpBoolNot:
		return e.primNat(o, a, b)
	}
	return e.primOther(o, a, b)
}

func (e *emitter) primU32(o flat.Op, a, b flat.Atom) rep {
	switch o {
	case flat.OpU32Inc:
		e.pushI32(a)
		e.i32(1)
		e.op(opI32Add)
	case flat.OpU32Not:
		e.pushI32(a)
		e.i32(-1)
		e.op(opI32Xor)
	case flat.OpU32MulHi:
		e.pushI32(a)
		e.op(opI64ExtendU)
		e.pushI32(b)
		e.op(opI64ExtendU, opI64Mul)
		e.i64(32)
		e.op(opI64ShrU, opI32WrapI64)
	case flat.OpU32Div:
		e.unlessZero(I32, func() { e.pushI32(b) }, func() { e.pushI32(a); e.pushI32(b); e.op(opI32DivU) }, func() { e.i32(0) })
	case flat.OpU32Mod:
		e.unlessZero(I32, func() { e.pushI32(b) }, func() { e.pushI32(a); e.pushI32(b); e.op(opI32RemU) }, func() { e.pushI32(a) })
	case flat.OpU32Shl:
		e.pushI32(a)
		e.i32(1)
		e.op(opI32Shl)
	case flat.OpU32Shr:
		e.pushI32(a)
		e.i32(1)
		e.op(opI32ShrU)
	case flat.OpU32Shln:
		e.shifted(opI32Shl, a, b)
	case flat.OpU32Shrn:
		e.shifted(opI32ShrU, a, b)
	case flat.OpU32Cmp:
		e.order(e.pushI32, a, b, opI32GtU, opI32LtU)
		return repEnum
	case flat.OpU32Min, flat.OpU32Max:
		e.pick(e.pushI32, a, b, map[bool]op{true: opI32LtU, false: opI32GtU}[o == flat.OpU32Min])
	case flat.OpU32Log2:
		e.i32(31)
		e.pushI32(a)
		e.i32(1)
		e.op(opI32Or, opI32Clz, opI32Sub)
	case flat.OpU32ToNat, flat.OpU32FromNat:
		e.pushI32(a)
	case flat.OpU32ToF32:
		e.pushI32(a)
		e.op(opF32FromU32)
		return repF32
	}
	return repU32
}

// pick pushes a when test says so of a and b, and b otherwise.
func (e *emitter) pick(push func(flat.Atom), a, b flat.Atom, test op) {
	push(a)
	push(b)
	push(a)
	push(b)
	e.op(test, opSelect)
}

// unlessZero pushes what div pushes, or what zero pushes when by pushes 0.
func (e *emitter) unlessZero(t ValType, by, div, zero func()) {
	by()
	if t == I64 {
		e.op(opI64Eqz)
	} else {
		e.op(opI32Eqz)
	}
	e.condOf(t)
	zero()
	e.otherwise()
	div()
	e.end()
}

func (e *emitter) primNat(o flat.Op, a, b flat.Atom) rep {
	switch o {
	case flat.OpNatPred:
		e.pushWord(a)
		e.i64(1)
		e.op(opI64Sub)
	case flat.OpNatAdd, flat.OpNatDouble:
		e.pushWord(a)
		e.pushWord(b) // of one argument, b is a
		e.op(opI64Add)
		e.checkNat()
	case flat.OpNatMul:
		e.pushWord(a)
		e.pushWord(b)
		e.call(e.rt.natMul.Index)
		e.checkNat()
	case flat.OpNatSub:
		e.pushWord(a)
		e.pick(e.pushWord, a, b, opI64LtU)
		e.op(opI64Sub)
	case flat.OpNatDiv:
		e.unlessZero(I64, func() { e.pushWord(b) }, func() { e.pushWord(a); e.pushWord(b); e.op(opI64DivU) }, func() { e.i64(0) })
	case flat.OpNatMod:
		e.unlessZero(I64, func() { e.pushWord(b) }, func() { e.pushWord(a); e.pushWord(b); e.op(opI64RemU) }, func() { e.pushWord(a) })
	case flat.OpNatCmp:
		e.order(e.pushWord, a, b, opI64GtU, opI64LtU)
		return repEnum
	case flat.OpNatMin:
		e.pick(e.pushWord, a, b, opI64LtU)
	case flat.OpNatMax:
		e.pick(e.pushWord, a, b, opI64GtU)
	}
	return repWord
}

// checkNat makes the Nat on the stack the largest one, and posts the error, when it
// is past that.
func (e *emitter) checkNat() {
	n := e.temp(I64)
	e.tee(n)
	e.i64(word.NatMax)
	e.op(opI64GtU)
	e.cond()
	e.post(lane.NatOverflow, func() { e.i64(0) })
	e.i64(word.NatMax)
	e.set(n)
	e.end()
	e.get(n)
}

// post sets the error word and makes the next poll leave.
func (e *emitter) post(c lane.Code, detail func()) {
	e.get(laneAt)
	e.i32(int32(c))
	detail()
	e.call(e.rt.fail.Index)
	e.i32(0)
	e.set(e.fuel)
}

func (e *emitter) primOther(o flat.Op, a, b flat.Atom) rep {
	switch o {
	case flat.OpBoolCmp:
		e.order(e.pushEnum, a, b, opI32GtU, opI32LtU)
		return repEnum
	case flat.OpBoolToU32:
		e.pushEnum(a)
		return repU32
	case flat.OpCharToU32, flat.OpF32Bits:
		e.pushI32(a)
		return repU32
	case flat.OpCharFromU32:
		e.pushI32(a)
		e.i32(0x10ffff)
		e.op(opI32GtU)
		e.pushI32(a)
		e.i32(-0x800)
		e.op(opI32And)
		e.i32(0xd800)
		e.op(opI32Eq, opI32Or)
		e.cond()
		e.post(lane.BadChar, func() { e.pushWord(a) })
		e.end()
		e.pushI32(a)
		return repU32
	case flat.OpCharToUpper:
		e.flipCase(a, 'a', 'z')
		return repU32
	case flat.OpCharToLower:
		e.flipCase(a, 'A', 'Z')
		return repU32
	case flat.OpF32Neg:
		e.pushI32(a)
		e.i32(-1 << 31)
		e.op(opI32Xor)
		return repU32
	case flat.OpF32Abs:
		e.pushI32(a)
		e.i32(1<<31 - 1)
		e.op(opI32And)
		return repU32
	case flat.OpF32ToU32:
		e.pushF32(a)
		e.op(0xfc, 1) // i32.trunc_sat_f32_u
		e.i32(0)
		e.pushF32(a)
		e.f32(1 << 32)
		e.op(opF32Lt, opSelect)
		return repU32
	}
	e.i32(int32(o))
	e.pushWord(a)
	e.pushWord(b)
	e.call(e.rt.hostOp)
	switch o.Result() {
	case flat.KindBool, flat.KindCmp, flat.KindNat:
		return repWord
	}
	e.op(opI32WrapI64)
	return repU32
}

// flipCase changes the case of a letter in a range.
func (e *emitter) flipCase(a flat.Atom, lo, hi int32) {
	e.pushI32(a)
	e.between(a, lo, hi)
	e.i32(5)
	e.op(opI32Shl, opI32Xor)
}
