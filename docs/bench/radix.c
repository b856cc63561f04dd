// The twin of radix.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct trie {
  struct trie *l, *r;
} trie;

static trie used; // the end of every number; null is an empty trie

static trie *both(trie *l, trie *r) {
  trie *t = malloc(sizeof *t);
  *t = (trie){l, r};
  return t;
}

static trie *one(int b, uint32_t x) {
  if (b == 0) return &used;
  trie *t = one(b - 1, x);
  return x >> (b - 1) & 1 ? both(0, t) : both(t, 0);
}

static trie *merge(trie *a, trie *b) {
  if (!a) return b;
  if (!b || a == &used) return a;
  a->l = merge(a->l, b->l);
  a->r = merge(a->r, b->r);
  free(b);
  return a;
}

static trie *make(int d, uint32_t k) {
  if (d == 0) return one(20, k * 2654435761u >> 12);
  trie *l = make(d - 1, k * 2);
  return merge(l, make(d - 1, k * 2 + 1));
}

static uint32_t sum(trie *t, uint32_t x) {
  if (!t) return 0;
  if (t == &used) return x;
  uint32_t n = sum(t->l, x * 2) + sum(t->r, x * 2 + 1);
  free(t);
  return n;
}

int main(int argc, char **argv) {
  printf("%u\n", sum(make(argc > 1 ? atoi(argv[1]) : 17, 1), 0));
}
