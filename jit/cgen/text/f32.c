// The functions of package f32, operation by operation.
#define ROUND(x) ((i64)((x) < 0 ? (x) - 0.5 : (x) + 0.5))
#define LN2_HI 0.693147180369123816490
#define LN2_LO 1.90821492927058770002e-10
#define LOG2E 1.4426950408889634
#define HALF_PI 1.5707963267948966
#define NAN64 F64_OF(W(0x7ff8000000000000))
#define INF64 F64_OF(W(0x7ff0000000000000))

FN f64 bend_abs(f64 x) { return F64_OF(BITS64(x) & W(0x7fffffffffffffff)); }
FN int bend_minus(f64 x) { return (BITS64(x) >> 63) != 0; }
FN f64 bend_with_sign(f64 x, f64 of) {
  return F64_OF((BITS64(x) & W(0x7fffffffffffffff)) | (BITS64(of) & W(0x8000000000000000)));
}
FN int bend_is_inf(f64 x) { return x - x != 0 && x == x; }
FN f64 bend_power(i64 n) { return F64_OF((u64)(n + 1023) << 52); }
FN f64 bend_within(f64 x) { return x > 400 ? 400 : x < -400 ? -400 : x; }

FN f64 bend_exp_scaled(f64 r, i64 n) {
  f64 s = 1.0 / 6227020800.0;
  s = s * r + 1.0 / 479001600.0;
  s = s * r + 1.0 / 39916800.0;
  s = s * r + 1.0 / 3628800.0;
  s = s * r + 1.0 / 362880.0;
  s = s * r + 1.0 / 40320.0;
  s = s * r + 1.0 / 5040.0;
  s = s * r + 1.0 / 720.0;
  s = s * r + 1.0 / 120.0;
  s = s * r + 1.0 / 24.0;
  s = s * r + 1.0 / 6.0;
  s = s * r + 0.5;
  s = s * r + 1.0;
  s = s * r + 1.0;
  return s * bend_power(n);
}

SLOW f64 bend_exp(f64 x) {
  if (x != x) return x;
  x = bend_within(x);
  i64 n = ROUND(x * LOG2E);
  f64 r = x - (f64)n * LN2_HI;
  return bend_exp_scaled(r - (f64)n * LN2_LO, n);
}

FN f64 bend_exp2(f64 x) {
  x = bend_within(x);
  i64 n = ROUND(x);
  return bend_exp_scaled((x - (f64)n) * 0.6931471805599453, n);
}

// The logarithm of x to the base whose parts are given: of 2 twice, of e once.
SLOW f64 bend_logarithm(f64 x, f64 two_hi, f64 two_lo, f64 of_e) {
  if (x != x || x < 0) return NAN64;
  if (x == 0) return -INF64;
  if (bend_is_inf(x)) return x;
  u64 bits = BITS64(x);
  i64 e = (i64)(bits >> 52) - 1023;
  f64 m = F64_OF((bits & W(0xfffffffffffff)) | (u64)1023 << 52);
  if (m > 1.4142135623730951) {
    m = m * 0.5;
    e++;
  }
  f64 s = (m - 1) / (m + 1);
  f64 z = s * s, p = 1.0 / 19.0;
  p = p * z + 1.0 / 17.0;
  p = p * z + 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  p = p * z + 1.0;
  p = 2 * s * p;
  f64 n = (f64)e;
  return n * two_hi + (n * two_lo + p * of_e);
}

FN f64 bend_log(f64 x) { return bend_logarithm(x, LN2_HI, LN2_LO, 1); }
FN f64 bend_log2(f64 x) { return bend_logarithm(x, 1, 0, LOG2E); }
FN f64 bend_log10(f64 x) { return bend_logarithm(x, 0.30102999566398120, 0, 0.4342944819032518); }

SLOW f64 bend_pow(f64 x, f64 y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return NAN64;
  f64 a = bend_abs(x), b = bend_abs(y), r = 0;
  if (bend_is_inf(y)) return a == 1 ? 1 : (a > 1) == (y > 0) ? INF64 : 0;
  int whole = b >= 16777216.0 || (f64)(i64)b == b;
  int odd = b < 16777216.0 && whole && ((i64)b & 1) != 0;
  if (a == 0 || bend_is_inf(a)) {
    if (bend_is_inf(a) == (y > 0)) r = INF64;
  } else if (x < 0 && !whole) {
    return NAN64;
  } else if (whole && b <= 64) {
    r = 1;
    for (u32 n = (u32)b; n > 0; n >>= 1) {
      if ((n & 1) != 0) r = r * a;
      a = a * a;
    }
    if (y < 0) r = 1 / r;
  } else {
    r = bend_exp2(y * bend_log2(a));
  }
  return odd && bend_minus(x) ? -r : r;
}

// The angle in quarters that the argument is past a multiple of four, and the rest of it.
struct bend_angle {
  f64 r;
  u32 q;
};

TABLE u32 bend_two_over_pi[8] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

FN u64 bend_pi_word(u32 at) {
  u64 pair = (u64)bend_two_over_pi[at >> 5] << 32 | bend_two_over_pi[(at >> 5) + 1];
  return pair << (at & 31) >> 32;
}

