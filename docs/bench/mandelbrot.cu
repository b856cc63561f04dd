// The twin of mandelbrot.bend: a thread for each point.
#include "twin.cuh"

enum { THREADS = 256 };

__device__ uint32_t escape(float cx, float cy) {
  float x = 0, y = 0;
  for (uint32_t n = 200; n > 0; n--) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.0f) return n - 1;
    float xy = x * y;
    x = x2 - y2 + cx;
    y = xy * 2.0f + cy;
  }
  return 0;
}

__global__ void points(uint32_t width, float step, uint32_t *sum) {
  __shared__ uint32_t of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&of_block, escape((float)(i % width) * step - 2.0f, (float)(i / width) * step - 1.5f));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

int main(int argc, char **argv) {
  uint32_t width = 1u << (argc > 1 ? atoi(argv[1]) : 11), *sum = on_card<uint32_t>(1);
  return report([=] {
    check(cudaMemset(sum, 0, sizeof *sum));
    LAUNCH(points, width * width / THREADS, THREADS, width, 3.0f / (float)width, sum);
    return first(sum);
  });
}
