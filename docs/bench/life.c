// The twin of life.bend: a board is a list, made anew in each generation.
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

static list *rows(list *xs, uint32_t a, uint32_t b, uint32_t first) {
  if (!xs) return cons(row(a, b, first), 0);
  uint32_t c = xs->head;
  list *rest = xs->tail;
  free(xs);
  return cons(row(a, b, c), rows(rest, b, c, first));
}

static list *step(list *xs) {
  uint32_t first = xs->head, last = first;
  list *rest = xs->tail;
  free(xs);
  for (list *x = rest; x; x = x->tail) last = x->head;
  return rows(rest, last, first, first);
}

static list *make(int n, uint32_t k) {
  return n == 0 ? 0 : cons(k * 2654435761u ^ k * 40503u >> 3, make(n - 1, k + 1));
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  list *xs = make(64, 1);
  while (n-- > 0) xs = step(xs);
  uint32_t hash = 0;
  for (; xs; xs = xs->tail) hash = hash * 31 + xs->head;
  printf("%u\n", hash);
}
