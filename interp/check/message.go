package check

import (
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// maxText bounds the nodes of a term in a message.
const maxText = 4000

// fail ends the check of the current declaration with d.
func (c *checker) fail(d *syntax.Diagnostic) {
	d.Def = c.shown(c.name)
	if c.def != nil && c.def.Template != "" {
		d.Def = c.shown(c.def.Template)
	}
	panic(bailout{d})
}

// shown returns a key as the file of the current declaration writes it.
func (c *checker) shown(key string) string { return c.naming.Show(key) }

func (c *checker) names() []string {
	names := make([]string, len(c.vars))
	for i, b := range c.vars {
		names[i] = b.name
	}
	return names
}

// text shows the normal form of v.
func (c *checker) text(v norm.Value) string {
	var t core.Term
	if err := c.m.Catch(func() { t = c.m.QuoteMost(len(c.vars), v, maxText) }); err != nil {
		return "a term that is too deep to show"
	}
	return core.Print(t, c.names(), core.PrintOptions{MaxElems: 100, Name: c.shown})
}

// termText shows t as it stands.
func (c *checker) termText(t core.Term) string {
	return core.Print(t, c.names(), core.PrintOptions{MaxElems: 100, Name: c.shown})
}

// context lists the binders in scope with their types.
func (c *checker) context() []syntax.Binding {
	var bs []syntax.Binding
	all := c.vars
	for i, b := range all {
		c.vars = all[:i] // a type mentions the binders before it
		bs = append(bs, syntax.Binding{Name: b.name, Type: c.text(b.typ)})
	}
	c.vars = all
	return bs
}

// overused reports that the binder b, which has gone out of scope, was used u times.
func (c *checker) overused(b binder, u core.Quantity) {
	marked := func(q core.Quantity) string { return [...]string{"-", "", "+"}[q] + b.name }
	d := &syntax.Diagnostic{Code: "usage", Span: b.span, Expected: marked(b.q), Observed: b.name, Context: c.context()}
	switch {
	case b.q == core.None:
		d.Hint = b.name + " is erased, so code that runs may not use it: take the '-' off its binder, or use it in types only"
	default:
		d.Observed = b.name + " (consumed more than once)"
		switch typ := c.m.Whnf(b.typ).(type) {
		case *norm.All:
			d.Hint = "a function can be used once: no function type is Data; give it a top-level def, or make the def a template with ~" + b.name
		default:
			if c.m.Convert(len(c.vars), c.kindOf(typ), norm.Data, norm.LE) {
				d.Hint = "mark its binder +" + b.name + " to use it any number of times"
			} else {
				d.Hint = "a value that is used more than once needs a type that is Data, which " + c.text(b.typ) + " is not"
			}
		}
	}
	c.fail(d)
}
