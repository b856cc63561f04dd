package check

import (
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// reflexive checks {==} against typ.
func (c *checker) reflexive(t *core.Rfl, typ norm.Value) {
	eql, ok := c.m.Whnf(typ).(*norm.Eql)
	if !ok {
		c.wrongShape(t, typ, "{==} proves an equation {a == b : T}, which is not the goal")
	}
	if !c.m.Convert(c.level(), eql.A, eql.B, norm.EQ) {
		hint := "the sides do not compute to the same: match on what is stuck, or rewrite with %e : P"
		if c.idle != "" {
			hint = "the rewrite above changes nothing: its goal has no _ in the place of " + c.idle
		}
		c.fail(&syntax.Diagnostic{
			Code: "sides-differ", Span: t.Span, Expected: c.text(eql.A), Observed: c.text(eql.B), Context: c.context(), Hint: hint,
		})
	}
}

// rewrite checks the evidence and the motive of t against typ and returns the goal of
// its body.
func (c *checker) rewrite(live bool, t *core.Rwt, typ norm.Value) norm.Value {
	got := c.infer(live, t.Eq)
	eql, ok := c.m.Whnf(got).(*norm.Eql)
	if !ok {
		c.fail(&syntax.Diagnostic{
			Code: "not-an-equation", Span: t.Eq.At(), Expected: "an equation {a == b : T}", Observed: c.text(got), Context: c.context(),
			Hint: "the term after % must prove an equation",
		})
	}
	end := c.free("_")
	c.bind(binder{name: "_", q: core.None, typ: eql.T}, end)
	name := t.Name
	if name == "" {
		name = "_"
	}
	c.bind(binder{name: name, q: core.None, typ: &norm.Eql{A: eql.A, B: end, T: eql.T}}, c.free(name))
	c.formed(t.Motive, core.Lone, "")
	c.close()
	c.close()
	motive := func(end, eq norm.Value) norm.Value {
		return c.m.Delay(c.env.Push(end).Push(eq), t.Motive)
	}
	at := motive(eql.B, c.m.Delay(c.env, t.Eq))
	if !c.m.Convert(c.level(), at, typ, norm.LE) {
		c.fail(&syntax.Diagnostic{
			Code: "motive-mismatch", Span: t.Motive.At(), Expected: c.text(typ), Observed: c.text(at), Context: c.context(),
			Hint: "with _ standing for the right side of the equation, " + c.text(eql.B) + ", the motive must be the goal",
		})
	}
	c.idle = ""
	if c.m.Convert(c.level(), at, motive(eql.A, norm.Refl()), norm.EQ) {
		c.idle = c.text(eql.B)
	}
	return motive(eql.A, norm.Refl())
}
