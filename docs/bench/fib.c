// The twin of fib.bend: plain recursion.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t fib(uint64_t n) {
  if (n == 0) return 0;
  if (n == 1) return 1;
  return fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  printf("%u\n", fib(strtoull(argv[1], 0, 10)));
  return 0;
}
