// The twin of queens.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static uint32_t fill(int rows, uint32_t down, uint32_t left, uint32_t right) {
  if (rows == 0) return 1;
  uint32_t ways = 0;
  for (int k = n; k-- > 0;) {
    uint32_t bit = 1u << k;
    if (!(bit & (down | left | right)))
      ways += fill(rows - 1, down | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return ways;
}

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 13;
  printf("%u\n", fill(n, 0, 0, 0));
}
