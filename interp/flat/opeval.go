package flat

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"bend/interp/f32"
	"bend/interp/word"
)

// A Kind is what a raw word stands for.
type Kind uint8

// The kinds of raw words. The words of a Bool or Cmp are those of its constructors,
// all others are plain numbers.
const (
	KindU32 Kind = iota
	KindNat
	KindF32
	KindChar
	KindBool
	KindCmp
)

// ErrNat is the failure of a Nat that grows past word.NatMax.
var ErrNat = errors.New("a Nat past the largest immediate 2^48-1")

// A CharError is the failure of making a Char of a number that is no Unicode scalar
// value.
type CharError uint32

func (e CharError) Error() string { return fmt.Sprintf("%d is not a Unicode scalar value", uint32(e)) }

// ArgKind returns the kind of argument i of a primitive.
func (op Op) ArgKind(i int) Kind { return opTable[op].args[i] }

// An opInfo describes a primitive.
type opInfo struct {
	key    string // of the def of Base, or a name in parentheses for what is none
	args   []Kind
	result Kind
}

// The argument lists that recur.
var (
	oneU32  = []Kind{KindU32}
	twoU32  = []Kind{KindU32, KindU32}
	u32Nat  = []Kind{KindU32, KindNat}
	oneNat  = []Kind{KindNat}
	twoNat  = []Kind{KindNat, KindNat}
	oneBool = []Kind{KindBool}
	twoBool = []Kind{KindBool, KindBool}
	oneCmp  = []Kind{KindCmp}
	oneChar = []Kind{KindChar}
	twoChar = []Kind{KindChar, KindChar}
	oneF32  = []Kind{KindF32}
	twoF32  = []Kind{KindF32, KindF32}
)

