package image

import "bend/interp/core"

func (c *codec) book(b *core.Book) {
	table(c, b.Types, func(p **core.Datatype) { c.datatype(fresh(p)) })
	for _, d := range b.Types {
		for _, k := range d.Ctors {
			b.Ctors[k.Key] = k
		}
	}
	table(c, b.Defs, func(p **core.Def) { c.def(fresh(p)) })
	slice(c, &b.Events, func(e *core.Event) { c.event(b, e) })
	table(c, b.Instances, c.str)
	num(c, &b.Todos)
}

// fresh returns *p, which is made if it is nil.
func fresh[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// event handles an event, which names a declaration of b by its key.
func (c *codec) event(b *core.Book, e *core.Event) {
	var kind byte
	var key string
	switch {
	case e.Type != nil:
		kind, key = 0, e.Type.Key
	case e.Law != nil:
		kind, key = 1, e.Law.Key
	case e.Def != nil:
		kind, key = 2, e.Def.Key
	}
	num(c, &kind)
	c.str(&key)
	if c.writing {
		return
	}
	e.Type, e.Law, e.Def = nil, nil, nil
	switch kind {
	case 0:
		e.Type = b.Types[key]
	case 1:
		e.Law = b.Defs[key]
	case 2:
		e.Def = b.Defs[key]
	}
	if e.Type == nil && e.Law == nil && e.Def == nil {
		panic(ErrCorrupt)
	}
}

func (c *codec) field(f *core.Field) {
	c.str(&f.Name)
	num(c, &f.Q)
	c.term(&f.Type)
	c.span(&f.Span)
}

func (c *codec) datatype(d *core.Datatype) {
	c.str(&d.Key)
	slice(c, &d.Params, c.field)
	c.term(&d.Kind)
	slice(c, &d.Ctors, func(p **core.Ctor) {
		k := fresh(p)
		k.Data = d
		c.str(&k.Key)
		num(c, &k.Index)
		slice(c, &k.Fields, c.field)
		c.span(&k.Span)
	})
	num(c, &d.Quants)
	c.bool(&d.Base)
	c.span(&d.Span)
	c.span(&d.Source)
}

func (c *codec) def(d *core.Def) {
	c.str(&d.Key)
	c.term(&d.Type)
	c.term(&d.Value)
	num(c, &d.Arity)
	num(c, &d.Templates)
	slice(c, &d.Params, c.str)
	for _, p := range []*bool{&d.Law, &d.Fills, &d.Unsafe, &d.Base, &d.Checked} {
		c.bool(p)
	}
	slice(c, &d.Foreign, c.str)
	num(c, &d.ResRep)
	c.str(&d.Template)
	c.span(&d.Span)
	c.span(&d.Source)
}

// nodes makes the node of each tag. The first tag is nil's.
var nodes = []func() core.Term{
	func() core.Term { return nil },
	func() core.Term { return new(core.Var) },
	func() core.Term { return new(core.Ref) },
	func() core.Term { return new(core.Kind) },
	func() core.Term { return new(core.Quant) },
	func() core.Term { return new(core.Qty) },
	func() core.Term { return new(core.Meet) },
	func() core.Term { return new(core.All) },
	func() core.Term { return new(core.Lam) },
	func() core.Term { return new(core.App) },
	func() core.Term { return new(core.ADT) },
	func() core.Term { return new(core.Ctr) },
	func() core.Term { return new(core.Lit) },
	func() core.Term { return new(core.Str) },
	func() core.Term { return new(core.Mat) },
	func() core.Term { return new(core.Efq) },
	func() core.Term { return new(core.Eql) },
	func() core.Term { return new(core.Rfl) },
	func() core.Term { return new(core.Rwt) },
	func() core.Term { return new(core.Let) },
	func() core.Term { return new(core.Ann) },
	func() core.Term { return new(core.Hole) },
}

// term handles a node: its tag, its span and its fields.
func (c *codec) term(p *core.Term) {
	if !c.writing {
		tag := c.uint(0)
		if tag >= uint64(len(nodes)) {
			panic(ErrCorrupt)
		}
		*p = nodes[tag]()
	}
	tag := func(n uint64, sp *core.Span) {
		if c.writing {
			c.uint(n)
		}
		c.span(sp)
	}
	switch t := (*p).(type) {
	case nil:
		if c.writing {
			c.uint(0)
		}
	case *core.Var:
		tag(1, &t.Span)
		c.str(&t.Name)
		num(c, &t.Ix)
	case *core.Ref:
		tag(2, &t.Span)
		c.str(&t.Key)
		c.bool(&t.Bang)
		c.str(&t.Inst)
	case *core.Kind:
		tag(3, &t.Span)
		c.term(&t.Q)
	case *core.Quant:
		tag(4, &t.Span)
	case *core.Qty:
		tag(5, &t.Span)
		num(c, &t.Q)
	case *core.Meet:
		tag(6, &t.Span)
		c.terms(&t.A, &t.B)
	case *core.All:
		tag(7, &t.Span)
		num(c, &t.Q)
		c.str(&t.Name)
		c.terms(&t.Dom, &t.Cod)
	case *core.Lam:
		tag(8, &t.Span)
		c.str(&t.Name)
		c.span(&t.BSpan)
		c.bool(&t.Plus)
		num(c, &t.Q)
		num(c, &t.Rep)
		c.term(&t.Body)
	case *core.App:
		tag(9, &t.Span)
		c.bool(&t.Tilde)
		num(c, &t.Q)
		num(c, &t.ResRep)
		c.terms(&t.Fn, &t.Arg)
	case *core.ADT:
		tag(10, &t.Span)
		c.str(&t.Key)
		slice(c, &t.Args, c.term)
		slice(c, &t.Removed, c.str)
	case *core.Ctr:
		tag(11, &t.Span)
		c.str(&t.Key)
		slice(c, &t.Args, c.term)
	case *core.Lit:
		tag(12, &t.Span)
		num(c, &t.Kind)
		num(c, &t.N)
		c.bool(&t.Unfold)
	case *core.Str:
		tag(13, &t.Span)
		slice(c, &t.Codes, func(u *uint32) { *u = uint32(c.uint(uint64(*u))) })
		c.bool(&t.Unfold)
	case *core.Mat:
		tag(14, &t.Span)
		c.str(&t.Key)
		c.str(&t.Name)
		c.bool(&t.Dead)
		num(c, &t.Q)
		c.terms(&t.Hit, &t.Miss)
	case *core.Efq:
		tag(15, &t.Span)
	case *core.Eql:
		tag(16, &t.Span)
		c.terms(&t.A, &t.B, &t.T)
	case *core.Rfl:
		tag(17, &t.Span)
	case *core.Rwt:
		tag(18, &t.Span)
		c.str(&t.Name)
		c.terms(&t.Eq, &t.Motive, &t.Body)
	case *core.Let:
		tag(19, &t.Span)
		slice(c, &t.Names, c.str)
		slice(c, &t.BSpans, c.span)
		slice(c, &t.Qs, func(q *core.Quantity) { num(c, q) })
		slice(c, &t.Vals, c.term)
		slice(c, &t.Reps, func(r *core.Rep) { num(c, r) })
		c.term(&t.Body)
	case *core.Ann:
		tag(20, &t.Span)
		c.terms(&t.X, &t.T)
	case *core.Hole:
		tag(21, &t.Span)
		c.str(&t.Name)
	}
}

func (c *codec) terms(ps ...*core.Term) {
	for _, p := range ps {
		c.term(p)
	}
}
