// The twin of mandelbrot.bend.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t escape(float cx, float cy) {
  float x = 0, y = 0;
  for (uint32_t n = 200; n > 0; n--) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.0f) return n - 1;
    float xy = x * y;
    x = x2 - y2 + cx;
    y = xy * 2.0f + cy;
  }
  return 0;
}

int main(int argc, char **argv) {
  uint32_t width = 1u << (argc > 1 ? atoi(argv[1]) : 11), sum = 0;
  float step = 3.0f / (float)width;
  for (uint32_t y = 0; y < width; y++)
    for (uint32_t x = 0; x < width; x++)
      sum += escape((float)x * step - 2.0f, (float)y * step - 1.5f);
  printf("%u\n", sum);
}
