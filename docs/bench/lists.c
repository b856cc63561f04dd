// The twin of lists.bend: nodes from malloc, freed as they are consumed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
  uint32_t head;
  struct node *tail;
} node;

static node *con(uint32_t head, node *tail) {
  node *n = malloc(sizeof *n);
  n->head = head;
  n->tail = tail;
  return n;
}

static node *down(uint64_t n) {
  node *acc = 0;
  for (uint32_t k = 0; n > 0; n--, k++) acc = con(k, acc);
  return acc;
}

static node *turn(node *xs) {
  node *acc = 0;
  while (xs) {
    node *t = xs->tail;
    acc = con(xs->head, acc);
    free(xs);
    xs = t;
  }
  return acc;
}

static uint32_t hash(node *xs, uint32_t acc) {
  while (xs) {
    node *t = xs->tail;
    acc = acc * 31 + xs->head;
    free(xs);
    xs = t;
  }
  return acc;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  uint64_t n = strtoull(argv[1], 0, 10), times = strtoull(argv[2], 0, 10);
  uint32_t acc = 0;
  while (times-- > 0) acc = hash(turn(down(n)), acc);
  printf("%u\n", acc);
  return 0;
}
