// C11.
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;

#define FN static inline
#define SLOW static __attribute__((noinline))
#define TABLE static const
#define MEM u64 *
#define W(n) n##ull // a word
#define FENCE() ((void)0) // atomic operations are fences
#define WAIT() sched_yield()
#define ATOMIC_LOAD(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define ATOMIC_ADD(p, n) __atomic_fetch_add(p, n, __ATOMIC_SEQ_CST)
#define ATOMIC_SUB(p, n) __atomic_fetch_sub(p, n, __ATOMIC_SEQ_CST)
#define ATOMIC_SWAP(p, old, new) bend_swap(p, old, new)

static inline int bend_swap(u64 *p, u64 old, u64 new) {
  return __atomic_compare_exchange_n(p, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline u32 BITS_OF(f32 x) {
  u32 n;
  memcpy(&n, &x, 4);
  return n;
}

static inline f32 F32_OF(u64 w) {
  u32 n = (u32)w;
  f32 x;
  memcpy(&x, &n, 4);
  return x;
}

static inline u64 BITS64(f64 x) {
  u64 n;
  memcpy(&n, &x, 8);
  return n;
}

static inline f64 F64_OF(u64 n) {
  f64 x;
  memcpy(&x, &n, 8);
  return x;
}

#define F64_SQRT sqrt
#define F32_SQRT sqrtf
#define F32_FLOOR floorf
#define F32_CEIL ceilf
#define F32_TRUNC truncf
#define F32_MOD fmodf
#define F32_OWN(f) f##f
