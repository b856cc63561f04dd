package elab

import (
	"fmt"
	"slices"

	"bend/interp/core"
	"bend/interp/syntax"
)

// A row is one case: patterns that are still to be matched, and what follows.
type row struct {
	pats  []*pat
	scope *scope
	body  syntax.Expr
}

// A scrut is a scrutinee: what the name stood for, and where it was written.
type scrut struct {
	val  *known
	span syntax.Span
	name string
}

// flat turns a body into a case tree that consumes the pending binders: the ones not
// closed as lambdas yet, in order. depth is the number of core binders around.
func (e *elab) flat(body syntax.Expr, sc *scope, pending []*bnd, depth int, ops *operators) core.Term {
	switch b := body.(type) {
	case *syntax.Match:
		rows := make([]*row, len(b.Cases))
		for i, c := range b.Cases {
			rows[i] = &row{e.patterns(c.Pats), sc, c.Body}
		}
		scruts := make([]scrut, len(b.Scruts))
		for i, s := range b.Scruts {
			scruts[i] = e.scrutinee(s, sc)
		}
		return e.match(b.Span, scruts, rows, pending, depth)
	case *syntax.LetPattern:
		rows := []*row{{e.patterns([]syntax.Expr{b.Pat}), sc, b.Body}}
		return e.match(b.Span, []scrut{e.scrutinee(b.Value, sc)}, rows, pending, depth)
	case *syntax.LetNames:
		inner := depth + len(pending)
		return e.close(pending, depth, func() core.Term { return e.let(b, sc, inner, ops) })
	case *syntax.ArrayWrite:
		inner := depth + len(pending)
		return e.close(pending, depth, func() core.Term { return e.arrayWrite(b, sc, inner, ops) })
	}
	return e.close(pending, depth, func() core.Term {
		return e.term(body, sc, depth+len(pending), ops)
	})
}

// close makes the pending binders lambdas around what inner builds.
func (e *elab) close(pending []*bnd, depth int, inner func() core.Term) core.Term {
	for i, b := range pending {
		b.level = depth + i
	}
	t := inner()
	for _, b := range slices.Backward(pending) {
		t = &core.Lam{Span: t.At(), Name: b.name, BSpan: b.span, Plus: b.plus, Body: t}
	}
	return t
}

func (e *elab) let(b *syntax.LetNames, sc *scope, depth int, ops *operators) core.Term {
	l := &core.Let{Span: b.Span}
	var names []*bnd
	in := sc
	for i, n := range b.Names {
		x := &bnd{name: n.Name.Text, span: n.Name.Span, plus: n.Mark == syntax.Reusable}
		names = append(names, x)
		in = in.bind(x)
		q := core.Lone
		switch {
		case b.Erased:
			q = core.None
		case x.plus:
			q = core.Many
		}
		v := e.term(b.Values[i], sc, depth, nil)
		if b.Type != nil {
			v = &core.Ann{Span: v.At(), X: v, T: e.term(b.Type, sc, depth, nil)}
		}
		l.Names = append(l.Names, x.name)
		l.BSpans = append(l.BSpans, x.span)
		l.Qs = append(l.Qs, q)
		l.Vals = append(l.Vals, v)
	}
	e.letNames = append(e.letNames, names...)
	rest := e.flat(b.Body, in, names, depth, ops)
	e.letNames = e.letNames[:len(e.letNames)-len(names)]
	for range names {
		lam, ok := rest.(*core.Lam)
		if !ok {
			e.errorf(b.Names[0].Name.Span, "local-binder", "give the value its own def and match on its parameter there", "%s is a local name: only parameters and names bound by patterns can be matched", b.Names[0].Name.Text)
			return rest
		}
		rest = lam.Body
	}
	l.Body = rest
	return l
}

func (e *elab) arrayWrite(b *syntax.ArrayWrite, sc *scope, depth int, ops *operators) core.Term {
	set := &syntax.IndexSet{Span: b.Array.To(b.V.At()), X: &syntax.Ident{Name: b.Array}, I: b.I, V: b.V}
	l := &syntax.LetNames{Span: b.Span, Names: []syntax.LetName{{Name: b.Array}}, Values: []syntax.Expr{set}, Body: b.Body}
	return e.let(l, sc, depth, ops)
}

// scrutinee returns what is matched on; only names can be.
func (e *elab) scrutinee(x syntax.Expr, sc *scope) scrut {
	s := scrut{span: x.At()}
	for {
		p, ok := x.(*syntax.Paren)
		if !ok || p.Type != nil {
			break
		}
		x = p.X
	}
	id, ok := x.(*syntax.Ident)
	if !ok {
		return s
	}
	s.name = id.Text
	s.val = sc.lookup(id.Text)
	return s
}

