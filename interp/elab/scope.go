package elab

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// A bnd is a local binder while it is being elaborated. Its level, the number of core
// binders around it, is known once it is closed; a binder that ends up in several
// leaves is closed anew in each. as is what it means inside a case that has split it.
type bnd struct {
	name  string
	span  syntax.Span
	plus  bool
	level int
	as    *known
}

// A known is what a name stands for: a binder, a constructor over such, or, for the
// parameter of a lambda that was applied where it stands, a term to elaborate anew.
type known struct {
	bnd  *bnd
	ctor string
	args []*known
	term syntax.Expr
	in   *scope
}

// A scope gives the meaning of local names, innermost first.
type scope struct {
	name string
	val  *known
	next *scope
}

func (s *scope) push(name string, v *known) *scope {
	if name == "_" || name == "" {
		return s
	}
	return &scope{name, v, s}
}

func (s *scope) bind(b *bnd) *scope { return s.push(b.name, &known{bnd: b}) }

func (s *scope) lookup(name string) *known {
	for ; s != nil; s = s.next {
		if s.name == name {
			return s.val
		}
	}
	return nil
}

// resolve follows what binders mean inside the cases that have split them.
func (k *known) resolve() *known {
	for k.bnd != nil && k.bnd.as != nil {
		k = k.bnd.as
	}
	return k
}

// mention builds the core term of a known at depth core binders.
func (e *elab) mention(k *known, sp syntax.Span, depth int) core.Term {
	k = k.resolve()
	switch {
	case k.bnd != nil:
		return &core.Var{Span: sp, Name: k.bnd.name, Ix: depth - 1 - k.bnd.level}
	case k.term != nil:
		return e.term(k.term, k.in, depth, nil)
	}
	c := &core.Ctr{Span: sp, Key: k.ctor}
	for _, a := range k.args {
		c.Args = append(c.Args, e.mention(a, sp, depth))
	}
	return c
}
