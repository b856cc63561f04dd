package check

import (
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// datatype checks the declaration of d.
func (c *checker) datatype(d *core.Datatype) {
	c.telescope(d.Params, func(f core.Field) norm.Value { return want(f.Q, norm.Type) })
	declared := c.formed(d.Kind, core.Lone, "")
	kind, ok := c.m.Whnf(declared).(*norm.Kind)
	if !ok {
		c.fail(&syntax.Diagnostic{
			Code: "not-a-kind", Span: d.Kind.At(), Expected: "Type, Data or Kind(q)", Observed: c.text(declared),
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
