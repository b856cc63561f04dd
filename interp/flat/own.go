package flat

import "slices"

// finish completes a def whose body was just built: it makes ownership explicit, so
// that every variable that may own something is consumed exactly once on each path,
// and computes the frame of every cut and fork.
// It returns variants of defs that were made for calls of d, which are not finished.
func finish(p *Program, d *Def) (made []*Def) {
	o := &owner{prog: p, def: d, count: make([]int, len(d.Vars))}
	body, used := o.code(d.Body)
	var drops []Code
	for v := range Var(d.Params) {
		if o.boxed(v) && !used.has(v) {
			drops = append(drops, &Drop{X: v})
		}
	}
	d.Body = link(drops, body)
	d.Loops = true
	d.Frames = nil
	Walk(d.Body, func(c Code) {
		switch s := c.(type) {
		case *Cut:
			o.number(s.Frame)
		case *Fork:
			o.number(s.Frame)
		case *Tail:
			if s.Call.Apply || s.Call.Def != d.ID {
				d.Loops = false
			}
		}
	})
	d.Loops = d.Loops && len(d.Frames) == 0
	return o.made
}

// A set is a bit set of variables.
type set []uint64

func newSet(n int) set       { return make(set, (n+63)/64) }
func (s set) has(v Var) bool { return s[v/64]>>(v%64)&1 != 0 }
func (s set) add(v Var)      { s[v/64] |= 1 << (v % 64) }
func (s set) remove(v Var)   { s[v/64] &^= 1 << (v % 64) }
func (s set) union(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

// each calls f for the members of s in ascending order.
func (s set) each(f func(Var)) {
	for i, w := range s {
		for b := 0; w != 0; b, w = b+1, w>>1 {
			if w&1 != 0 {
				f(Var(i*64 + b))
			}
		}
	}
}

// An owner makes the ownership in one def explicit. It goes backward: the variables
// used by what follows a step are known when the step is looked at.
type owner struct {
	prog  *Program // nil when nothing is lent
	def   *Def
	made  []*Def
	count []int // scratch: uses of a variable in one step
}

// boxed reports whether v may own something.
func (o *owner) boxed(v Var) bool { return !o.def.Vars[v].Raw && !o.def.Vars[v].Borrowed }

func (o *owner) number(f *Frame) {
	f.ID = len(o.def.Frames)
	o.def.Frames = append(o.def.Frames, f)
}

// code rewrites c and returns the variables it uses.
func (o *owner) code(c Code) (Code, set) {
	steps, last := line(c)
	last, live := o.last(last)
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if p, ok := s.(*Prim); ok && !live.has(p.Dst) && !p.Op.CanFail() {
			continue
		}
		last = o.step(s, last, live)
	}
	return last, live
}

// step puts s in front of rest, with the drops of its results that rest does not use
// and the keeps of what it consumes and rest still needs. It updates live.
func (o *owner) step(s, rest Code, live set) Code {
	results(s, func(v *Var) {
		if o.boxed(*v) && !live.has(*v) {
			rest = &Drop{X: *v, Next: rest}
		}
	})
	results(s, func(v *Var) { live.remove(*v) })
	*next(s) = rest
	switch s := s.(type) {
	case *Keep:
		live.add(s.Of)
	case *Cut:
		o.lend(&s.Call, live.has)
		s.Frame = o.frame(slices.Clone(live), s.Call)
	case *Fork:
		caps := slices.Clone(live)
		for i := range s.Calls[1:] {
			later := &Tail{s.Calls[i+1]}
			operands(later, func(a *Atom) {
				if !a.IsConst() {
					caps.add(a.Var)
				}
			})
		}
		s.Next = o.lendFork(s, live, caps, rest)
		s.Frame = o.frame(caps, s.Calls[0])
	}
	return o.keeps(s, live)
}

func (o *owner) frame(caps set, c Call) *Frame {
	f := &Frame{Owner: o.def.Name, Span: c.Span}
	caps.each(func(v Var) { f.Caps = append(f.Caps, v) })
	f.Words = len(f.Caps) + 1
	return f
}

// keeps puts in front of c a Dup for every use of a variable beyond the first, the
// uses by what follows counting as one, and adds what c uses to live.
func (o *owner) keeps(c Code, live set) Code {
	var uses []Var
	operands(c, func(a *Atom) {
		if a.IsConst() {
			return
		}
		if o.count[a.Var] == 0 {
			uses = append(uses, a.Var)
		}
		o.count[a.Var]++
	})
	for _, call := range Calls(c) {
		for i, a := range call.Args {
			if !a.IsConst() && o.prog.lent(call, i) {
				o.count[a.Var]--
			}
		}
	}
	for _, v := range uses {
		extra := o.count[v] - 1
		if live.has(v) {
			extra++
		}
		o.count[v] = 0
		live.add(v)
		if o.boxed(v) {
			for range extra {
				c = &Dup{X: v, Next: c}
			}
		}
	}
	return c
}

// last rewrites a step that ends a line.
func (o *owner) last(c Code) (Code, set) {
	live := newSet(len(o.def.Vars))
	switch s := c.(type) {
	case *If:
		then, a := o.code(s.Then)
		other, b := o.code(s.Else)
		live.union(a)
		live.union(b)
		s.Then, s.Else = o.drops(then, live, a), o.drops(other, live, b)
		operands(s, func(a *Atom) { // raw: nothing is consumed
			if !a.IsConst() {
				live.add(a.Var)
			}
		})
		return s, live
	case *Match:
		return o.match(s, live)
	}
	if s, ok := c.(*Tail); ok {
		o.lend(&s.Call, func(Var) bool { return false })
	}
	return o.keeps(c, live), live
}

// drops puts in front of c the drops of what another branch uses and c does not.
func (o *owner) drops(c Code, all, used set) Code {
	if _, stops := c.(*Stop); stops {
		return c
	}
	all.each(func(v Var) {
		if o.boxed(v) && !used.has(v) {
			c = &Drop{X: v, Next: c}
		}
	})
	return c
}

func (o *owner) match(m *Match, live set) (Code, set) {
	sets := make([]set, len(m.Arms))
	for i, a := range m.Arms {
		body, used := o.code(a.Body)
		for _, v := range a.Fields {
			if o.boxed(v) && !used.has(v) {
				body = &Drop{X: v, Next: body}
			}
			used.remove(v)
		}
		m.Arms[i].Body, sets[i] = body, used
		live.union(used)
	}
	inArms := live.has(m.X)
	var elseUsed set
	if m.Else != nil {
		m.Else, elseUsed = o.code(m.Else)
		live.union(elseUsed)
	}
	live.remove(m.X)
	for i := range m.Arms {
		if inArms && !sets[i].has(m.X) {
			m.Arms[i].Body = o.drop(m.Arms[i].Body, m.X)
		}
		m.Arms[i].Body = o.drops(m.Arms[i].Body, live, sets[i])
	}
	if m.Else != nil {
		// Else does not consume X: it gives up the owners that it does not use.
		if !elseUsed.has(m.X) {
			m.Else = o.drop(m.Else, m.X)
		}
		if inArms {
			m.Else = o.drop(m.Else, m.X)
		}
		m.Else = o.drops(m.Else, live, elseUsed)
	}
	live.add(m.X)
	if inArms && o.boxed(m.X) {
		return &Dup{X: m.X, Next: m}, live
	}
	return m, live
}

func (o *owner) drop(c Code, v Var) Code {
	if _, stops := c.(*Stop); stops || !o.boxed(v) {
		return c
	}
	return &Drop{X: v, Next: c}
}
