// The twin of merkle.bend: a thread for each leaf, up to eight levels of the tree a launch.
#include "twin.cuh"

enum { LEVELS = 8 };

__device__ uint32_t mix(uint32_t a, uint32_t b) {
  uint32_t x = a * 2654435761u + b * 2246822519u + 374761393u;
  uint32_t y = (x ^ x >> 15) * 3266489917u;
  return y ^ y >> 13;
}

// The roots of trees of as many nodes as a block has threads; without nodes, of leaves.
__global__ void roots(const uint32_t *nodes, uint32_t *out) {
  __shared__ uint32_t s[1 << LEVELS];
  uint32_t t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = nodes ? nodes[i] : i;
  if (!nodes)
    for (int j = 0; j < 100; j++) x = mix(x, 7);
  s[t] = x;
  for (uint32_t n = blockDim.x / 2; n > 0; n /= 2) {
    __syncthreads();
    if (t < n) x = mix(s[2 * t], s[2 * t + 1]);
    __syncthreads();
    if (t < n) s[t] = x;
  }
  if (t == 0) out[blockIdx.x] = x;
}

int main(int argc, char **argv) {
  int d = argc > 1 ? atoi(argv[1]) : 20;
  uint32_t *even = on_card<uint32_t>((size_t)1 << d), *odd = on_card<uint32_t>((size_t)1 << d);
  return report([=] {
    uint32_t *nodes = nullptr, *out = even;
    for (int left = d; left > 0 || !nodes;) {
      int levels = left < LEVELS ? left : LEVELS;
      left -= levels;
      LAUNCH(roots, 1u << left, 1u << levels, nodes, out);
      nodes = out;
      out = nodes == even ? odd : even;
    }
    return first(nodes);
  });
}
