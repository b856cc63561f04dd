package check

import (
	"fmt"
	"strings"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// check checks t against the type typ.
func (c *checker) check(live bool, t core.Term, typ norm.Value) {
	c.enter(t.At())
	c.checked(live, t, typ)
	c.deep--
}

// checked is check; the last field of a constructor is taken in the loop, since lists
// are long.
func (c *checker) checked(live bool, t core.Term, typ norm.Value) {
	for {
		switch u := t.(type) {
		case *core.Ctr:
			if t, typ, live = c.constructor(live, u, typ); t == nil {
				return
			}
			continue
		case *core.Lit:
			if t = c.literal(u, typ); t == nil {
				return
			}
			continue
		case *core.Str:
			if t = c.str(u, typ); t == nil {
				return
			}
			continue
		case *core.Lam:
			c.lambda(live, u, typ, func(body core.Term, typ norm.Value) { c.check(live, body, typ) })
		case *core.Mat:
			c.match(live, u, typ, func(key *core.Ctor, hit core.Term, typ norm.Value) { c.check(live, hit, typ) },
				func(miss core.Term, typ norm.Value) { c.check(live, miss, typ) })
		case *core.Efq:
			c.absurd(live, u, typ)
		case *core.Let:
			c.let(live, u, typ)
		case *core.Rwt:
			typ = c.rewrite(live, u, typ)
			t = u.Body
			continue
		case *core.Rfl:
			c.reflexive(u, typ)
		case *core.Hole:
			goal := &syntax.Diagnostic{Code: "hole", Span: u.Span, Expected: c.text(typ), Observed: "?" + u.Name, Context: c.context()}
			if u.Name != "TODO" {
				c.fail(goal)
			}
			goal.Def = c.shown(c.name)
			u.Goal = goal
		default:
			got := c.infer(live, t)
			if !c.m.Convert(c.level(), got, typ, norm.LE) {
				c.mismatch(t, typ, got)
			}
		}
		return
	}
}

// joinHint is for a list where a String is wanted, mostly beside ++.
const joinHint = "++ joins texts; lists are joined by List.append(&2, A, xs, ys)"

// mismatch reports that t, which must have the type want, has the type got.
func (c *checker) mismatch(t core.Term, want, got norm.Value) {
	d := &syntax.Diagnostic{Code: "type-mismatch", Span: t.At(), Expected: c.text(want), Observed: c.text(got), Context: c.context()}
	w, wk := c.m.Whnf(want).(*norm.ADT)
	g, gk := c.m.Whnf(got).(*norm.ADT)
	_, wantsEqual := c.m.Whnf(want).(*norm.Eql)
	_, gotEqual := c.m.Whnf(got).(*norm.Eql)
	bothEqual := wantsEqual && gotEqual
	_, isKind := c.m.Whnf(want).(*norm.Kind)
	_, isFun := c.m.Whnf(got).(*norm.All)
	switch {
	case wk && gk && w.Data == g.Data && w.Data.Quants > 0 && d.Expected != d.Observed:
		d.Hint = "types with different arguments are different, quantities too: " + w.Data.Key + "<..> has &1 where +" + w.Data.Key + "<..> has &2, as a value of the prompt has; a parameter takes that as +" + w.Data.Key + "<..>"
	case bothEqual:
		d.Hint = "one equation becomes another by a rewrite: %e : P; rest, where P is the goal with _ for the right side of e"
	case wk && gk && w.Data.Base && w.Data.Key == "String" && g.Data.Key == "List":
		d.Hint = joinHint
	case wk && gk && w.Data.Key == "Sigma" && g.Data.Key != "Sigma":
		d.Hint = "a pair is wanted: write (a, b)"
	case isKind && !isFun:
		if _, ok := c.m.Whnf(got).(*norm.Kind); !ok {
			d.Hint = "a type is wanted here, this is a value"
		} else {
			d.Hint = "Data fits where Type is wanted, not the reverse"
		}
	case wk && strings.HasPrefix(d.Observed, "IO("):
		d.Hint = "an action gives its value when it is performed: keep that with x : T <- .. and go on with x"
	case wk && isFun:
		d.Hint = "this is a function: arguments are missing"
	}
	c.fail(d)
}

// wrongShape reports a term that only checks against a goal of another shape.
func (c *checker) wrongShape(t core.Term, typ norm.Value, hint string) {
	c.fail(&syntax.Diagnostic{
		Code: "needs-annotation", Span: t.At(), Expected: c.text(typ), Observed: "non-inferrable term",
		Context: c.context(), Hint: hint,
	})
}

// lambda checks t against typ, and its body by body.
func (c *checker) lambda(live bool, t *core.Lam, typ norm.Value, body func(core.Term, norm.Value)) {
	all, ok := c.m.Whnf(typ).(*norm.All)
	if !ok {
		hint := "a function is given where none is wanted"
		if c.def != nil && len(c.def.Params) > 0 {
			hint += ": are there more parameters than the type has?"
		}
		c.wrongShape(t, typ, hint)
	}
	q := all.Q
	if t.Plus && q == core.Lone {
		if !c.unsafe {
			sp := t.BSpan
			if !sp.Valid() {
				sp = t.Span
			}
			c.fits(c.kindOf(all.Dom), norm.Data, sp, core.Many, t.Name)
		}
		q = core.Many
	}
	if live {
		t.Q, t.Rep = q, c.rep(all.Dom)
	}
	v := c.free(t.Name)
	b := binder{name: t.Name, q: q, typ: all.Dom, span: t.BSpan}
	if c.opaque > 0 && live && all.Q == core.None {
		c.opaque--
		b.opaque = true
	}
	c.bind(b, v)
	body(t.Body, all.Cod(v))
	c.close()
}

// let checks parallel bindings: each value in the scope outside, then the body, in
// which the names are equal to their values.
func (c *checker) let(live bool, t *core.Let, typ norm.Value) {
	outer, depth := c.env, c.level()
	bs := make([]binder, len(t.Vals))
	if live {
		t.Reps = make([]core.Rep, len(t.Vals))
	}
	for i, v := range t.Vals {
		q := t.Qs[i]
		if !infers(v) {
			c.unannotated(t.Names[i], v)
		}
		got := c.infer(live && q != core.None, v)
		if q == core.Many && !c.unsafe {
			c.fits(c.kindOf(got), norm.Data, t.BSpans[i], q, t.Names[i])
		}
		if live {
			t.Reps[i] = c.rep(got)
		}
		bs[i] = binder{name: t.Names[i], q: q, typ: got, span: t.BSpans[i], val: v, depth: depth}
	}
	for i, b := range bs {
		c.bind(b, c.m.Delay(outer, t.Vals[i]))
	}
	c.check(live, t.Body, typ)
	for range bs {
		c.close()
	}
}

// unannotated reports the value v of a let of the given name, which does not infer.
func (c *checker) unannotated(name string, v core.Term) {
	typ := "T"
	switch v := v.(type) {
	case *core.Lit:
		typ = literalType(v)
	case *core.Str:
		typ = "String"
	}
	c.fail(&syntax.Diagnostic{
		Code: "needs-annotation", Span: v.At(), Message: "expected an annotated term", Context: c.context(),
		Hint: fmt.Sprintf("the type of %s is not inferred in a let: write %s : %s = ..", describe(v), name, typ),
	})
}

// literalType returns the name of the datatype of t.
func literalType(t *core.Lit) string { return [...]string{"U32", "Nat", "F32"}[t.Kind] }

// constructor checks all fields of t but the last, and returns that with its type and
// demand; the term is nil if t has no fields.
func (c *checker) constructor(live bool, t *core.Ctr, typ norm.Value) (core.Term, norm.Value, bool) {
	env, k := c.constructed(t, typ)
	for i, f := range k.Fields {
		ftyp := c.m.Delay(env, f.Type)
		demand := live && f.Q != core.None
		if i == len(k.Fields)-1 {
			return t.Args[i], ftyp, demand
		}
		c.check(demand, t.Args[i], ftyp)
		env = env.Push(c.m.Delay(c.env, t.Args[i]))
	}
	return nil, nil, live
}

// constructed finds the constructor of t in the goal typ, and the parameters there.
func (c *checker) constructed(t *core.Ctr, typ norm.Value) (*norm.Env, *core.Ctor) {
	k := c.book.Ctors[t.Key]
	name := c.shown(t.Key)
	adt, ok := c.m.Whnf(typ).(*norm.ADT)
	unknown := func(wanted string) {
		c.fail(&syntax.Diagnostic{
			Code: "unknown-constructor", Span: t.Span, Expected: wanted, Observed: name,
			Context: c.context(), Hint: core.DidYouMean(c.book, name),
		})
	}
	if !ok {
		hint := ""
		if k == nil && c.book.Types[t.Key] == nil && c.book.Defs[t.Key] == nil {
			unknown("a constructor that is declared")
		}
		if d := c.book.Types[t.Key]; d != nil {
			hint = "the datatype is written " + c.family(d) + ", braces are for constructors"
		} else if _, ok := c.m.Whnf(typ).(*norm.All); ok {
			hint = "a function is wanted here: a constructor takes its fields in braces and is none"
		}
		c.wrongShape(t, typ, hint)
	}
	env := c.params(adt)
	if k == nil {
		unknown("a constructor of " + c.text(typ))
	}
	if k.Data != adt.Data {
		hint := fmt.Sprintf("%s{..} builds a %s", name, c.shown(k.Data.Key))
		if k.Data.Key == "List" && adt.Data.Key == "String" {
			hint = joinHint
		}
		c.fail(&syntax.Diagnostic{
			Code: "wrong-datatype", Span: t.Span, Expected: c.text(typ), Observed: c.shown(k.Data.Key),
			Context: c.context(), Hint: hint,
		})
	}
	if adt.Removed.Has(k) {
		c.fail(&syntax.Diagnostic{
			Code: "removed-constructor", Span: t.Span, Expected: c.text(typ), Observed: name + "{..}",
			Context: c.context(), Hint: "an outer match has excluded this constructor",
		})
	}
	if len(t.Args) != len(k.Fields) {
		fields := ""
		for i, f := range k.Fields {
			if i > 0 {
				fields += ", "
			}
			fields += f.Name
		}
		c.fail(&syntax.Diagnostic{
			Code: "field-count", Span: t.Span, Expected: fmt.Sprintf("%s{%s}: %s", name, fields, count(len(k.Fields), "field")),
			Observed: count(len(t.Args), "field"), Context: c.context(),
		})
	}
	return env, k
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// literal checks a number against typ. It returns nil if that is Base's own type, else
// the constructor that the literal stands for, which is to be checked.
func (c *checker) literal(t *core.Lit, typ norm.Value) core.Term {
	adt, ok := c.m.Whnf(typ).(*norm.ADT)
	if ok && len(adt.Removed) == 0 && norm.IsBase(adt.Data, t.Kind) {
		return nil
	}
	t.Unfold = true
	open := unfoldLit(t).(*core.Ctr)
	if !ok || adt.Data != c.dataOf(open.Key) {
		c.literalMismatch(t, typ, literalType(t))
	}
	if t.Kind == syntax.Nat && t.N > 1 && len(adt.Args) == 0 {
		// All layers have this one type if the predecessor has it: two are enough.
		k := c.book.Ctors["Succ"]
		if len(k.Fields) == 1 {
			if f, ok := k.Fields[0].Type.(*core.ADT); ok && f.Key == adt.Data.Key {
				open.Args[0] = &core.Lit{Span: t.Span, Kind: syntax.Nat}
			}
		}
	}
	return open
}

// str checks a String literal against typ, as literal does.
func (c *checker) str(t *core.Str, typ norm.Value) core.Term {
	adt, ok := c.m.Whnf(typ).(*norm.ADT)
	if ok && len(adt.Removed) == 0 && adt.Data.Base && adt.Data.Key == "String" {
		return nil
	}
	t.Unfold = true
	open := unfoldLit(t)
	if !ok || adt.Data != c.dataOf(open.(*core.Ctr).Key) {
		c.literalMismatch(t, typ, "String")
	}
	return open
}

func (c *checker) dataOf(ctor string) *core.Datatype {
	if k := c.book.Ctors[ctor]; k != nil {
		return k.Data
	}
	return nil
}

func (c *checker) literalMismatch(t core.Term, typ norm.Value, kind string) {
	d := &syntax.Diagnostic{Code: "type-mismatch", Span: t.At(), Expected: c.text(typ), Observed: kind, Context: c.context()}
	if adt, ok := c.m.Whnf(typ).(*norm.ADT); ok && adt.Data.Base {
		n, isNum := t.(*core.Lit)
		switch {
		case adt.Data.Key == "Nat" && isNum && n.Kind == syntax.U32:
			d.Hint = fmt.Sprintf("a Nat is written with n: %dn", n.N)
		case adt.Data.Key == "U32" && isNum && n.Kind == syntax.Nat:
			d.Hint = fmt.Sprintf("a U32 is written without n: %d", n.N)
		case adt.Data.Key == "F32" && isNum && n.Kind == syntax.U32:
			d.Hint = fmt.Sprintf("an F32 is written with a point: %d.0", n.N)
		case adt.Data.Key == "Char" && !isNum:
			d.Hint = "a Char is written in single quotes"
		}
	}
	c.fail(d)
}

// unfoldLit opens a literal by one layer.
func unfoldLit(t core.Term) core.Term {
	switch t := t.(type) {
	case *core.Lit:
		switch {
		case t.Kind != syntax.Nat:
			var w core.Term = &core.Ctr{Span: t.Span, Key: "WNil"}
			for i := 31; i >= 0; i-- {
				bit := "False"
				if t.N>>i&1 == 1 {
					bit = "True"
				}
				w = &core.Ctr{Span: t.Span, Key: "WCon", Args: []core.Term{&core.Ctr{Span: t.Span, Key: bit}, w}}
			}
			key := "U32"
			if t.Kind == syntax.F32 {
				key = "F32"
			}
			return &core.Ctr{Span: t.Span, Key: key, Args: []core.Term{w}}
		case t.N == 0:
			return &core.Ctr{Span: t.Span, Key: "Zero"}
		}
		return &core.Ctr{Span: t.Span, Key: "Succ", Args: []core.Term{&core.Lit{Span: t.Span, Kind: syntax.Nat, N: t.N - 1}}}
	case *core.Str:
		if len(t.Codes) == 0 {
			return &core.Ctr{Span: t.Span, Key: "SNil"}
		}
		code := &core.Lit{Span: t.Span, Kind: syntax.U32, N: uint64(t.Codes[0])}
		chr := &core.Ctr{Span: t.Span, Key: "Chr", Args: []core.Term{code}}
		return &core.Ctr{Span: t.Span, Key: "SCon", Args: []core.Term{chr, &core.Str{Span: t.Span, Codes: t.Codes[1:]}}}
	}
	return t
}
