package check

import (
	"fmt"
	"strings"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// infer returns the type of t.
func (c *checker) infer(live bool, t core.Term) norm.Value {
	c.enter(t.At())
	typ := c.inferred(live, t)
	c.deep--
	return typ
}

func (c *checker) inferred(live bool, t core.Term) norm.Value {
	switch t := t.(type) {
	case *core.Var:
		level := len(c.vars) - 1 - t.Ix
		if live {
			c.use(level)
		}
		return c.vars[level].typ
	case *core.Ref:
		return c.call(live, t, t, nil)
	case *core.App:
		head, apps := core.Unapply(t)
		return c.call(live, t, head, apps)
	case *core.Ann:
		typ := c.formed(t.T, core.Lone, "")
		c.check(live, t.X, typ)
		return typ
	case *core.ADT:
		return c.instance(live, t)
	case *core.All:
		dom := c.formed(t.Dom, t.Q, t.Name)
		c.bind(binder{name: t.Name, q: t.Q, typ: dom}, c.free(t.Name))
		c.formed(t.Cod, core.Lone, "")
		c.close()
		return norm.Type
	case *core.Eql:
		typ := c.formed(t.T, core.Lone, "")
		c.check(false, t.A, typ)
		c.check(false, t.B, typ)
		return norm.Data
	case *core.Kind:
		c.check(false, t.Q, quantType)
		return norm.Type
	case *core.Quant:
		return norm.Type
	case *core.Qty:
		return quantType
	case *core.Meet:
		c.check(live, t.A, quantType)
		c.check(live, t.B, quantType)
		return quantType
	}
	c.fail(&syntax.Diagnostic{
		Code: "needs-annotation", Span: t.At(), Message: "expected an annotated term", Context: c.context(),
		Hint: "the type of " + describe(t) + " is not inferred here: write {x : T}, or x : T = .. for a let",
	})
	return nil
}

var quantType norm.Value = &norm.Quant{}

// describe names the form of a term that does not infer.
func describe(t core.Term) string {
	switch t := t.(type) {
	case *core.Lit, *core.Str:
		return "a literal"
	case *core.Lam:
		return "a function"
	case *core.Ctr:
		return "a constructor"
	case *core.Mat, *core.Efq:
		return "a match"
	case *core.Rfl:
		return "{==}"
	case *core.Rwt:
		return "a rewrite"
	case *core.Let:
		return "a let"
	case *core.Hole:
		return "the hole ?" + t.Name
	}
	return "this term"
}

// call infers the application of head to the arguments of apps; whole is all of it.
func (c *checker) call(live bool, whole, head core.Term, apps []*core.App) norm.Value {
	var typ norm.Value
	given := len(apps)
	if r, ok := head.(*core.Ref); ok {
		typ, apps = c.reference(live, r, apps)
	} else {
		typ = c.infer(live, head)
	}
	for _, a := range apps {
		all, ok := c.m.Whnf(typ).(*norm.All)
		if !ok {
			c.fail(&syntax.Diagnostic{
				Code: "not-a-function", Span: a.Span, Expected: "a function", Observed: c.text(typ), Context: c.context(),
				Hint: "there are more arguments than the function takes, or what is called is no function",
			})
		}
		a.Q = all.Q
		c.argument(live && all.Q != core.None, head, given, a.Arg, all.Dom)
		typ = all.Cod(c.m.Delay(c.env, a.Arg))
	}
	if a, ok := whole.(*core.App); ok && live {
		a.ResRep = c.rep(typ)
	}
	return typ
}

// argument checks an argument of a call of head with the given number of arguments. If
// these are too few and this one does not fit, it may stand in the place of one that is
// missing.
func (c *checker) argument(live bool, head core.Term, given int, arg core.Term, typ norm.Value) {
	r, ok := head.(*core.Ref)
	if !ok || c.book.Defs[r.Key] == nil || given >= len(c.book.Defs[r.Key].Params) {
		c.check(live, arg, typ)
		return
	}
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if b, ok := p.(bailout); ok && b.diag != nil && b.diag.Hint == "" && b.diag.Span == arg.At() {
			params := c.book.Defs[r.Key].Params
			b.diag.Hint = fmt.Sprintf("%s takes %d arguments (%s), here are %d", c.shown(r.Key), len(params), strings.Join(params, ", "), given)
		}
		panic(p)
	}()
	c.check(live, arg, typ)
}

