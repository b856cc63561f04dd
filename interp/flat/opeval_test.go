package flat

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"bend/interp/word"
	"pgregory.net/rapid"
)

func TestOpTable(t *testing.T) {
	for op := range NumOps {
		if op.String() == "" || op.NumArgs() < 1 || op.NumArgs() > 2 {
			t.Errorf("primitive %d is not in the table", op)
		}
		if back, ok := OpOf(op.String()); ok != (op > OpBit) || ok && back != op {
			t.Errorf("OpOf(%q) = %d, %t, want %d", op, back, ok, op)
		}
	}
	for id, e := range Effects {
		if int(e.ID) != id || e.Key == "" {
			t.Errorf("effect %d is listed as %+v", id, e)
		}
		if back, ok := EffectOf(e.Key); !ok || back != e {
			t.Errorf("EffectOf(%q) = %+v", e.Key, back)
		}
	}
}

// TestIntegers holds the primitives on U32 and Nat to arithmetic on big integers.
func TestIntegers(t *testing.T) {
	z := func(x word.Word) *big.Int { return new(big.Int).SetUint64(x) }
	n := func() *big.Int { return new(big.Int) }
	div := func(a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return n()
		}
		return n().Quo(a, b)
	}
	mod := func(a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return n().Rem(a, b)
	}
	is := func(f func(c int) bool) func(a, b *big.Int) *big.Int {
		return func(a, b *big.Int) *big.Int { return z(word.Bool(f(a.Cmp(b)))) }
	}
	order := func(a, b *big.Int) *big.Int { return z(word.Pak(a.Cmp(b) + 1)) }
	lesser := func(a, b *big.Int) *big.Int { return z(min(a.Uint64(), b.Uint64())) }
	greater := func(a, b *big.Int) *big.Int { return z(max(a.Uint64(), b.Uint64())) }
	type rule struct {
		u32, nat Op
		f        func(a, b *big.Int) *big.Int
	}
	rules := []rule{
		{OpU32Add, OpNatAdd, func(a, b *big.Int) *big.Int { return n().Add(a, b) }},
		{OpU32Mul, OpNatMul, func(a, b *big.Int) *big.Int { return n().Mul(a, b) }},
		{OpU32Div, OpNatDiv, div},
		{OpU32Mod, OpNatMod, mod},
		{OpU32Cmp, OpNatCmp, order},
		{OpU32IsEq, OpNatIsEq, is(func(c int) bool { return c == 0 })},
		{OpU32IsNe, OpNatIsNe, is(func(c int) bool { return c != 0 })},
		{OpU32IsLt, OpNatIsLt, is(func(c int) bool { return c < 0 })},
		{OpU32IsLe, OpNatIsLe, is(func(c int) bool { return c <= 0 })},
		{OpU32IsGt, OpNatIsGt, is(func(c int) bool { return c > 0 })},
		{OpU32IsGe, OpNatIsGe, is(func(c int) bool { return c >= 0 })},
		{OpU32Min, OpNatMin, lesser},
		{OpU32Max, OpNatMax, greater},
	}
	u32Only := map[Op]func(a, b *big.Int) *big.Int{
		OpU32Sub:   func(a, b *big.Int) *big.Int { return n().Sub(a, b) },
		OpU32MulHi: func(a, b *big.Int) *big.Int { return n().Rsh(n().Mul(a, b), 32) },
		OpU32Inc:   func(a, _ *big.Int) *big.Int { return n().Add(a, big.NewInt(1)) },
		OpU32Not:   func(a, _ *big.Int) *big.Int { return n().Not(a) },
		OpU32And:   func(a, b *big.Int) *big.Int { return n().And(a, b) },
		OpU32Or:    func(a, b *big.Int) *big.Int { return n().Or(a, b) },
		OpU32Xor:   func(a, b *big.Int) *big.Int { return n().Xor(a, b) },
		OpU32Shl:   func(a, _ *big.Int) *big.Int { return n().Lsh(a, 1) },
		OpU32Shr:   func(a, _ *big.Int) *big.Int { return n().Rsh(a, 1) },
	}
	natOnly := map[Op]func(a, b *big.Int) *big.Int{
		OpNatSub:    func(a, b *big.Int) *big.Int { return z(max(a.Uint64(), b.Uint64()) - b.Uint64()) },
		OpNatDouble: func(a, _ *big.Int) *big.Int { return n().Lsh(a, 1) },
	}
	for _, r := range rules {
		u32Only[r.u32], natOnly[r.nat] = r.f, r.f
	}
	wrap := big.NewInt(1<<32 - 1)
	number := func(max word.Word) *rapid.Generator[word.Word] {
		return rapid.OneOf(rapid.Uint64Range(0, max), rapid.Uint64Range(0, 3), rapid.Uint64Range(max-3, max), rapid.Uint64Range(1<<16, 1<<25))
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := number(1<<32-1).Draw(t, "a"), number(1<<32-1).Draw(t, "b")
		for op, f := range u32Only {
			want := f(z(a), z(b))
			if op.Result() == KindU32 {
				want.And(want, wrap)
			}
			if got, err := Compute(op, a, b); err != nil || got != want.Uint64() {
				t.Errorf("%s(%d, %d) = %d, %v, want %d", op, a, b, got, err, want)
			}
		}
		a, b = number(word.NatMax).Draw(t, "n"), number(word.NatMax).Draw(t, "m")
		for op, f := range natOnly {
			want := f(z(a), z(b))
			got, err := Compute(op, a, b)
			if op.Result() == KindNat && want.Cmp(z(word.NatMax)) > 0 {
				if !errors.Is(err, ErrNat) {
					t.Errorf("%s(%d, %d) = %d, %v, want an error", op, a, b, got, err)
				}
			} else if err != nil || got != want.Uint64() {
				t.Errorf("%s(%d, %d) = %d, %v, want %d", op, a, b, got, err, want)
			}
		}
	})
}

