package flat

import (
	"bend/interp/core"
	"bend/interp/word"
)

// match lowers a chain of matches on args[0]; the other arguments go to each arm.
func (f *fn) match(t *core.Mat, e *env, args []*val) Code {
	x, rest := args[0], args[1:]
	x = f.use(x)
	if x.kind == vWord {
		return f.matchWord(t, e, x, rest)
	}
	c := f.lw.book.Ctors[t.Key]
	if c.Data.Base {
		switch c.Data.Key {
		case "Nat", "Bool", "Char", "U32", "F32":
			f.name(x, "", true)
		}
		switch c.Data.Key {
		case "Nat":
			return f.matchNat(t, e, x, rest)
		case "Bool":
			return f.matchBool(t, e, x, rest)
		case "Char":
			return f.spine(t.Hit, e, append([]*val{x}, rest...))
		case "U32", "F32":
			view := &val{fn: x.fn, kind: vWord, atom: x.atom}
			return f.spine(t.Hit, e, append([]*val{view}, rest...))
		}
	}
	arms, other := f.arms(t)
	if x.atom.IsConst() {
		for _, a := range arms {
			if f.lw.book.Ctors[a.Key].Index == word.Aux(x.atom.Word) {
				return f.spine(a.Hit, e, rest)
			}
		}
		return f.otherwise(other, e, x, rest)
	}
	m := &Match{X: x.atom.Var}
	for _, a := range arms {
		c := f.lw.book.Ctors[a.Key]
		var fields []Var
		for _, fd := range c.Fields {
			if fd.Q != core.None {
				fields = append(fields, f.newVar("", false))
			}
		}
		vals := make([]*val, 0, len(fields)+len(rest))
		for _, v := range fields {
			vals = append(vals, f.local(v))
		}
		vals = append(vals, rest...)
		body := f.branch(func() Code { return f.spine(a.Hit, e, vals) })
		m.Arms = append(m.Arms, Arm{c.Index, c.Key, fields, body})
	}
	if other != nil {
		m.Else = f.branch(func() Code { return f.spine(other, e, append([]*val{x}, rest...)) })
	}
	return m
}

// arms splits a chain of matches into its arms and what comes after them, nil when
// nothing can.
func (f *fn) arms(t *core.Mat) (arms []*core.Mat, other core.Term) {
	data := f.lw.book.Ctors[t.Key].Data
	for {
		arms = append(arms, t)
		miss := core.Strip(t.Miss)
		next, ok := miss.(*core.Mat)
		if ok && !t.Dead && f.lw.book.Ctors[next.Key].Data == data {
			t = next
			continue
		}
		if _, none := miss.(*core.Efq); none || t.Dead || len(arms) == len(data.Ctors) {
			return arms, nil
		}
		return arms, miss
	}
}

func (f *fn) otherwise(other core.Term, e *env, x *val, rest []*val) Code {
	if other == nil {
		return &Stop{Why: "a match without a case for its value was reached"}
	}
	return f.spine(other, e, append([]*val{x}, rest...))
}

// matchNat lowers a match on a number: its predecessor is the field of Succ.
func (f *fn) matchNat(t *core.Mat, e *env, x *val, rest []*val) Code {
	arms, other := f.arms(t)
	find := func(key string) func() Code {
		for _, a := range arms {
			if a.Key != key {
				continue
			}
			return func() Code {
				vals := rest
				if key == "Succ" {
					p := &val{atom: Const(x.atom.Word - 1)}
					if !x.atom.IsConst() {
						v := f.newVar("", true)
						f.emit(&Prim{Dst: v, Op: OpNatPred, Args: []Atom{x.atom}})
						p = f.local(v)
						f.succ[v] = x.atom
					}
					vals = append([]*val{p}, rest...)
				}
				return f.spine(a.Hit, e, vals)
			}
		}
		return func() Code { return f.otherwise(other, e, x, rest) }
	}
	zero, succ := find("Zero"), find("Succ")
	if x.atom.IsConst() {
		if x.atom.Word == 0 {
			return zero()
		}
		return succ()
	}
	return &If{Op: OpNatIsZero, Args: []Atom{x.atom}, Then: f.branch(zero), Else: f.branch(succ)}
}

// matchBool lowers a match on a Bool, which may be a bit of a number.
func (f *fn) matchBool(t *core.Mat, e *env, x *val, rest []*val) Code {
	arms, other := f.arms(t)
	find := func(key string) func() Code {
		for _, a := range arms {
			if a.Key == key {
				return func() Code { return f.spine(a.Hit, e, rest) }
			}
		}
		return func() Code { return f.otherwise(other, e, x, rest) }
	}
	yes, no := find("True"), find("False")
	if x.atom.IsConst() && x.kind == vAtom {
		if x.atom.Word == word.Bool(true) {
			return yes()
		}
		return no()
	}
	then, fails := f.knowing(x, true, yes), f.knowing(x, false, no)
	if x.kind == vBit {
		return f.testBit(x.atom, x.bit, then, fails)
	}
	return &If{Op: OpIsTrue, Args: []Atom{x.atom}, Then: then, Else: fails}
}