var opTable = [NumOps]opInfo{
	OpIsTrue:    {"(true?)", oneBool, KindBool},
	OpNatPred:   {"(pred)", oneNat, KindNat},
	OpNatIsZero: {"(zero?)", oneNat, KindBool},
	OpBit:       {"(bit)", u32Nat, KindBool},

	OpU32Inc:     {"U32.inc", oneU32, KindU32},
	OpU32Add:     {"U32.add", twoU32, KindU32},
	OpU32Sub:     {"U32.sub", twoU32, KindU32},
	OpU32Mul:     {"U32.mul", twoU32, KindU32},
	OpU32MulHi:   {"U32.mul_hi", twoU32, KindU32},
	OpU32Div:     {"U32.div", twoU32, KindU32},
	OpU32Mod:     {"U32.mod", twoU32, KindU32},
	OpU32Not:     {"U32.not", oneU32, KindU32},
	OpU32And:     {"U32.and", twoU32, KindU32},
	OpU32Or:      {"U32.or", twoU32, KindU32},
	OpU32Xor:     {"U32.xor", twoU32, KindU32},
	OpU32Shl:     {"U32.shl", oneU32, KindU32},
	OpU32Shr:     {"U32.shr", oneU32, KindU32},
	OpU32Shln:    {"U32.shln", u32Nat, KindU32},
	OpU32Shrn:    {"U32.shrn", u32Nat, KindU32},
	OpU32Cmp:     {"U32.cmp", twoU32, KindCmp},
	OpU32IsEq:    {"U32.is_eq", twoU32, KindBool},
	OpU32IsNe:    {"U32.is_ne", twoU32, KindBool},
	OpU32IsLt:    {"U32.is_lt", twoU32, KindBool},
	OpU32IsLe:    {"U32.is_le", twoU32, KindBool},
	OpU32IsGt:    {"U32.is_gt", twoU32, KindBool},
	OpU32IsGe:    {"U32.is_ge", twoU32, KindBool},
	OpU32IsZero:  {"U32.is_zero", oneU32, KindBool},
	OpU32IsEven:  {"U32.is_even", oneU32, KindBool},
	OpU32Min:     {"U32.min", twoU32, KindU32},
	OpU32Max:     {"U32.max", twoU32, KindU32},
	OpU32Log2:    {"U32.log2", oneU32, KindNat},
	OpU32ToNat:   {"U32.to_nat", oneU32, KindNat},
	OpU32FromNat: {"U32.from_nat", oneNat, KindU32},
	OpU32ToF32:   {"U32.to_f32", oneU32, KindF32},

	OpNatAdd:    {"Nat.add", twoNat, KindNat},
	OpNatSub:    {"Nat.sub", twoNat, KindNat},
	OpNatMul:    {"Nat.mul", twoNat, KindNat},
	OpNatDouble: {"Nat.double", oneNat, KindNat},
	OpNatDiv:    {"Nat.div", twoNat, KindNat},
	OpNatMod:    {"Nat.mod", twoNat, KindNat},
	OpNatCmp:    {"Nat.cmp", twoNat, KindCmp},
	OpNatIsEq:   {"Nat.is_eq", twoNat, KindBool},
	OpNatIsNe:   {"Nat.is_ne", twoNat, KindBool},
	OpNatIsLt:   {"Nat.is_lt", twoNat, KindBool},
	OpNatIsLe:   {"Nat.is_le", twoNat, KindBool},
	OpNatIsGt:   {"Nat.is_gt", twoNat, KindBool},
	OpNatIsGe:   {"Nat.is_ge", twoNat, KindBool},
	OpNatMin:    {"Nat.min", twoNat, KindNat},
	OpNatMax:    {"Nat.max", twoNat, KindNat},

	OpBoolNot:   {"Bool.not", oneBool, KindBool},
	OpBoolAnd:   {"Bool.and", twoBool, KindBool},
	OpBoolOr:    {"Bool.or", twoBool, KindBool},
	OpBoolXor:   {"Bool.xor", twoBool, KindBool},
	OpBoolCmp:   {"Bool.cmp", twoBool, KindCmp},
	OpBoolToU32: {"Bool.to_u32", oneBool, KindU32},
	OpCmpIsLt:   {"Cmp.is_lt", oneCmp, KindBool},
	OpCmpIsEq:   {"Cmp.is_eq", oneCmp, KindBool},
	OpCmpIsGt:   {"Cmp.is_gt", oneCmp, KindBool},
	OpCmpIsLe:   {"Cmp.is_le", oneCmp, KindBool},
	OpCmpIsGe:   {"Cmp.is_ge", oneCmp, KindBool},

	OpCharToU32:   {"Char.to_u32", oneChar, KindU32},
	OpCharFromU32: {"Char.from_u32", oneU32, KindChar},
	OpCharIsEq:    {"Char.is_eq", twoChar, KindBool},
	OpCharIsDigit: {"Char.is_digit", oneChar, KindBool},
	OpCharIsUpper: {"Char.is_upper", oneChar, KindBool},
	OpCharIsLower: {"Char.is_lower", oneChar, KindBool},
	OpCharIsAlpha: {"Char.is_alpha", oneChar, KindBool},
	OpCharIsSpace: {"Char.is_space", oneChar, KindBool},
	OpCharToUpper: {"Char.to_upper", oneChar, KindChar},
	OpCharToLower: {"Char.to_lower", oneChar, KindChar},

	OpF32Add:   {"F32.add", twoF32, KindF32},
	OpF32Sub:   {"F32.sub", twoF32, KindF32},
	OpF32Mul:   {"F32.mul", twoF32, KindF32},
	OpF32Div:   {"F32.div", twoF32, KindF32},
	OpF32Mod:   {"F32.mod", twoF32, KindF32},
	OpF32Neg:   {"F32.neg", oneF32, KindF32},
	OpF32Abs:   {"F32.abs", oneF32, KindF32},
	OpF32Sqrt:  {"F32.sqrt", oneF32, KindF32},
	OpF32Floor: {"F32.floor", oneF32, KindF32},
	OpF32Ceil:  {"F32.ceil", oneF32, KindF32},
	OpF32Trunc: {"F32.trunc", oneF32, KindF32},
	OpF32IsEq:  {"F32.is_eq", twoF32, KindBool},
	OpF32IsNe:  {"F32.is_ne", twoF32, KindBool},
	OpF32IsLt:  {"F32.is_lt", twoF32, KindBool},
	OpF32IsLe:  {"F32.is_le", twoF32, KindBool},
	OpF32IsGt:  {"F32.is_gt", twoF32, KindBool},
	OpF32IsGe:  {"F32.is_ge", twoF32, KindBool},
	OpF32ToU32: {"F32.to_u32", oneF32, KindU32},
	OpF32Bits:  {"F32.bits", oneF32, KindU32},
	OpF32Pow:   {"F32.pow", twoF32, KindF32},
	OpF32Atan2: {"F32.atan2", twoF32, KindF32},
	OpF32Exp:   {"F32.exp", oneF32, KindF32},
	OpF32Log:   {"F32.log", oneF32, KindF32},
	OpF32Log2:  {"F32.log2", oneF32, KindF32},
	OpF32Log10: {"F32.log10", oneF32, KindF32},
	OpF32Sin:   {"F32.sin", oneF32, KindF32},
	OpF32Cos:   {"F32.cos", oneF32, KindF32},
	OpF32Tan:   {"F32.tan", oneF32, KindF32},
	OpF32Asin:  {"F32.asin", oneF32, KindF32},
	OpF32Acos:  {"F32.acos", oneF32, KindF32},
	OpF32Atan:  {"F32.atan", oneF32, KindF32},
	OpF32Sinh:  {"F32.sinh", oneF32, KindF32},
	OpF32Cosh:  {"F32.cosh", oneF32, KindF32},
	OpF32Tanh:  {"F32.tanh", oneF32, KindF32},
}