// match flattens rows against scrutinees.
func (e *elab) match(sp syntax.Span, scruts []scrut, rows []*row, pending []*bnd, depth int) core.Term {
	for {
		if len(scruts) == 0 {
			if len(rows) == 0 {
				e.errorf(sp, "no-case", "", "a match has no case to return")
				return &core.Efq{Span: sp}
			}
			return e.flat(rows[0].body, rows[0].scope, pending, depth, nil)
		}
		if len(pending) == 0 {
			e.unmatchable(sp, scruts[0])
			return &core.Efq{Span: sp}
		}
		s := scruts[0]
		var x *bnd
		if s.val != nil {
			if k := s.val.resolve(); k.bnd != nil {
				x = k.bnd
			}
		}
		var split *pat
		for _, r := range rows {
			if r.pats[0].isCtor() {
				split = r.pats[0]
				break
			}
		}
		switch {
		case x != nil && split == nil && len(rows) > 0 && slices.Contains(pending, x):
			for _, r := range rows {
				p := r.pats[0]
				r.scope = r.scope.push(p.name, &known{bnd: x})
				r.pats = r.pats[1:]
				x.plus = x.plus || p.plus
			}
			scruts = scruts[1:]
		case x == pending[0] && len(rows) == 0:
			return &core.Efq{Span: sp}
		case x == pending[0]:
			return e.split(sp, split, x, scruts, rows, pending, depth)
		default:
			b := pending[0]
			rest := pending[1:]
			b.level = depth
			t := e.match(sp, scruts, rows, rest, depth+1)
			return &core.Lam{Span: t.At(), Name: b.name, BSpan: b.span, Plus: b.plus, Body: t}
		}
	}
}

// unmatchable reports why s cannot be split.
func (e *elab) unmatchable(sp syntax.Span, s scrut) {
	switch {
	case s.name == "":
		e.errorf(s.span, "computed-scrutinee", "give it its own def, and match on the parameter there", "only a parameter or a name bound by a pattern can be matched, not a computed value")
	case s.val == nil:
		e.errorf(s.span, "order", "match on a parameter or on a name bound by a pattern", "%s is not a local name that can be matched", s.name)
	default:
		k := s.val.resolve()
		switch {
		case k.bnd == nil && k.ctor != "":
			e.errorf(sp, "undestructed", "use the names that the pattern has bound", "%s is a constructor here: it was matched already", s.name)
		case k.bnd != nil && slices.Contains(e.letNames, k.bnd):
			e.errorf(s.span, "order", "give its value its own def, and match on the parameter there", "%s is bound by a let: only parameters and names bound by patterns can be matched", s.name)
		case k.bnd != nil && slices.Contains(e.given, k.bnd):
			e.errorf(s.span, "order", "match on it in a def that takes it as a parameter", "%s is a variable of the prompt: only parameters and names bound by patterns can be matched", s.name)
		default:
			e.errorf(s.span, "order", "match in the order of the binders: earlier parameters first, and before any let", "%s cannot be matched here: it was closed by a later match or a let, or matched already", s.name)
		}
	}
}

// split branches on the constructor of the pattern c, which the first column holds.
func (e *elab) split(sp syntax.Span, c *pat, x *bnd, scruts []scrut, rows []*row, pending []*bnd, depth int) core.Term {
	key, args := c.layer()
	plus := x.plus
	for _, r := range rows {
		if p := r.pats[0]; !p.isCtor() {
			plus = plus || p.plus
		}
	}
	fields := make([]*bnd, len(args))
	x.as = nil
	whole := &known{ctor: key}
	var inner []scrut
	for i, a := range args {
		b := &bnd{span: c.span, plus: plus}
		if !a.isCtor() {
			b.name, b.plus = a.name, plus || a.plus
			if a.span.Valid() {
				b.span = a.span
			}
		}
		if b.name == "" || b.name == "_" {
			b.name = fieldName(e.book, key, i)
		}
		fields[i] = b
		k := &known{bnd: b}
		whole.args = append(whole.args, k)
		inner = append(inner, scrut{val: k, span: sp, name: b.name})
	}
	var hit, miss []*row
	for _, r := range rows {
		p := r.pats[0]
		if !p.isCtor() {
			wild := make([]*pat, len(args), len(args)+len(r.pats))
			for i := range wild {
				wild[i] = &pat{}
			}
			hit = append(hit, &row{append(wild, r.pats[1:]...), r.scope.push(p.name, whole), r.body})
			miss = append(miss, &row{slices.Clone(r.pats), r.scope, r.body})
			continue
		}
		k, as := p.layer()
		if k != key {
			miss = append(miss, &row{slices.Clone(r.pats), r.scope, r.body})
			continue
		}
		hit = append(hit, &row{append(slices.Clone(as), r.pats[1:]...), r.scope, r.body})
	}
	m := &core.Mat{Span: c.span, Key: key, Name: x.name}
	x.as = whole
	m.Hit = e.match(sp, append(inner, scruts[1:]...), hit, append(slices.Clone(fields), pending[1:]...), depth)
	x.as = nil
	saved := x.plus
	m.Miss = e.match(sp, scruts, miss, pending, depth)
	x.plus = saved
	return m
}

// fieldName returns the name that a pattern leaves to field i of a constructor.
func fieldName(b *core.Book, key string, i int) string {
	if c := b.Ctors[key]; c != nil && i < len(c.Fields) {
		return c.Fields[i].Name
	}
	return fmt.Sprintf("_%d", i)
}
