package wasmgen

import (
	"testing"

	"bend/interp/base"
	"bend/interp/check"
	"bend/interp/elab"
	"bend/interp/flat"
	"bend/interp/module"
	"bend/interp/syntax"
	"bend/jit/plan"
)

const recursions = `import Base

type Tree is Data: Leaf{n: U32} Node{l: Tree, r: Tree}

def fib(n: Nat) -> U32:
  match n:
    case 0n: 0
    case 1n: 1
    case 2n++p: (fib(1n+p) + fib(p) : U32)

def sum(t: Tree) -> U32:
  match t:
    case Leaf{n}: n
    case Node{l, r}: (sum(l) + sum(r) : U32)

# The addition in its leaf may fail: it must not run before the call is sure.
def last(n: Nat, m: Nat) -> Nat:
  match n:
    case 0n: Nat.add(m, 1n)
    case 1n+p: Nat.add(last(p, m), 1n)

def forward(n: Nat) -> U32:
  fib(n)

def below(n: Nat) -> List<&2, Nat>:
  match n:
    case 0n: []
    case 1n++p: p <> below(p)
`

// TestHasLeaf tells which calls are tried at the cut that makes them, and how deep.
func TestHasLeaf(t *testing.T) {
	b, diags := base.Build()
	l := module.NewLoader(".")
	l.SkipBase = true
	units, more := l.Text(syntax.NewSource("test.bend", recursions))
	from := len(b.Events)
	for _, u := range units {
		more = append(more, elab.Add(b, u)...)
	}
	diags = append(append(diags, more...), check.Events(b, from)...)
	if len(diags) > 0 {
		t.Fatal(syntax.Render(diags[0], syntax.RenderOptions{}))
	}
	for name, want := range map[string]struct{ leaf, deep bool }{
		"fib": {true, true}, "sum": {true, false}, "last": {false, false}, "forward": {false, false}, "below": {true, false},
	} {
		p := flat.NewProgram()
		id, err := flat.Lower(b, p, name)
		if err != nil {
			t.Fatal(err)
		}
		k := &kernel{Plan: &plan.Plan{Input: plan.Input{Program: p, Root: id}}, funcs: map[flat.DefID]*function{}}
		for i := range p.Defs {
			k.funcs[flat.DefID(i)] = &function{}
		}
		call := flat.Call{Def: id}
		if got := k.hasLeaf(call, 0); got != want.leaf {
			t.Errorf("%s has a leaf: %v", name, got)
		}
		// A def that handles numbers alone is looked into: its weight grows with the depth.
		if got := k.weight(call, 2) > k.weight(call, 0); got != want.deep {
			t.Errorf("%s is looked into: %v", name, got)
		}
	}
}
