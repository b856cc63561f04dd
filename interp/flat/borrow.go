package flat

import (
	"math/bits"
	"strconv"
	"strings"
)

// A parameter is borrowed when the caller stays the owner: the callee reads the value in
// place, counts no owner, and frees nothing. A fold over a value that is needed again
// afterwards then costs what reading it costs.
//
// A def can borrow a parameter when it does nothing with it but take it apart or lend it
// on. What it takes apart it may use as it likes: a field that it stores or returns gets
// an owner of its own (Keep). Whether a call lends is decided where it stands: it does
// when the caller needs the value afterwards, or has borrowed it, and otherwise passes it
// on for good. So a def may exist in several variants, one for each set of parameters
// that some call lends to it; the frames of all are the same.

// maxLent is the number of parameters that can be borrowed.
const maxLent = 64

// borrowable finds the parameters that the defs can borrow: the largest sets such that
// each def lends its own on to parameters in these sets only. It remembers the code of
// such defs, of which variants may be made later.
func borrowable(p *Program, defs []*Def) {
	for _, d := range defs {
		d.lends = 0
		for i := range min(d.Params, maxLent) {
			if !d.Vars[i].Raw {
				d.lends |= 1 << i
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, d := range defs {
			if d.lends == 0 {
				continue
			}
			before := d.lends
			Walk(d.Body, func(c Code) {
				p.stores(c, func(v Var) {
					if int(v) < min(d.Params, maxLent) {
						d.lends &^= 1 << v
					}
				})
			})
			changed = changed || d.lends != before
		}
	}
	for _, d := range defs {
		if d.lends != 0 {
			d.unfinished.vars, d.unfinished.body = d.Vars, clone(d.Body)
		}
	}
}

// stores calls visit for each variable that c uses in another way than to take it apart
// or to pass it where it can be borrowed.
func (p *Program) stores(c Code, visit func(Var)) {
	see := func(a Atom) {
		if !a.IsConst() {
			visit(a.Var)
		}
	}
	if cs := Calls(c); cs != nil {
		for _, call := range cs {
			if call.Apply {
				see(call.Fn)
			}
			for i, a := range call.Args {
				if !p.canLend(call, i) {
					see(a)
				}
			}
		}
		return
	}
	switch c.(type) {
	case *New, *Closure, *Return:
		operands(c, func(a *Atom) { see(*a) })
	}
}

// canLend reports whether argument i of a call can be lent. A device that a marked call
// runs on takes its arguments over.
func (p *Program) canLend(c *Call, i int) bool {
	return p != nil && !c.Apply && !c.Bang && i < maxLent && p.Defs[c.Def].lends>>i&1 != 0
}

// lent reports whether argument i of a call is lent.
func (p *Program) lent(c *Call, i int) bool {
	return p != nil && !c.Apply && i < maxLent && p.Defs[c.Def].Borrows>>i&1 != 0
}

// variant returns the variant of a def that borrows the parameters of a set, and makes
// it unfinished when there is none yet.
func (p *Program) variant(id DefID, set uint64) (v DefID, made *Def) {
	d := p.Defs[id]
	if set == 0 {
		return id, nil
	}
	if v, ok := d.variants[set]; ok {
		return v, nil
	}
	var key strings.Builder
	key.WriteString(d.Key)
	for s := set; s != 0; s &= s - 1 {
		key.WriteString("&" + strconv.Itoa(bits.TrailingZeros64(s)))
	}
	made = &Def{
		Key: key.String(), Name: d.Name, Params: d.Params, Span: d.Span, Borrows: set,
		Vars: append([]VarInfo(nil), d.unfinished.vars...), Body: clone(d.unfinished.body),
	}
	v = p.Add(made)
	if d.variants == nil {
		d.variants = map[uint64]DefID{}
	}
	d.variants[set] = v
	b := borrower{p, made}
	for i := range made.Params {
		made.Vars[i].Borrowed = i < maxLent && set>>i&1 != 0
	}
	b.code(made.Body)
	return v, made
}

// A borrower marks what is borrowed in a variant.
type borrower struct {
	prog *Program
	def  *Def
}

// code marks the matches on what is borrowed, and their fields: a field is borrowed too
// unless the arm needs to own it.
func (b *borrower) code(c Code) {
	Walk(c, func(c Code) {
		m, ok := c.(*Match)
		if !ok || !b.def.Vars[m.X].Borrowed {
			return
		}
		m.Borrows = true
		for i := range m.Arms {
			a := &m.Arms[i]
			for at, f := range a.Fields {
				if b.def.Vars[f].Raw {
					continue
				}
				if !b.stored(a.Body, f) {
					b.def.Vars[f].Borrowed = true
					continue
				}
				a.Body = &Keep{Dst: f, Of: m.X, Field: at, Next: a.Body}
				a.Fields[at] = Var(len(b.def.Vars))
				b.def.Vars = append(b.def.Vars, VarInfo{Name: b.def.Vars[f].Name, Borrowed: true})
			}
		}
	})
}

// stored reports whether v needs an owner in c.
func (b *borrower) stored(c Code, v Var) (yes bool) {
	Walk(c, func(c Code) {
		b.prog.stores(c, func(u Var) { yes = yes || u == v })
	})
	return yes
}

// lend makes a call lend the arguments that may be, those for which want says so, and
// those that are borrowed already. made is a variant that was made for it.
func (o *owner) lend(c *Call, want func(Var) bool) {
	set := uint64(0)
	for i, a := range c.Args {
		if !a.IsConst() && o.prog.canLend(c, i) && (o.def.Vars[a.Var].Borrowed || o.boxed(a.Var) && want(a.Var)) {
			set |= 1 << i
		}
	}
	if set == 0 {
		return
	}
	id, made := o.prog.variant(c.Def, set)
	c.Def = id
	if made != nil {
		o.made = append(o.made, made)
	}
}

// lendFork lets the calls of a fork borrow what the frame holds and no call stores: what
// follows the fork gives it up if it does not need it. It returns what does.
func (o *owner) lendFork(s *Fork, live, caps set, rest Code) Code {
	held := func(v Var) bool { return live.has(v) }
	var stored []Var
	o.prog.stores(s, func(v Var) { stored = append(stored, v) })
	for i := range s.Calls {
		for j, a := range s.Calls[i].Args {
			if a.IsConst() || !o.boxed(a.Var) || live.has(a.Var) || !caps.has(a.Var) || !o.prog.canLend(&s.Calls[i], j) || contains(stored, a.Var) || o.uses(s, a.Var) < 2 {
				continue
			}
			live.add(a.Var)
			rest = &Drop{X: a.Var, Next: rest}
		}
	}
	for i := range s.Calls {
		o.lend(&s.Calls[i], held)
	}
	return rest
}

// uses returns how many operands of c are v.
func (o *owner) uses(c Code, v Var) (n int) {
	operands(c, func(a *Atom) {
		if !a.IsConst() && a.Var == v {
			n++
		}
	})
	return n
}

func contains(vs []Var, v Var) bool {
	for _, u := range vs {
		if u == v {
			return true
		}
	}
	return false
}

// clone copies code that is not finished.
func clone(c Code) Code {
	atoms := func(as []Atom) []Atom { return append([]Atom(nil), as...) }
	call := func(c Call) Call {
		c.Args = atoms(c.Args)
		return c
	}
	switch s := c.(type) {
	case nil:
		return nil
	case *Prim:
		return &Prim{s.Dst, s.Op, atoms(s.Args), clone(s.Next)}
	case *New:
		return &New{s.Dst, s.Ctor, s.Name, atoms(s.Fields), clone(s.Next)}
	case *Closure:
		return &Closure{s.Dst, s.Fn, atoms(s.Held), clone(s.Next)}
	case *Text:
		return &Text{s.Dst, s.Codes, clone(s.Next)}
	case *If:
		return &If{s.Op, atoms(s.Args), clone(s.Then), clone(s.Else)}
	case *Match:
		m := &Match{X: s.X, Else: clone(s.Else)}
		for _, a := range s.Arms {
			m.Arms = append(m.Arms, Arm{a.Ctor, a.Name, append([]Var(nil), a.Fields...), clone(a.Body)})
		}
		return m
	case *Cut:
		return &Cut{Dst: s.Dst, Call: call(s.Call), Next: clone(s.Next)}
	case *Fork:
		f := &Fork{Dsts: append([]Var(nil), s.Dsts...), Next: clone(s.Next)}
		for _, c := range s.Calls {
			f.Calls = append(f.Calls, call(c))
		}
		return f
	case *Tail:
		return &Tail{call(s.Call)}
	case *Return:
		return &Return{s.X}
	case *Stop:
		return &Stop{s.Why}
	}
	panic("flat: code of no known kind")
}
