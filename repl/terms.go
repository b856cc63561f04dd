package repl

import "bend/interp/core"

// children calls visit for each direct subterm of t with the number of binders that
// it stands under.
func children(t core.Term, visit func(t core.Term, binders int)) {
	each := func(ts []core.Term) {
		for _, t := range ts {
			visit(t, 0)
		}
	}
	switch u := t.(type) {
	case *core.Kind:
		visit(u.Q, 0)
	case *core.Meet:
		visit(u.A, 0)
		visit(u.B, 0)
	case *core.All:
		visit(u.Dom, 0)
		visit(u.Cod, 1)
	case *core.Lam:
		visit(u.Body, 1)
	case *core.App:
		visit(u.Fn, 0)
		visit(u.Arg, 0)
	case *core.ADT:
		each(u.Args)
	case *core.Ctr:
		each(u.Args)
	case *core.Mat:
		visit(u.Hit, 0)
		if u.Miss != nil {
			visit(u.Miss, 0)
		}
	case *core.Eql:
		visit(u.A, 0)
		visit(u.B, 0)
		visit(u.T, 0)
	case *core.Rwt:
		visit(u.Eq, 0)
		visit(u.Motive, 2)
		visit(u.Body, 0)
	case *core.Let:
		each(u.Vals)
		visit(u.Body, len(u.Names))
	case *core.Ann:
		visit(u.X, 0)
		visit(u.T, 0)
	}
}

// walk calls visit for t and all its subterms with the number of binders between.
// It needs no Go stack.
func walk(t core.Term, visit func(t core.Term, binders int)) {
	type item struct {
		t core.Term
		n int
	}
	todo := []item{{t, 0}}
	for len(todo) > 0 {
		it := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if it.t == nil {
			continue
		}
		visit(it.t, it.n)
		children(it.t, func(c core.Term, n int) { todo = append(todo, item{c, it.n + n}) })
	}
}

// mentionsInner reports whether t mentions one of the n innermost variables around it.
func mentionsInner(t core.Term, n int) bool {
	found := false
	walk(t, func(t core.Term, binders int) {
		if v, ok := t.(*core.Var); ok && v.Ix >= binders && v.Ix < binders+n {
			found = true
		}
	})
	return found
}

// freeVars returns which of the n variables around t it mentions, by level.
func freeVars(t core.Term, n int) []bool {
	used := make([]bool, n)
	walk(t, func(t core.Term, binders int) {
		if v, ok := t.(*core.Var); ok && v.Ix >= binders {
			if level := n - 1 - (v.Ix - binders); level >= 0 && level < n {
				used[level] = true
			}
		}
	})
	return used
}

// mentions calls visit for the key of every name that t mentions.
func mentions(t core.Term, visit func(key string)) {
	walk(t, func(t core.Term, _ int) {
		switch u := t.(type) {
		case *core.Ref:
			visit(u.Key)
		case *core.ADT:
			visit(u.Key)
		case *core.Ctr:
			visit(u.Key)
		case *core.Mat:
			visit(u.Key)
		}
	})
}
