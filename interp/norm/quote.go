package norm

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// Quote returns the full normal form of v as a term under level binders.
func (m *Machine) Quote(level int, v Value) core.Term {
	q := quoter{m: m, unfold: true, left: -1}
	return q.term(level, v)
}

// QuoteMost is Quote that gives up after most nodes: what is left out is the hole
// "?...". It is for messages.
func (m *Machine) QuoteMost(level int, v Value, most int) core.Term {
	q := quoter{m: m, unfold: true, left: most}
	return q.term(level, v)
}

// Reify returns v as a term under level binders without unfolding any def.
func (m *Machine) Reify(level int, v Value) core.Term {
	q := quoter{m: m, left: -1}
	return q.term(level, v)
}

// A quoter reads values back.
type quoter struct {
	m      *Machine
	unfold bool
	left   int // nodes that may still be made; negative: any number
}

func (q *quoter) whnf(v Value) Value {
	if q.unfold {
		return q.m.Whnf(v)
	}
	c := comparer{m: q.m}
	return c.whnf(v)
}

// term reads v back. The last field of a constructor is read in the loop.
func (q *quoter) term(level int, v Value) core.Term {
	q.m.enter()
	var whole core.Term
	hole := &whole // where the term made next goes
	for {
		if q.left == 0 {
			*hole = &core.Hole{Name: "..."}
			break
		}
		q.left--
		q.m.tick()
		v = q.whnf(v)
		if s, ok := v.(*Succs); ok {
			hole, v = q.succs(s, hole)
			continue
		}
		if w, ok := v.(*Word); ok {
			if ctor, args, ok := q.m.Unfold(w); ok {
				v = &Ctr{ctor, args}
			}
		}
		u, ok := v.(*Ctr)
		if !ok || len(u.Args) == 0 {
			*hole = q.node(level, v)
			break
		}
		last := len(u.Args) - 1
		c := &core.Ctr{Key: u.Ctor.Key, Args: make([]core.Term, last+1)}
		for i, a := range u.Args[:last] {
			c.Args[i] = q.term(level, a)
		}
		*hole = c
		hole, v = &c.Args[last], u.Args[last]
	}
	q.m.depth--
	return whole
}

// succs writes the successors of s to hole and returns where the rest goes and the
// rest; a rest that is a literal is taken up first.
func (q *quoter) succs(s *Succs, hole *core.Term) (*core.Term, Value) {
	n, rest := s.N, q.whnf(s.T)
	for {
		if succs(rest) > maxNat-n {
			break
		}
		switch u := rest.(type) {
		case *Succs:
			n, rest = n+u.N, q.whnf(u.T)
			continue
		case *Lit:
			return hole, &Lit{u.Kind, u.N + n}
		}
		break
	}
	if n > 256 {
		add := &core.Ref{Key: "Nat.add"}
		app := &core.App{Fn: &core.App{Fn: add, Arg: &core.Lit{Kind: syntax.Nat, N: n}}}
		*hole = app
		return &app.Arg, rest
	}
	for range n {
		c := &core.Ctr{Key: "Succ", Args: make([]core.Term, 1)}
		*hole, hole = c, &c.Args[0]
	}
	return hole, rest
}

// node reads back any value but a constructor with fields.
func (q *quoter) node(level int, v Value) core.Term {
	switch u := v.(type) {
	case *Var:
		return &core.Var{Name: u.Name, Ix: level - 1 - u.Level}
	case *Ref:
		return &core.Ref{Key: u.Def.Key, Bang: u.Bang}
	case *Neu:
		t := q.term(level, u.Head)
		for _, a := range u.Args {
			t = &core.App{Fn: t, Arg: q.term(level, a)}
		}
		return t
	case *Lam:
		x := &Var{level, u.term.Name}
		return &core.Lam{Name: u.term.Name, Plus: u.term.Plus, Body: q.term(level+1, q.m.body(u, x))}
	case *Mat:
		return q.match(level, u)
	case *All:
		x := &Var{level, u.Name}
		return &core.All{Q: u.Q, Name: u.Name, Dom: q.term(level, u.Dom), Cod: q.term(level+1, u.Cod(x))}
	case *Kind:
		return &core.Kind{Q: q.term(level, u.Q)}
	case *Quant:
		return &core.Quant{}
	case *Qty:
		return &core.Qty{Q: u.Q}
	case *Meet:
		return &core.Meet{A: q.term(level, u.A), B: q.term(level, u.B)}
	case *ADT:
		t := &core.ADT{Key: u.Data.Key}
		for _, k := range u.Data.Ctors {
			if u.Removed.Has(k) {
				t.Removed = append(t.Removed, k.Key)
			}
		}
		for _, a := range u.Args {
			t.Args = append(t.Args, q.term(level, a))
		}
		return t
	case *Ctr:
		return &core.Ctr{Key: u.Ctor.Key}
	case *Lit:
		return &core.Lit{Kind: u.Kind, N: u.N}
	case *Str:
		return &core.Str{Codes: u.Codes}
	case *Eql:
		return &core.Eql{A: q.term(level, u.A), B: q.term(level, u.B), T: q.term(level, u.T)}
	case *Rwt:
		end, eq := &Var{level, "_"}, &Var{level + 1, u.term.Name}
		return &core.Rwt{
			Name:   u.term.Name,
			Eq:     q.term(level, u.Eq),
			Motive: q.term(level+2, q.m.Delay(u.env.Push(end).Push(eq), u.term.Motive)),
			Body:   q.term(level, q.m.Delay(u.env, u.term.Body)),
		}
	case *Rfl:
		return &core.Rfl{}
	case *Hole:
		return &core.Hole{Name: u.Name}
	}
	return &core.Efq{}
}

// match reads back a match and those that follow it on misses.
func (q *quoter) match(level int, u *Mat) core.Term {
	var whole core.Term
	hole := &whole
	for {
		c := &core.Mat{Key: u.term.Key, Name: u.term.Name, Hit: q.term(level, q.m.Delay(u.env, u.term.Hit))}
		*hole, hole = c, &c.Miss
		miss := q.whnf(q.m.Delay(u.env, u.term.Miss))
		next, ok := miss.(*Mat)
		if !ok {
			*hole = q.term(level, miss)
			return whole
		}
		u = next
	}
}
