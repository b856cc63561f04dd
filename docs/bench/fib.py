# The twin of fib.bend.
import sys


def fib(n):
    if n == 0:
        return 0
    if n == 1:
        return 1
    return (fib(n - 1) + fib(n - 2)) & 0xFFFFFFFF


print(fib(int(sys.argv[1])))
