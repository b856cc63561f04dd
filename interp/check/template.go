package check

import (
	"fmt"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// Limits of templates: how deeply instances may need further ones, and how long the
// text of the arguments may be.
const (
	maxInstances = 64
	maxKey       = 32768
)

// instantiate resolves the live call r(apps) of the template d to an instance of it,
// which is made and checked when it is met first, and returns the type of the instance
// and the arguments that are left.
func (c *checker) instantiate(d *core.Def, r *core.Ref, apps []*core.App) (norm.Value, []*core.App) {
	c.filled(d, r.Span)
	if c.broken[d] || d.Value == nil {
		return c.m.Eval(nil, d.Type), apps
	}
	n := d.Templates
	name := c.shown(d.Key)
	if len(apps) < n {
		c.fail(&syntax.Diagnostic{
			Code: "template-arguments", Span: r.Span,
			Expected: fmt.Sprintf("%s with %s", name, count(n, "'~' argument")), Observed: count(len(apps), "argument"),
			Context: c.context(), Hint: "a template is no value: call it with all its '~' arguments",
		})
	}
	args := make([]core.Term, n)
	typ := c.m.Eval(nil, d.Type)
	for i, a := range apps[:n] {
		args[i] = bare(a.Arg)
		a.Q = core.None
		all, ok := c.m.Whnf(typ).(*norm.All)
		if !ok {
			panic(bailout{})
		}
		c.closedArgument(r, a.Arg, all.Dom)
		typ = all.Cod(c.m.Delay(nil, a.Arg))
	}
	k := keyer{}
	for _, a := range args {
		k.term(a, 0)
		k.out.WriteByte(';')
	}
	c.bounded(&k, r)
	key := d.Key + "~" + k.out.String()
	inst := c.book.Defs[c.book.Instances[key]]
	if inst == nil {
		inst = c.newInstance(d, args, key)
		c.checkInstance(inst, r)
	}
	r.Inst = inst.Key
	switch {
	case inst == c.def:
		c.descends(inst, r, apps[n:])
	case slices.Contains(c.open, inst):
		c.fail(&syntax.Diagnostic{
			Code: "not-decreasing", Span: r.Span, Expected: "an instance that has been checked",
			Observed: "an instance of " + name + " that is still being checked", Context: c.context(),
			Hint: "instances may not need each other in a circle",
		})
	case !inst.Checked:
		panic(bailout{}) // it failed when it was made
	}
	return c.m.Eval(nil, inst.Type), apps[n:]
}

// bare returns t without annotations around it.
func bare(t core.Term) core.Term {
	for {
		ann, ok := t.(*core.Ann)
		if !ok {
			return t
		}
		t = ann.X
	}
}

// bounded checks that the text k of "~" arguments of r is not too long.
func (c *checker) bounded(k *keyer, r *core.Ref) {
	if k.out.Len() > maxKey {
		c.fail(&syntax.Diagnostic{
			Code: "template-key", Span: r.Span, Expected: "shorter '~' arguments",
			Observed: fmt.Sprintf("arguments of more than %d characters", maxKey), Hint: "give large arguments a def of their own",
		})
	}
}

// closedArgument checks the "~" argument t of r, dead and in the empty context.
func (c *checker) closedArgument(r *core.Ref, t core.Term, typ norm.Value) {
	k := keyer{}
	k.term(t, 0)
	c.bounded(&k, r)
	if v := k.free; v != nil {
		name := v.Name
		if level := len(c.vars) - 1 - (v.Ix - k.freeDepth); level >= 0 {
			name = c.vars[level].name
		}
		c.fail(&syntax.Diagnostic{
			Code: "template-arguments", Span: v.Span, Expected: "a compile-time argument",
			Observed: "not compile-time: " + name + " is a variable here", Context: c.context(),
			Hint: "a '~' argument may mention top-level names only: pass " + name + " as a plain argument",
		})
	}
	saved := c.scope
	c.scope = scope{def: saved.def, name: saved.name, unsafe: saved.unsafe, generic: saved.generic}
	c.check(false, t, typ)
	c.scope = saved
}

// newInstance declares the instance of d at args.
func (c *checker) newInstance(d *core.Def, args []core.Term, key string) *core.Def {
	n := 0
	for c.book.Defs[fmt.Sprintf("%s~%d", d.Key, n)] != nil {
		n++
	}
	typ, value := d.Type, d.Value
	put := make([]core.Term, 0, len(args)) // what stands for the parameters
	for _, a := range args {
		if all, ok := typ.(*core.All); ok {
			if !infers(a) {
				a = &core.Ann{Span: a.At(), X: a, T: substitute(all.Dom, put)}
			}
			typ = all.Cod
		}
		put = append(put, a)
		if lam, ok := bare(value).(*core.Lam); ok {
			value = lam.Body
		}
	}
	args = put
	inst := &core.Def{
		Key: fmt.Sprintf("%s~%d", d.Key, n), Arity: d.Arity - len(args), Params: d.Params[len(args):],
		Type: substitute(typ, args), Value: substitute(value, args),
		Unsafe: d.Unsafe, Base: d.Base, Template: d.Key, Span: d.Span, Source: d.Source,
	}
	c.book.Defs[inst.Key] = inst
	c.book.Instances[key] = inst.Key
	return inst
}

// infers reports whether t is of a form that infers. A parameter does, so what stands
// for it in an instance must, too.
func infers(t core.Term) bool {
	switch t.(type) {
	case *core.Lam, *core.Mat, *core.Efq, *core.Ctr, *core.Lit, *core.Str, *core.Rfl, *core.Rwt, *core.Let, *core.Hole:
		return false
	}
	return true
}

// checkInstance checks a new instance, called at r, on the spot.
func (c *checker) checkInstance(inst *core.Def, r *core.Ref) {
	if len(c.open) >= maxInstances {
		c.fail(&syntax.Diagnostic{
			Code: "template-depth", Span: r.Span, Expected: fmt.Sprintf("at most %d nested instances", maxInstances),
			Observed: "an instance of " + c.shown(inst.Template) + " that needs ever new ones", Context: c.context(),
			Hint: "the '~' arguments of a recursive template must not grow",
		})
	}
	saved, naming := c.scope, c.naming
	c.naming = c.book.Files[inst.Source.Src]
	c.open = append(c.open, inst)
	c.broken[inst] = true // unless the next line comes back
	func() {
		defer func() {
			c.open = c.open[:len(c.open)-1]
			c.naming = naming
			r := recover()
			if b, ok := r.(bailout); ok && b.diag != nil {
				if len(b.diag.Notes) == 0 {
					by := saved.name
					if saved.def != nil && saved.def.Template != "" {
						by = saved.def.Template
					}
					b.diag.Notes = []string{fmt.Sprintf("found in an instance of the template %s, which %s calls", c.shown(inst.Template), c.shown(by))}
				}
				delete(c.book.Defs, inst.Key)
			}
			if r != nil {
				panic(r)
			}
		}()
		c.value(inst, 0)
	}()
	delete(c.broken, inst)
	inst.Checked = true
	c.scope, c.naming = saved, naming
}

// A keyer writes terms as text in which only spans and names of binders are left out.
type keyer struct {
	out       strings.Builder
	free      *core.Var // a variable bound outside, and the binders passed on the way
	freeDepth int
}

func (k *keyer) term(t core.Term, depth int) {
	if k.out.Len() > maxKey {
		return
	}
	w := func(format string, args ...any) { fmt.Fprintf(&k.out, format, args...) }
	switch t := t.(type) {
	case *core.Var:
		if t.Ix >= depth && k.free == nil {
			k.free, k.freeDepth = t, depth
		}
		w("v%d", t.Ix)
	case *core.Ref:
		w("r%s", t.Key)
		if t.Bang {
			w("!")
		}
	case *core.App:
		k.node("@", depth, t.Fn, t.Arg)
	case *core.Lam:
		if t.Plus {
			w("+")
		}
		w("\\")
		k.term(t.Body, depth+1)
	case *core.All:
		w("A%d", t.Q)
		k.node("", depth, t.Dom)
		k.term(t.Cod, depth+1)
	case *core.Kind:
		k.node("K", depth, t.Q)
	case *core.Quant:
		w("Q")
	case *core.Qty:
		w("&%d", t.Q)
	case *core.Meet:
		k.node("M", depth, t.A, t.B)
	case *core.ADT:
		w("D%s", t.Key)
		k.node("", depth, t.Args...)
	case *core.Ctr:
		w("C%s", t.Key)
		k.node("", depth, t.Args...)
	case *core.Lit:
		w("#%d.%d", t.Kind, t.N)
	case *core.Str:
		w("%q", fmt.Sprint(t.Codes))
	case *core.Mat:
		w("m%s", t.Key)
		k.node("", depth, t.Hit, t.Miss)
	case *core.Efq:
		w("0")
	case *core.Eql:
		k.node("=", depth, t.A, t.B, t.T)
	case *core.Rfl:
		w("R")
	case *core.Rwt:
		k.node("%", depth, t.Eq, t.Body)
		k.term(t.Motive, depth+2)
	case *core.Let:
		w("L%v", t.Qs)
		k.node("", depth, t.Vals...)
		k.term(t.Body, depth+len(t.Vals))
	case *core.Ann:
		k.node(":", depth, t.X, t.T)
	case *core.Hole:
		w("?%s", t.Name)
	}
}

func (k *keyer) node(tag string, depth int, ts ...core.Term) {
	k.out.WriteString(tag)
	k.out.WriteByte('(')
	for _, t := range ts {
		k.term(t, depth)
		k.out.WriteByte(',')
	}
	k.out.WriteByte(')')
}

// substitute returns a copy of t, which stands under len(args) binders, with the
// closed terms args for them.
func substitute(t core.Term, args []core.Term) core.Term {
	s := substitution{args}
	return s.term(t, 0)
}

type substitution struct{ args []core.Term }

func (s substitution) terms(ts []core.Term, depth int) []core.Term {
	if ts == nil {
		return nil
	}
	out := make([]core.Term, len(ts))
	for i, t := range ts {
		out[i] = s.term(t, depth)
	}
	return out
}

// term copies t; a chain of constructors along the last fields is copied in a loop.
func (s substitution) term(t core.Term, depth int) core.Term {
	var whole core.Term
	hole := &whole
	for {
		k, ok := t.(*core.Ctr)
		if !ok || len(k.Args) == 0 {
			*hole = s.node(t, depth)
			return whole
		}
		last := len(k.Args) - 1
		n := &core.Ctr{Span: k.Span, Key: k.Key, Args: append(s.terms(k.Args[:last], depth), nil)}
		*hole, hole, t = n, &n.Args[last], k.Args[last]
	}
}

func (s substitution) node(t core.Term, depth int) core.Term {
	switch t := t.(type) {
	case *core.Var:
		if i := t.Ix - depth; i >= 0 && i < len(s.args) {
			return substitution{}.term(s.args[len(s.args)-1-i], 0)
		}
		n := *t
		return &n
	case *core.Ref:
		n := *t
		n.Inst = ""
		return &n
	case *core.App:
		n := *t
		n.Fn, n.Arg = s.term(t.Fn, depth), s.term(t.Arg, depth)
		return &n
	case *core.Lam:
		n := *t
		n.Body = s.term(t.Body, depth+1)
		return &n
	case *core.All:
		n := *t
		n.Dom, n.Cod = s.term(t.Dom, depth), s.term(t.Cod, depth+1)
		return &n
	case *core.Kind:
		return &core.Kind{Span: t.Span, Q: s.term(t.Q, depth)}
	case *core.Meet:
		return &core.Meet{Span: t.Span, A: s.term(t.A, depth), B: s.term(t.B, depth)}
	case *core.ADT:
		n := *t
		n.Args = s.terms(t.Args, depth)
		return &n
	case *core.Ctr:
		return &core.Ctr{Span: t.Span, Key: t.Key}
	case *core.Lit:
		n := *t
		return &n
	case *core.Str:
		n := *t
		return &n
	case *core.Mat:
		n := *t
		n.Hit, n.Miss = s.term(t.Hit, depth), s.term(t.Miss, depth)
		return &n
	case *core.Eql:
		return &core.Eql{Span: t.Span, A: s.term(t.A, depth), B: s.term(t.B, depth), T: s.term(t.T, depth)}
	case *core.Rwt:
		n := *t
		n.Eq, n.Motive, n.Body = s.term(t.Eq, depth), s.term(t.Motive, depth+2), s.term(t.Body, depth)
		return &n
	case *core.Let:
		n := *t
		n.Vals, n.Body, n.Reps = s.terms(t.Vals, depth), s.term(t.Body, depth+len(t.Vals)), nil
		return &n
	case *core.Ann:
		return &core.Ann{Span: t.Span, X: s.term(t.X, depth), T: s.term(t.T, depth)}
	}
	return t // without variables and annotations
}