// matchWord lowers a match on the bits of a number without making them.
func (f *fn) matchWord(t *core.Mat, e *env, x *val, rest []*val) Code {
	key := "WCon"
	var fields []*val
	if x.bit == 32 {
		key = "WNil"
	} else {
		fields = []*val{
			{fn: x.fn, kind: vBit, atom: x.atom, bit: x.bit},
			{fn: x.fn, kind: vWord, atom: x.atom, bit: x.bit + 1},
		}
	}
	arms, other := f.arms(t)
	for _, a := range arms {
		if a.Key == key {
			return f.spine(a.Hit, e, append(fields, rest...))
		}
	}
	return f.otherwise(other, e, x, rest)
}

// wordOf returns the def that makes the Word of the bits from..31 of a U32.
func (p *Program) wordOf() DefID {
	return p.helper("U32 to Word", func(self DefID) *Def {
		// word(x, from) = loop(x, from, 32, WNil)
		// loop(x, from, n, acc) = if n == from then acc else loop(x, from, n-1, WCon{bit n-1 of x, acc})
		loop := p.helper("U32 to Word, from the top", func(self DefID) *Def {
			d := &Def{Params: 4, Vars: []VarInfo{{Name: "x", Raw: true}, {Name: "from", Raw: true}, {Name: "n", Raw: true}, {Name: "acc"}, {Name: "m", Raw: true}, {Name: "bit", Raw: true}, {Name: "cell"}}}
			d.Body = &If{Op: OpNatIsEq, Args: []Atom{V(2), V(1)},
				Then: &Return{V(3)},
				Else: &Prim{Dst: 4, Op: OpNatPred, Args: []Atom{V(2)},
					Next: &Prim{Dst: 5, Op: OpBit, Args: []Atom{V(0), V(4)},
						Next: &New{Dst: 6, Ctor: 0, Name: "WCon", Fields: []Atom{V(5), V(3)},
							Next: &Tail{Call{Def: self, Args: []Atom{V(0), V(1), V(4), V(6)}}}}}}}
			return d
		})
		return &Def{Params: 2, Vars: []VarInfo{{Name: "x", Raw: true}, {Name: "from", Raw: true}},
			Body: &Tail{Call{Def: loop, Args: []Atom{V(0), V(1), Const(32), Const(word.Pak(0))}}}}
	})
}

// u32Of returns the def that packs a Word: pack(w, n, acc) adds w's bits from bit n on.
func (p *Program) u32Of() DefID {
	return p.helper("Word to U32", func(self DefID) *Def {
		d := &Def{Params: 3, Vars: []VarInfo{{Name: "w"}, {Name: "n", Raw: true}, {Name: "acc", Raw: true}, {Name: "bit", Raw: true}, {Name: "rest"}, {Name: "m", Raw: true}, {Name: "b", Raw: true}, {Name: "c", Raw: true}, {Name: "sum", Raw: true}}}
		step := func(acc Atom) Code {
			return &Tail{Call{Def: self, Args: []Atom{V(4), V(5), acc}}}
		}
		d.Body = &If{Op: OpNatIsEq, Args: []Atom{V(1), Const(32)},
			Then: &Return{V(2)},
			Else: &Match{X: 0, Arms: []Arm{{0, "WCon", []Var{3, 4},
				&Prim{Dst: 5, Op: OpNatAdd, Args: []Atom{V(1), Const(1)},
					Next: &If{Op: OpIsTrue, Args: []Atom{V(3)},
						Then: &Prim{Dst: 7, Op: OpU32Shln, Args: []Atom{Const(1), V(1)},
							Next: &Prim{Dst: 8, Op: OpU32Or, Args: []Atom{V(2), V(7)}, Next: step(V(8))}},
						Else: step(V(2))}}}}}}
		return d
	})
}

// helper returns the def of the given name that is not written in Bend, making it
// when it is asked for first.
func (p *Program) helper(name string, body func(self DefID) *Def) DefID {
	if id, ok := p.byKey[name]; ok {
		return id
	}
	slot := &Def{Key: name, Name: name}
	id := p.Add(slot)
	d := body(id)
	d.ID, d.Key, d.Name = id, name, name
	p.Defs[id] = d
	finish(nil, d)
	return id
}
