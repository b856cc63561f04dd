package elab

import (
	"fmt"
	"strings"

	"bend/interp/core"
	"bend/interp/syntax"
)

// key returns the key of a name that this unit declares.
func (e *elab) key(name string) string {
	if e.unit.Namespace == "" {
		return name
	}
	return e.unit.Namespace + ":" + name
}

// alias splits name at an alias of this file and gives the key in the file behind it.
func (e *elab) alias(name string) (string, bool) {
	word, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return "", false
	}
	ns, ok := e.unit.Aliases[word]
	if !ok {
		return "", false
	}
	if ns == "" {
		return rest, true
	}
	return ns + ":" + rest, true
}

// lookup resolves a name against a table of declared keys: an alias first, then the
// file itself, then the empty namespace.
func (e *elab) lookup(n syntax.Name, declared func(string) bool) string {
	candidate := e.key(n.Text)
	if k, ok := e.alias(n.Text); ok {
		if declared(k) && declared(n.Text) && k != n.Text {
			e.errorf(n.Span, "ambiguous", "rename the alias", "%s is ambiguous: it is a name, and a name of the file behind an alias", n.Text)
		}
		candidate = k
	}
	if declared(candidate) || !declared(n.Text) {
		return candidate
	}
	return n.Text
}

// global resolves the name of a def, law or type.
func (e *elab) global(n syntax.Name) string { return e.lookup(n, e.declared) }

// ofBase reports whether a name is declared by Base.
func (e *elab) ofBase(key string) bool {
	d, t, k := e.book.Defs[key], e.book.Types[key], e.book.Ctors[key]
	return d != nil && d.Base || t != nil && t.Base || k != nil && k.Data.Base
}

// declared reports whether key is that of a def, law or type.
func (e *elab) declared(key string) bool {
	return e.book.Defs[key] != nil || e.book.Types[key] != nil
}

// ctor resolves the name of a constructor.
func (e *elab) ctor(n syntax.Name) (key string, c *core.Ctor) {
	key = e.lookup(n, func(k string) bool { return e.book.Ctors[k] != nil })
	return key, e.book.Ctors[key]
}

// fresh checks that name may be declared.
func (e *elab) fresh(n syntax.Name, declared func(string) bool) {
	switch {
	case declared(e.key(n.Text)) && (e.unit.Base || !e.ofBase(n.Text)):
		e.errorf(n.Span, "duplicate", "", "%s is declared already", n.Text)
	case declared(n.Text):
		e.errorf(n.Span, "duplicate", "choose another name", "%s is a name of Base: it cannot be declared again", n.Text)
	default:
		if word, _, dotted := strings.Cut(n.Text, "."); dotted {
			if _, ok := e.unit.Aliases[word]; ok {
				e.errorf(n.Span, "alias-clash", "choose another name", "%s begins with an alias of this file", n.Text)
			}
		}
	}
}

// ref returns the reference that a name, which is not bound locally, stands for.
func (e *elab) ref(n syntax.Name) core.Term {
	key := e.global(n)
	if t := e.book.Types[key]; t != nil && len(t.Params) == 0 {
		return &core.ADT{Span: n.Span, Key: key}
	}
	return &core.Ref{Span: n.Span, Key: key}
}

// base returns a reference to a name of the empty namespace.
func base(sp syntax.Span, key string) core.Term { return &core.Ref{Span: sp, Key: key} }

func apply(sp syntax.Span, f core.Term, args ...core.Term) core.Term {
	for _, a := range args {
		f = &core.App{Span: sp, Fn: f, Arg: a}
	}
	return f
}

// instance builds a datatype instance, filling in leading quantities: &1, or &2 with
// plus.
func (e *elab) instance(sp syntax.Span, n syntax.Name, args []core.Term, plus bool) core.Term {
	key := e.global(n)
	t := e.book.Types[key]
	if t == nil {
		if plus {
			e.errorf(sp, "plus", "", "'+' stands before a datatype or a binder: %s is no datatype declared above", n.Text)
		}
		return &core.ADT{Span: sp, Key: key, Args: args}
	}
	if len(args) == len(t.Params)-t.Quants {
		args = append(quantities(sp, t.Quants, core.Lone), args...)
	}
	if plus {
		switch {
		case t.Quants == 0:
			e.errorf(sp, "plus", "", "%s has no quantity parameter, so it takes no '+'", n.Text)
		case len(args) < t.Quants:
			e.errorf(sp, "plus", fmt.Sprintf("write +%s<..>", n.Text), "%s has parameters that are no quantities", n.Text)
		default:
			args = append(quantities(sp, t.Quants, core.Many), args[t.Quants:]...)
		}
	}
	return &core.ADT{Span: sp, Key: key, Args: args}
}

func quantities(sp syntax.Span, n int, q core.Quantity) []core.Term {
	ts := make([]core.Term, n)
	for i := range ts {
		ts[i] = &core.Qty{Span: sp, Q: q}
	}
	return ts
}
