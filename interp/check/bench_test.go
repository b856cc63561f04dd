package check_test

import (
	"fmt"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// BenchmarkCheckBase checks the Base library, which is parsed and elaborated outside
// of the time taken.
func BenchmarkCheckBase(b *testing.B) {
	units, ds := module.Base(module.BaseSources())
	if len(ds) > 0 {
		b.Fatal(ds[0])
	}
	for b.Loop() {
		b.StopTimer()
		book := core.NewBook()
		for _, u := range units {
			ds = append(ds, elab.Add(book, u)...)
		}
		b.StartTimer()
		if ds = append(ds, check.Events(book, 0)...); len(ds) > 0 {
			b.Fatal(ds[0])
		}
	}
}

// BenchmarkCheck2000Lines reads and checks a program of 2,000 lines: data, functions,
// proofs, templates and arithmetic.
func BenchmarkCheck2000Lines(b *testing.B) {
	text := lines(2000)
	base, ds := builtBase()
	for b.Loop() {
		book := base.Fork()
		from := len(book.Events)
		file, more := syntax.ParseFile(syntax.NewSource("lines.bend", text))
		ds = append(ds, more...)
		ds = append(ds, elab.Add(book, &module.Unit{File: file})...)
		ds = append(ds, check.Events(book, from)...)
		if len(ds) > 0 {
			b.Fatal(syntax.Render(ds[0], syntax.RenderOptions{}))
		}
	}
}

// lines returns a program of at least n lines.
func lines(n int) string {
	const part = `
type Shape# is Data:
  Dot#{}
  Box#{w: U32, h: U32}
  Both#{a: Shape#, b: Shape#}

def area#(s: Shape#) -> U32:
  match s:
    case Dot#{}: 0
    case Box#{w, h}: (w * h : U32)
    case Both#{a, b}:
      x y = area#(a) area#(b)
      (x + y : U32)

law swap#:
  for a: Nat
  for b: Nat
  for e: {a == b : Nat}
  {b == a : Nat}

def swap#(a, b, e):
  %e : {_ == a : Nat}
  {==}

def zero#(n: Nat) -> {Nat.add(n, 0n) == n : Nat}:
  match n:
    case 0n: {==}
    case 1n+p:
      %zero#(p) : {1n+Nat.add(p, 0n) == 1n+_ : Nat}
      {==}

def fold#(~f: U32 -> U32 -> U32, xs: List<U32>, acc: U32) -> U32:
  match xs:
    case []: acc
    case h <> t: fold#(~f, t, f(acc, h))

def total#(xs: List<U32>) -> U32:
  fold#(~(a => b => (a * 31 + b : U32)), xs, #)

def text#(n: Nat, s: String) -> String:
  match n s:
    case 0n, "a": "one"
    case 1n, "b" : "two"
    case k, t: Nat.show(k) ++ ": " ++ t

def run#() -> IO(Unit):
  do IO<Unit>:
    x : U32 <- IO.pure(U32, total#([1, 2, 3]))
    IO.print(text#(3n, U32.show(x)))
    IO.print(text#(4n, U32.show(area#(Both#{Box#{2, 3}, Dot#{}}))))

def same#() -> {total#([1, 2]) == U32.add(U32.mul(U32.add(U32.mul(#, 31), 1), 31), 2) : U32}: {==}
`
	var b strings.Builder
	per := strings.Count(part, "\n")
	for i := range n/per + 1 {
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	return b.String()
}
