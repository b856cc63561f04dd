// The twin of edit.bend: a row of the table is a list, made anew from the one above.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct list {
  uint32_t head;
  struct list *tail;
} list;

static list *cons(uint32_t head, list *tail) {
  list *xs = malloc(sizeof *xs);
  *xs = (list){head, tail};
  return xs;
}

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }

static list *text(uint32_t n, uint32_t k) {
  return n == 0 ? 0 : cons(k * 2654435761u >> 30, text(n - 1, k + 1));
}

static list *count(uint32_t n, uint32_t k) { return n == 0 ? 0 : cons(k, count(n - 1, k + 1)); }

static list *row(list *xs, list *above, uint32_t c, uint32_t left, uint32_t corner) {
  if (!xs) return 0;
  uint32_t up = above->head, v = min(min(up, left) + 1, corner + (xs->head != c));
  list *rest = above->tail;
  free(above);
  return cons(v, row(xs->tail, rest, c, v, up));
}

int main(int argc, char **argv) {
  uint32_t n = argc > 1 ? atoi(argv[1]) : 3000, last = 0;
  list *ys = text(n, 1), *xs = text(n, 1000000), *above = count(n, 1);
  for (uint32_t j = 0; j < n; j++, ys = ys->tail) above = row(xs, above, ys->head, j + 1, j);
  for (; above; above = above->tail) last = above->head;
  printf("%u\n", last);
}
