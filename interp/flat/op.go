package flat

// An Op is a primitive: a def of Base whose arguments and result are raw words (a
// Bool or Cmp argument or result is the word of its constructor), computed natively
// by every executor with the result that its definition gives.
type Op uint8

// The primitives. OpIsTrue exists only in an If. Nat results above word.NatMax, and a
// Char that is no Unicode scalar value, are run-time errors.
const (
	OpIsTrue    Op = iota
	OpNatPred      // n - 1, n > 0: the field of Succ
	OpNatIsZero    // n == 0, as a Bool
	OpBit          // bit b of the U32 a, as a Bool

	OpU32Inc
	OpU32Add
	OpU32Sub
	OpU32Mul
	OpU32MulHi
	OpU32Div // by 0: 0
	OpU32Mod // by 0: the dividend
	OpU32Not
	OpU32And
	OpU32Or
	OpU32Xor
	OpU32Shl  // by one
	OpU32Shr  // by one
	OpU32Shln // by a Nat, 32 and above: 0
	OpU32Shrn
	OpU32Cmp
	OpU32IsEq
	OpU32IsNe
	OpU32IsLt
	OpU32IsLe
	OpU32IsGt
	OpU32IsGe
	OpU32IsZero
	OpU32IsEven
	OpU32Min
	OpU32Max
	OpU32Log2 // a Nat; of 0: 0
	OpU32ToNat
	OpU32FromNat // low 32 bits
	OpU32ToF32

	OpNatAdd // past NatMax: error, as in Mul, Double, Succ
	OpNatSub // stops at 0
	OpNatMul
	OpNatDouble
	OpNatDiv // by 0: 0
	OpNatMod // by 0: the dividend
	OpNatCmp
	OpNatIsEq
	OpNatIsNe
	OpNatIsLt
	OpNatIsLe
	OpNatIsGt
	OpNatIsGe
	OpNatMin
	OpNatMax

	OpBoolNot
	OpBoolAnd
	OpBoolOr
	OpBoolXor
	OpBoolCmp
	OpBoolToU32
	OpCmpIsLt
	OpCmpIsEq
	OpCmpIsGt
	OpCmpIsLe
	OpCmpIsGe

	OpCharToU32
	OpCharFromU32 // no Unicode scalar value: error
	OpCharIsEq
	OpCharIsDigit
	OpCharIsUpper
	OpCharIsLower
	OpCharIsAlpha
	OpCharIsSpace
	OpCharToUpper
	OpCharToLower

	OpF32Add
	OpF32Sub
	OpF32Mul
	OpF32Div
	OpF32Mod
	OpF32Neg
	OpF32Abs
	OpF32Sqrt
	OpF32Floor
	OpF32Ceil
	OpF32Trunc
	OpF32IsEq
	OpF32IsNe
	OpF32IsLt
	OpF32IsLe
	OpF32IsGt
	OpF32IsGe
	OpF32ToU32 // truncates; NaN, negative or too large: 0
	OpF32Bits
	// The functions below are computed by one host function on every CPU executor.
	OpF32Pow
	OpF32Atan2
	OpF32Exp
	OpF32Log
	OpF32Log2
	OpF32Log10
	OpF32Sin
	OpF32Cos
	OpF32Tan
	OpF32Asin
	OpF32Acos
	OpF32Atan
	OpF32Sinh
	OpF32Cosh
	OpF32Tanh

	NumOps
)

// CanFail reports whether op may end the program, so that it is computed even when
// its result is not used.
func (op Op) CanFail() bool {
	switch op {
	case OpNatAdd, OpNatMul, OpNatDouble, OpCharFromU32:
		return true
	}
	return false
}
