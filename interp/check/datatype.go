package check

import (
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// maxCtors is how many constructors a set of removed ones can hold.
const maxCtors = 64

// datatype checks the declaration of d.
func (c *checker) datatype(d *core.Datatype) {
	if len(d.Ctors) > maxCtors {
		c.fail(&syntax.Diagnostic{
			Code: "too-many-constructors", Span: d.Span, Message: "a datatype has at most 64 constructors",
			Hint: "group some of them in datatypes of their own",
		})
	}
	c.telescope(d.Params, func(f core.Field) norm.Value { return want(f.Q, norm.Type) })
	got := c.infer(false, d.Kind)
	c.fits(got, norm.Type, d.Kind.At(), core.Lone, "")
	kind, ok := c.m.Whnf(c.m.Eval(c.env, d.Kind)).(*norm.Kind)
	if !ok {
		c.fail(&syntax.Diagnostic{
			Code: "not-a-kind", Span: d.Kind.At(), Expected: "Type, Data or Kind(q)", Observed: c.text(c.m.Eval(c.env, d.Kind)),
			Context: c.context(), Hint: "a datatype is declared with 'is Type' or 'is Data'",
		})
	}
	for _, k := range d.Ctors {
		n := len(c.vars)
		c.name = k.Key
		c.telescope(k.Fields, func(f core.Field) norm.Value { return want(f.Q, kind) })
		c.leave(n)
	}
	c.leave(0)
}

// want returns the kind that the type of a binder of quantity q must fit; plain is that
// of one without a mark.
func want(q core.Quantity, plain norm.Value) norm.Value {
	switch q {
	case core.None:
		return norm.Type
	case core.Many:
		return norm.Data
	}
	return plain
}

// telescope checks binders, each in the scope of those before it, and leaves them in
// scope.
func (c *checker) telescope(fs []core.Field, want func(core.Field) norm.Value) {
	for _, f := range fs {
		c.fieldType(f, want(f))
		typ := c.m.Delay(c.env, f.Type)
		c.bind(binder{name: f.Name, q: f.Q, typ: typ, span: f.Span}, c.free(f.Name))
	}
}

// fieldType checks that the type of f is of kind want.
func (c *checker) fieldType(f core.Field, want norm.Value) {
	if !infers(f.Type) {
		c.check(false, f.Type, want)
		return
	}
	got := c.infer(false, f.Type)
	if c.m.Convert(len(c.vars), got, want, norm.LE) {
		return
	}
	d := &syntax.Diagnostic{
		Code: "kind-mismatch", Span: f.Type.At(), Expected: c.text(want), Observed: c.text(got), Context: c.context(),
		Hint: "the type of " + f.Name + " must be as reusable as what holds it: functions, arrays, handles and A & B are not Data",
	}
	if _, ok := c.m.Whnf(got).(*norm.Kind); !ok {
		d.Code, d.Hint = "type-mismatch", "a type is needed here"
	}
	c.fail(d)
}

// leave drops binders until n are left.
func (c *checker) leave(n int) {
	for len(c.vars) > n {
		c.close()
	}
}
