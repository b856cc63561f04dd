package norm

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// A Mode says how two types must agree.
type Mode bool

// EQ is equality. LE lets the first fit where the second is wanted: it differs from EQ
// at kinds and at the constructors that a datatype has lost.
const (
	EQ Mode = false
	LE Mode = true
)

// Convert reports whether a agrees with b under level binders.
//
// It tries twice: first with no def unfolded, which settles most comparisons quickly,
// then with unfolding. Pairs of cells found equal are remembered, so that values which
// share their parts are compared in the size of what is shared.
func (m *Machine) Convert(level int, a, b Value, mode Mode) bool {
	c := &comparer{m: m, equal: map[pair]bool{}, fuel: 2000}
	if ok := c.same(level, a, b, mode); ok {
		return true
	}
	c.unfold, c.fuel = true, 20_000
	return c.same(level, a, b, mode)
}

type pair struct{ a, b Value }

// A comparer is the state of one comparison.
type comparer struct {
	m      *Machine
	equal  map[pair]bool // pairs of cells found equal
	unfold bool          // whether defs unfold
	fuel   int           // nodes that may still be looked at without unfolding
}

// whnf brings v into the form in which it is compared.
func (c *comparer) whnf(v Value) Value {
	if c.unfold {
		return c.m.Whnf(v)
	}
	for {
		switch u := v.(type) {
		case *Thunk:
			c.m.open(u)
			if u.call != nil {
				return u.call
			}
			v = u.val
		case *Neu:
			switch h := u.Head.(type) {
			case *Lam:
				v = c.m.Apply(h, u.Args...)
			case *Thunk, *Neu:
				head := c.whnf(h)
				if _, ok := head.(*Ctr); ok || head == u.Head {
					return u
				}
				v = c.m.Apply(head, u.Args...)
				if n, ok := v.(*Neu); ok && n.Head == u.Head {
					return n
				}
			default:
				return u
			}
		default:
			return v
		}
	}
}

// same compares a and b and remembers the pair if they agree.
func (c *comparer) same(level int, a, b Value, mode Mode) bool {
	if a == b {
		return true
	}
	key := pair{a, b}
	if c.equal[key] {
		return true
	}
	c.m.enter()
	ok := c.compare(level, a, b, mode)
	c.m.depth--
	if ok && mode == EQ && isCell(a) && isCell(b) {
		c.equal[key] = true
	}
	return ok
}

// isCell reports whether v may hold something large.
func isCell(v Value) bool {
	switch u := v.(type) {
	case *Lit, *Var, *Qty, *Ref:
		return false
	case *Ctr:
		return len(u.Args) > 0
	}
	return true
}

// compare compares a and b. The last field of a constructor is compared in the loop,
// not by recursion: lists and numbers are long.
func (c *comparer) compare(level int, a, b Value, mode Mode) bool {
	for {
		if a == b || c.equal[pair{a, b}] {
			return true
		}
		c.m.tick()
		if !c.unfold {
			if c.fuel--; c.fuel < 0 {
				return false
			}
		} else if c.quick(level, a, b) {
			return true
		}
		a, b = c.whnf(a), c.whnf(b)
		if a == b {
			return true
		}
		if isLam(a) || isLam(b) {
			x := &Var{level, "_"}
			a, b, level = c.m.Apply(a, x), c.m.Apply(b, x), level+1
			continue
		}
		if na, nb := isNumber(a), isNumber(b); na && nb {
			a, b = c.m.strip(a, b)
			if la, ok := a.(*Lit); ok {
				if lb, ok := b.(*Lit); ok {
					return la.Kind == lb.Kind && la.N == lb.N
				}
			}
			if isNumber(a) && isNumber(b) {
				return false // a literal is used up before the successors
			}
			continue
		}
		if sa, ok := a.(*Str); ok {
			if sb, ok := b.(*Str); ok {
				return equalCodes(sa.Codes, sb.Codes)
			}
		}
		ca, as, oka := c.m.Unfold(a)
		cb, bs, okb := c.m.Unfold(b)
		if oka || okb {
			if !oka || !okb || ca != cb || len(as) != len(bs) {
				return false
			}
			last := len(as) - 1
			if last < 0 {
				return true
			}
			for i := range last {
				if !c.same(level, as[i], bs[i], EQ) {
					return false
				}
			}
			a, b, mode = as[last], bs[last], EQ
			continue
		}
		return c.node(level, a, b, mode)
	}
}

// quick compares two calls of one def by their arguments before they are unfolded.
func (c *comparer) quick(level int, a, b Value) bool {
	x, ok := c.peel(a).(*Neu)
	if !ok {
		return false
	}
	y, ok := c.peel(b).(*Neu)
	if !ok || len(x.Args) != len(y.Args) {
		return false
	}
	rx, ok := x.Head.(*Ref)
	if !ok {
		return false
	}
	ry, ok := y.Head.(*Ref)
	if !ok || rx.Def != ry.Def || c.fuel <= 0 {
		return false
	}
	c.unfold = false
	ok = c.all(level, x.Args, y.Args)
	c.unfold = true
	return ok
}

// peel looks through cells without unfolding anything.
func (c *comparer) peel(v Value) Value {
	for {
		t, ok := v.(*Thunk)
		if !ok {
			return v
		}
		c.m.open(t)
		if t.call != nil {
			return t.call
		}
		v = t.val
	}
}

func (c *comparer) all(level int, as, bs []Value) bool {
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !c.same(level, as[i], bs[i], EQ) {
			return false
		}
	}
	return true
}