// reference infers a top-level name at the head of an application. A live call of a
// template is resolved to its instance, and its "~" arguments are taken off apps.
func (c *checker) reference(live bool, r *core.Ref, apps []*core.App) (norm.Value, []*core.App) {
	d := c.book.Defs[r.Key]
	if d == nil {
		return c.bareType(r), apps
	}
	if c.failed[d.Key] {
		panic(bailout{})
	}
	if !live {
		return c.m.Eval(nil, d.Type), apps
	}
	if d.Templates > 0 && !c.generic {
		return c.instantiate(d, r, apps)
	}
	if d == c.def {
		c.descends(d, r, apps)
	} else {
		c.filled(d, r.Span)
	}
	return c.m.Eval(nil, d.Type), apps
}

// bareType infers a name that is no def: a datatype without parameters.
func (c *checker) bareType(r *core.Ref) norm.Value {
	d := c.book.Types[r.Key]
	if d == nil {
		name := c.shown(r.Key)
		hint := "to build with a constructor write " + name + "{..}"
		if c.book.Ctors[r.Key] == nil {
			hint = core.DidYouMean(c.book, name)
		}
		if name == "Bool.is_lt" || name == "Bool.is_le" || name == "Bool.is_gt" || name == "Bool.is_ge" {
			hint = "behind the ':' stands the type of what is compared, as in (a < b : U32)"
		}
		c.fail(&syntax.Diagnostic{
			Code: "unknown-name", Span: r.Span, Expected: "a name that is declared", Observed: name,
			Context: c.context(), Hint: hint,
		})
	}
	if len(d.Params) > 0 {
		c.fail(&syntax.Diagnostic{
			Code: "bare-family", Span: r.Span, Expected: c.family(d), Observed: c.shown(r.Key),
			Hint: "the datatype takes parameters: write " + c.family(d),
		})
	}
	return c.kindOfADT(&norm.ADT{Data: d})
}

// family shows a datatype with its parameters' names.
func (c *checker) family(d *core.Datatype) string {
	s := c.shown(d.Key)
	if len(d.Params) == d.Quants {
		return s
	}
	s += "<"
	for i, p := range d.Params[d.Quants:] {
		if i > 0 {
			s += ", "
		}
		s += p.Name
	}
	return s + ">"
}

// filled checks that d may be used live: it has a body that has passed.
func (c *checker) filled(d *core.Def, sp syntax.Span) {
	if d.Checked || d.Base && d.Value == nil || len(d.Foreign) > 0 || c.unsafe || c.broken[d] {
		return
	}
	name := c.shown(d.Key)
	hint := fmt.Sprintf("%s is declared further down: move it above this use", name)
	observed := name + ", declared below"
	switch {
	case d == c.current:
		hint = "a '~' argument is run by an instance: it may not mention the def that calls the template"
		observed = name + ", which is still being checked"
	case d.Open():
		hint = fmt.Sprintf("the law %s has no body yet: fill it with a def above this use", name)
		observed = name + ", an open law"
	}
	c.fail(&syntax.Diagnostic{Code: "unfilled", Span: sp, Expected: "a def with a checked body", Observed: observed, Hint: hint})
}

