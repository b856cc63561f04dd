# The twin of lists.bend: cells are pairs.
import sys


def down(n):
    acc = None
    for k in range(n):
        acc = (k, acc)
    return acc


def turn(xs):
    acc = None
    while xs is not None:
        acc = (xs[0], acc)
        xs = xs[1]
    return acc


def fold(xs, acc):
    while xs is not None:
        acc = (acc * 31 + xs[0]) & 0xFFFFFFFF
        xs = xs[1]
    return acc


acc = 0
for _ in range(int(sys.argv[2])):
    acc = fold(turn(down(int(sys.argv[1]))), acc)
print(acc)