FN struct bend_angle bend_reduce(f64 x) {
  struct bend_angle a;
  a.r = x;
  a.q = 0;
  if (bend_abs(x) < 0.78) return a;
  u64 bits = BITS64(x);
  u64 m = (bits << 1 >> 30 & 0x7fffff) | 0x800000;
  u32 at = (u32)((i64)(bits >> 52 & 0x7ff) - 1023 - 23 + 30);
  u64 low = m * bend_pi_word(at + 64);
  u64 mid = m * bend_pi_word(at + 32) + (low >> 32);
  u64 high = m * bend_pi_word(at) + (mid >> 32);
  u32 q = (u32)high >> 30;
  i64 part = (i64)((high & 0x3fffffff) << 32 | (mid & 0xffffffff));
  if (part >= (i64)1 << 61) {
    q++;
    part -= (i64)1 << 62;
  }
  f64 f = (f64)part * bend_power(-62) + (f64)(i64)(low & 0xffffffff) * bend_power(-94);
  f64 r = f * HALF_PI;
  a.r = x < 0 ? -r : r;
  a.q = (x < 0 ? 0 - q : q) & 3;
  return a;
}

FN f64 bend_sin_series(f64 r) {
  f64 z = r * r, s = 1.0 / 355687428096000.0;
  s = s * z - 1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = s * z + 1.0;
  return r * s;
}

FN f64 bend_cos_series(f64 r) {
  f64 z = r * r, s = 1.0 / 20922789888000.0;
  s = s * z - 1.0 / 87178291200.0;
  s = s * z + 1.0 / 479001600.0;
  s = s * z - 1.0 / 3628800.0;
  s = s * z + 1.0 / 40320.0;
  s = s * z - 1.0 / 720.0;
  s = s * z + 1.0 / 24.0;
  s = s * z - 0.5;
  return s * z + 1.0;
}

// The sine of x and q right angles.
SLOW f64 bend_turned(f64 x, u32 q) {
  if (x - x != 0) return NAN64;
  struct bend_angle a = bend_reduce(x);
  q += a.q;
  f64 y = (q & 1) != 0 ? bend_cos_series(a.r) : bend_sin_series(a.r);
  return (q & 2) != 0 ? -y : y;
}

FN f64 bend_sin(f64 x) { return bend_turned(x, 0); }
FN f64 bend_cos(f64 x) { return bend_turned(x, 1); }

SLOW f64 bend_tan(f64 x) {
  if (x - x != 0) return NAN64;
  struct bend_angle a = bend_reduce(x);
  f64 s = bend_sin_series(a.r), c = bend_cos_series(a.r);
  return (a.q & 1) != 0 ? -(c / s) : s / c;
}

FN f64 bend_quarter(i64 n) {
  return n == 0   ? 0
         : n == 1 ? 0.24497866312686414
         : n == 2 ? 0.4636476090008061
         : n == 3 ? 0.6435011087932844
                  : 0.7853981633974483;
}

FN f64 bend_atan_part(f64 x) {
  i64 n = ROUND(x * 4);
  f64 c = (f64)n * 0.25;
  f64 t = (x - c) / (1 + x * c);
  f64 z = t * t, s = -1.0 / 19.0;
  s = s * z + 1.0 / 17.0;
  s = s * z - 1.0 / 15.0;
  s = s * z + 1.0 / 13.0;
  s = s * z - 1.0 / 11.0;
  s = s * z + 1.0 / 9.0;
  s = s * z - 1.0 / 7.0;
  s = s * z + 1.0 / 5.0;
  s = s * z - 1.0 / 3.0;
  s = s * z + 1.0;
  return bend_quarter(n) + t * s;
}

SLOW f64 bend_atan2(f64 y, f64 x) {
  if (x != x || y != y) return NAN64;
  f64 ax = bend_abs(x), ay = bend_abs(y), r = 0;
  if (bend_is_inf(ax) && bend_is_inf(ay))
    r = bend_quarter(4);
  else if (ax != 0 || ay != 0) {
    f64 part = bend_atan_part(ay > ax ? ax / ay : ay / ax);
    r = ay > ax ? HALF_PI - part : part;
  }
  if (bend_minus(x)) r = 3.141592653589793 - r;
  return bend_with_sign(r, y);
}

FN f64 bend_atan(f64 x) { return bend_atan2(x, 1); }
FN f64 bend_chord(f64 x) { return F64_SQRT((1 - x) * (1 + x)); }
FN f64 bend_asin(f64 x) { return bend_abs(x) <= 1 ? bend_atan2(x, bend_chord(x)) : NAN64; }
FN f64 bend_acos(f64 x) { return bend_abs(x) <= 1 ? bend_atan2(bend_chord(x), x) : NAN64; }

SLOW f64 bend_sinh(f64 x) {
  if (!(bend_abs(x) < 1)) return 0.5 * (bend_exp(x) - bend_exp(-x));
  f64 z = x * x, s = 1.0 / 355687428096000.0;
  s = s * z + 1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z + 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z + 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z + 1.0 / 6.0;
  s = s * z + 1.0;
  return x * s;
}

FN f64 bend_cosh(f64 x) { return 0.5 * (bend_exp(x) + bend_exp(-x)); }
FN f64 bend_tanh(f64 x) { return bend_abs(x) > 20 ? bend_with_sign(1, x) : bend_sinh(x) / bend_cosh(x); }
