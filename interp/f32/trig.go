package f32

import "math"

// twoOverPi has the bits of 2/π after the point, behind 32 that are 0.
var twoOverPi = [8]uint32{0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab}

// reduce returns r, at most π/4 and with the sign of x, and q, where x, an F32, is r and q
// times π/2, but for multiples of 2π. Of the product of x with 2/π it computes the 96 bits
// that matter, whatever the size of x (M. Payne, R. Hanek, 1983).
func reduce(x float64) (r float64, q uint32) {
	if abs(x) < 0.78 {
		return x, 0
	}
	bits := math.Float64bits(x)
	m := bits << 1 >> 30 & (1<<23 - 1) // the 23 bits that an F32 has behind the point
	m |= 1 << 23
	e := int64(bits>>52&0x7ff) - 1023 - 23
	// A multiple of 4 in m*2^e*2/π comes from bits before this one.
	at := uint32(e + 30)
	var w [3]uint64
	for i := range w {
		pair := uint64(twoOverPi[at>>5+uint32(i)])<<32 | uint64(twoOverPi[at>>5+uint32(i)+1])
		w[i] = pair << (at & 31) >> 32
	}
	low := m * w[2]
	mid := m*w[1] + low>>32
	high := m*w[0] + mid>>32
	q = uint32(high) >> 30
	part := int64((high&0x3fffffff)<<32 | mid&0xffffffff)
	if part >= 1<<61 { // half or more
		q++
		part -= 1 << 62
	}
	f := float64(float64(part)*power(-62)) + float64(float64(low&0xffffffff)*power(-94))
	r = float64(f * half)
	if x < 0 {
		return -r, -q & 3
	}
	return r, q & 3
}

func sinSeries(r float64) float64 {
	return float64(r * series(float64(r*r), 1.0/355687428096000, -1.0/1307674368000, 1.0/6227020800, -1.0/39916800,
		1.0/362880, -1.0/5040, 1.0/120, -1.0/6, 1))
}

func cosSeries(r float64) float64 {
	return series(float64(r*r), 1.0/20922789888000, -1.0/87178291200, 1.0/479001600, -1.0/3628800, 1.0/40320, -1.0/720,
		1.0/24, -0.5, 1)
}

// turned returns the sine of x and q right angles.
func turned(x float64, q uint32) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	r, more := reduce(x)
	q += more
	y := 0.0
	if q&1 != 0 {
		y = cosSeries(r)
	} else {
		y = sinSeries(r)
	}
	if q&2 != 0 {
		return -y
	}
	return y
}

// Sin returns the sine.
func Sin(x float64) float64 { return turned(x, 0) }

// Cos returns the cosine.
func Cos(x float64) float64 { return turned(x, 1) }

// Tan returns the tangent.
func Tan(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	r, q := reduce(x)
	if q&1 != 0 {
		return -(cosSeries(r) / sinSeries(r))
	}
	return sinSeries(r) / cosSeries(r)
}

// atanPart returns the arc tangent of x from 0 to 1: that of the nearest quarter, and of
// what is then left, at most 1/8.
func atanPart(x float64) float64 {
	n := round(float64(x * 4))
	c := float64(float64(n) * 0.25)
	t := (x - c) / (1 + float64(x*c))
	s := float64(t * series(float64(t*t), -1.0/19, 1.0/17, -1.0/15, 1.0/13, -1.0/11, 1.0/9, -1.0/7, 1.0/5, -1.0/3, 1))
	return quarter(n) + s
}

func quarter(n int64) float64 {
	switch n {
	case 0:
		return 0
	case 1:
		return 0.24497866312686414
	case 2:
		return 0.4636476090008061
	case 3:
		return 0.6435011087932844
	}
	return 0.7853981633974483
}

// Atan2 returns the angle of the point (x, y), as C99 says at the origin and for
// infinities.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ax, ay := abs(x), abs(y)
	r := 0.0
	switch {
	case isInf(ax) && isInf(ay):
		r = quarter(4)
	case ax == 0 && ay == 0:
	case ay > ax:
		r = half - atanPart(ax/ay)
	default:
		r = atanPart(ay / ax)
	}
	if math.Signbit(x) {
		r = pi - r
	}
	return math.Copysign(r, y)
}

// Atan returns the arc tangent.
func Atan(x float64) float64 { return Atan2(x, 1) }

// chord returns the cosine of the angle whose sine is x.
func chord(x float64) float64 { return math.Sqrt(float64((1 - x) * (1 + x))) }

// Asin returns the arc sine.
func Asin(x float64) float64 {
	if !(abs(x) <= 1) {
		return math.NaN()
	}
	return Atan2(x, chord(x))
}

// Acos returns the arc cosine.
func Acos(x float64) float64 {
	if !(abs(x) <= 1) {
		return math.NaN()
	}
	return Atan2(chord(x), x)
}

// Sinh returns the hyperbolic sine.
func Sinh(x float64) float64 {
	if abs(x) < 1 {
		return float64(x * series(float64(x*x), 1.0/355687428096000, 1.0/1307674368000, 1.0/6227020800, 1.0/39916800,
			1.0/362880, 1.0/5040, 1.0/120, 1.0/6, 1))
	}
	return float64(0.5 * (Exp(x) - Exp(-x)))
}

// Cosh returns the hyperbolic cosine.
func Cosh(x float64) float64 { return float64(0.5 * (Exp(x) + Exp(-x))) }

// Tanh returns the hyperbolic tangent.
func Tanh(x float64) float64 {
	if abs(x) > 20 {
		return math.Copysign(1, x)
	}
	return Sinh(x) / Cosh(x)
}
