package eval

import (
	"context"
	"testing"

	"bend/interp/word"
)

const fibs = `
def fib(n)
  if U32.is_lt n 2
    return n
  else
    a = U32.sub n 1
    x <- fib(a)
    b = U32.sub n 2
    y <- fib(b)
    z = U32.add x y
    return z

def nfib(n)
  if (zero?) n
    return 0
  else
    p = (pred) n
    if (zero?) p
      return 1
    else
      x <- nfib(p)
      q = (pred) p
      y <- nfib(q)
      z = Nat.add x y
      return z

def pfib(n)
  if U32.is_lt n 2
    return n
  else
    a = U32.sub n 1
    b = U32.sub n 2
    fork
      x <- pfib(a)
      y <- pfib(b)
    z = U32.add x y
    return z
`

const lists = `
def down(n, k, *acc)
  if (zero?) n
    return acc
  else
    p = (pred) n
    j = U32.add k 1
    *l = Con#1{k, acc}
    jump down(p, j, l)

def append(*xs, *ys)
  match xs
  case Nil#0{}
    return ys
  case Con#1{h, *t}
    *r <- append(t, ys)
    *l = Con#1{h, r}
    return l

def total(*xs, acc)
  match xs
  case Nil#0{}
    return acc
  case Con#1{h, *t}
    s = U32.add acc h
    jump total(t, s)

def deep(n)
  *e = Con#1{7, #0}
  *l <- down(n, 0, #0)
  *m <- append(l, e)
  jump total(m, 0)

def lsum(*xs)
  match xs
  case Nil#0{}
    return 0
  case Con#1{h, *t}
    r <- lsum(t)
    s = U32.add h r
    return s

def sum(n)
  *l <- down(n, 0, #0)
  jump lsum(l)

def count(n)
  if (zero?) n
    return 0
  else
    p = (pred) n
    r <- count(p)
    s = U32.add r 1
    return s
`

func BenchmarkFib(b *testing.B) {
	for _, name := range []string{"fib", "nfib", "pfib"} {
		b.Run(name, func(b *testing.B) {
			m := machine(b, fibs, Options{})
			for b.Loop() {
				if w, err := call(b, m, name, 27); w != 196418 {
					b.Fatal(w, err)
				}
			}
			const calls = 832040 - 1 // of fib(27)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
		})
	}
}

func BenchmarkLists(b *testing.B) {
	for _, name := range []string{"deep", "sum", "count"} {
		b.Run(name, func(b *testing.B) {
			m := machine(b, lists, Options{})
			id, _ := m.prog.Lookup(name)
			for b.Loop() {
				if _, err := m.Call(context.Background(), id, word.Word(100000)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e5, "ns/element")
		})
	}
}
