// What kernels for CUDA need of its headers, for a clang that has none of them.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __threadfence() __nvvm_membar_gl()
#define __nanosleep(n) asm volatile("nanosleep.u32 %0;" ::"r"(n))
#define __float_as_uint(x) __builtin_bit_cast(unsigned, x)
#define __uint_as_float(x) __builtin_bit_cast(float, x)
#define __double_as_longlong(x) __builtin_bit_cast(long long, x)
#define __longlong_as_double(x) __builtin_bit_cast(double, x)
#define __dsqrt_rn(x) __nvvm_sqrt_rn_d(x)
#define __fsqrt_rn(x) __nvvm_sqrt_rn_f(x)
#define floorf(x) __builtin_floorf(x)
#define ceilf(x) __builtin_ceilf(x)
#define truncf(x) __builtin_truncf(x)
extern "C" __device__ float fmodf(float x, float y);

struct place {
  unsigned x;
};
#define blockIdx (place{(unsigned)__nvvm_read_ptx_sreg_ctaid_x()})
#define blockDim (place{(unsigned)__nvvm_read_ptx_sreg_ntid_x()})
#define threadIdx (place{(unsigned)__nvvm_read_ptx_sreg_tid_x()})

static inline __device__ unsigned long long atomicAdd(unsigned long long *p, unsigned long long n) {
  return __nvvm_atom_add_gen_ll((long long *)p, n);
}

static inline __device__ unsigned long long atomicCAS(unsigned long long *p, unsigned long long old, unsigned long long now) {
  return __nvvm_atom_cas_gen_ll((long long *)p, old, now);
}
