package check_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// expr elaborates a term whose free variables are names.
func expr(t *testing.T, b *core.Book, names []string, text string) core.Term {
	t.Helper()
	x, d := syntax.ParseExpr(syntax.NewSource("<prompt>", text))
	if d != nil {
		t.Fatalf("%s: %s", text, d.Error())
	}
	term, ds := elab.Expr(b, &module.Unit{}, names, x, elab.Options{Operators: true})
	if len(ds) > 0 {
		t.Fatalf("%s: %s", text, ds[0].Error())
	}
	return term
}

func TestInfer(t *testing.T) {
	b, _ := load(t, "defs", `
type Color is Data:
  Red{}
  Green{}

type Vec<n: Nat> is Data:
  Vec{x: U32}

type Pt<a, -A: Kind(a)> is Kind(a):
  Pt{x: A, y: A}

def id(~A: Type, x: A) -> A: x
`)
	names := []string{"n", "u", "f", "xs"}
	ctx := []check.Binder{
		{Name: "n", Q: core.Many, Type: expr(t, b, nil, "Nat")},
		{Name: "u", Q: core.Lone, Type: expr(t, b, nil, "U32")},
		{Name: "f", Q: core.Lone, Type: expr(t, b, nil, "U32 -> U32")},
		{Name: "xs", Q: core.Lone, Type: expr(t, b, nil, "List<&1, U32>")},
	}
	for _, tc := range []struct{ term, want string }{
		{"3", "U32"},
		{"3n", "Nat"},
		{"1.5", "F32"},
		{"'c'", "Char"},
		{`"ab"`, "String"},
		{"1 + 2", "U32"},
		{"1n+n", "Nat"},
		{"u", "U32"},
		{"f(u)", "U32"},
		{"f(1)", "U32"},
		{"U32.add", "@a:U32 -> @b:U32 -> U32"},
		{"[1, 2]", "List<&2, U32>"},
		{"1 <> [2]", "List<&2, U32>"},
		{"1 <> xs", "List<&1, U32>"},
		{"[f]", "List<&1, @_:U32 -> U32>"},
		{"[[1], []]", "List<&2, List<&2, U32>>"},
		{"[[], [1]]", "List<&2, List<&2, U32>>"},
		{`(1, "a")`, "Sigma<&1, &1, U32, _ => String>"},
		{"(1, 2n, 'c')", "Sigma<&1, &1, U32, _ => Sigma<&1, &1, Nat, _ => Char>>"},
		{"Some{3}", "Maybe<&2, U32>"},
		{"[None{}, Some{3}]", "List<&2, Maybe<&2, U32>>"},
		{"Some{f}", "Maybe<&1, @_:U32 -> U32>"},
		{"Red{}", "Color"},
		{"True{}", "Bool"},
		{"Pt{1, 2}", "Pt<&2, U32>"},
		{"{[] : List<U32>}", "List<&1, U32>"},
		{"Nat", "Data"},
		{"List<U32>", "Type"},
		{"{1n == 1n : Nat}", "Data"},
		{"k = 3; [k]", "List<&2, U32>"},
		{"k = (1, 2); m = k; Some{m}", "Maybe<&1, Sigma<&1, &1, U32, _ => U32>>"},
		{"id(~Nat, 3n)", "Nat"},
		{"[]", "error: needs-annotation: .*List<A>"},
		{"None{}", "error: needs-annotation: .*Maybe<A>"},
		{"Inl{3}", "error: needs-annotation: .*Either<A, B>"},
		{"Vec{3}", "error: needs-annotation: .*Vec<n>"},
		{"x => x", "error: needs-annotation: .*give the function its type"},
		{"{==}", "error: needs-annotation"},
		{"[1, 2n]", "error: type-mismatch: expected U32, observed Nat"},
		{"Some{1, 2}", "error: "},
		{"U32.add(f(1), f(2))", "error: usage: expected f"},
		{"foo", "error: unknown-name"},
		{"id(~Nat, u)", "error: type-mismatch"},
		{"?hole", "error: needs-annotation"},
	} {
		typ, err := check.Infer(b, ctx, expr(t, b, names, tc.term))
		var got string
		if err == nil {
			got = core.Print(typ, names, core.PrintOptions{})
		}
		if re, ok := strings.CutPrefix(tc.want, "error: "); ok {
			var d *syntax.Diagnostic
			if !errors.As(err, &d) {
				t.Errorf("%s: got %s, %v, want a diagnostic", tc.term, got, err)
			} else if text := describe(d); !matches(re, text) {
				t.Errorf("%s: got %s\n\twant %s", tc.term, text, re)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.term, err)
		} else if got != tc.want {
			t.Errorf("%s : %s, want %s", tc.term, got, tc.want)
		}
	}
}