func TestEval(t *testing.T) {
	f := func(x float64) word.Word { return fromF32(float32(x)) }
	yes, no := word.Bool(true), word.Bool(false)
	lt, eq, gt := word.Pak(0), word.Pak(1), word.Pak(2)
	inf, nan := math.Inf(1), math.NaN()
	negZero := word.Word(1 << 31)
	tests := []struct {
		op   Op
		args []word.Word
		want word.Word
	}{
		{OpU32Shln, []word.Word{1, 31}, 1 << 31},
		{OpU32Shln, []word.Word{1, 32}, 0},
		{OpU32Shln, []word.Word{1, word.NatMax}, 0},
		{OpU32Shrn, []word.Word{1 << 31, 31}, 1},
		{OpU32Shrn, []word.Word{1 << 31, 64}, 0},
		{OpU32Log2, []word.Word{0}, 0},
		{OpU32Log2, []word.Word{1}, 0},
		{OpU32Log2, []word.Word{1<<32 - 1}, 31},
		{OpU32FromNat, []word.Word{1<<40 + 5}, 5},
		{OpU32ToNat, []word.Word{1<<32 - 1}, 1<<32 - 1},
		{OpU32ToF32, []word.Word{16777217}, f(16777216)},
		{OpU32ToF32, []word.Word{1<<32 - 1}, f(1 << 32)},
		{OpU32IsZero, []word.Word{0}, yes},
		{OpU32IsEven, []word.Word{3}, no},
		{OpBit, []word.Word{5, 2}, yes},
		{OpBit, []word.Word{5, 1}, no},
		{OpBit, []word.Word{5, 40}, no},
		{OpNatPred, []word.Word{3}, 2},

		{OpBoolNot, []word.Word{yes}, no},
		{OpBoolNot, []word.Word{no}, yes},
		{OpBoolAnd, []word.Word{yes, no}, no},
		{OpBoolAnd, []word.Word{yes, yes}, yes},
		{OpBoolOr, []word.Word{no, no}, no},
		{OpBoolOr, []word.Word{no, yes}, yes},
		{OpBoolXor, []word.Word{yes, yes}, no},
		{OpBoolXor, []word.Word{yes, no}, yes},
		{OpBoolCmp, []word.Word{no, yes}, lt},
		{OpBoolCmp, []word.Word{yes, yes}, eq},
		{OpBoolToU32, []word.Word{yes}, 1},
		{OpCmpIsLt, []word.Word{lt}, yes},
		{OpCmpIsLe, []word.Word{gt}, no},
		{OpCmpIsLe, []word.Word{eq}, yes},
		{OpCmpIsGe, []word.Word{lt}, no},
		{OpCmpIsEq, []word.Word{eq}, yes},
		{OpCmpIsGt, []word.Word{eq}, no},

		{OpCharFromU32, []word.Word{0x10ffff}, 0x10ffff},
		{OpCharFromU32, []word.Word{0xd7ff}, 0xd7ff},
		{OpCharFromU32, []word.Word{0xe000}, 0xe000},
		{OpCharIsDigit, []word.Word{'9'}, yes},
		{OpCharIsDigit, []word.Word{':'}, no},
		{OpCharIsAlpha, []word.Word{'['}, no},
		{OpCharIsAlpha, []word.Word{'z'}, yes},
		{OpCharIsAlpha, []word.Word{0xe9}, no},
		{OpCharIsSpace, []word.Word{'\v'}, yes},
		{OpCharIsSpace, []word.Word{8}, no},
		{OpCharToUpper, []word.Word{'q'}, 'Q'},
		{OpCharToUpper, []word.Word{0xe9}, 0xe9},
		{OpCharToLower, []word.Word{'Q'}, 'q'},
		{OpCharToLower, []word.Word{'@'}, '@'},

		{OpF32Add, []word.Word{f(16777216), f(1)}, f(16777216)},
		{OpF32Mul, []word.Word{f(3e38), f(10)}, f(inf)},
		{OpF32Div, []word.Word{f(1), f(0)}, f(inf)},
		{OpF32Div, []word.Word{f(1), negZero}, f(-inf)},
		{OpF32Neg, []word.Word{f(0)}, negZero},
		{OpF32Neg, []word.Word{0x7f800001}, 0xff800001},
		{OpF32Abs, []word.Word{0xffc12345}, 0x7fc12345},
		{OpF32Mod, []word.Word{f(-7), f(3)}, f(-1)},
		{OpF32Mod, []word.Word{f(7), f(-3)}, f(1)},
		{OpF32Mod, []word.Word{f(5), f(inf)}, f(5)},
		{OpF32Pow, []word.Word{f(1), f(nan)}, f(1)},
		{OpF32Pow, []word.Word{f(-1), f(inf)}, f(1)},
		{OpF32Pow, []word.Word{f(2), f(10)}, f(1024)},
		{OpF32Atan2, []word.Word{f(0), negZero}, f(math.Pi)},
		{OpF32Atan2, []word.Word{negZero, f(0)}, negZero},
		{OpF32Sqrt, []word.Word{f(2)}, f(math.Sqrt2)},
		{OpF32Floor, []word.Word{f(-0.5)}, f(-1)},
		{OpF32Ceil, []word.Word{f(-0.5)}, negZero},
		{OpF32Trunc, []word.Word{f(-1.75)}, f(-1)},
		{OpF32IsEq, []word.Word{f(0), negZero}, yes},
		{OpF32IsEq, []word.Word{f(nan), f(nan)}, no},
		{OpF32IsNe, []word.Word{f(nan), f(nan)}, yes},
		{OpF32IsLe, []word.Word{f(nan), f(1)}, no},
		{OpF32IsGe, []word.Word{f(1), f(nan)}, no},
		{OpF32IsLt, []word.Word{f(1), f(2)}, yes},
		{OpF32IsGt, []word.Word{f(1), f(2)}, no},
		{OpF32ToU32, []word.Word{f(4294967040)}, 4294967040},
		{OpF32ToU32, []word.Word{f(4294967296)}, 0},
		{OpF32ToU32, []word.Word{f(-1)}, 0},
		{OpF32ToU32, []word.Word{f(nan)}, 0},
		{OpF32ToU32, []word.Word{f(3.99)}, 3},
		{OpF32Bits, []word.Word{0x7f800001}, 0x7f800001},
		{OpF32Exp, []word.Word{f(1)}, f(math.E)},
		{OpF32Log, []word.Word{f(0)}, f(-inf)},
		{OpF32Log2, []word.Word{f(8)}, f(3)},
		{OpF32Log10, []word.Word{f(1000)}, f(3)},
		{OpF32Sin, []word.Word{f(0)}, 0},
		{OpF32Cos, []word.Word{f(0)}, f(1)},
		{OpF32Tan, []word.Word{negZero}, negZero},
		{OpF32Asin, []word.Word{f(1)}, f(math.Pi / 2)},
		{OpF32Acos, []word.Word{f(1)}, 0},
		{OpF32Atan, []word.Word{f(1)}, f(math.Pi / 4)},
		{OpF32Sinh, []word.Word{f(0)}, 0},
		{OpF32Cosh, []word.Word{f(0)}, f(1)},
		{OpF32Tanh, []word.Word{f(inf)}, f(1)},
	}
	for _, test := range tests {
		if got, err := Eval(test.op, test.args...); err != nil || got != test.want {
			t.Errorf("%s%x = %#x, %v, want %#x", test.op, test.args, got, err, test.want)
		}
	}
	for _, code := range []word.Word{0xd800, 0xdfff, 0x110000, 1<<32 - 1} {
		var e CharError
		if _, err := Eval(OpCharFromU32, code); !errors.As(err, &e) || e != CharError(code) {
			t.Errorf("Char.from_u32(%d): %v", code, err)
		}
	}
}
