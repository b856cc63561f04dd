# The twin of pow2.bend.
import sys


def make(d, k):
    return (k,) if d == 0 else (make(d - 1, 2 * k), make(d - 1, 2 * k + 1))


def total(t):
    return t[0] if len(t) == 1 else total(t[0]) + total(t[1]) & 0xFFFFFFFF


print(total(make(int(sys.argv[1]) if len(sys.argv) > 1 else 22, 0)))
