package check

import (
	"errors"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// A Binder is a variable that a term typed at a prompt may mention. Type stands under
// the binders before it.
type Binder struct {
	Name string
	Q    core.Quantity
	Type core.Term
}

// ErrBroken says that a term mentions a declaration in which errors were found.
var ErrBroken = errors.New("this mentions a declaration that has errors")

// Infer checks t live in the context ctx, annotates it, and returns its type in normal
// form. Unlike the checker of files it also infers literals, lets, and constructors
// whose parameters can be read off their fields: [1, 2] is a List<&2, U32>.
// An error that the user caused is a *syntax.Diagnostic.
func Infer(b *core.Book, ctx []Binder, t core.Term) (core.Term, error) {
	return InferUntil(b, ctx, t, nil)
}

// InferUntil is Infer that gives up when stop says true.
func InferUntil(b *core.Book, ctx []Binder, t core.Term, stop func() bool) (core.Term, error) {
	c := newChecker(b)
	c.m.Stop = stop
	for _, x := range ctx {
		c.bind(binder{name: x.Name, q: x.Q, typ: c.m.Eval(c.env, x.Type)}, c.free(x.Name))
	}
	var typ core.Term
	ok := c.try(t.At(), func() {
		var v norm.Value
		switch t.(type) {
		case *core.Lit, *core.Str, *core.Ctr, *core.Let:
			v = c.guess(t)
			if v == nil {
				c.undetermined(t)
			}
			c.check(true, t, v)
		case *core.Lam, *core.Mat, *core.Efq, *core.Rfl, *core.Rwt:
			c.undetermined(t)
		default:
			v = c.infer(true, t)
		}
		typ = c.m.Quote(len(c.vars), v)
		c.leave(0)
	})
	switch {
	case ok:
		return typ, nil
	case len(c.diags) > 0:
		return nil, c.diags[0]
	}
	return nil, ErrBroken
}

// IOResult returns A if typ, a closed type, reduces to Base's IO(A), which itself is
// not unfolded.
func IOResult(b *core.Book, typ core.Term) (core.Term, bool) {
	io := b.Defs["IO"]
	if io == nil || !io.Base {
		return nil, false
	}
	m := norm.New(b)
	m.Opaque = io
	var res core.Term
	err := m.Catch(func() {
		u, ok := m.Whnf(m.Eval(nil, typ)).(*norm.Neu)
		if !ok || len(u.Args) != 1 {
			return
		}
		if r, ok := u.Head.(*norm.Ref); ok && r.Def == io {
			res = m.Quote(0, u.Args[0])
		}
	})
	return res, err == nil && res != nil
}

func (c *checker) undetermined(t core.Term) {
	hint := "say which type is meant: {x : T}"
	switch t := t.(type) {
	case *core.Lam:
		hint = "give the function its type: {x => .. : A -> B}"
	case *core.Ctr:
		if k := c.book.Ctors[t.Key]; k != nil {
			hint = "say which " + c.shown(k.Data.Key) + " is meant: {x : " + c.family(k.Data) + "}"
		}
	}
	c.fail(&syntax.Diagnostic{
		Code: "needs-annotation", Span: t.At(), Message: "the type of " + describe(t) + " is not known here", Hint: hint,
	})
}

// guess returns the type that t can be given, nil if t alone does not tell.
func (c *checker) guess(t core.Term) norm.Value {
	c.enter(t.At())
	defer func() { c.deep-- }()
	switch t := t.(type) {
	case *core.Lit:
		return c.plain(literalType(t))
	case *core.Str:
		return c.plain("String")
	case *core.Ctr:
		return c.guessCtr(t)
	case *core.Let:
		return c.guessLet(t)
	case *core.Lam, *core.Mat, *core.Efq, *core.Rfl, *core.Rwt, *core.Hole:
		return nil
	}
	return c.infer(false, t)
}

// plain returns the datatype without parameters of the given key.
func (c *checker) plain(key string) norm.Value {
	if d := c.book.Types[key]; d != nil && len(d.Params) == 0 {
		return &norm.ADT{Data: d}
	}
	return nil
}

// guessLet annotates values whose types are only guessed, and guesses the body.
func (c *checker) guessLet(t *core.Let) norm.Value {
	types := make([]norm.Value, len(t.Vals))
	for i, v := range t.Vals {
		types[i] = c.guess(v)
		if types[i] == nil {
			c.undetermined(v)
		}
		switch v.(type) {
		case *core.Lit, *core.Str, *core.Ctr, *core.Let:
			t.Vals[i] = &core.Ann{Span: v.At(), X: v, T: c.m.Quote(len(c.vars), types[i])}
		}
	}
	outer := c.env
	for i := range t.Vals {
		c.bind(binder{name: t.Names[i], q: t.Qs[i], typ: types[i]}, c.m.Delay(outer, t.Vals[i]))
	}
	typ := c.guess(t.Body)
	c.leave(len(c.vars) - len(t.Vals))
	return typ
}

// guessCtr reads the parameters of a datatype off the fields of t. In a chain, such as
// a list, it looks at one constructor after the other until all are known.
func (c *checker) guessCtr(t *core.Ctr) norm.Value {
	k := c.book.Ctors[t.Key]
	if k == nil || len(t.Args) != len(k.Fields) {
		// The check against any type of the right datatype says what is wrong.
		if k != nil && len(k.Data.Params) == 0 {
			return &norm.ADT{Data: k.Data}
		}
		c.constructed(t, norm.Type)
	}
	g := guesser{c: c, data: k.Data, params: make([]norm.Value, len(k.Data.Params))}
	for u := t; !g.known(); {
		k := c.book.Ctors[u.Key]
		if k == nil || k.Data != g.data || len(u.Args) != len(k.Fields) {
			break
		}
		var next *core.Ctr
		for i, f := range k.Fields {
			if g.recursive(f.Type) {
				if n, ok := u.Args[i].(*core.Ctr); ok && i == len(k.Fields)-1 {
					next = n
					continue
				}
			}
			if v := c.guess(u.Args[i]); v != nil {
				g.match(f.Type, i, v)
			}
		}
		if next == nil {
			break
		}
		u = next
	}
	return g.finish()
}

// A guesser solves the parameters of a datatype; a nil one is not known yet.
type guesser struct {
	c      *checker
	data   *core.Datatype
	params []norm.Value
}

// known reports whether all parameters that cannot be defaulted are solved.
func (g *guesser) known() bool {
	for i, v := range g.params {
		if v == nil && !isQuant(g.data.Params[i].Type) {
			return false
		}
	}
	return true
}

func isQuant(t core.Term) bool { _, ok := t.(*core.Quant); return ok }

// recursive reports whether t is the datatype itself again.
func (g *guesser) recursive(t core.Term) bool {
	a, ok := t.(*core.ADT)
	return ok && a.Key == g.data.Key
}

// match solves parameters so that t, a type under the parameters and fields more
// binders, may be v.
func (g *guesser) match(t core.Term, fields int, v norm.Value) {
	switch t := t.(type) {
	case *core.Var:
		if i := g.param(t, fields); i >= 0 && g.params[i] == nil {
			g.params[i] = v
		}
	case *core.App: // a parameter applied to a field is taken as a constant function
		head, apps := core.Unapply(t)
		x, ok := head.(*core.Var)
		if !ok {
			return
		}
		if i := g.param(x, fields); i >= 0 && g.params[i] == nil {
			var body core.Term = &core.Var{Ix: len(apps)}
			for range apps {
				body = &core.Lam{Name: "_", Body: body}
			}
			var env *norm.Env
			g.params[i] = g.c.m.Eval(env.Push(v), body)
		}
	case *core.ADT:
		u, ok := g.c.m.Whnf(v).(*norm.ADT)
		if !ok || u.Data.Key != t.Key || len(u.Args) != len(t.Args) {
			return
		}
		for i, a := range t.Args {
			g.match(a, fields, u.Args[i])
		}
	}
}

// param returns the number of the parameter that x is, or -1.
func (g *guesser) param(x *core.Var, fields int) int {
	i := len(g.params) - 1 - (x.Ix - fields)
	if x.Ix < fields || i < 0 {
		return -1
	}
	return i
}

// finish gives quantities that are still open their defaults: &2 where what they
// govern is Data, else &1; pairs and sums are &1, as A & B and A | B are. It returns
// nil if another parameter is open.
func (g *guesser) finish() norm.Value {
	sugar := g.data.Base && (g.data.Key == "Sigma" || g.data.Key == "Either")
	for i, p := range g.data.Params {
		if g.params[i] != nil {
			continue
		}
		if !isQuant(p.Type) {
			return nil
		}
		g.params[i] = norm.Lone
		if !sugar && g.governsData(i) {
			g.params[i] = norm.Many
		}
	}
	return &norm.ADT{Data: g.data, Args: g.params}
}

// governsData reports whether all parameters whose kind is Kind of quantity parameter
// i are solved by types that are Data.
func (g *guesser) governsData(i int) bool {
	some := false
	for j := i + 1; j < len(g.params); j++ {
		k, ok := g.data.Params[j].Type.(*core.Kind)
		if !ok {
			continue
		}
		if x, ok := k.Q.(*core.Var); !ok || j-1-x.Ix != i {
			continue
		}
		if g.params[j] == nil || !g.c.m.Convert(len(g.c.vars), g.c.kindOf(g.params[j]), norm.Data, norm.LE) {
			return false
		}
		some = true
	}
	return some
}
