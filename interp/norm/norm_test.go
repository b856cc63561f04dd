package norm

import (
	"testing"

	"bend/interp/core"
	"bend/interp/syntax"
)

// The tests build a small book by hand: Nat, a list, and a few defs on them.

func v(ix int) core.Term                        { return &core.Var{Ix: ix} }
func nat(n uint64) core.Term                    { return &core.Lit{Kind: syntax.Nat, N: n} }
func ref(k string) core.Term                    { return &core.Ref{Key: k} }
func con(k string, args ...core.Term) core.Term { return &core.Ctr{Key: k, Args: args} }
func lam(names string, body core.Term) core.Term {
	for i := len(names) - 1; i >= 0; i-- {
		body = &core.Lam{Name: names[i : i+1], Body: body}
	}
	return body
}
func app(f core.Term, args ...core.Term) core.Term {
	for _, a := range args {
		f = &core.App{Fn: f, Arg: a}
	}
	return f
}
func mat(k string, hit, miss core.Term) core.Term { return &core.Mat{Key: k, Hit: hit, Miss: miss} }

func book() *core.Book {
	b := core.NewBook()
	data := func(key string, ctors ...*core.Ctor) {
		d := &core.Datatype{Key: key, Kind: &core.Kind{Q: &core.Qty{Q: core.Many}}, Base: true, Ctors: ctors}
		b.Types[key] = d
		for i, c := range ctors {
			c.Data, c.Index = d, i
			b.Ctors[c.Key] = c
		}
	}
	field := func(names ...string) (fs []core.Field) {
		for _, n := range names {
			fs = append(fs, core.Field{Name: n, Q: core.Lone, Type: ref("Nat")})
		}
		return fs
	}
	data("Nat", &core.Ctor{Key: "Zero"}, &core.Ctor{Key: "Succ", Fields: field("pred")})
	data("List", &core.Ctor{Key: "Nil"}, &core.Ctor{Key: "Con", Fields: field("head", "tail")})
	data("Bool", &core.Ctor{Key: "False"}, &core.Ctor{Key: "True"})
	data("U32", &core.Ctor{Key: "U32", Fields: field("data")})
	data("W", &core.Ctor{Key: "WNil"}, &core.Ctor{Key: "WCon", Fields: field("bit", "rest")})
	data("Char", &core.Ctor{Key: "Chr", Fields: field("code")})
	data("String", &core.Ctor{Key: "SNil"}, &core.Ctor{Key: "SCon", Fields: field("head", "tail")})
	def := func(key string, arity int, base bool, value core.Term) {
		b.Defs[key] = &core.Def{Key: key, Arity: arity, Value: value, Checked: true, Base: base, Type: &core.Quant{}}
	}
	efq := &core.Efq{}
	add := mat("Zero", lam("b", v(0)), mat("Succ", lam("pb", con("Succ", app(ref("Nat.add"), v(1), v(0)))), efq))
	def("Nat.add", 2, true, add)
	def("add", 2, false, mat("Zero", lam("b", v(0)), mat("Succ", lam("pb", con("Succ", app(ref("add"), v(1), v(0)))), efq)))
	// count(n, acc) = 1n+..+acc, with the accumulator growing
	def("count", 2, false, mat("Zero", lam("a", v(0)), mat("Succ", lam("pa", app(ref("count"), v(1), con("Succ", v(0)))), efq)))
	// down(n): n, n-1, .., 1
	def("down", 1, false, mat("Zero", con("Nil"), mat("Succ", lam("p", con("Con", con("Succ", v(0)), app(ref("down"), v(0)))), efq)))
	// grow(n, t): a doubling tree
	def("grow", 2, false, mat("Zero", lam("t", v(0)), mat("Succ", lam("pt", app(ref("grow"), v(1), con("Con", v(0), v(0)))), efq)))
	def("two", 1, false, lam("x", con("Succ", con("Succ", v(0)))))
	// strict(n): stuck on its own result at each level
	def("strict", 1, false, mat("Zero", nat(0), mat("Succ", lam("p", app(ref("two1"), app(ref("strict"), v(0)))), efq)))
	def("two1", 1, false, mat("Zero", nat(1), mat("Succ", lam("p", v(0)), efq)))
	b.Defs["open"] = &core.Def{Key: "open", Arity: 1, Type: &core.Quant{}}
	return b
}

