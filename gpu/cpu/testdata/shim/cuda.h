// Stands in for what CUDA gives its programs, on one thread.
#include <cmath>
#include <cstring>
#define __device__
#define __global__
#define __forceinline__ inline
static struct { unsigned x, y, z; } blockIdx, blockDim, threadIdx;

static inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long n) {
  unsigned long long old = *p;
  *p = old + n;
  return old;
}

static inline unsigned long long atomicCAS(unsigned long long *p, unsigned long long old, unsigned long long now) {
  unsigned long long was = *p;
  if (was == old) *p = now;
  return was;
}

static inline unsigned __float_as_uint(float x) {
  unsigned n;
  memcpy(&n, &x, 4);
  return n;
}

static inline float __uint_as_float(unsigned n) {
  float x;
  memcpy(&x, &n, 4);
  return x;
}

static inline float __fsqrt_rn(float x) { return sqrtf(x); }
