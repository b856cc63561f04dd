package search

import (
	"regexp"
	"testing"

	"bend/interp/base"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// read returns a type; single letters are its free variables.
func read(t *testing.T, b *core.Book, text string) (core.Term, int) {
	t.Helper()
	x, d := syntax.ParseExpr(syntax.NewSource("test", text))
	if d != nil {
		t.Fatal(d)
	}
	names := regexp.MustCompile(`\b[a-z]\b`).FindAllString(text, -1)
	term, diags := elab.Expr(b, &module.Unit{File: &syntax.File{}}, names, x, elab.Options{Operators: true})
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	return term, len(names)
}

func TestFit(t *testing.T) {
	b, diags := base.Build()
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	for _, tt := range []struct {
		pattern, ty string
		want        Fit
	}{
		{"Nat", "Nat", Exact},
		{"Nat", "U32", None},
		{"Nat -> U32", "@+n:Nat -> U32", Exact},
		{"Nat -> U32", "Nat", None},
		{"Nat -> U32 -> Bool", "U32 -> Nat -> Bool", Swapped},
		{"Nat -> U32 -> Bool", "U32 -> U32 -> Bool", None},
		{"a -> a", "@-T:Type -> T -> T", Exact},
		{"Nat -> Nat", "@-T:Type -> T -> T", Exact},
		{"a -> a", "Nat -> Nat", None}, // a is any type, Nat is one
		{"a -> b", "@-T:Type -> T -> T", None},
		{"a -> U32", "@-T:Type -> T -> T", None},
		{"_ -> _", "Nat -> U32", Exact},
		{"List<Nat> -> Nat", "@-q:Quant -> @-T:Kind(q) -> List<q, T> -> Nat", Exact},
		{"List<Nat> -> Nat", "List<&2, Nat> -> Nat", Exact},
		{"+List<Nat> -> Nat", "List<Nat> -> Nat", None},
		{"List<_, a> -> a", "@-T:Data -> List<&2, T> -> T", Exact},
		{"List<_, a> -> a", "@-T:Data -> List<&2, T> -> List<&2, T>", None},
		{"a -> List<a>", "@-T:Type -> T -> T", None},
		{"(a -> b) -> List<a> -> List<b>", "@-A:Type -> @-B:Type -> List<A> -> (A -> B) -> List<B>", Swapped},
		{"(a -> a -> b) -> b", "@-A:Type -> (A -> A -> A) -> A", None},
		{"@x:Nat -> {x == 0n : Nat}", "@y:Nat -> {y == 0n : Nat}", Exact},
		{"@x:Nat -> {x == 0n : Nat}", "@y:Nat -> {0n == y : Nat}", None},
		{"@x:Nat -> @y:Nat -> {x == y : Nat}", "@x:Nat -> @y:Nat -> {y == x : Nat}", Swapped},
		{"Nat & U32 -> U32", "@-A:Type -> @-B:Type -> A & B -> B", Exact},
		{"Nat & U32 -> U32", "@-A:Type -> @-B:Type -> A & B -> A", None},
		{"IO(Unit)", "@-T:Type -> IO(T)", Exact},
		{"@-T:Type -> T -> T", "@-A:Type -> A -> A", Exact},
		{"(@x:a -> {x == x : a}) -> a", "@-A:Type -> (@y:A -> {y == y : A}) -> A", Exact},
	} {
		pattern, free := read(t, b, tt.pattern)
		ty, _ := read(t, b, tt.ty)
		if got := New(pattern, free, false).Fit(ty, 0); got != tt.want {
			t.Errorf("%s for %s: %d, want %d", tt.ty, tt.pattern, got, tt.want)
		}
	}
}

// TestTemplates counts a "~" parameter as one, unless it is a type.
func TestTemplates(t *testing.T) {
	b, _ := base.Build()
	ty, _ := read(t, b, "@-A:Type -> @-f:(A -> A) -> A -> A")
	pattern, free := read(t, b, "(a -> a) -> a -> a")
	p := New(pattern, free, false)
	if p.Fit(ty, 0) != None || p.Fit(ty, 2) != Exact {
		t.Errorf("%d without, %d with", p.Fit(ty, 0), p.Fit(ty, 2))
	}
}

// TestResults compares results alone.
func TestResults(t *testing.T) {
	b, _ := base.Build()
	pattern, free := read(t, b, "Nat")
	p := New(pattern, free, true)
	for text, want := range map[string]Fit{"Nat": Exact, "U32 -> Nat": Exact, "Nat -> U32": None, "@-A:Type -> Nat -> A": None} {
		ty, _ := read(t, b, text)
		if got := p.Fit(ty, 0); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
