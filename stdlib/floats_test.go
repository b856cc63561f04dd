package stdlib_test

import (
	"math"

	"bend/interp/word"
)

// A reference computes a def or law on F32 by Go's functions.
type reference func(a []word.Word) word.Word

func number(w word.Word) float32 { return math.Float32frombits(uint32(w)) }
func bits(f float32) word.Word   { return word.Word(math.Float32bits(f)) }

// one, two and three compute in double precision and round once. Sums, products,
// quotients, square roots, remainders and whole numbers are the nearest ones that way.
func one(f func(x float64) float64) reference {
	return func(a []word.Word) word.Word { return bits(float32(f(float64(number(a[0]))))) }
}

func two(f func(x, y float64) float64) reference {
	return func(a []word.Word) word.Word {
		return bits(float32(f(float64(number(a[0])), float64(number(a[1])))))
	}
}

// single computes in single precision, each operation rounded.
func single(f func(x []float32) float32) reference {
	return func(a []word.Word) word.Word {
		var xs []float32
		for _, w := range a {
			xs = append(xs, number(w))
		}
		return bits(f(xs))
	}
}

func asks(f func(x, y float32) bool) reference {
	return func(a []word.Word) word.Word { return word.Bool(f(number(a[0]), number(a[1]))) }
}

// whole is a without its fraction where that is a U32, else 0.
func whole(a []word.Word) word.Word {
	if x := float64(number(a[0])); x >= 0 && x < 1<<32 {
		return word.Word(x)
	}
	return 0
}

func lesser(x, y float32) float32 {
	if x < y {
		return x
	}
	return y
}

func greater(x, y float32) float32 {
	if x < y {
		return y
	}
	return x
}

// floats holds everything of Base on F32 but text.
var floats = map[string]reference{
	"F32.add": two(func(x, y float64) float64 { return x + y }),
	"F32.sub": two(func(x, y float64) float64 { return x - y }),
	"F32.mul": two(func(x, y float64) float64 { return x * y }),
	"F32.div": two(func(x, y float64) float64 { return x / y }),
	"F32.mod": two(math.Mod),
	"F32.pow": two(math.Pow), "F32.atan2": two(math.Atan2),
	"F32.sqrt": one(math.Sqrt), "F32.floor": one(math.Floor), "F32.ceil": one(math.Ceil), "F32.trunc": one(math.Trunc),
	"F32.exp": one(math.Exp), "F32.log": one(math.Log), "F32.log2": one(math.Log2), "F32.log10": one(math.Log10),
	"F32.sin": one(math.Sin), "F32.cos": one(math.Cos), "F32.tan": one(math.Tan),
	"F32.asin": one(math.Asin), "F32.acos": one(math.Acos), "F32.atan": one(math.Atan),
	"F32.sinh": one(math.Sinh), "F32.cosh": one(math.Cosh), "F32.tanh": one(math.Tanh),
	"F32.neg":  func(a []word.Word) word.Word { return a[0] ^ 1<<31 },
	"F32.abs":  func(a []word.Word) word.Word { return a[0] &^ (1 << 31) },
	"F32.bits": func(a []word.Word) word.Word { return a[0] },

	"F32.is_eq": asks(func(x, y float32) bool { return x == y }),
	"F32.is_ne": asks(func(x, y float32) bool { return x != y }),
	"F32.is_lt": asks(func(x, y float32) bool { return x < y }),
	"F32.is_le": asks(func(x, y float32) bool { return x <= y }),
	"F32.is_gt": asks(func(x, y float32) bool { return x > y }),
	"F32.is_ge": asks(func(x, y float32) bool { return x >= y }),

	"F32.to_u32":   whole,
	"F32.to_nat":   whole,
	"U32.to_f32":   func(a []word.Word) word.Word { return bits(float32(uint32(a[0]))) },
	"F32.from_nat": func(a []word.Word) word.Word { return bits(float32(uint32(a[0]))) },

	"F32.min":    single(func(x []float32) float32 { return lesser(x[0], x[1]) }),
	"F32.max":    single(func(x []float32) float32 { return greater(x[0], x[1]) }),
	"F32.clamp":  single(func(x []float32) float32 { return lesser(greater(x[0], x[1]), x[2]) }),
	"F32.square": single(func(x []float32) float32 { return x[0] * x[0] }),
	"F32.round":  single(func(x []float32) float32 { return float32(math.Floor(float64(float32(x[0] + 0.5)))) }),
	"F32.lerp": single(func(x []float32) float32 {
		d := float32(x[1] - x[0])
		return x[0] + float32(d*x[2])
	}),
	"F32.hypot": single(func(x []float32) float32 {
		s := float32(x[0] * x[0])
		return float32(math.Sqrt(float64(s + float32(x[1]*x[1]))))
	}),
	"F32.Dec.number": func(a []word.Word) word.Word { return a[0] },
}

// agrees tells whether got is what a reference says: of the NaNs any will do, except
// where only bits are moved.
func agrees(n native, got, want word.Word) bool {
	if n.result == "F32" && n.key != "F32.neg" && n.key != "F32.abs" && n.key != "F32.Dec.number" &&
		math.IsNaN(float64(number(want))) {
		return math.IsNaN(float64(number(got)))
	}
	return got == want
}
