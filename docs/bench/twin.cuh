// What the twins in CUDA share: launches, memory and a clock. A C++20 compiler that knows
// nothing of CUDA takes them too, and makes the threads of a block threads of the
// processor: that tells nothing of speed, but whether the results are right.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef __CUDACC__

#define LAUNCH(f, blocks, threads, ...) f<<<blocks, threads>>>(__VA_ARGS__)

inline void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(e));
  exit(1);
}

#else

#include <barrier>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __shared__ static
#define LAUNCH(f, blocks, threads, ...) run_blocks(blocks, threads, [&] { f(__VA_ARGS__); })

struct place {
  unsigned x;
};
thread_local place blockIdx, threadIdx, blockDim;
inline std::barrier<> *of_block;
inline void __syncthreads() { of_block->arrive_and_wait(); }
inline uint32_t atomicAdd(uint32_t *p, uint32_t n) { return __atomic_fetch_add(p, n, __ATOMIC_SEQ_CST); }

template <class F> void run_blocks(unsigned blocks, unsigned threads, F body) {
  for (unsigned b = 0; b < blocks; b++) {
    std::barrier<> barrier(threads);
    of_block = &barrier;
    std::vector<std::jthread> all;
    for (unsigned i = 0; i < threads; i++)
      all.emplace_back([=] {
        blockIdx.x = b, threadIdx.x = i, blockDim.x = threads;
        body();
      });
  }
}

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline void check(int) {}
template <class T> int cudaMalloc(T **p, size_t n) { return *p = static_cast<T *>(malloc(n)), 0; }
inline int cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) { return memcpy(to, from, n), 0; }
inline int cudaMemset(void *p, int c, size_t n) { return memset(p, c, n), 0; }
inline int cudaGetLastError() { return 0; }

#endif

template <class T> T *on_card(size_t n) {
  T *p;
  check(cudaMalloc(&p, n * sizeof(T)));
  return p;
}

// The first of a card's values, once all that was launched has ended.
template <class T> T first(const T *p) {
  T v;
  check(cudaGetLastError());
  check(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost));
  return v;
}

// Prints a run's result, and the best of five times in milliseconds, the first run apart.
template <class F> int report(F run) {
  uint32_t result = run();
  double best = 1e30;
  for (int i = 0; i < 5; i++) {
    auto start = std::chrono::steady_clock::now();
    if (run() != result) return 1;
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (took.count() < best) best = took.count();
  }
  printf("%u %.3f\n", result, best);
  return 0;
}
