package repl

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// genPrelude is what every generated program stands on: a tree, and folds of lists
// and trees that recurse without tail calls.
const genPrelude = `import Base

type Tree is Data: Leaf{value: U32} Node{left: Tree, right: Tree}

def fold_list(xs: List<&2, U32>) -> U32:
  match xs:
    case Nil{}:
      7
    case Con{h, t}:
      ((fold_list(t) * 31 : U32) + h : U32)

def fold_tree(t: Tree) -> U32:
  match t:
    case Leaf{v}:
      v
    case Node{l, r}:
      a b = fold_tree(l) fold_tree(r)
      ((a * 17 : U32) + b : U32)

def mirror(t: Tree) -> Tree:
  match t:
    case Leaf{v}:
      Leaf{(v + 1 : U32)}
    case Node{l, r}:
      Node{mirror(r), mirror(l)}

def apply(f: U32 -> U32, x: U32) -> U32:
  f(x)

def adder(a: U32) -> U32 -> U32:
  b => (a * 7 + b : U32)

def second(-T: Type, r: Array<U32> & T) -> T:
  match r:
    case (a, x): x

# An array of four is written to twice and read.
def stir(x: U32, i: U32, j: U32) -> U32:
  second(U32, Array.get(U32, Array.set(U32, Array.set(U32, Array.new(U32, 2n, 5), i, x), j, 9), 1))

def twice(f: U32 -> U32, g: U32 -> U32, +x: U32) -> U32:
  (f(x) + g(x) : U32)
`

// A genType is a type of the generated programs; all of them are Data.
type genType int

const (
	genU32 genType = iota
	genNat
	genBool
	genList
	genTree
	genMaybe
	genTypes
)

func (t genType) String() string {
	return [...]string{"U32", "Nat", "Bool", "List<&2, U32>", "Tree", "Maybe<&2, U32>"}[t]
}

type genDef struct {
	name   string
	params []genType // after the leading Nat
	result genType
}

type genVar struct {
	name string
	typ  genType
}

// A generator makes well-typed programs: defs that call only those above them, or
// themselves on a smaller first argument, so every program ends.
type generator struct {
	r      *rand.Rand
	out    strings.Builder
	prefix string // of the names of defs
	size   int
	defs   []genDef
	vars   []genVar
	self   *genDef
	rec    string // the smaller argument, while a recursive call may be made
	calls  int    // calls that the def may still make
	fresh  int
}

// largest is the size of the programs that are tested; smaller ones are for people, who
// have to find out what is wrong.
const largest = 3

// generate returns the text of a program whose main is the list of the U32s that the
// given seeds make, computed under one "!". Each seed adds defs and bodies of a size.
func generate(size int, seeds ...uint64) string {
	var all strings.Builder
	all.WriteString(genPrelude)
	all.WriteString("\ndef none(acc: List<&2, U32>) -> List<&2, U32>: acc\n")
	last := "none"
	for i, seed := range seeds {
		g := &generator{r: rand.New(rand.NewPCG(seed, 0x62656e64)), prefix: fmt.Sprintf("p%d_", i), size: size}
		result := g.program()
		all.WriteString(g.out.String())
		next := g.prefix + "result"
		fmt.Fprintf(&all, "\ndef %s(acc: List<&2, U32>) -> List<&2, U32>: %s(%s <> acc)\n", next, last, result)
		last = next
	}
	fmt.Fprintf(&all, "\ndef main() -> List<&2, U32>: %s!([])\n", last)
	return all.String()
}

// program writes defs, and returns an expression of type U32 that calls the last one.
func (g *generator) program() string {
	for i := range 1 + g.r.IntN(g.size+1) {
		g.def(fmt.Sprintf("%sf%d", g.prefix, i))
	}
	d := g.defs[len(g.defs)-1]
	g.vars, g.rec, g.calls = nil, "", 0
	args := []string{fmt.Sprintf("%dn", g.r.IntN(5))}
	for _, t := range d.params {
		args = append(args, g.expr(t, 2))
	}
	fmt.Fprintf(&g.out, "\ndef %sdigest(x: %s) -> U32:\n  %s\n", g.prefix, d.result, g.digest(d.result))
	return fmt.Sprintf("%sdigest(%s(%s))", g.prefix, d.name, strings.Join(args, ", "))
}

// digest returns a U32 made from a value x of type t; for Bool, Nat and Maybe it is a
// call of Base.
func (g *generator) digest(t genType) string {
	switch t {
	case genNat:
		return "U32.from_nat(x)"
	case genBool:
		return "Bool.to_u32(x)"
	case genList:
		return "fold_list(x)"
	case genTree:
		return "fold_tree(x)"
	case genMaybe:
		return "Maybe.default(&2, U32, x, 99)"
	}
	return "x"
}

func (g *generator) typ() genType { return genType(g.r.IntN(int(genTypes))) }