func TestQuote(t *testing.T) {
	x, y := Free(0, "x"), Free(1, "y")
	env := (*Env)(nil).Push(x).Push(y)
	for _, tc := range []struct {
		term core.Term
		want string
	}{
		{app(ref("add"), nat(2), nat(3)), "5n"},
		{app(ref("Nat.add"), nat(2), nat(3)), "5n"},
		{app(ref("add"), v(1), nat(0)), "add(x, 0n)"},
		{app(ref("Nat.add"), v(1), nat(0)), "Nat.add(x, 0n)"},
		{app(ref("add"), con("Succ", v(1)), v(0)), "1n+add(x, y)"},
		{app(ref("Nat.add"), con("Succ", v(1)), v(0)), "1n+Nat.add(x, y)"},
		{app(ref("add"), nat(2)), "add(2n)"},
		{app(ref("open"), app(ref("add"), nat(1), nat(1))), "open(2n)"},
		{app(ref("count"), nat(3), v(0)), "3n+y"},
		{lam("z", app(ref("add"), nat(1), v(0))), "z => 1n+z"},
		{&core.Let{Names: []string{"k"}, Qs: []core.Quantity{core.Lone}, Vals: []core.Term{nat(4)}, Body: app(ref("two"), v(0))}, "6n"},
		{app(lam("f", app(v(0), nat(1))), lam("k", con("Succ", v(0)))), "2n"},
		{app(mat("True", nat(1), mat("False", nat(2), &core.Efq{})), con("False")), "2n"},
		{app(mat("True", nat(1), mat("False", nat(2), &core.Efq{})), v(0)), `\{True: 1n; False: 2n}(y)`},
		{app(mat("True", nat(1), lam("b", v(0))), con("False")), "False{}"},
		{&core.Meet{A: &core.Qty{Q: core.Many}, B: v(0)}, "y"},
		{&core.Meet{A: v(0), B: &core.Qty{Q: core.Lone}}, "y <&> &1"},
		{&core.Rwt{Eq: &core.Rfl{}, Motive: nat(0), Body: nat(7)}, "7n"},
		{&core.Rwt{Eq: v(0), Motive: v(1), Body: nat(7)}, "%y : _; 7n"},
		{app(&core.Rwt{Eq: &core.Rfl{}, Motive: nat(0), Body: lam("k", v(0))}, nat(1)), "1n"},
		{app(ref("down"), nat(3)), "[3n, 2n, 1n]"},
	} {
		m := New(book())
		got := core.Print(m.Quote(2, m.Eval(env, tc.term)), []string{"x", "y"}, core.PrintOptions{})
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", core.Print(tc.term, []string{"x", "y"}, core.PrintOptions{}), got, tc.want)
		}
	}
}

func TestConvert(t *testing.T) {
	x, y := Free(0, "x"), Free(1, "y")
	env := (*Env)(nil).Push(x).Push(y)
	kind := func(q core.Quantity) core.Term { return &core.Kind{Q: &core.Qty{Q: q}} }
	meet := func(a, b core.Term) core.Term { return &core.Kind{Q: &core.Meet{A: a, B: b}} }
	adt := func(removed ...string) core.Term { return &core.ADT{Key: "Bool", Removed: removed} }
	all := func(a, b core.Term) core.Term { return &core.All{Q: core.Lone, Name: "_", Dom: a, Cod: b} }
	str := func(s string) core.Term {
		var cs []uint32
		for _, r := range s {
			cs = append(cs, uint32(r))
		}
		return &core.Str{Codes: cs}
	}
	u32 := func(n uint64) core.Term { return &core.Lit{Kind: syntax.U32, N: n} }
	for _, tc := range []struct {
		a, b   core.Term
		eq, le bool
	}{
		{nat(3), con("Succ", con("Succ", nat(1))), true, true},
		{nat(3), nat(4), false, false},
		{app(ref("add"), nat(2), v(0)), con("Succ", con("Succ", v(0))), true, true},
		{app(ref("add"), v(0), nat(2)), con("Succ", con("Succ", v(0))), false, false},
		{app(ref("Nat.add"), nat(100000), v(0)), app(ref("count"), nat(100000), v(0)), true, true},
		{lam("z", app(ref("add"), v(2), v(0))), app(ref("add"), v(1)), true, true},
		{ref("add"), ref("Nat.add"), false, false}, // stuck on a variable, and of two names
		{ref("two"), lam("z", con("Succ", con("Succ", v(0)))), true, true},
		{kind(core.Many), kind(core.Lone), false, true},
		{kind(core.Lone), kind(core.Many), false, false},
		{kind(core.None), kind(core.Lone), false, true},
		{kind(core.Lone), kind(core.None), false, true},
		{&core.Kind{Q: v(0)}, kind(core.Lone), false, true},
		{kind(core.Many), &core.Kind{Q: v(0)}, false, true},
		{kind(core.Lone), &core.Kind{Q: v(0)}, false, false},
		{meet(v(0), v(1)), &core.Kind{Q: v(0)}, false, false},
		{&core.Kind{Q: v(0)}, meet(v(0), v(1)), false, true},
		{adt("True"), adt(), false, true},
		{adt(), adt("True"), false, false},
		{adt("True"), adt("False"), false, false},
		{all(kind(core.Lone), kind(core.Many)), all(kind(core.Many), kind(core.Lone)), false, true},
		{all(kind(core.Many), kind(core.Many)), all(kind(core.Lone), kind(core.Many)), false, false},
		{str("ab"), con("SCon", con("Chr", u32('a')), str("b")), true, true},
		{str("ab"), str("ac"), false, false},
		{u32(5), con("U32", con("WCon", con("True"), v(0))), false, false},
		{app(ref("grow"), nat(40), v(0)), app(ref("grow"), nat(40), v(0)), true, true},
		{app(ref("grow"), nat(40), v(0)), app(ref("grow"), nat(39), con("Con", v(0), v(0))), true, true},
		{app(ref("grow"), nat(40), v(0)), app(ref("grow"), nat(40), v(1)), false, false},
	} {
		m := New(book())
		for _, mode := range []Mode{EQ, LE} {
			want := tc.eq
			if mode == LE {
				want = tc.le
			}
			if got := m.Convert(2, m.Eval(env, tc.a), m.Eval(env, tc.b), mode); got != want {
				names := []string{"x", "y"}
				t.Errorf("%s, %s (LE %v): got %v", core.Print(tc.a, names, core.PrintOptions{}), core.Print(tc.b, names, core.PrintOptions{}), mode, got)
			}
		}
	}
}

