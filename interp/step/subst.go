package step

import "bend/interp/core"

// subst returns t with closed terms in place of the variables of env, whose last element
// is Var 0; t stands under no other binders.
func (m *Machine) subst(t core.Term, env []core.Term) core.Term {
	if len(env) == 0 {
		return t
	}
	return m.under(t, env, 0)
}

// under is subst below some binders more.
func (m *Machine) under(t core.Term, env []core.Term, binders int) core.Term {
	each := func(ts []core.Term) []core.Term {
		out := make([]core.Term, len(ts))
		for i, t := range ts {
			out[i] = m.under(t, env, binders)
		}
		return out
	}
	switch u := t.(type) {
	case nil:
		return nil
	case *core.Var:
		if i := u.Ix - binders; i >= 0 && i < len(env) {
			return env[len(env)-1-i]
		}
		return u
	case *core.Kind:
		n := *u
		n.Q = m.under(u.Q, env, binders)
		return &n
	case *core.Meet:
		n := *u
		n.A, n.B = m.under(u.A, env, binders), m.under(u.B, env, binders)
		return &n
	case *core.All:
		n := *u
		n.Dom, n.Cod = m.under(u.Dom, env, binders), m.under(u.Cod, env, binders+1)
		return &n
	case *core.Lam:
		n := *u
		n.Body = m.under(u.Body, env, binders+1)
		return &n
	case *core.App:
		n := *u
		n.Fn, n.Arg = m.under(u.Fn, env, binders), m.under(u.Arg, env, binders)
		return &n
	case *core.ADT:
		n := *u
		n.Args = each(u.Args)
		return &n
	case *core.Ctr:
		if m.values[u] {
			return u // it has no variables
		}
		n := *u
		n.Args = each(u.Args)
		return &n
	case *core.Mat:
		n := *u
		n.Hit, n.Miss = m.under(u.Hit, env, binders), m.under(u.Miss, env, binders)
		return &n
	case *core.Eql:
		n := *u
		n.A, n.B, n.T = m.under(u.A, env, binders), m.under(u.B, env, binders), m.under(u.T, env, binders)
		return &n
	case *core.Rwt:
		n := *u
		n.Eq, n.Motive, n.Body = m.under(u.Eq, env, binders), m.under(u.Motive, env, binders+2), m.under(u.Body, env, binders)
		return &n
	case *core.Let:
		n := *u
		n.Vals, n.Body = each(u.Vals), m.under(u.Body, env, binders+len(u.Names))
		return &n
	case *core.Ann:
		n := *u
		n.X, n.T = m.under(u.X, env, binders), m.under(u.T, env, binders)
		return &n
	}
	return t
}