var opOf = func() map[string]Op {
	m := make(map[string]Op, NumOps)
	for op, info := range opTable {
		if info.key[0] != '(' {
			m[info.key] = Op(op)
		}
	}
	return m
}()

// OpOf returns the primitive that computes the def of Base with the given key.
func OpOf(key string) (Op, bool) {
	op, ok := opOf[key]
	return op, ok
}

// String returns the key of op's def, or a name in parentheses.
func (op Op) String() string { return opTable[op].key }

// NumArgs returns the number of arguments of op, 1 or 2.
func (op Op) NumArgs() int { return len(opTable[op].args) }

// Args returns what the arguments of op stand for.
func (op Op) Args() []Kind { return opTable[op].args }

// Result returns what the result of op stands for.
func (op Op) Result() Kind { return opTable[op].result }

// Eval computes op. It is the reference for every executor.
func Eval(op Op, args ...word.Word) (word.Word, error) {
	if len(args) == 1 {
		return Compute(op, args[0], 0)
	}
	return Compute(op, args[0], args[1])
}

// Compute is Eval without a slice: b is ignored by a primitive of one argument.
func Compute(op Op, a, b word.Word) (word.Word, error) {
	switch {
	case op >= OpF32Add:
		return computeF32(op, a, b), nil
	case op >= OpBoolNot:
		return computeSmall(op, a, b)
	case op >= OpNatAdd:
		return computeNat(op, a, b)
	}
	return computeU32(op, a, b), nil
}

// order returns the word of the Cmp of a and b.
func order(a, b word.Word) word.Word {
	switch {
	case a < b:
		return word.Pak(0)
	case a == b:
		return word.Pak(1)
	}
	return word.Pak(2)
}

