// Metal Shading Language. It has no atomic operations on 64 bits in device memory that
// all GPUs share, so that a kernel for it runs on one lane.
#include <metal_stdlib>
#pragma METAL fp contract(off)
using namespace metal;

typedef uint u32;
typedef ulong u64;
typedef float f32;

#define FN static inline
#define SLOW static __attribute__((noinline))
#define TABLE constant
#define MEM device u64 *
#define W(n) n##ul // a word
#define FENCE()
#define WAIT()
#define ATOMIC_LOAD(p) (*(p))
#define ATOMIC_ADD(p, n) bend_add(p, (u64)(n))
#define ATOMIC_SUB(p, n) bend_add(p, -(u64)(n))
#define ATOMIC_SWAP(p, old, now) bend_swap(p, old, now)
#define BITS_OF(x) as_type<u32>(x)
#define F32_OF(w) as_type<f32>((u32)(w))
#define F32_SQRT precise::sqrt
#define F32_FLOOR floor
#define F32_CEIL ceil
#define F32_TRUNC trunc
#define F32_MOD fmod
#define F32_OWN(f) precise::f

static inline u64 bend_add(device u64 *p, u64 n) {
  u64 old = *p;
  *p = old + n;
  return old;
}

static inline bool bend_swap(device u64 *p, u64 old, u64 now) {
  if (*p != old) return false;
  *p = now;
  return true;
}
