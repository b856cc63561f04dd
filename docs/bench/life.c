// The twin of life.bend: the board is an array.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64 };

static uint32_t left(uint32_t x) { return x << 1 | x >> 31; }
static uint32_t right(uint32_t x) { return x >> 1 | x << 31; }
static uint32_t most(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (c & (a | b)); }

static uint32_t row(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t al = left(a), ar = right(a), bl = left(b), br = right(b), cl = left(c), cr = right(c);
  uint32_t s0 = al ^ a ^ ar, s1 = bl ^ br, s2 = cl ^ c ^ cr;
  uint32_t k0 = most(al, a, ar), k1 = bl & br, k2 = most(cl, c, cr), k3 = most(s0, s1, s2);
  uint32_t one = (k0 ^ k2 ^ k1 ^ k3) & ~((k0 & k2) | (k1 & k3));
  return one & ((s0 ^ s1 ^ s2) | b);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 400000;
  uint32_t boards[2][ROWS], *now = boards[0], *next = boards[1], hash = 0;
  for (uint32_t i = 0; i < ROWS; i++) now[i] = (i + 1) * 2654435761u ^ (i + 1) * 40503u >> 3;
  while (n-- > 0) {
    for (int i = 0; i < ROWS; i++) next[i] = row(now[(i + ROWS - 1) % ROWS], now[i], now[(i + 1) % ROWS]);
    uint32_t *t = now;
    now = next;
    next = t;
  }
  for (int i = 0; i < ROWS; i++) hash = hash * 31 + now[i];
  printf("%u\n", hash);
}
