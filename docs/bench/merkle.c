// The twin of merkle.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mix(uint32_t a, uint32_t b) {
  uint32_t x = a * 2654435761u + b * 2246822519u + 374761393u;
  uint32_t y = (x ^ x >> 15) * 3266489917u;
  return y ^ y >> 13;
}

static uint32_t root(int d, uint32_t k) {
  if (d == 0) {
    for (int i = 0; i < 100; i++) k = mix(k, 7);
    return k;
  }
  uint32_t a = root(d - 1, 2 * k);
  return mix(a, root(d - 1, 2 * k + 1));
}

int main(int argc, char **argv) {
  printf("%u\n", root(argc > 1 ? atoi(argv[1]) : 20, 0));
}
