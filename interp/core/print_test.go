package core

import (
	"strings"
	"testing"

	"bend/interp/syntax"
)

func nat(n uint64) Term { return &Lit{Kind: syntax.Nat, N: n} }

// chain returns n elements of the constructor key in front of last.
func chain(key string, n int, elem func(int) Term, last Term) Term {
	for i := n - 1; i >= 0; i-- {
		last = &Ctr{Key: key, Args: []Term{elem(i), last}}
	}
	return last
}

func TestPrint(t *testing.T) {
	x := &Var{Name: "x", Ix: 0}
	nul := &Ctr{Key: "Nil"}
	ref := func(key string) Term { return &Ref{Key: key} }
	call := func(f Term, args ...Term) Term {
		for _, a := range args {
			f = &App{Fn: f, Arg: a}
		}
		return f
	}
	op := func(r int) Term { return &ADT{Key: "IO.OP", Args: []Term{&Var{Name: "R", Ix: r}}} }
	io := func(a Term, r int) Term {
		k := &All{Name: "k", Q: Lone, Dom: &All{Name: "_", Q: Lone, Dom: a, Cod: op(r)}, Cod: op(1)}
		return &All{Name: "R", Dom: &Kind{Q: &Qty{Q: Lone}}, Cod: k}
	}
	for _, tt := range []struct {
		term  Term
		names []string
		want  string
	}{
		{nat(3), nil, "3n"},
		{&Ctr{Key: "Succ", Args: []Term{x}}, []string{"x"}, "1n+x"},
		{&Ctr{Key: "Succ", Args: []Term{&Ctr{Key: "Succ", Args: []Term{call(ref("f"), x)}}}}, []string{"x"}, "2n+f(x)"},
		{&Lit{Kind: syntax.U32, N: 42}, nil, "42"},
		{&Lit{Kind: syntax.F32, N: 0x3f800000}, nil, "1.0"},
		{&Lit{Kind: syntax.F32, N: 0x80000000}, nil, "-0.0"},
		{&Lit{Kind: syntax.F32, N: 0x7fc00000}, nil, "nan"},
		{&Str{Codes: []uint32{'a', '"', '\n', 0x7f}}, nil, `"a\"\n\u{7f}"`},
		{chain("Con", 2, func(i int) Term { return nat(uint64(i)) }, nul), nil, "[0n, 1n]"},
		{chain("Con", 1, func(int) Term { return nat(0) }, x), []string{"x"}, "0n <> x"},
		{call(chain("Con", 1, func(int) Term { return nat(0) }, x), nat(1)), []string{"x"}, "(0n <> x)(1n)"},
		{&Ctr{Key: "Tuple", Args: []Term{nat(1), &Ctr{Key: "Tuple", Args: []Term{nat(2), nat(3)}}}}, nil, "(1n, 2n, 3n)"},
		{&Ctr{Key: "lib/tree:Node", Args: []Term{nat(1)}}, nil, "lib/tree.Node{1n}"},
		{&Lam{Name: "x", Body: &Lam{Name: "y", Body: &Var{Name: "x", Ix: 1}}}, nil, "x => y => x"},
		{&Lam{Name: "x", Body: &Lam{Name: "x", Body: &Var{Name: "x", Ix: 1}}}, nil, "x => x => x^0"},
		{&Lam{Name: "f", Body: ref("f")}, nil, "f => f^"},
		{&All{Name: "_", Q: Lone, Dom: ref("A"), Cod: ref("B")}, nil, "@_:A -> B"},
		{&All{Name: "x", Q: Many, Dom: ref("A"), Cod: x}, nil, "@+x:A -> x"},
		{io(ref("A"), 1), nil, "IO(A)"},
		{io(&Var{Name: "x", Ix: 1}, 1), []string{"x"}, "IO(x)"},
		{io(io(ref("R"), 1), 1), nil, "IO(IO(R))"},
		{io(x, 1), nil, "@-R:Type -> @k:(@_:R -> IO.OP<R>) -> IO.OP<R>"},
		{io(ref("A"), 0), nil, "@-R:Type -> @k:(@_:A -> IO.OP<_>) -> IO.OP<R>"},
		{&Kind{Q: &Qty{Q: Many}}, nil, "Data"},
		{&Kind{Q: &Meet{A: x, B: &Qty{Q: Lone}}}, []string{"x"}, "Kind(x <&> &1)"},
		{&Eql{A: nat(1), B: nat(2), T: ref("Nat")}, nil, "{1n == 2n : Nat}"},
		{&Mat{Key: "None", Hit: nat(0), Miss: &Efq{}}, nil, `\{None: 0n}`},
		{&Ref{Key: "f", Bang: true}, nil, "f!"},
		{call(&Ref{Key: "f", Bang: true}, nat(1)), nil, "f!(1n)"},
		{&ADT{Key: "List", Args: []Term{&Qty{Q: Lone}, ref("A")}}, nil, "List<&1, A>"},
	} {
		if got := Print(tt.term, tt.names, PrintOptions{}); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestPrintLong prints what is long, whole and cut.
func TestPrintLong(t *testing.T) {
	const n = 1_000_000
	elem := func(int) Term { return nat(7) }
	long := map[string]Term{
		"list":  chain("Con", n, elem, &Ctr{Key: "Nil"}),
		"tuple": chain("Tuple", n/10, elem, nat(7)),
		"text":  chain("SCon", n/10, func(int) Term { return &Ctr{Key: "Chr", Args: []Term{&Lit{N: 'x'}}} }, &Ctr{Key: "SNil"}),
	}
	for name, term := range long {
		if got := Print(term, nil, PrintOptions{}); len(got) < n/10 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if got := Print(term, nil, PrintOptions{MaxElems: 10}); len(got) > 100 || !strings.Contains(got, "...") {
			t.Errorf("%s: %.200s", name, got)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	b := NewBook()
	for _, key := range []string{"List.map", "List.max", "length", "IO.print", "A.show", "B.show", "C.show", "D.show", "lib:E.show", "A.b.lengh", "U32.is_lt", "U32.not"} {
		b.Defs[key] = &Def{Key: key}
	}
	for name, want := range map[string]string{
		"List.mpa": "List.map", "lenght": "length", "print": "did you mean IO.print?",
		"show": "did you mean A.show, B.show, C.show, ..?", "completely_different": "",
		"U32.lt": "did you mean U32.is_lt?",
	} {
		if got := DidYouMean(b, name); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
