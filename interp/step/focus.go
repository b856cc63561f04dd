package step

import "bend/interp/core"

// A focus is the part of an expression that is evaluated next, and how the expression
// looks with another term in its place.
type focus struct {
	redex core.Term
	with  func(core.Term) core.Term
	whole bool // the redex is the whole expression: if it is a call, it is in tail position
}

// spine takes an application apart: its head and its arguments, first to last.
func spine(t core.Term) (head core.Term, apps []*core.App) {
	head, apps = core.Unapply(core.Strip(t))
	if inner := core.Strip(head); inner != head {
		head, first := spine(inner)
		return head, append(first, apps...)
	}
	return head, apps
}

// apply puts a spine together again, with one argument replaced.
func apply(head core.Term, apps []*core.App, at int, arg core.Term) core.Term {
	t := head
	for i, a := range apps {
		n := *a
		n.Fn = t
		if i == at {
			n.Arg = arg
		}
		t = &n
	}
	return t
}

// focus finds what is evaluated next in a closed expression, from the left and inside
// out; ok is false for a value.
func (m *Machine) focus(t core.Term) (f focus, ok bool) {
	t = core.Strip(t)
	inside := func(part core.Term, with func(core.Term) core.Term) bool {
		sub, found := m.focus(part)
		if found {
			f = focus{sub.redex, func(x core.Term) core.Term { return with(sub.with(x)) }, false}
		}
		return found
	}
	among := func(ts []core.Term, live func(i int) bool, with func(ts []core.Term) core.Term) bool {
		for i, part := range ts {
			if live(i) && inside(part, func(x core.Term) core.Term {
				next := append([]core.Term(nil), ts...)
				next[i] = x
				return with(next)
			}) {
				return true
			}
		}
		return false
	}
	here := focus{t, func(x core.Term) core.Term { return x }, true}
	switch u := t.(type) {
	case *core.Let:
		if among(u.Vals, func(i int) bool { return u.Qs[i] != core.None }, func(ts []core.Term) core.Term {
			n := *u
			n.Vals = ts
			return &n
		}) {
			return f, true
		}
		return here, true
	case *core.Ctr:
		if m.values[u] {
			return f, false
		}
		k := m.book.Ctors[u.Key]
		found := among(u.Args, func(i int) bool { return k == nil || i >= len(k.Fields) || k.Fields[i].Q != core.None }, func(ts []core.Term) core.Term {
			n := *u
			n.Args = ts
			return &n
		})
		if !found {
			m.know(u)
		}
		return f, found
	case *core.Ref, *core.App:
		head, apps := spine(t)
		for i, a := range apps {
			if a.Q != core.None && !a.Tilde && inside(a.Arg, func(x core.Term) core.Term { return apply(head, apps, i, x) }) {
				return f, true
			}
		}
		switch h := head.(type) {
		case *core.Ref:
			d := m.def(h)
			return here, d != nil && len(apps) >= d.Arity && (d.Value != nil || d.Base) && !m.inert(d)
		case *core.Lam, *core.Mat:
			return here, len(apps) > 0
		}
		return f, inside(head, func(x core.Term) core.Term { return apply(x, apps, -1, nil) })
	}
	return f, false
}
