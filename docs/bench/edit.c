// The twin of edit.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }

int main(int argc, char **argv) {
  uint32_t n = argc > 1 ? atoi(argv[1]) : 8000;
  uint32_t *xs = malloc(n * sizeof *xs), *above = malloc(n * sizeof *above);
  for (uint32_t i = 0; i < n; i++) xs[i] = (1000000 + i) * 2654435761u >> 30, above[i] = i + 1;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t c = (1 + j) * 2654435761u >> 30, left = j + 1, corner = j;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t up = above[i];
      left = min(min(up, left) + 1, corner + (xs[i] != c));
      above[i] = left;
      corner = up;
    }
  }
  printf("%u\n", n ? above[n - 1] : 0);
}