func TestInferBroken(t *testing.T) {
	b, ds := load(t, "defs", "def bad() -> Nat: True{}\ndef good() -> Nat: 1n\n")
	if len(ds) != 1 {
		t.Fatalf("%d errors, want 1", len(ds))
	}
	if _, err := check.Infer(b, nil, expr(t, b, nil, "bad")); err == nil {
		t.Error("a def that failed can be used")
	}
	if _, err := check.Infer(b, nil, expr(t, b, nil, "good")); err != nil {
		t.Error(err)
	}
}

func TestVerdict(t *testing.T) {
	b, ds := load(t, "defs", `
def fine() -> Nat: 1n

@unsafe
def loop() -> Empty: loop()

def relies() -> Empty: loop()

def relies_too(e: {loop() == loop() : Empty}) -> Nat: 1n

type Late<n: Nat> is Data:
  Late{e: {relies() == relies() : Empty}}

def host(x: U32) -> IO(Unit): import "host.c"

def forks(a: Array<U32>) -> Array<U32> & Array<U32>: Array.fork(U32, a)

law owed:
  for x: Nat
  Nat

law paid:
  for x: Nat
  Nat

def paid(x): x

def unfinished() -> Nat: ?TODO
`)
	if len(ds) > 0 {
		t.Fatal(describe(ds[0]))
	}
	s := check.Verdict(b)
	want := []string{"loop", "relies", "relies_too", "Late", "host", "forks"}
	if !slices.Equal(s.Relies, want) {
		t.Errorf("relies: got %v, want %v", s.Relies, want)
	}
	if s.Todos != 2 || s.Sound() {
		t.Errorf("%d todos, sound %v", s.Todos, s.Sound())
	}
	base, _ := builtBase()
	if s := check.Verdict(base); !s.Sound() {
		t.Errorf("Base: %+v", s)
	}
}

