// The twin of pow2.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tree {
  struct tree *l, *r; // both null for a leaf
  uint32_t n;
} tree;

static tree *make(int d, uint32_t k) {
  tree *t = malloc(sizeof *t);
  if (d == 0) {
    *t = (tree){0, 0, k};
  } else {
    tree *l = make(d - 1, 2 * k);
    *t = (tree){l, make(d - 1, 2 * k + 1), 0};
  }
  return t;
}

static uint32_t sum(tree *t) {
  uint32_t n = t->l ? sum(t->l) + sum(t->r) : t->n;
  free(t);
  return n;
}

int main(int argc, char **argv) {
  printf("%u\n", sum(make(argc > 1 ? atoi(argv[1]) : 22, 0)));
}
