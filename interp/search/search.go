// Package search compares the types of declarations with a type that somebody looks for.
//
// A type is read as a list of arguments and a result. What it leaves open (parameters that
// are erased, a wildcard) stands for anything, the same thing everywhere; the arguments may
// come in another order. Types are compared as they are written: no def is unfolded.
package search

import (
	"fmt"
	"slices"

	"bend/interp/core"
)

// A Pattern is the type that is looked for.
type Pattern struct {
	sig     signature
	anyArgs bool
}

// A Fit says how well a type fits a pattern.
type Fit int

// The fits, best first.
const (
	Exact   Fit = iota
	Swapped     // the arguments come in another order
	None
)

// Any is the name that stands for anything in the type of a pattern.
const Any = "_"

// New returns the pattern of a type. It has free variables, which stand for one type each. A
// quantity &1, which need not be written, stands for any. With anyArgs only the results are
// compared.
func New(t core.Term, free int, anyArgs bool) *Pattern {
	r := reader{pattern: true}
	var env []*tree
	for range free {
		env = append(env, &tree{})
	}
	return &Pattern{r.signature(t, env), anyArgs}
}

// Fit compares the type of a def of which the first parameters are templates.
func (p *Pattern) Fit(t core.Term, templates int) Fit {
	r := reader{templates: templates}
	s := r.signature(t, nil)
	m := &matcher{}
	defer m.undo(0)
	switch {
	case p.anyArgs:
		if p.sig.result.head != "" && s.result.open || !m.same(p.sig.result, s.result) {
			return None
		}
		return Exact
	case len(s.params) != len(p.sig.params):
		return None
	}
	var order []int
	if !m.assign(p.sig, s, &order) {
		return None
	}
	if !slices.IsSorted(order) {
		return Swapped
	}
	return Exact
}

// A tree is a term: a head and what it is applied to. A variable has no head and is nothing
// but itself, unless it is open or bound.
type tree struct {
	head string
	kids []*tree
	of   *tree // the variable of a binder, which the last of kids is under
	open bool
	is   *tree // what a variable stands for, nil if nobody knows
}

// A signature is a type taken apart.
type signature struct {
	params []param
	result *tree
}

type param struct{ v, ty *tree }

// A reader makes trees of terms.
type reader struct {
	pattern   bool
	templates int
}

func (r *reader) signature(t core.Term, env []*tree) (s signature) {
	for n := 0; ; n++ {
		all, ok := t.(*core.All)
		if !ok {
			s.result = r.tree(t, env)
			return s
		}
		p := param{&tree{}, r.tree(all.Dom, env)}
		if all.Q == core.None && (n >= r.templates || isSort(all.Dom)) {
			p.v.open = !r.pattern
		} else {
			s.params = append(s.params, p)
		}
		env = append(env, p.v)
		t = all.Cod
	}
}

// isSort reports whether t has types or quantities.
func isSort(t core.Term) bool {
	switch t.(type) {
	case *core.Kind, *core.Quant:
		return true
	}
	return false
}

func (r *reader) tree(t core.Term, env []*tree) *tree {
	node := func(head string, parts ...core.Term) *tree {
		n := &tree{head: head}
		for _, p := range parts {
			n.kids = append(n.kids, r.tree(p, env))
		}
		return n
	}
	under := func(n *tree, body core.Term) *tree {
		n.of = &tree{}
		n.kids = append(n.kids, r.tree(body, append(slices.Clip(env), n.of)))
		return n
	}
	switch u := core.Strip(t).(type) {
	case *core.Var:
		return env[len(env)-1-u.Ix]
	case *core.Ref:
		if u.Key == Any {
			return &tree{open: true}
		}
		return node(u.Key)
	case *core.App:
		return node("()", u.Fn, u.Arg)
	case *core.ADT:
		return node(u.Key, u.Args...)
	case *core.Ctr:
		return node(u.Key, u.Args...)
	case *core.Kind:
		return node("Kind", u.Q)
	case *core.Quant:
		return node("Quant")
	case *core.Qty:
		if r.pattern && u.Q == core.Lone {
			return &tree{open: true}
		}
		return node(fmt.Sprint("&", u.Q))
	case *core.Meet:
		return node("<&>", u.A, u.B)
	case *core.Eql:
		return node("==", u.A, u.B, u.T)
	case *core.All:
		return under(node("->", u.Dom), u.Cod)
	case *core.Lam:
		return under(node("=>"), u.Body)
	case *core.Lit:
		return node(fmt.Sprint(u.Kind, " ", u.N))
	case *core.Str:
		return node(fmt.Sprint("text ", u.Codes))
	}
	return &tree{} // a match and the like: nothing else is the same
}

func (t *tree) find() *tree {
	for t.is != nil {
		t = t.is
	}
	return t
}

// mentions reports whether v occurs in t.
func (t *tree) mentions(v *tree) bool {
	t = t.find()
	return t == v || slices.ContainsFunc(t.kids, func(k *tree) bool { return k.mentions(v) })
}

// A matcher finds out what variables stand for.
type matcher struct{ bound []*tree }

func (m *matcher) bind(v, to *tree) {
	v.is = to
	m.bound = append(m.bound, v)
}

// undo forgets what was found after n variables were bound.
func (m *matcher) undo(n int) {
	for _, v := range m.bound[n:] {
		v.is = nil
	}
	m.bound = m.bound[:n]
}

// same makes a and b the same, if it can.
func (m *matcher) same(a, b *tree) bool {
	a, b = a.find(), b.find()
	if a.open && !b.open {
		a, b = b, a
	}
	switch {
	case a == b:
		return true
	case b.open:
		if a.mentions(b) {
			return false
		}
		m.bind(b, a)
		return true
	case a.head == "" || a.head != b.head || len(a.kids) != len(b.kids):
		return false
	}
	if a.of != nil {
		m.bind(a.of, b.of)
	}
	for i := range a.kids {
		if !m.same(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// assign finds a parameter of s for each of p so that the results are the same too, and
// gives their places.
func (m *matcher) assign(p, s signature, order *[]int) bool {
	n := len(*order)
	if n == len(p.params) {
		return m.same(p.result, s.result)
	}
	mark := len(m.bound)
	for i, to := range s.params {
		if slices.Contains(*order, i) {
			continue
		}
		if m.same(p.params[n].ty, to.ty) {
			m.bind(p.params[n].v, to.v)
			*order = append(*order, i)
			if m.assign(p, s, order) {
				return true
			}
			*order = (*order)[:n]
		}
		m.undo(mark)
	}
	return false
}