func (g *generator) def(name string) {
	d := genDef{name: name, result: g.typ()}
	for range g.r.IntN(4) {
		d.params = append(d.params, g.typ())
	}
	g.vars = nil
	var params []string
	for i, t := range d.params {
		p := fmt.Sprintf("x%d", i)
		params = append(params, fmt.Sprintf(", +%s: %s", p, t))
		g.vars = append(g.vars, genVar{p, t})
	}
	fmt.Fprintf(&g.out, "\ndef %s(n: Nat%s) -> %s:\n  match n:\n    case 0n:\n", name, strings.Join(params, ""), d.result)
	g.self, g.rec, g.calls = &d, "", 1
	g.body(d.result, "      ", 1)
	g.out.WriteString("    case 1n++p:\n")
	saved := len(g.vars)
	g.vars = append(g.vars, genVar{"p", genNat})
	g.rec, g.calls = "p", 3
	g.body(d.result, "      ", 2)
	g.vars = g.vars[:saved]
	g.defs = append(g.defs, d)
}

// body writes a body: lets, a match on a parameter not matched yet, or a term.
func (g *generator) body(t genType, indent string, depth int) {
	saved := len(g.vars)
	defer func() { g.vars = g.vars[:saved] }()
	// A match closes the binders before it, and a let all of them: match first.
	if depth > 0 && g.r.IntN(3) == 0 {
		if i := g.pickParam(); i >= 0 {
			v := g.vars[i]
			g.vars[i].typ = genTypes // used up: it means its constructor now
			g.matchOn(v, t, indent, depth-1)
			g.vars[i].typ = v.typ
			return
		}
	}
	for range g.r.IntN(3) {
		switch {
		case g.r.IntN(3) == 0 && g.calls >= 2:
			a, b := g.name(), g.name()
			ta, tb := g.typ(), g.typ()
			ca, oka := g.call(ta, 1)
			cb, okb := g.call(tb, 1)
			if oka && okb {
				fmt.Fprintf(&g.out, "%s+%s +%s = %s %s\n", indent, a, b, ca, cb)
				g.vars = append(g.vars, genVar{a, ta}, genVar{b, tb})
			}
		default:
			x, tx := g.name(), g.typ()
			fmt.Fprintf(&g.out, "%s+%s : %s = %s\n", indent, x, tx, g.expr(tx, 2))
			g.vars = append(g.vars, genVar{x, tx})
		}
	}
	fmt.Fprintf(&g.out, "%s%s\n", indent, g.expr(t, g.size))
}

// pickParam returns the last parameter that can be matched, -1 if there is none.
func (g *generator) pickParam() int {
	for i := len(g.vars) - 1; i >= 0; i-- {
		v := g.vars[i]
		if strings.HasPrefix(v.name, "x") && v.typ != genTypes && v.typ != genU32 {
			return i
		}
	}
	return -1
}

func (g *generator) matchOn(v genVar, t genType, indent string, depth int) {
	in := indent + "  "
	fmt.Fprintf(&g.out, "%smatch %s:\n", indent, v.name)
	arm := func(pat string, vars ...genVar) {
		saved := len(g.vars)
		g.vars = append(g.vars, vars...)
		fmt.Fprintf(&g.out, "%scase %s:\n", in, pat)
		// Binders before the matched one are closed: only the new ones can be split,
		// and their names are no parameter names, so none is.
		hidden := g.hideParams()
		g.body(t, in+"  ", depth)
		g.showParams(hidden)
		g.vars = g.vars[:saved]
	}
	switch v.typ {
	case genNat:
		q := g.name()
		arm("0n")
		arm("1n++"+q, genVar{q, genNat})
	case genBool:
		arm("True{}")
		arm("False{}")
	case genList:
		h, l := g.name(), g.name()
		arm("Nil{}")
		arm(fmt.Sprintf("Con{+%s, +%s}", h, l), genVar{h, genU32}, genVar{l, genList})
	case genTree:
		a, l, r := g.name(), g.name(), g.name()
		arm(fmt.Sprintf("Leaf{+%s}", a), genVar{a, genU32})
		arm(fmt.Sprintf("Node{+%s, +%s}", l, r), genVar{l, genTree}, genVar{r, genTree})
	case genMaybe:
		s := g.name()
		arm("None{}")
		arm(fmt.Sprintf("Some{+%s}", s), genVar{s, genU32})
	}
}

// hideParams makes all parameters unmatchable by renaming their prefix out of reach
// of pickParam; showParams undoes it.
func (g *generator) hideParams() []int {
	var hidden []int
	for i, v := range g.vars {
		if strings.HasPrefix(v.name, "x") {
			g.vars[i].name = " " + v.name
			hidden = append(hidden, i)
		}
	}
	return hidden
}

func (g *generator) showParams(hidden []int) {
	for _, i := range hidden {
		g.vars[i].name = strings.TrimSpace(g.vars[i].name)
	}
}

func (g *generator) name() string {
	g.fresh++
	return fmt.Sprintf("v%d", g.fresh)
}