// node compares two values that are neither functions nor constructors.
func (c *comparer) node(level int, a, b Value, mode Mode) bool {
	switch x := a.(type) {
	case *Var:
		y, ok := b.(*Var)
		return ok && x.Level == y.Level
	case *Ref:
		y, ok := b.(*Ref)
		return ok && x.Def == y.Def
	case *Neu:
		if y, ok := b.(*Neu); ok {
			return c.calls(level, x, y)
		}
	case *All:
		y, ok := b.(*All)
		if !ok || x.Q != y.Q || !c.same(level, y.Dom, x.Dom, mode) {
			return false
		}
		v := &Var{level, x.Name}
		return c.same(level+1, x.Cod(v), y.Cod(v), mode)
	case *Kind:
		y, ok := b.(*Kind)
		if ok && mode == LE {
			return c.fits(level, x.Q, y.Q)
		}
		return ok && c.same(level, x.Q, y.Q, EQ)
	case *Quant:
		_, ok := b.(*Quant)
		return ok
	case *Qty:
		y, ok := b.(*Qty)
		return ok && x.Q == y.Q
	case *Meet:
		y, ok := b.(*Meet)
		return ok && c.same(level, x.A, y.A, EQ) && c.same(level, x.B, y.B, EQ)
	case *ADT:
		y, ok := b.(*ADT)
		if !ok || x.Data != y.Data {
			return false
		}
		if !x.Removed.Covers(y.Removed) || mode == EQ && !y.Removed.Covers(x.Removed) {
			return false
		}
		return c.all(level, x.Args, y.Args)
	case *Mat:
		y, ok := b.(*Mat)
		return ok && x.term.Key == y.term.Key &&
			c.same(level, c.m.Delay(x.env, x.term.Hit), c.m.Delay(y.env, y.term.Hit), EQ) &&
			c.same(level, c.m.Delay(x.env, x.term.Miss), c.m.Delay(y.env, y.term.Miss), EQ)
	case *Efq:
		_, ok := b.(*Efq)
		return ok
	case *Rfl:
		_, ok := b.(*Rfl)
		return ok
	case *Eql:
		y, ok := b.(*Eql)
		return ok && c.same(level, x.A, y.A, EQ) && c.same(level, x.B, y.B, EQ) && c.same(level, x.T, y.T, EQ)
	case *Rwt:
		y, ok := b.(*Rwt)
		if !ok || !c.same(level, x.Eq, y.Eq, EQ) {
			return false
		}
		end, eq := &Var{level, "_"}, &Var{level + 1, x.term.Name}
		mx := c.m.Delay(x.env.Push(end).Push(eq), x.term.Motive)
		my := c.m.Delay(y.env.Push(end).Push(eq), y.term.Motive)
		return c.same(level+2, mx, my, EQ) &&
			c.same(level, c.m.Delay(x.env, x.term.Body), c.m.Delay(y.env, y.term.Body), EQ)
	case *Hole:
		y, ok := b.(*Hole)
		return ok && x.Name == y.Name
	}
	return false
}

// calls compares two applications that do not step.
func (c *comparer) calls(level int, x, y *Neu) bool {
	rx, okx := x.Head.(*Ref)
	ry, oky := y.Head.(*Ref)
	if okx && oky {
		if rx.Def == ry.Def {
			return c.all(level, x.Args, y.Args)
		}
		if len(x.Args)+len(y.Args) > 0 || !c.unfold {
			return false
		}
		n := max(rx.Def.Arity, ry.Def.Arity)
		if n == 0 {
			return false
		}
		// Two names of functions are equal if they do the same to variables.
		vars := make([]Value, n)
		for i := range vars {
			vars[i] = &Var{level + i, "_"}
		}
		return c.same(level+n, c.m.Apply(x, vars...), c.m.Apply(y, vars...), EQ)
	}
	return okx == oky && len(x.Args) == len(y.Args) &&
		c.same(level, x.Head, y.Head, EQ) && c.all(level, x.Args, y.Args)
}

// fits reports whether Kind(a) fits where Kind(b) is wanted.
func (c *comparer) fits(level int, a, b Value) bool {
	a, b = c.whnf(a), c.whnf(b)
	if x, ok := a.(*Meet); ok {
		if c.fits(level, x.A, b) && c.fits(level, x.B, b) {
			return true
		}
	}
	if y, ok := b.(*Meet); ok {
		if c.fits(level, a, y.A) || c.fits(level, a, y.B) {
			return true
		}
	}
	if y, ok := b.(*Qty); ok && y.Q != core.Many {
		return true
	}
	if x, ok := a.(*Qty); ok && x.Q == core.Many {
		return true
	}
	return c.same(level, a, b, EQ)
}

func isLam(v Value) bool { _, ok := v.(*Lam); return ok }

// isNumber reports whether v is a literal number or successors.
func isNumber(v Value) bool {
	switch v.(type) {
	case *Lit, *Succs:
		return true
	}
	return false
}

// strip takes the successors that two numbers share off both.
func (m *Machine) strip(a, b Value) (Value, Value) {
	na, nb := succs(a), succs(b)
	if n := min(na, nb); n > 0 {
		return less(a, n), less(b, n)
	}
	return a, b
}

func succs(v Value) uint64 {
	switch u := v.(type) {
	case *Lit:
		if u.Kind == syntax.Nat {
			return u.N
		}
	case *Succs:
		return u.N
	}
	return 0
}

func less(v Value, n uint64) Value {
	switch u := v.(type) {
	case *Lit:
		return &Lit{u.Kind, u.N - n}
	case *Succs:
		if u.N == n {
			return u.T
		}
		return &Succs{u.N - n, u.T}
	}
	return v
}

func equalCodes(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
