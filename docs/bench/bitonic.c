// The twin of bitonic.bend: a pair of trees comes back through pointers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tree {
  struct tree *l, *r;
  uint32_t n;
} tree;

static tree *node(tree *l, tree *r, uint32_t n) {
  tree *t = malloc(sizeof *t);
  *t = (tree){l, r, n};
  return t;
}

static tree *make(int d, uint32_t seed) {
  if (d == 0) return node(0, 0, seed * 2654435761u >> 8);
  tree *l = make(d - 1, seed * 2);
  return node(l, make(d - 1, seed * 2 + 1), 0);
}

// Exchanges what a and b hold where their order is wrong.
static void split(tree *a, tree *b, int up) {
  if (!a->l) {
    if ((a->n > b->n) == up) {
      uint32_t n = a->n;
      a->n = b->n;
      b->n = n;
    }
    return;
  }
  split(a->l, b->l, up);
  split(a->r, b->r, up);
}

static void merge(int d, tree *a, tree *b, int up) {
  if (d == 0) return;
  split(a->l, a->r, up);
  split(b->l, b->r, up);
  merge(d - 1, a->l, a->r, up);
  merge(d - 1, b->l, b->r, up);
}

static void sort(int d, tree *t, int up) {
  if (d == 0) return;
  sort(d - 1, t->l, 1);
  sort(d - 1, t->r, 0);
  split(t->l, t->r, up);
  merge(d - 1, t->l, t->r, up);
}

static uint32_t hash(tree *t, uint32_t acc) {
  return t->l ? hash(t->r, hash(t->l, acc)) : acc * 31 + t->n;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 18;
  tree *t = make(n, 1);
  sort(n, t, 1);
  printf("%u\n", hash(t, 0));
}
