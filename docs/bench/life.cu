// The twin of the boards of life.bend: a block for each board, a thread for each row.
#include "twin.cuh"

enum { ROWS = 64 };

__device__ uint32_t left(uint32_t x) { return x << 1 | x >> 31; }
__device__ uint32_t right(uint32_t x) { return x >> 1 | x << 31; }
__device__ uint32_t most(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (c & (a | b)); }

__device__ uint32_t row(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t al = left(a), ar = right(a), bl = left(b), br = right(b), cl = left(c), cr = right(c);
  uint32_t s0 = al ^ a ^ ar, s1 = bl ^ br, s2 = cl ^ c ^ cr;
  uint32_t k0 = most(al, a, ar), k1 = bl & br, k2 = most(cl, c, cr), k3 = most(s0, s1, s2);
  uint32_t one = (k0 ^ k2 ^ k1 ^ k3) & ~((k0 & k2) | (k1 & k3));
  return one & ((s0 ^ s1 ^ s2) | b);
}

__global__ void board(int n, uint32_t *sum) {
  __shared__ uint32_t boards[2][ROWS];
  uint32_t i = threadIdx.x, k = blockIdx.x + i;
  boards[0][i] = k * 2654435761u ^ k * 40503u >> 3;
  for (int g = 0; g < n; g++) {
    const uint32_t *now = boards[g % 2];
    __syncthreads();
    boards[(g + 1) % 2][i] = row(now[(i + ROWS - 1) % ROWS], now[i], now[(i + 1) % ROWS]);
  }
  __syncthreads();
  if (i > 0) return;
  uint32_t hash = 0;
  for (uint32_t x : boards[n % 2]) hash = hash * 31 + x;
  atomicAdd(sum, hash);
}

int main(int argc, char **argv) {
  int d = argc > 1 ? atoi(argv[1]) : 13, n = argc > 2 ? atoi(argv[2]) : 20;
  uint32_t *sum = on_card<uint32_t>(1);
  return report([=] {
    check(cudaMemset(sum, 0, sizeof *sum));
    LAUNCH(board, 1u << d, ROWS, n, sum);
    return first(sum);
  });
}
