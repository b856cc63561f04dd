// The twin of matrix.bend: quadtrees from malloc, those of the factors used again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct quad {
  struct quad *q[4]; // null for a cell
  uint32_t n;
} quad;

static quad *new_quad(void) { return calloc(1, sizeof(quad)); }

static quad *make(int k, uint32_t seed) {
  quad *x = new_quad();
  if (k == 0) x->n = (seed * 1103515245u + 12345u) >> 24;
  else
    for (int i = 0; i < 4; i++) x->q[i] = make(k - 1, seed * 4 + i);
  return x;
}

// The sum of x and y, in the place of x; y is freed.
static quad *add(quad *x, quad *y) {
  if (!x->q[0]) x->n += y->n;
  else
    for (int i = 0; i < 4; i++) x->q[i] = add(x->q[i], y->q[i]);
  free(y);
  return x;
}

static quad *mul(quad *x, quad *y) {
  quad *z = new_quad();
  if (!x->q[0]) {
    z->n = x->n * y->n;
    return z;
  }
  for (int i = 0; i < 4; i++)
    z->q[i] = add(mul(x->q[i & 2], y->q[i & 1]), mul(x->q[i | 1], y->q[2 | (i & 1)]));
  return z;
}

static uint32_t sum(quad *x) {
  if (!x->q[0]) return x->n;
  return sum(x->q[0]) + sum(x->q[1]) + sum(x->q[2]) + sum(x->q[3]);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8;
  printf("%u\n", sum(mul(make(n, 1), make(n, 2))));
}