// TestAnnotations checks what erasure reads off the nodes.
func TestAnnotations(t *testing.T) {
	b, ds := load(t, "defs", `
type Own is Data:
  Own{n: Nat}

def twice(~f: U32 -> U32, x: U32) -> U32: f(f(x))

def f(-A: Type, +x: Nat, l: List<A>, e: {x == x : Nat}) -> List<A>: l

def calls(l: List<U32>) -> List<U32>: f(U32, 1n, l, {==})

def inst() -> U32: twice(~(x => x), 1)

def also() -> U32: twice(~(y => y), 2)

def dead(b: Bool) -> Own:
  match b:
    case True{}: Own{1n}
    case False{}: Own{2n}

def lets(n: Nat, o: Own) -> Nat:
  x y = Nat.add(n, 1n) dead(True{})
  x
`)
	if len(ds) > 0 {
		t.Fatal(describe(ds[0]))
	}
	var got []string
	add := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	for v := b.Defs["f"].Value; ; {
		lam, ok := v.(*core.Lam)
		if !ok {
			break
		}
		add("%s q%d r%d", lam.Name, lam.Q, lam.Rep)
		v = lam.Body
	}
	for v := b.Defs["calls"].Value.(*core.Lam).Body; ; {
		app, ok := v.(*core.App)
		if !ok {
			break
		}
		add("app q%d r%d", app.Q, app.ResRep)
		v = app.Fn
	}
	for _, k := range []string{"inst", "also"} {
		app := b.Defs[k].Value.(*core.App)
		head := app.Fn.(*core.App)
		add("%s q%d r%d: %s q%d", k, app.Q, app.ResRep, head.Fn.(*core.Ref).Inst, head.Q)
	}
	in := b.Defs["twice~0"]
	add("%s: %s, arity %d, checked %v, result r%d, type %s", in.Key, in.Template, in.Arity, in.Checked, in.ResRep, core.Print(in.Type, nil, core.PrintOptions{}))
	hit := b.Defs["dead"].Value.(*core.Mat)
	add("mat %s q%d dead %v, %v", hit.Key, hit.Q, hit.Dead, hit.Miss.(*core.Mat).Dead)
	let := b.Defs["lets"].Value.(*core.Lam).Body.(*core.Lam).Body.(*core.Let)
	add("let %v", let.Reps)
	want := []string{
		"A q0 r2", "x q2 r1", "l q1 r0", "e q1 r2",
		"app q1 r0", "app q1 r0", "app q2 r0", "app q0 r0",
		"inst q1 r1: twice~0 q0", "also q1 r1: twice~0 q0",
		"twice~0: twice, arity 1, checked true, result r1, type @x:U32 -> U32",
		"mat True q1 dead false, true",
		"let [1 0]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOwnNat checks literals of a datatype that is not Base's.
func TestOwnNat(t *testing.T) {
	b := core.NewBook()
	f, ds := syntax.ParseFile(syntax.NewSource("own", `
type Nat is Data:
  Zero{}
  Succ{p: Nat}

type Pair is Data:
  Pair{a: Nat, b: Nat}

def add(a: Nat, b: Nat) -> Nat:
  match a:
    case 0n: b
    case 1n+p: 1n+add(p, b)

def three() -> {add(2n, 1n) == 3n : Nat}: {==}

def big() -> Nat: 4294967295n

def text() -> Nat: "abc"

def u32() -> Nat: 3
`))
	if len(ds) == 0 {
		ds = elab.Add(b, &module.Unit{File: f})
	}
	if len(ds) > 0 {
		t.Fatal(describe(ds[0]))
	}
	ds = check.Events(b, 0)
	if len(ds) != 2 || ds[0].Def != "text" || ds[1].Def != "u32" {
		for _, d := range ds {
			t.Error(d.Def, describe(d))
		}
	}
	if !b.Defs["big"].Value.(*core.Lit).Unfold {
		t.Error("a literal of an own Nat is not marked")
	}
}

func TestIOResult(t *testing.T) {
	b, _ := load(t, "defs", "def Act() -> Type: IO(List<U32>)\n")
	for text, want := range map[string]string{"IO(Unit)": "Unit", "Act()": "List<&1, U32>", "U32": "", "U32 -> IO(Unit)": ""} {
		got := ""
		if res, ok := check.IOResult(b, expr(t, b, nil, text)); ok {
			got = core.Print(res, nil, core.PrintOptions{})
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestStop(t *testing.T) {
	b, _ := builtBase()
	b = b.Fork()
	from := len(b.Events)
	f, _ := syntax.ParseFile(syntax.NewSource("loop", `
@unsafe
def loop(n: Nat) -> Nat: loop(1n+n)

def stuck() -> {loop(0n) == 1n : Nat}: {==}
`))
	elab.Add(b, &module.Unit{File: f})
	ds := check.EventsUntil(b, from, func() bool { return true }, func() {})
	if len(ds) != 1 || ds[0].Code != "interrupted" || ds[0].Def != "stuck" {
		t.Errorf("got %d errors", len(ds))
	}
}

// TestLong checks literals and chains that are longer than recursion may be deep.
func TestLong(t *testing.T) {
	const n = 300_000
	list := "def xs() -> List<Nat>: [" + strings.Repeat("1n,", n) + "]\n"
	text := `def s() -> String: "` + strings.Repeat("x", n) + "\"\n"
	equal := "def e() -> {s() == s() : String}: {==}\ndef l() -> {xs() == xs() : List<Nat>}: {==}\n"
	if _, ds := load(t, "long", list+text+equal); len(ds) > 0 {
		t.Fatal(describe(ds[0]))
	}
}
