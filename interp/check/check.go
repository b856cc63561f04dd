// Package check is the type checker. It takes the events of a book in order and
// checks each in one pass, which infers types, compares them with goals, counts how
// often binders are used, and proves that recursion ends.
//
// # Demand and uses
//
// A term is checked dead or live. Only live code is run; only its uses of variables
// count. Uses are kept in one array by binder level and go up as the term is walked;
// the arms of a match start from the same counts and are joined by maximum.
//
// # Annotations
//
// The checker writes into the nodes of live code what erasure needs: quantities of
// binders and arguments, and the representation of values as far as types tell it.
package check

import (
	"fmt"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// Events checks b.Events[from:] in order and returns the errors found. A def that
// fails stays unchecked, and what depends on it gives no further errors.
func Events(b *core.Book, from int) []*syntax.Diagnostic { return EventsUntil(b, from, nil, func() {}) }

// EventsUntil is Events that gives up with an error when stop, which is asked now and
// then, says true: evaluation in types may take arbitrarily long. It calls each after each
// event.
func EventsUntil(b *core.Book, from int, stop func() bool, each func()) []*syntax.Diagnostic {
	c := newChecker(b)
	c.m.Stop = stop
	return c.events(from, each)
}

// Again is EventsUntil for a second opinion on all of b: it trusts no native arithmetic, and evaluates by
// definitions alone.
func Again(b *core.Book, stop func() bool, each func()) []*syntax.Diagnostic {
	c := newChecker(b)
	c.m.Stop = stop
	c.m.Plain = true
	return c.events(0, each)
}

func (c *checker) events(from int, each func()) []*syntax.Diagnostic {
	for _, ev := range c.book.Events[from:] {
		c.event(ev)
		each()
	}
	return c.diags
}

// A checker is the state of checking a run of events.
type checker struct {
	book    *core.Book
	m       *norm.Machine
	diags   []*syntax.Diagnostic
	failed  map[string]bool // declarations whose statement is wrong: uses stay silent
	broken  map[*core.Def]bool
	open    []*core.Def // instances being checked, outermost first
	deep    int         // recursion of the checker itself
	current *core.Def   // of the current declaration, also while its instances are checked
	idle    string      // the right side of the last rewrite's equation, if it changed nothing
	naming  core.Naming // of the file of the current declaration
	scope
}

func newChecker(b *core.Book) *checker {
	return &checker{book: b, m: norm.New(b), failed: map[string]bool{}, broken: map[*core.Def]bool{}}
}

// A bailout ends the check of one declaration; diag is nil if its cause has been
// reported elsewhere.
type bailout struct{ diag *syntax.Diagnostic }

// try runs f, collects the error that ends it, if any, and reports whether there was
// none. sp is the place of errors that have none of their own.
func (c *checker) try(sp syntax.Span, f func()) (ok bool) {
	deep := c.deep
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bailout:
			c.deep = deep
			switch {
			case r.diag != nil:
				c.diags = append(c.diags, r.diag)
			case len(c.diags) == 0: // the cause was reported in an earlier run
				c.diags = append(c.diags, &syntax.Diagnostic{Code: "broken", Span: sp, Def: c.shown(c.name), Message: ErrBroken.Error()})
			}
		default:
			panic(r)
		}
	}()
	if err := c.m.Catch(f); err != nil {
		d := &syntax.Diagnostic{Code: "too-deep", Span: sp, Def: c.shown(c.name), Message: err.Error()}
		if err == norm.ErrStopped {
			d.Code = "interrupted"
		}
		c.deep = deep
		c.diags = append(c.diags, d)
		return false
	}
	return true
}

// maxNesting bounds the nesting of terms that the checker follows by recursion.
const maxNesting = 250_000

func (c *checker) enter(sp syntax.Span) {
	if c.deep++; c.deep > maxNesting {
		c.fail(&syntax.Diagnostic{Code: "too-deep", Span: sp, Message: fmt.Sprintf("this term is nested more than %d levels deep", maxNesting)})
	}
}

func (c *checker) event(ev core.Event) {
	switch {
	case ev.Type != nil:
		d := ev.Type
		c.naming = c.book.Files[d.Span.Src]
		c.scope = scope{name: d.Key}
		if !c.try(d.Span, func() { c.datatype(d) }) {
			c.failed[d.Key] = true
		}
	case ev.Law != nil:
		c.naming = c.book.Files[ev.Law.Span.Src]
		c.statement(ev.Law)
	case ev.Def != nil:
		d := ev.Def
		c.current = d
		c.naming = c.book.Files[d.Source.Src]
		if d.Fills && d.Law || c.statement(d) {
			c.definition(d)
		}
	}
}

// statement checks the type of d and reports whether it is right.
func (c *checker) statement(d *core.Def) bool {
	c.scope = scope{name: d.Key, unsafe: d.Unsafe}
	ok := c.try(d.Span, func() {
		c.formed(d.Type, core.Lone, "")
		d.ResRep = c.resultRep(d)
		if len(d.Foreign) > 0 && !d.Fills {
			c.foreign(d)
		}
	})
	c.failed[d.Key] = !ok
	return ok
}

// definition checks the value of d, whose type is right.
func (c *checker) definition(d *core.Def) {
	if c.failed[d.Key] {
		return
	}
	if d.Fills && len(d.Foreign) > 0 {
		c.scope = scope{name: d.Key}
		c.try(d.Span, func() { c.foreign(d) })
	}
	if d.Value == nil {
		return
	}
	if !c.try(d.Span, func() { c.value(d, d.Templates) }) {
		c.broken[d] = true
		return
	}
	d.Checked = true
}

// value checks the value of d against its type. The first opaque parameters are
// constants about which only the type is known.
func (c *checker) value(d *core.Def, opaque int) {
	c.scope = scope{def: d, name: d.Key, unsafe: d.Unsafe, generic: opaque > 0, opaque: opaque}
	typ := c.m.Eval(nil, d.Type)
	d.ResRep = c.resultRep(d)
	c.tree(d.Value, typ, c.columns(d))
}

// foreign checks that a foreign def gives an IO action.
func (c *checker) foreign(d *core.Def) {
	if d.Base {
		return
	}
	t := d.Type
	for {
		all, ok := t.(*core.All)
		if !ok {
			break
		}
		t = all.Cod
	}
	if app, ok := t.(*core.App); ok {
		if r, ok := app.Fn.(*core.Ref); ok && r.Key == "IO" {
			if io := c.book.Defs["IO"]; io != nil && io.Base {
				if d.Key == "main" {
					c.fail(&syntax.Diagnostic{Code: "foreign-main", Span: d.Span, Message: "main cannot be foreign"})
				}
				return
			}
		}
	}
	c.fail(&syntax.Diagnostic{
		Code: "foreign-result", Span: t.At(), Expected: "IO(..)", Observed: c.termText(t),
		Hint: "a foreign def is an effect: write its result type as IO(A)",
	})
}
