// Package f32 computes the functions of F32 that IEEE 754 does not define to the last bit,
// so that every machine and every device gives the same one.
//
// They are computed in double precision by additions, multiplications, divisions and
// square roots alone, which IEEE 754 does define, and rounded once; kernels do the same
// operations in the same order (see text/f32.c of package cgen). A result is the nearest
// F32 but for some in a million, where it is the one beside it. The explicit conversions of
// products keep a compiler from fusing them with what follows.
//
// The methods are textbook ones: a reduction of the argument, then a series of Taylor that
// is long enough for a double.
package f32

import "math"

const (
	log2e = 1.4426950408889634
	ln2   = 0.6931471805599453
	// ln2 in two parts; a product of the first with a number of 11 bits is exact.
	ln2Hi   = 0.693147180369123816490
	ln2Lo   = 1.90821492927058770002e-10
	log10e  = 0.4342944819032518
	log10of = 0.30102999566398120 // the logarithm of 2
	pi      = 3.141592653589793
	half    = 1.5707963267948966 // of pi
	sqrt2   = 1.4142135623730951
)

func isInf(x float64) bool { return x-x != 0 && x == x }

func abs(x float64) float64 { return math.Abs(x) }

// round returns the integer that is nearest to x, which is in the range of an int64.
func round(x float64) int64 {
	if x < 0 {
		return int64(x - 0.5)
	}
	return int64(x + 0.5)
}

// power returns 2 to the power n, which is that of a normal number.
func power(n int64) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// series returns the polynomial of x whose coefficients are given, that of the highest
// power first.
func series(x float64, coefficients ...float64) float64 {
	s := 0.0
	for _, c := range coefficients {
		s = float64(s*x) + c
	}
	return s
}

// expScaled returns e to the power r, which is small, times 2 to the power n.
func expScaled(r float64, n int64) float64 {
	s := series(r, 1.0/6227020800, 1.0/479001600, 1.0/39916800, 1.0/3628800, 1.0/362880, 1.0/40320, 1.0/5040,
		1.0/720, 1.0/120, 1.0/24, 1.0/6, 0.5, 1, 1)
	return float64(s * power(n))
}

// within keeps an exponent where its power is a normal number, and far out of those of an
// F32.
func within(x float64) float64 {
	if x > 400 {
		return 400
	}
	if x < -400 {
		return -400
	}
	return x
}

// Exp returns e to the power x.
func Exp(x float64) float64 {
	if x != x {
		return x
	}
	x = within(x)
	n := round(float64(x * log2e))
	r := x - float64(float64(n)*ln2Hi)
	return expScaled(r-float64(float64(n)*ln2Lo), n)
}

// exp2 returns 2 to the power x.
func exp2(x float64) float64 {
	x = within(x)
	n := round(x)
	return expScaled(float64((x-float64(n))*ln2), n)
}

// log returns the logarithm of x, an F32, to the base for which those of 2, in two parts,
// and of e are given.
func log(x, of2Hi, of2Lo, ofE float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case isInf(x):
		return x
	}
	// x is m times 2 to the power e, and m is near 1.
	bits := math.Float64bits(x)
	e := int64(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m > sqrt2 {
		m = m * 0.5
		e++
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	logM := float64(float64(2*s) * series(z, 1.0/19, 1.0/17, 1.0/15, 1.0/13, 1.0/11, 1.0/9, 1.0/7, 1.0/5, 1.0/3, 1))
	n := float64(e)
	return float64(n*of2Hi) + (float64(n*of2Lo) + float64(logM*ofE))
}

// Log returns the natural logarithm.
func Log(x float64) float64 { return log(x, ln2Hi, ln2Lo, 1) }

// Log2 returns the logarithm to base 2.
func Log2(x float64) float64 { return log(x, 1, 0, log2e) }

// Log10 returns the logarithm to base 10.
func Log10(x float64) float64 { return log(x, log10of, 0, log10e) }

// Pow returns x to the power y. What IEEE 754 says of its pow holds: it is 1 where y is 0
// or x is 1, also when the other is no number.
func Pow(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	if x != x || y != y {
		return math.NaN()
	}
	a := abs(x)
	if isInf(y) {
		switch {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	}
	whole := abs(y) >= 1<<24 || float64(int64(y)) == y
	odd := abs(y) < 1<<24 && whole && int64(y)&1 != 0
	r := 0.0
	switch {
	case a == 0 || isInf(a):
		if isInf(a) == (y > 0) {
			r = math.Inf(1)
		}
	case x < 0 && !whole:
		return math.NaN()
	case whole && abs(y) <= 64:
		r = powWhole(a, int64(abs(y)))
		if y < 0 {
			r = 1 / r
		}
	default:
		r = exp2(float64(y * Log2(a)))
	}
	if odd && math.Signbit(x) {
		r = -r
	}
	return r
}

// powWhole returns x to the power n by multiplication: what has a short result has the
// exact one.
func powWhole(x float64, n int64) float64 {
	r := 1.0
	for n > 0 {
		if n&1 != 0 {
			r = float64(r * x)
		}
		x = float64(x * x)
		n >>= 1
	}
	return r
}
