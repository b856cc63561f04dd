# The twin of edit.bend.
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
xs = [((1000000 + i) * 2654435761 & 0xFFFFFFFF) >> 30 for i in range(n)]
above = list(range(1, n + 1))
for j in range(n):
    c, left, corner = ((1 + j) * 2654435761 & 0xFFFFFFFF) >> 30, j + 1, j
    for i in range(n):
        up = above[i]
        left = min(min(up, left) + 1, corner + (xs[i] != c))
        above[i] = left
        corner = up
print(above[-1] if n else 0)