// TestWord unfolds a literal of U32 into its word and compares both.
func TestWord(t *testing.T) {
	m := New(book())
	lit := &Lit{syntax.U32, 0xdeadbeef}
	_, args, ok := m.Unfold(lit)
	if !ok || len(args) != 1 {
		t.Fatal("a U32 literal does not unfold")
	}
	tree := m.Quote(0, args[0])
	whole := m.Eval(nil, con("U32", tree))
	if !m.Convert(0, whole, lit, EQ) {
		t.Error("a literal and its tree differ")
	}
	if n, ok := m.u32(whole); !ok || n != 0xdeadbeef {
		t.Errorf("read back %x, %v", n, ok)
	}
	if m.Convert(0, whole, &Lit{syntax.U32, 0xdeadbeee}, EQ) {
		t.Error("different words agree")
	}
}

// TestLong evaluates, reads back and compares values along the last field that are
// longer than recursion may be deep.
func TestLong(t *testing.T) {
	const n = maxDepth + 1000
	m := New(book())
	list := app(ref("down"), nat(n))
	q := m.Quote(0, m.Eval(nil, list))
	length := 0
	for c, ok := q.(*core.Ctr); ok && c.Key == "Con"; c, ok = c.Args[1].(*core.Ctr) {
		length++
	}
	if length != n {
		t.Errorf("the list has %d elements", length)
	}
	if !m.Convert(0, m.Eval(nil, list), m.Eval(nil, q), EQ) {
		t.Error("the list differs from its normal form")
	}
	chain := app(ref("count"), nat(n), nat(0))
	if !m.Convert(0, m.Eval(nil, chain), m.Eval(nil, nat(n)), EQ) {
		t.Error("the chain differs from the literal")
	}
}

// TestDeep checks that nesting that no loop can follow ends in a failure, after which
// the machine can be used again.
func TestDeep(t *testing.T) {
	m := New(book())
	strict := func(n uint64) func() {
		return func() { m.Quote(0, m.Eval(nil, app(ref("strict"), nat(n)))) }
	}
	if err := m.Catch(strict(50_000)); err != nil {
		t.Error(err)
	}
	if err := m.Catch(strict(10_000_000)); err != ErrDeep {
		t.Errorf("got %v, want %v", err, ErrDeep)
	}
	if err := m.Catch(strict(50_000)); err != nil {
		t.Error(err)
	}
}

func TestStop(t *testing.T) {
	b := book()
	b.Defs["loop"] = &core.Def{Key: "loop", Arity: 1, Checked: true, Value: lam("x", app(ref("loop"), v(0)))}
	m := New(b)
	m.Stop = func() bool { return true }
	if err := m.Catch(func() { m.Whnf(m.Eval(nil, app(ref("loop"), nat(0)))) }); err != ErrStopped {
		t.Errorf("got %v", err)
	}
}
