package norm

import "bend/interp/core"

// Whnf returns the weak head normal form of v.
func (m *Machine) Whnf(v Value) Value {
	switch u := v.(type) {
	case *Thunk:
		if u.done {
			return u.val
		}
	case *Neu:
		if u.done {
			return u.res
		}
	case *Meet, *Rwt:
	default:
		return v
	}
	m.enter()
	v = m.force(v)
	m.depth--
	return v
}

// force reduces v until it is in weak head normal form, and updates the cells that it
// went through.
func (m *Machine) force(v Value) Value {
	first := v
	var buf [4]*Thunk
	thunks := buf[:0]
loop:
	for {
		switch u := v.(type) {
		case *Thunk:
			if u.done {
				v = u.val
				break loop
			}
			m.open(u)
			thunks = append(thunks, u)
			v = u.val
		case *Neu:
			if u.done {
				v = u.res
				break loop
			}
			m.tick()
			next := m.step(u)
			if next == nil {
				u.done, u.res = true, u
				break loop
			}
			v = next
		case *Rwt:
			if _, ok := m.Whnf(u.Eq).(*Rfl); !ok {
				break loop
			}
			v = m.Eval(u.env, u.term.Body)
		case *Meet:
			next := m.meet(u)
			if next == u {
				break loop
			}
			v = next
		default:
			break loop
		}
	}
	small := isSmall(v)
	for _, t := range thunks {
		t.val, t.done = v, true
		if small {
			t.call = nil
		}
	}
	if n, ok := first.(*Neu); ok {
		n.res, n.done = v, true
	}
	return v
}

// open evaluates the term of t, as far as Eval goes.
func (m *Machine) open(t *Thunk) {
	if t.term == nil {
		return
	}
	t.val = m.Eval(t.env, t.term)
	t.env, t.term = nil, nil
	if n, ok := t.val.(*Neu); ok {
		if _, ok := n.Head.(*Ref); ok {
			t.call = n
		}
	}
}

// isSmall reports whether the normal form v is compared as quickly as any call.
func isSmall(v Value) bool {
	switch u := v.(type) {
	case *Lit, *Str, *Word, *Var, *Qty:
		return true
	case *Ctr:
		return len(u.Args) == 0
	}
	return false
}

// meet reduces a meet by one step, left side first.
func (m *Machine) meet(u *Meet) Value {
	a, aq := m.Whnf(u.A).(*Qty)
	if aq && a.Q == core.Many {
		return u.B
	}
	if aq && a.Q == core.None {
		return None
	}
	b, bq := m.Whnf(u.B).(*Qty)
	switch {
	case bq && b.Q == core.Many:
		return m.Whnf(u.A)
	case bq && b.Q == core.None:
		return None
	case aq && bq:
		return Lone
	}
	return u
}

// step makes one step of the application u, or returns nil if it is stuck.
func (m *Machine) step(u *Neu) Value {
	switch h := u.Head.(type) {
	case *Ref:
		return m.unfold(h.Def, u.Args)
	case *Lam:
		return m.Apply(h, u.Args...)
	case *Mat:
		if len(u.Args) == 0 {
			return nil
		}
		return m.descend(h.env, h.term, u.Args[:1], u.Args[1:])
	case *Thunk, *Neu, *Rwt, *Meet:
		head := m.Whnf(h)
		if head == u.Head {
			return nil
		}
		return m.Apply(head, u.Args...)
	}
	return nil
}

// unfold applies the body of d to args, or returns nil if the call keeps its shape: d
// has no body yet, it takes more arguments, or its case tree is stuck.
func (m *Machine) unfold(d *core.Def, args []Value) Value {
	if !d.Checked || d.Value == nil || len(args) < d.Arity || d == m.Opaque {
		return nil
	}
	if d.Base && !m.Plain {
		if f := natives[d.Key]; f != nil {
			if v := f(m, args); v != nil {
				return m.Apply(v, args[d.Arity:]...)
			}
		}
	}
	return m.descend(nil, d.Value, args[:d.Arity], args[d.Arity:])
}

// descend runs the case tree t on its pending arguments and applies the leaf that is
// reached to rest. It returns nil if a match is stuck. A matched argument is replaced
// by its fields; since cells are updated in place, the call that keeps its shape shows
// it as the constructor.
func (m *Machine) descend(env *Env, t core.Term, pending, rest []Value) Value {
	for len(pending) > 0 {
		switch u := t.(type) {
		case *core.Ann:
			t = u.X
		case *core.Lam:
			env, pending, t = env.Push(pending[0]), pending[1:], u.Body
		case *core.Mat:
			ctor, fields, ok := m.Unfold(m.Whnf(pending[0]))
			if !ok {
				return nil
			}
			if ctor.Key != u.Key {
				t = u.Miss
				continue
			}
			t = u.Hit
			if len(fields) == 0 {
				pending = pending[1:]
			} else {
				next := make([]Value, 0, len(fields)+len(pending)-1)
				pending = append(append(next, fields...), pending[1:]...)
			}
		case *core.Efq:
			return nil
		default: // a leaf that is itself a function
			v := m.Eval(env, t)
			if len(rest) > 0 {
				v = m.Apply(v, pending...)
				return m.Apply(v, rest...)
			}
			return m.Apply(v, pending...)
		}
	}
	v := m.Eval(env, t)
	if len(rest) > 0 {
		v = m.Apply(v, rest...)
	}
	return v
}
