// CUDA C++.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#define FN static __device__ __forceinline__
#define SLOW static __device__ __noinline__
#define TABLE static __device__ const
#define MEM u64 *
#define W(n) n##ull // a word
#define FENCE() __threadfence()
#define WAIT() __nanosleep(200)
#define ATOMIC_LOAD(p) (*(volatile u64 *)(p))
#define ATOMIC_ADD(p, n) atomicAdd(p, (u64)(n))
#define ATOMIC_SUB(p, n) atomicAdd(p, (u64)0 - (u64)(n))
#define ATOMIC_SWAP(p, old, now) (atomicCAS(p, old, now) == (old))
#define BITS_OF(x) ((u32)__float_as_uint(x))
#define F32_OF(w) __uint_as_float((u32)(w))
#define BITS64(x) ((u64)__double_as_longlong(x))
#define F64_OF(n) __longlong_as_double((long long)(n))
#define F64_SQRT __dsqrt_rn
#define F32_SQRT __fsqrt_rn
#define F32_FLOOR floorf
#define F32_CEIL ceilf
#define F32_TRUNC truncf
#define F32_MOD fmodf
#define F32_OWN(f) f##f