func computeU32(op Op, a, b word.Word) word.Word {
	x, y := uint32(a), uint32(b)
	u := func(x uint32) word.Word { return word.Word(x) }
	switch op {
	case OpIsTrue:
		return a
	case OpNatPred:
		return a - 1
	case OpNatIsZero:
		return word.Bool(a == 0)
	case OpBit:
		return word.Bool(b < 32 && x>>(b&31)&1 != 0)
	case OpU32Inc:
		return u(x + 1)
	case OpU32Add:
		return u(x + y)
	case OpU32Sub:
		return u(x - y)
	case OpU32Mul:
		return u(x * y)
	case OpU32MulHi:
		return uint64(x) * uint64(y) >> 32
	case OpU32Div:
		if y == 0 {
			return 0
		}
		return u(x / y)
	case OpU32Mod:
		if y == 0 {
			return u(x)
		}
		return u(x % y)
	case OpU32Not:
		return u(^x)
	case OpU32And:
		return u(x & y)
	case OpU32Or:
		return u(x | y)
	case OpU32Xor:
		return u(x ^ y)
	case OpU32Shl:
		return u(x << 1)
	case OpU32Shr:
		return u(x >> 1)
	case OpU32Shln:
		return u(x << b) // Go's shift gives 0 from 32 on
	case OpU32Shrn:
		return u(x >> b)
	case OpU32Cmp:
		return order(u(x), u(y))
	case OpU32IsEq:
		return word.Bool(x == y)
	case OpU32IsNe:
		return word.Bool(x != y)
	case OpU32IsLt:
		return word.Bool(x < y)
	case OpU32IsLe:
		return word.Bool(x <= y)
	case OpU32IsGt:
		return word.Bool(x > y)
	case OpU32IsGe:
		return word.Bool(x >= y)
	case OpU32IsZero:
		return word.Bool(x == 0)
	case OpU32IsEven:
		return word.Bool(x&1 == 0)
	case OpU32Min:
		return u(min(x, y))
	case OpU32Max:
		return u(max(x, y))
	case OpU32Log2:
		if x == 0 {
			return 0
		}
		return word.Word(bits.Len32(x) - 1)
	case OpU32ToNat, OpU32FromNat:
		return u(x)
	case OpU32ToF32:
		return fromF32(float32(x))
	}
	panic("flat: no such primitive: " + op.String())
}

func computeNat(op Op, a, b word.Word) (word.Word, error) {
	nat := func(n word.Word) (word.Word, error) {
		if n > word.NatMax {
			return 0, ErrNat
		}
		return n, nil
	}
	switch op {
	case OpNatAdd:
		return nat(a + b)
	case OpNatSub:
		return a - min(a, b), nil
	case OpNatMul:
		hi, lo := bits.Mul64(a, b)
		if hi != 0 {
			return 0, ErrNat
		}
		return nat(lo)
	case OpNatDouble:
		return nat(a + a)
	case OpNatDiv:
		if b == 0 {
			return 0, nil
		}
		return a / b, nil
	case OpNatMod:
		if b == 0 {
			return a, nil
		}
		return a % b, nil
	case OpNatCmp:
		return order(a, b), nil
	case OpNatIsEq:
		return word.Bool(a == b), nil
	case OpNatIsNe:
		return word.Bool(a != b), nil
	case OpNatIsLt:
		return word.Bool(a < b), nil
	case OpNatIsLe:
		return word.Bool(a <= b), nil
	case OpNatIsGt:
		return word.Bool(a > b), nil
	case OpNatIsGe:
		return word.Bool(a >= b), nil
	case OpNatMin:
		return min(a, b), nil
	case OpNatMax:
		return max(a, b), nil
	}
	panic("flat: no such primitive: " + op.String())
}

