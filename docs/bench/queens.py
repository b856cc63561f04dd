# The twin of queens.bend.
import sys


def fill(rows, down, left, right):
    if rows == 0:
        return 1
    ways = 0
    for k in reversed(range(n)):
        bit = 1 << k
        if not bit & (down | left | right):
            ways += fill(rows - 1, down | bit, (left | bit) << 1, (right | bit) >> 1)
    return ways


n = int(sys.argv[1]) if len(sys.argv) > 1 else 13
print(fill(n, 0, 0, 0))