// instance infers a datatype instance.
func (c *checker) instance(live bool, t *core.ADT) norm.Value {
	d := c.book.Types[t.Key]
	if d == nil {
		name := c.shown(t.Key)
		hint := core.DidYouMean(c.book, name)
		if c.book.Defs[t.Key] != nil {
			hint = fmt.Sprintf("%s is a def: its arguments stand in parentheses, as in %s(..)", name, name)
		}
		c.fail(&syntax.Diagnostic{
			Code: "unknown-datatype", Span: t.Span, Message: name + " is no datatype", Context: c.context(), Hint: hint,
		})
	}
	if c.failed[d.Key] {
		panic(bailout{})
	}
	if len(t.Args) != len(d.Params) {
		c.fail(&syntax.Diagnostic{
			Code: "parameter-count", Span: t.Span,
			Expected: fmt.Sprintf("%s: %d parameters", c.family(d), len(d.Params)),
			Observed: fmt.Sprintf("%d", len(t.Args)), Context: c.context(),
			Hint: fmt.Sprintf("write %s, in which the quantities are &1 (after a '+' they are &2)", c.family(d)),
		})
	}
	var env *norm.Env
	for i, p := range d.Params {
		c.check(live && p.Q != core.None, t.Args[i], c.m.Delay(env, p.Type))
		env = env.Push(c.m.Delay(c.env, t.Args[i]))
	}
	return c.m.Eval(env, d.Kind)
}

// formed checks that t is a type that a binder of quantity q can have, and returns its
// value. name is the binder's, for messages.
func (c *checker) formed(t core.Term, q core.Quantity, name string) norm.Value {
	want := norm.Type
	if q == core.Many && !c.unsafe {
		want = norm.Data
	}
	if infers(t) {
		c.fits(c.infer(false, t), want, t.At(), q, name)
	} else {
		c.check(false, t, want)
	}
	return c.m.Delay(c.env, t)
}

// fits checks that a type of kind kind may stand where one of kind want is needed.
func (c *checker) fits(kind, want norm.Value, sp syntax.Span, q core.Quantity, name string) {
	if c.m.Convert(c.level(), kind, want, norm.LE) {
		return
	}
	d := &syntax.Diagnostic{Code: "kind-mismatch", Span: sp, Expected: c.text(want), Observed: c.text(kind), Context: c.context()}
	if _, ok := c.m.Whnf(kind).(*norm.Kind); !ok {
		d.Code = "type-mismatch"
		d.Hint = "a type is needed here"
	} else if q == core.Many && name != "" {
		d.Hint = fmt.Sprintf("+%s may be used any number of times, so its type must be Data; functions, arrays, handles and A & B are not", name)
	}
	c.fail(d)
}

// kindOf returns the kind of the type v, which is known to be one.
func (c *checker) kindOf(v norm.Value) norm.Value {
	switch u := c.m.Whnf(v).(type) {
	case *norm.ADT:
		return c.kindOfADT(u)
	case *norm.Eql:
		return norm.Data
	case *norm.Neu:
		if k := c.typeOf(u); k != nil {
			return k
		}
	case *norm.Var:
		return c.vars[u.Level].typ
	}
	return norm.Type
}

func (c *checker) kindOfADT(u *norm.ADT) norm.Value {
	return c.m.Eval(c.params(u), u.Data.Kind)
}

// params returns the environment of the parameters of u.
func (c *checker) params(u *norm.ADT) *norm.Env {
	if c.failed[u.Data.Key] || len(u.Args) != len(u.Data.Params) {
		panic(bailout{}) // its declaration or the type is wrong, which is reported elsewhere
	}
	var env *norm.Env
	for _, a := range u.Args {
		env = env.Push(a)
	}
	return env
}

// typeOf returns the type of a stuck application, nil if it is not known.
func (c *checker) typeOf(u *norm.Neu) norm.Value {
	var typ norm.Value
	switch h := u.Head.(type) {
	case *norm.Ref:
		typ = c.m.Eval(nil, h.Def.Type)
	case *norm.Var:
		if h.Level >= len(c.vars) {
			return nil
		}
		typ = c.vars[h.Level].typ
	case *norm.Neu:
		typ = c.typeOf(h)
	}
	for _, a := range u.Args {
		if typ == nil {
			return nil
		}
		all, ok := c.m.Whnf(typ).(*norm.All)
		if !ok {
			return nil
		}
		typ = all.Cod(a)
	}
	return typ
}