// call returns a call with a result of type t, if there is a def that gives it.
func (g *generator) call(t genType, depth int) (string, bool) {
	if g.calls == 0 {
		return "", false
	}
	if g.rec != "" && g.self.result == t && g.r.IntN(2) == 0 {
		g.calls--
		return g.callOf(*g.self, g.rec, depth), true
	}
	for range 4 {
		if len(g.defs) == 0 {
			break
		}
		d := g.defs[g.r.IntN(len(g.defs))]
		if d.result == t {
			g.calls--
			return g.callOf(d, fmt.Sprintf("%dn", g.r.IntN(3)), depth), true
		}
	}
	switch t {
	case genU32:
		if g.r.IntN(2) == 0 {
			return fmt.Sprintf("fold_list(%s)", g.expr(genList, depth)), true
		}
		return fmt.Sprintf("fold_tree(%s)", g.expr(genTree, depth)), true
	case genTree:
		return fmt.Sprintf("mirror(%s)", g.expr(genTree, depth)), true
	case genList:
		return fmt.Sprintf("List.append(&2, U32, %s, %s)", g.expr(genList, depth), g.expr(genList, depth)), true
	}
	return "", false
}

func (g *generator) callOf(d genDef, first string, depth int) string {
	args := []string{first}
	for _, t := range d.params {
		args = append(args, g.expr(t, depth-1))
	}
	return fmt.Sprintf("%s(%s)", d.name, strings.Join(args, ", "))
}

// expr returns a term of type t.
func (g *generator) expr(t genType, depth int) string {
	if depth > 0 && g.r.IntN(4) == 0 {
		if c, ok := g.call(t, depth-1); ok {
			return c
		}
	}
	if depth <= 0 || g.r.IntN(3) == 0 {
		var fit []string
		for _, v := range g.vars {
			if v.typ == t {
				fit = append(fit, strings.TrimSpace(v.name))
			}
		}
		if len(fit) > 0 {
			return fit[g.r.IntN(len(fit))]
		}
	}
	e := func(t genType) string { return g.expr(t, depth-1) }
	small := depth <= 0
	switch t {
	case genNat:
		switch n := g.r.IntN(4); {
		case small || n == 0:
			return fmt.Sprintf("%dn", g.r.IntN(4))
		case n == 1:
			return fmt.Sprintf("U32.to_nat(U32.mod(%s, 5))", e(genU32))
		case n == 2:
			return fmt.Sprintf("Nat.add(%s, %s)", e(genNat), e(genNat))
		}
		return fmt.Sprintf("Nat.sub(%s, %s)", e(genNat), e(genNat))
	case genBool:
		switch n := g.r.IntN(4); {
		case small || n == 0:
			return []string{"True{}", "False{}"}[g.r.IntN(2)]
		case n == 1:
			return fmt.Sprintf("U32.is_lt(%s, %s)", e(genU32), e(genU32))
		case n == 2:
			return fmt.Sprintf("Nat.is_ge(%s, %s)", e(genNat), e(genNat))
		}
		return fmt.Sprintf("Bool.xor(%s, %s)", e(genBool), e(genBool))
	case genList:
		switch n := g.r.IntN(3); {
		case small || n == 0:
			return []string{"[]", "[3]", "[1, 2]"}[g.r.IntN(3)]
		case n == 1:
			return fmt.Sprintf("Con{%s, %s}", e(genU32), e(genList))
		}
		return fmt.Sprintf("List.reverse(&2, U32, %s)", e(genList))
	case genTree:
		if small || g.r.IntN(2) == 0 {
			return fmt.Sprintf("Leaf{%s}", g.expr(genU32, depth-2))
		}
		return fmt.Sprintf("Node{%s, %s}", e(genTree), e(genTree))
	case genMaybe:
		if small || g.r.IntN(3) == 0 {
			return "None{}"
		}
		return fmt.Sprintf("Some{%s}", e(genU32))
	}
	switch n := g.r.IntN(10); {
	case small || n == 0:
		return fmt.Sprint(g.r.Uint32() >> g.r.IntN(32))
	case n == 1:
		y := g.name()
		return fmt.Sprintf("apply(%s => %s, %s)", y, g.under(y, depth-1), e(genU32))
	case n == 2:
		y, z := g.name(), g.name()
		return fmt.Sprintf("twice(%s => %s, %s => %s, %s)", y, g.under(y, depth-2), z, g.under(z, depth-2), e(genU32))
	case n == 3:
		return fmt.Sprintf("Bool.pick(U32, %s, %s, %s)", e(genBool), e(genU32), e(genU32))
	case n == 4:
		return fmt.Sprintf("apply(adder(%s), %s)", e(genU32), e(genU32))
	case n == 5:
		return fmt.Sprintf("stir(%s, %s, %s)", e(genU32), e(genU32), e(genU32))
	case n == 6:
		return fmt.Sprintf("F32.bits(F32.%s(U32.to_f32(%s), U32.to_f32(%s)))", []string{"add", "sub", "mul", "min"}[g.r.IntN(4)], e(genU32), e(genU32))
	}
	op := []string{"+", "-", "*", "/", "%", ".&.", ".^."}[g.r.IntN(7)]
	return fmt.Sprintf("({%s : U32} %s {%s : U32} : U32)", e(genU32), op, e(genU32))
}

// under returns a U32 term in which the variable y, usable once, occurs at most once.
func (g *generator) under(y string, depth int) string {
	return fmt.Sprintf("({%s : U32} + %s : U32)", g.expr(genU32, depth), y)
}
