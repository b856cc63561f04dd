// Package elab turns syntax into core: it resolves names, removes sugar, and
// flattens the matches of a body into a case tree over the def's parameters.
//
// # Flattening
//
// A match inspects a binder, never a value. flat walks a body with the list of
// pending binders: parameters and fields that are not lambdas yet. Reaching a term
// closes them all, in order; splitting one closes those before it and puts its fields
// in its place (match, split). Inside a case the name of what was split means the
// constructor again, rebuilt from its fields (bnd.as). A row that ends up in several
// leaves is elaborated once for each, so no core node has two parents.
package elab

import (
	"fmt"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/module"
	"bend/interp/syntax"
)

// Options change how terms are elaborated.
type Options struct {
	// Operators gives an operator without a type one by its operands, as a prompt does.
	Operators bool
}

// An elab elaborates one unit into a book.
type elab struct {
	book     *core.Book
	unit     *module.Unit
	opts     Options
	diags    []*syntax.Diagnostic
	letNames []*bnd // let-bound names around, for messages
	given    []*bnd // the free variables of an expression
}

const maxErrors = 20

func (e *elab) errorf(sp syntax.Span, code, hint, format string, args ...any) {
	again := slices.ContainsFunc(e.diags, func(d *syntax.Diagnostic) bool { return d.Code == code && d.Span == sp })
	if len(e.diags) < maxErrors && !again {
		e.diags = append(e.diags, &syntax.Diagnostic{Code: code, Span: sp, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Add declares everything of u in b, in order. On errors the book is not fit for
// checking.
func Add(b *core.Book, u *module.Unit) []*syntax.Diagnostic {
	e := &elab{book: b, unit: u}
	b.Todos += u.File.Todos
	if !u.Base {
		b.Files[u.File.Source] = core.Naming{Namespace: u.Namespace, Aliases: u.Aliases}
	}
	for _, t := range u.File.Tops {
		switch t := t.(type) {
		case *syntax.TypeDecl:
			e.typeDecl(t)
		case *syntax.LawDecl:
			e.law(t)
		case *syntax.DefDecl:
			e.def(t)
		}
	}
	return e.diags
}

// Expr elaborates a term whose free variables are ctx, outermost first.
func Expr(b *core.Book, u *module.Unit, ctx []string, x syntax.Expr, opts Options) (core.Term, []*syntax.Diagnostic) {
	e := &elab{book: b, unit: u, opts: opts}
	var sc *scope
	for i, name := range ctx {
		e.given = append(e.given, &bnd{name: name, level: i})
		sc = sc.bind(e.given[i])
	}
	t := e.flat(x, sc, nil, len(ctx), nil)
	return t, e.diags
}

// telescope elaborates binders, each in the scope of those before it.
func (e *elab) telescope(ps []syntax.Param, sc *scope, depth int) ([]core.Field, []*bnd, *scope) {
	var fields []core.Field
	var bnds []*bnd
	for i, p := range ps {
		f := core.Field{Name: p.Name.Text, Q: quantity(p.Mark), Span: p.Name.Span}
		if p.Type == nil {
			f.Q, f.Type = core.None, &core.Quant{Span: p.Span}
		} else {
			f.Type = e.term(p.Type, sc, depth+i, nil)
		}
		b := &bnd{name: f.Name, span: f.Span, level: depth + i}
		sc = sc.bind(b)
		fields = append(fields, f)
		bnds = append(bnds, b)
	}
	return fields, bnds, sc
}

func (e *elab) typeDecl(t *syntax.TypeDecl) {
	e.fresh(t.Name, e.declared)
	d := &core.Datatype{Key: e.key(t.Name.Text), Base: e.unit.Base, Span: t.Name.Span, Source: t.Span}
	var sc *scope
	d.Params, _, sc = e.telescope(t.Params, nil, 0)
	for _, p := range d.Params {
		if _, ok := p.Type.(*core.Quant); !ok {
			break
		}
		d.Quants++
	}
	n := len(d.Params)
	d.Kind = e.term(t.Kind, sc, n, nil)
	e.book.Types[d.Key] = d
	for i, k := range t.Ctors {
		e.fresh(k.Name, func(key string) bool { return e.book.Ctors[key] != nil })
		seen := map[string]bool{}
		for _, f := range k.Fields {
			if seen[f.Name.Text] {
				e.errorf(f.Name.Span, "duplicate-field", "", "%s has two fields named %s", k.Name.Text, f.Name.Text)
			}
			seen[f.Name.Text] = true
		}
		c := &core.Ctor{Key: e.key(k.Name.Text), Data: d, Index: i, Span: k.Name.Span}
		c.Fields, _, _ = e.telescope(k.Fields, sc, n)
		d.Ctors = append(d.Ctors, c)
		e.book.Ctors[c.Key] = c
	}
	e.book.Events = append(e.book.Events, core.Event{Type: d})
}

func (e *elab) law(t *syntax.LawDecl) {
	e.fresh(t.Name, e.declared)
	d := &core.Def{Key: e.key(t.Name.Text), Law: true, Base: e.unit.Base, Span: t.Name.Span, Source: t.Span}
	exists := false
	var tildes []syntax.Name
	for _, c := range t.Clauses {
		exists = exists || c.Exists
		if !exists {
			d.Arity++
			d.Params = append(d.Params, c.Name.Text)
			if c.Mark == syntax.Template {
				d.Templates++
				tildes = append(tildes, c.Name)
			}
		}
	}
	e.distinct(tildes)
	d.Type = e.clauses(t, 0, nil)
	e.book.Defs[d.Key] = d
	e.book.Events = append(e.book.Events, core.Event{Law: d})
}

// clauses folds the clauses of a law from the i-th on over its claim.
func (e *elab) clauses(t *syntax.LawDecl, i int, sc *scope) core.Term {
	if i == len(t.Clauses) {
		return e.flat(t.Claim, sc, nil, i, nil)
	}
	c := t.Clauses[i]
	dom := e.term(c.Type, sc, i, nil)
	b := &bnd{name: c.Name.Text, span: c.Name.Span, level: i}
	if c.Where != nil {
		dom = exists(c.Span, b, dom, e.term(c.Where, sc.bind(b), i+1, nil))
	}
	rest := e.clauses(t, i+1, sc.bind(b))
	if c.Exists {
		return exists(c.Span, b, dom, rest)
	}
	return &core.All{Span: c.Span, Q: quantity(c.Mark), Name: b.name, Dom: dom, Cod: rest}
}

func (e *elab) def(t *syntax.DefDecl) {
	if t.Result == nil {
		e.fill(t)
		return
	}
	e.fresh(t.Name, e.declared)
	d := &core.Def{Key: e.key(t.Name.Text), Arity: len(t.Params), Unsafe: t.Unsafe, Base: e.unit.Base, Span: t.Name.Span, Source: t.Span}
	fields, bnds, sc := e.telescope(t.Params, nil, 0)
	typ := e.term(t.Result, sc, len(fields), nil)
	for i := len(fields) - 1; i >= 0; i-- {
		f := fields[i]
		typ = &core.All{Span: f.Span, Q: f.Q, Name: f.Name, Dom: f.Type, Cod: typ}
	}
	d.Type = typ
	var tildes []syntax.Name
	for _, p := range t.Params {
		d.Params = append(d.Params, p.Name.Text)
		if p.Mark == syntax.Template {
			d.Templates++
			tildes = append(tildes, p.Name)
		}
	}
	e.distinct(tildes)
	e.book.Defs[d.Key] = d
	e.body(d, t, bnds, sc)
	e.book.Events = append(e.book.Events, core.Event{Def: d})
}

// distinct checks that no two of the names of "~" parameters are the same.
func (e *elab) distinct(names []syntax.Name) {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n.Text] {
			e.errorf(n.Span, "duplicate-template", "", "two '~' parameters are named %s", n.Text)
		}
		seen[n.Text] = true
	}
}

// fill gives an open law its body.
func (e *elab) fill(t *syntax.DefDecl) {
	key := e.global(t.Name)
	d := e.book.Defs[key]
	switch {
	case d == nil || !d.Law || d.Base:
		e.errorf(t.Name.Span, "fill", "a def without '-> T' fills a law; give this one its type, or state the law above", "no open law is named %s", t.Name.Text)
		return
	case d.Value != nil || len(d.Foreign) > 0:
		e.errorf(t.Name.Span, "duplicate", "", "the law %s is filled already", t.Name.Text)
		return
	case len(t.Params) < d.Templates:
		e.errorf(t.Name.Span, "fill-form", "", "the law %s has %s, the def gives %s", t.Name.Text, count(d.Templates, "'~' clause"), count(len(t.Params), "name"))
		return
	}
	d.Fills, d.Unsafe = true, d.Unsafe || t.Unsafe
	d.Arity, d.Params, d.Source = len(t.Params), nil, t.Span
	var sc *scope
	var bnds []*bnd
	var tildes []syntax.Name
	for i, p := range t.Params {
		if i < d.Templates {
			tildes = append(tildes, p.Name)
		}
		b := &bnd{name: p.Name.Text, span: p.Name.Span, level: i}
		d.Params = append(d.Params, b.name)
		bnds = append(bnds, b)
		sc = sc.bind(b)
	}
	e.distinct(tildes)
	e.body(d, t, bnds, sc)
	e.book.Events = append(e.book.Events, core.Event{Def: d})
}

func (e *elab) body(d *core.Def, t *syntax.DefDecl, bnds []*bnd, sc *scope) {
	for _, f := range t.Foreign {
		d.Foreign = append(d.Foreign, strings.Trim(f.Text(), `"`))
	}
	if t.Body == nil {
		if d.Templates > 0 {
			e.errorf(t.Name.Span, "foreign-form", "", "a template cannot be foreign")
		}
		return
	}
	d.Value = e.flat(t.Body, sc, bnds, 0, nil)
}
