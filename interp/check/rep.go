package check

import (
	"bend/interp/core"
	"bend/interp/norm"
)

// rep returns the representation of the values of the type v.
func (c *checker) rep(v norm.Value) core.Rep {
	switch u := c.m.Whnf(v).(type) {
	case *norm.Kind, *norm.Quant, *norm.Eql:
		return core.RepGone
	case *norm.ADT:
		if u.Data.Base {
			switch u.Data.Key {
			case "U32", "F32", "Nat", "Char":
				return core.RepRaw
			}
		}
		for _, k := range u.Data.Ctors {
			for _, f := range k.Fields {
				if f.Q != core.None {
					return core.RepBox
				}
			}
		}
		return core.RepRaw
	}
	return core.RepBox
}

// resultRep returns the representation of what a call of d with all its arguments
// gives.
func (c *checker) resultRep(d *core.Def) core.Rep {
	typ := c.m.Eval(nil, d.Type)
	for i := range d.Arity {
		all, ok := c.m.Whnf(typ).(*norm.All)
		if !ok {
			return core.RepBox
		}
		typ = all.Cod(norm.Free(i, all.Name))
	}
	return c.rep(typ)
}
