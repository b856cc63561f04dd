package check

import (
	"strings"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// A scrutinee is what a match inspects, as its goal tells.
type scrutinee struct {
	all *norm.All
	adt *norm.ADT
}

// scrutinee takes the goal of the match t apart.
func (c *checker) scrutinee(live bool, t core.Term, typ norm.Value) scrutinee {
	all, ok := c.m.Whnf(typ).(*norm.All)
	if !ok {
		c.wrongShape(t, typ, "a match is a function of what it inspects")
	}
	if live && all.Q == core.None {
		name := all.Name
		if m, ok := t.(*core.Mat); ok && m.Name != "" {
			name = m.Name
		}
		c.fail(&syntax.Diagnostic{
			Code: "erased-scrutinee", Span: t.At(), Message: name + " is erased: it cannot be matched in code that runs", Context: c.context(),
			Hint: "take the '-' off its binder",
		})
	}
	adt, ok := c.m.Whnf(all.Dom).(*norm.ADT)
	if !ok {
		if _, isEfq := t.(*core.Efq); isEfq {
			return scrutinee{all, nil}
		}
		c.fail(&syntax.Diagnostic{
			Code: "not-a-datatype", Span: t.At(), Expected: "a datatype", Observed: c.text(all.Dom), Context: c.context(),
			Hint: "only values of a datatype can be matched",
		})
	}
	if c.failed[adt.Data.Key] {
		panic(bailout{})
	}
	return scrutinee{all, adt}
}

// match checks \{K: h; m} against typ. hit and miss check the arms.
func (c *checker) match(live bool, t *core.Mat, typ norm.Value, hit func(*core.Ctor, core.Term, norm.Value), miss func(core.Term, norm.Value)) {
	s := c.scrutinee(live, t, typ)
	k := c.book.Ctors[t.Key]
	if k == nil || k.Data != s.adt.Data || s.adt.Removed.Has(k) {
		hint := "it belongs to another datatype"
		switch {
		case k == nil:
			hint = core.DidYouMean(c.book, c.shown(t.Key))
		case k.Data == s.adt.Data:
			hint = "this constructor has been matched above"
		default:
			hint = c.shown(t.Key) + " is a constructor of " + c.shown(k.Data.Key)
		}
		c.fail(&syntax.Diagnostic{
			Code: "constructor-missing", Span: t.Span, Expected: "one of " + c.remaining(s.adt), Observed: c.shown(t.Key) + "{..}",
			Context: c.context(), Hint: hint,
		})
	}
	if live {
		t.Q = s.all.Q
	}
	rest := *s.adt
	rest.Removed = rest.Removed.With(k)
	_, more := t.Miss.(*core.Mat)
	dead := left(&rest) == 0 && !more
	if live {
		t.Dead = dead
	}
	c.join(
		func() { hit(k, t.Hit, c.arm(s, k)) },
		func() {
			if dead {
				return
			}
			all := *s.all
			all.Dom = &rest
			miss(t.Miss, &all)
		})
}

// arm returns the type of the arm for k: a function of its fields to the goal with the
// scrutinee replaced.
func (c *checker) arm(s scrutinee, k *core.Ctor) norm.Value {
	var from func(i int, env *norm.Env, fields []norm.Value) norm.Value
	from = func(i int, env *norm.Env, fields []norm.Value) norm.Value {
		if i == len(k.Fields) {
			return s.all.Cod(&norm.Ctr{Ctor: k, Args: fields})
		}
		f := k.Fields[i]
		return &norm.All{Q: fieldQuantity(f.Q, s.all.Q), Name: f.Name, Dom: c.m.Delay(env, f.Type), Cod: func(v norm.Value) norm.Value {
			return from(i+1, env.Push(v), append(fields[:i:i], v))
		}}
	}
	return from(0, c.params(s.adt), nil)
}

// fieldQuantity returns how often a field declared with quantity f may be used when
// what holds it has quantity q.
func fieldQuantity(f, q core.Quantity) core.Quantity {
	switch {
	case q == core.None:
		return core.None
	case f == core.Lone:
		return q
	}
	return f
}

// left returns the number of constructors that u may still have.
func left(u *norm.ADT) int { return len(u.Data.Ctors) - u.Removed.Len() }

// remaining lists the constructors that u may still have, as patterns.
func (c *checker) remaining(u *norm.ADT) string {
	var ps []string
	for _, k := range u.Data.Ctors {
		if u.Removed.Has(k) {
			continue
		}
		var fs []string
		for _, f := range k.Fields {
			fs = append(fs, f.Name)
		}
		ps = append(ps, c.shown(k.Key)+"{"+strings.Join(fs, ", ")+"}")
	}
	if len(ps) == 0 {
		return "no constructor"
	}
	return strings.Join(ps, ", ")
}

// absurd checks the match without cases: no constructor may be left, of what it
// inspects or of some live binder in scope.
func (c *checker) absurd(live bool, t *core.Efq, typ norm.Value) {
	s := c.scrutinee(live, t, typ)
	if s.adt != nil && left(s.adt) == 0 {
		return
	}
	for _, b := range c.vars {
		if b.q == core.None {
			continue
		}
		if adt, ok := c.m.Whnf(b.typ).(*norm.ADT); ok && left(adt) == 0 {
			return
		}
	}
	if s.adt == nil {
		c.fail(&syntax.Diagnostic{
			Code: "not-a-datatype", Span: t.Span, Expected: "a datatype", Observed: c.text(s.all.Dom), Context: c.context(),
			Hint: "only values of a datatype can be matched",
		})
	}
	missing := c.remaining(s.adt)
	c.fail(&syntax.Diagnostic{
		Code: "missing-cases", Span: t.Span, Expected: "a case for each constructor", Observed: "no case for " + missing,
		Context: c.context(), Hint: "add case " + strings.ReplaceAll(missing, "}, ", "}: .., case ") + ": ..",
	})
}

// tree checks a def's case tree live against typ. pending are the parts of the def's
// own equation that are not bound yet.
func (c *checker) tree(t core.Term, typ norm.Value, pending []*pattern) {
	if len(pending) == 0 {
		c.check(true, t, typ)
		return
	}
	c.enter(t.At())
	switch u := t.(type) {
	case *core.Lam:
		p := pending[0]
		c.lambda(true, u, typ, func(body core.Term, typ norm.Value) {
			p.level = len(c.vars) - 1
			c.tree(body, typ, pending[1:])
			p.level = -1
		})
	case *core.Mat:
		p := pending[0]
		c.match(true, u, typ,
			func(k *core.Ctor, hit core.Term, typ norm.Value) {
				p.ctor, p.fields = k.Key, make([]*pattern, len(k.Fields))
				inner := make([]*pattern, 0, len(k.Fields)+len(pending)-1)
				for i := range p.fields {
					p.fields[i] = &pattern{level: -1}
					inner = append(inner, p.fields[i])
				}
				c.tree(hit, typ, append(inner, pending[1:]...))
				p.ctor, p.fields = "", nil
			},
			func(miss core.Term, typ norm.Value) { c.tree(miss, typ, pending) })
	default:
		c.check(true, t, typ)
	}
	c.deep--
}
