// The twin of nbody.bend: the bodies are in an array.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 256 };

typedef struct {
  float x, y, z, vx, vy, vz;
} body;

static float frac(uint32_t k) { return (float)(k * 2654435761u >> 8) / 16777216.0f; }

static body felt(body b, const body *all) {
  float vx = b.vx, vy = b.vy, vz = b.vz;
  for (int i = 0; i < BODIES; i++) {
    float dx = all[i].x - b.x, dy = all[i].y - b.y, dz = all[i].z - b.z;
    float d = dx * dx + dy * dy + dz * dz + 0.01f;
    float f = 0.001f / (d * sqrtf(d));
    vx += dx * f, vy += dy * f, vz += dz * f;
  }
  return (body){b.x + vx * 0.01f, b.y + vy * 0.01f, b.z + vz * 0.01f, vx, vy, vz};
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 600;
  body boards[2][BODIES], *now = boards[0], *next = boards[1];
  for (uint32_t i = 0; i < BODIES; i++) {
    uint32_t k = BODIES + i;
    now[i] = (body){frac(k), frac(k + 100), frac(k + 200), 0, 0, 0};
  }
  while (n-- > 0) {
    for (int i = 0; i < BODIES; i++) next[i] = felt(now[i], now);
    body *t = now;
    now = next;
    next = t;
  }
  uint32_t hash = 0;
  for (int i = 0; i < BODIES; i++) {
    float s = now[i].x + now[i].y + now[i].z;
    uint32_t bits;
    memcpy(&bits, &s, sizeof bits);
    hash = hash * 31 + bits;
  }
  printf("%u\n", hash);
}
