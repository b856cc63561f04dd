// The twin of nbody.bend: a thread for each body, a launch for each step.
#include "twin.cuh"

enum { BODIES = 256 };

struct body {
  float x, y, z, vx, vy, vz;
};

static float frac(uint32_t k) { return (float)(k * 2654435761u >> 8) / 16777216.0f; }

__global__ void step(const body *now, body *next) {
  __shared__ body all[BODIES];
  body b = all[threadIdx.x] = now[threadIdx.x];
  __syncthreads();
  float vx = b.vx, vy = b.vy, vz = b.vz;
  for (int i = 0; i < BODIES; i++) {
    float dx = all[i].x - b.x, dy = all[i].y - b.y, dz = all[i].z - b.z;
    float d = dx * dx + dy * dy + dz * dz + 0.01f;
    float f = 0.001f / (d * sqrtf(d));
    vx += dx * f, vy += dy * f, vz += dz * f;
  }
  next[threadIdx.x] = {b.x + vx * 0.01f, b.y + vy * 0.01f, b.z + vz * 0.01f, vx, vy, vz};
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 600;
  body *now = on_card<body>(BODIES), *next = on_card<body>(BODIES);
  return report([=]() mutable {
    body bodies[BODIES];
    for (uint32_t i = 0; i < BODIES; i++) {
      uint32_t k = BODIES + i;
      bodies[i] = {frac(k), frac(k + 100), frac(k + 200), 0, 0, 0};
    }
    check(cudaMemcpy(now, bodies, sizeof bodies, cudaMemcpyHostToDevice));
    for (int i = 0; i < n; i++) {
      LAUNCH(step, 1, BODIES, now, next);
      body *t = now;
      now = next, next = t;
    }
    check(cudaGetLastError());
    check(cudaMemcpy(bodies, now, sizeof bodies, cudaMemcpyDeviceToHost));
    uint32_t hash = 0;
    for (const body &b : bodies) {
      float s = b.x + b.y + b.z;
      uint32_t bits;
      memcpy(&bits, &s, sizeof bits);
      hash = hash * 31 + bits;
    }
    return hash;
  });
}
