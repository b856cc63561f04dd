package eval

import (
	"math/bits"

	"bend/interp/flat"
)

// A set is a bit set of variables.
type set []uint64

func (s set) has(v flat.Var) bool { return s[v/64]>>(v%64)&1 != 0 }
func (s set) add(v flat.Var)      { s[v/64] |= 1 << (v % 64) }
func (s set) remove(v flat.Var)   { s[v/64] &^= 1 << (v % 64) }

func (s set) union(t set) set {
	u := make(set, len(s))
	for i := range s {
		u[i] = s[i] | t[i]
	}
	return u
}

// A place is a branch of a step.
type place struct {
	step   flat.Code
	branch int
}

// A liveness tells where the registers of variables become free.
type liveness struct {
	vars   int
	step   map[flat.Code][]flat.Var // not used after the step
	branch map[place][]flat.Var     // used by another branch only
}

// look returns what is live before c.
func (l *liveness) look(c flat.Code) set {
	var steps []flat.Code
	for {
		n := follow(c)
		if n == nil {
			break
		}
		steps = append(steps, c)
		c = n
	}
	live := l.end(c)
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		results(s, func(v flat.Var) {
			if !live.has(v) {
				l.step[s] = append(l.step[s], v)
			}
			live.remove(v)
		})
		l.uses(s, live)
	}
	return live
}

// uses adds what s reads to live; what was not live dies at s.
func (l *liveness) uses(s flat.Code, live set) {
	operands(s, func(a flat.Atom) {
		if !a.IsConst() && !live.has(a.Var) {
			live.add(a.Var)
			l.step[s] = append(l.step[s], a.Var)
		}
	})
}

// end returns what is live before a step that ends a line.
func (l *liveness) end(c flat.Code) set {
	live := make(set, (l.vars+63)/64)
	switch s := c.(type) {
	case *flat.If:
		then, other := l.look(s.Then), l.look(s.Else)
		live = then.union(other)
		l.gone(place{s, 0}, live, then)
		l.gone(place{s, 1}, live, other)
	case *flat.Match:
		ins := make([]set, len(s.Arms)+1)
		for i, a := range s.Arms {
			in := l.look(a.Body)
			for _, v := range a.Fields {
				if !in.has(v) {
					p := place{s, i}
					l.branch[p] = append(l.branch[p], v)
				}
				in.remove(v)
			}
			ins[i] = in
			live = live.union(in)
		}
		if s.Else != nil {
			ins[len(s.Arms)] = l.look(s.Else)
			live = live.union(ins[len(s.Arms)])
		}
		live.add(s.X)
		for i, in := range ins {
			if in != nil {
				l.gone(place{s, i}, live, in)
			}
		}
		return live
	}
	l.uses(c, live)
	return live
}

// gone notes what is live at a branching and not in the branch p.
func (l *liveness) gone(p place, all, in set) {
	for i := range all {
		for b := all[i] &^ in[i]; b != 0; b &= b - 1 {
			v := flat.Var(i*64 + bits.TrailingZeros64(b))
			l.branch[p] = append(l.branch[p], v)
		}
	}
}

// follow returns the step after c, nil if c ends a line.
func follow(c flat.Code) flat.Code {
	switch s := c.(type) {
	case *flat.Prim:
		return s.Next
	case *flat.New:
		return s.Next
	case *flat.Closure:
		return s.Next
	case *flat.Text:
		return s.Next
	case *flat.Dup:
		return s.Next
	case *flat.Drop:
		return s.Next
	case *flat.Keep:
		return s.Next
	case *flat.Cut:
		return s.Next
	case *flat.Fork:
		return s.Next
	}
	return nil
}

// operands calls visit for each atom that c reads.
func operands(c flat.Code, visit func(flat.Atom)) {
	each := func(as []flat.Atom) {
		for _, a := range as {
			visit(a)
		}
	}
	call := func(c *flat.Call) {
		if c.Apply {
			visit(c.Fn)
		}
		each(c.Args)
	}
	switch s := c.(type) {
	case *flat.Prim:
		each(s.Args)
	case *flat.New:
		each(s.Fields)
	case *flat.Closure:
		each(s.Held)
	case *flat.Dup:
		visit(flat.V(s.X))
	case *flat.Drop:
		visit(flat.V(s.X))
	case *flat.Keep:
		visit(flat.V(s.Of))
	case *flat.If:
		each(s.Args)
	case *flat.Match:
		visit(flat.V(s.X))
	case *flat.Cut:
		call(&s.Call)
	case *flat.Fork:
		for i := range s.Calls {
			call(&s.Calls[i])
		}
	case *flat.Tail:
		call(&s.Call)
	case *flat.Return:
		visit(s.X)
	}
}

// results calls visit for each variable that c itself binds.
func results(c flat.Code, visit func(flat.Var)) {
	switch s := c.(type) {
	case *flat.Prim:
		visit(s.Dst)
	case *flat.New:
		visit(s.Dst)
	case *flat.Closure:
		visit(s.Dst)
	case *flat.Text:
		visit(s.Dst)
	case *flat.Keep:
		visit(s.Dst)
	case *flat.Cut:
		visit(s.Dst)
	case *flat.Fork:
		for _, v := range s.Dsts {
			visit(v)
		}
	}
}
