package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

var functions = []struct {
	name string
	ours func(float64) float64
	math func(float64) float64
}{
	{"exp", Exp, math.Exp}, {"log", Log, math.Log}, {"log2", Log2, math.Log2}, {"log10", Log10, math.Log10},
	{"sin", Sin, math.Sin}, {"cos", Cos, math.Cos}, {"tan", Tan, math.Tan},
	{"asin", Asin, math.Asin}, {"acos", Acos, math.Acos}, {"atan", Atan, math.Atan},
	{"sinh", Sinh, math.Sinh}, {"cosh", Cosh, math.Cosh}, {"tanh", Tanh, math.Tanh},
}

// arguments are the ends of ranges, F32s of all sizes, and more of usual ones.
func arguments(n int) (xs []float64) {
	for _, x := range []float32{0, 1, 0.5, 0.78, 0.79, math.Pi, math.Pi / 2, math.Pi / 4, 2, 10, 64, 88.7, 89.5, 103.9, 104.1, 1000,
		1 << 23, 1<<24 - 1, 16367173 * (1 << 32) * (1 << 40), math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, float32(math.Inf(1))} {
		xs = append(xs, float64(x), -float64(x))
	}
	xs = append(xs, math.Copysign(0, -1), math.NaN())
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		xs = append(xs, float64(math.Float32frombits(r.Uint32())), float64(float32(r.NormFloat64()*3)), float64(2*r.Float32()-1))
	}
	return xs
}

// apart returns how many F32s lie between two results.
func apart(a, b float64) int64 {
	x, y := float32(a), float32(b)
	if x != x || y != y {
		if x != x && y != y {
			return 0
		}
		return math.MaxInt64
	}
	place := func(f float32) int64 {
		n := int64(math.Float32bits(f) &^ (1 << 31))
		if math.Signbit(float64(f)) {
			return -n - 1 // -0 is not 0
		}
		return n
	}
	d := place(x) - place(y)
	return max(d, -d)
}

// nearly checks results: none is more than one F32 from that of package math, and almost
// all are the same.
type nearly struct {
	t            *testing.T
	name         string
	count, other int
}

func (n *nearly) check(ours, want float64, args ...float64) {
	n.count++
	d := apart(ours, want)
	if d > 0 {
		n.other++
	}
	if d > 1 {
		n.t.Errorf("%s%v = %v, package math says %v", n.name, args, float32(ours), float32(want))
	}
}

func (n *nearly) done() {
	if n.other*20_000 > n.count+20_000 {
		n.t.Errorf("%s: %d of %d results are not those of package math", n.name, n.other, n.count)
	}
}

func TestFunctions(t *testing.T) {
	xs := arguments(100_000)
	for _, f := range functions {
		n := nearly{t: t, name: f.name}
		for _, x := range xs {
			n.check(f.ours(x), f.math(x), x)
		}
		n.done()
	}
}

func TestFunctionsOfTwo(t *testing.T) {
	xs := arguments(100_000)
	pow, atan2 := nearly{t: t, name: "pow"}, nearly{t: t, name: "atan2"}
	r := rand.New(rand.NewPCG(3, 4))
	special := xs[:48]
	for _, x := range special {
		for _, y := range special {
			pow.check(Pow(x, y), math.Pow(x, y), x, y)
			atan2.check(Atan2(x, y), math.Atan2(x, y), x, y)
		}
	}
	for _, x := range xs {
		y := xs[r.IntN(len(xs))]
		pow.check(Pow(x, y), math.Pow(x, y), x, y)
		pow.check(Pow(math.Abs(x), y), math.Pow(math.Abs(x), y), math.Abs(x), y)
		atan2.check(Atan2(x, y), math.Atan2(x, y), x, y)
	}
	pow.done()
	atan2.done()
}

// Results that are short come out exact.
func TestExactPowers(t *testing.T) {
	for x := range 300 {
		want := 1.0
		for n := 0; n < 60 && want < 1<<53; n++ {
			if got := Pow(float64(x), float64(n)); got != want {
				t.Errorf("%d to the power %d: %v, want %v", x, n, got, want)
			}
			want *= float64(x)
		}
	}
	for n := -149; n < 128; n++ {
		x := math.Ldexp(1, n)
		if float32(Log2(x)) != float32(n) || Pow(2, float64(n)) != x {
			t.Errorf("2 to the power %d: %v, and back %v", n, Pow(2, float64(n)), Log2(x))
		}
	}
}

func FuzzPow(f *testing.F) {
	f.Add(float32(2), float32(0.5))
	f.Add(float32(-3), float32(3))
	f.Fuzz(func(t *testing.T, x, y float32) {
		if d := apart(Pow(float64(x), float64(y)), math.Pow(float64(x), float64(y))); d > 1 {
			t.Errorf("pow(%v, %v) is %v, package math says %v", x, y, Pow(float64(x), float64(y)), math.Pow(float64(x), float64(y)))
		}
	})
}