// computeSmall computes the primitives on Bool, Cmp and Char.
func computeSmall(op Op, a, b word.Word) (word.Word, error) {
	yes := word.Bool(true)
	between := func(lo, hi word.Word) bool { return lo <= a && a <= hi }
	switch op {
	case OpBoolNot:
		return word.Bool(a != yes), nil
	case OpBoolAnd:
		return a & b, nil // the two words differ in one bit
	case OpBoolOr:
		return a | b, nil
	case OpBoolXor:
		return word.Bool(a != b), nil
	case OpBoolCmp:
		return order(a, b), nil
	case OpBoolToU32:
		return word.Word(word.Aux(a)), nil
	case OpCmpIsLt:
		return word.Bool(a == word.Pak(0)), nil
	case OpCmpIsEq:
		return word.Bool(a == word.Pak(1)), nil
	case OpCmpIsGt:
		return word.Bool(a == word.Pak(2)), nil
	case OpCmpIsLe:
		return word.Bool(a != word.Pak(2)), nil
	case OpCmpIsGe:
		return word.Bool(a != word.Pak(0)), nil

	case OpCharToU32:
		return a, nil
	case OpCharFromU32:
		if a > 0x10ffff || between(0xd800, 0xdfff) {
			return 0, CharError(a)
		}
		return a, nil
	case OpCharIsEq:
		return word.Bool(a == b), nil
	case OpCharIsDigit:
		return word.Bool(between('0', '9')), nil
	case OpCharIsUpper:
		return word.Bool(between('A', 'Z')), nil
	case OpCharIsLower:
		return word.Bool(between('a', 'z')), nil
	case OpCharIsAlpha:
		return word.Bool(between('A', 'Z') || between('a', 'z')), nil
	case OpCharIsSpace:
		return word.Bool(a == ' ' || between('\t', '\r')), nil
	case OpCharToUpper:
		if between('a', 'z') {
			return a - 'a' + 'A', nil
		}
		return a, nil
	case OpCharToLower:
		if between('A', 'Z') {
			return a - 'A' + 'a', nil
		}
		return a, nil
	}
	panic("flat: no such primitive: " + op.String())
}

func toF32(w word.Word) float32   { return math.Float32frombits(uint32(w)) }
func fromF32(f float32) word.Word { return word.Word(math.Float32bits(f)) }

// computeF32 computes the primitives on F32. Each result is converted to float32 at
// once, so that no two operations are fused. Negation and absolute value change the
// sign bit only, of a NaN too.
func computeF32(op Op, a, b word.Word) word.Word {
	const sign = 1 << 31
	x, y := toF32(a), toF32(b)
	switch op {
	case OpF32Add:
		return fromF32(float32(x + y))
	case OpF32Sub:
		return fromF32(float32(x - y))
	case OpF32Mul:
		return fromF32(float32(x * y))
	case OpF32Div:
		return fromF32(float32(x / y))
	case OpF32Neg:
		return a ^ sign
	case OpF32Abs:
		return a &^ sign
	case OpF32IsEq:
		return word.Bool(x == y)
	case OpF32IsNe:
		return word.Bool(x != y)
	case OpF32IsLt:
		return word.Bool(x < y)
	case OpF32IsLe:
		return word.Bool(x <= y)
	case OpF32IsGt:
		return word.Bool(x > y)
	case OpF32IsGe:
		return word.Bool(x >= y)
	case OpF32ToU32:
		if x >= 0 && x < 1<<32 {
			return word.Word(uint32(int64(x)))
		}
		return 0
	case OpF32Bits:
		return a
	}
	return fromF32(float32(mathF32(op, float64(x), float64(y))))
}

// mathF32 computes what is computed in double precision and rounded. Mod, square
// root and the roundings are exact that way.
func mathF32(op Op, x, y float64) float64 {
	switch op {
	case OpF32Mod:
		return math.Mod(x, y)
	case OpF32Sqrt:
		return math.Sqrt(x)
	case OpF32Floor:
		return math.Floor(x)
	case OpF32Ceil:
		return math.Ceil(x)
	case OpF32Trunc:
		return math.Trunc(x)
	case OpF32Pow:
		return f32.Pow(x, y)
	case OpF32Atan2:
		return f32.Atan2(x, y)
	case OpF32Exp:
		return f32.Exp(x)
	case OpF32Log:
		return f32.Log(x)
	case OpF32Log2:
		return f32.Log2(x)
	case OpF32Log10:
		return f32.Log10(x)
	case OpF32Sin:
		return f32.Sin(x)
	case OpF32Cos:
		return f32.Cos(x)
	case OpF32Tan:
		return f32.Tan(x)
	case OpF32Asin:
		return f32.Asin(x)
	case OpF32Acos:
		return f32.Acos(x)
	case OpF32Atan:
		return f32.Atan(x)
	case OpF32Sinh:
		return f32.Sinh(x)
	case OpF32Cosh:
		return f32.Cosh(x)
	case OpF32Tanh:
		return f32.Tanh(x)
	}
	panic("flat: no such primitive: " + op.String())
}
