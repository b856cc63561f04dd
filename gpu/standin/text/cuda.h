// Stands in for what CUDA gives its programs.
#include <cmath>
#include <cstring>
#include <sched.h>
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __nanosleep(n) sched_yield()
static thread_local struct { unsigned x, y, z; } blockIdx, blockDim, threadIdx;

static inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long n) {
  return __atomic_fetch_add(p, n, __ATOMIC_RELAXED);
}

static inline unsigned long long atomicCAS(unsigned long long *p, unsigned long long old, unsigned long long now) {
  __atomic_compare_exchange_n(p, &old, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
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

static inline long long __double_as_longlong(double x) {
  long long n;
  memcpy(&n, &x, 8);
  return n;
}

static inline double __longlong_as_double(long long n) {
  double x;
  memcpy(&x, &n, 8);
  return x;
}

static inline double __dsqrt_rn(double x) { return sqrt(x); }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
