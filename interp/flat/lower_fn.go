package flat

import (
	"fmt"
	"maps"

	"bend/interp/core"
	"bend/interp/word"
)

// An fn builds the body of one flat def.
type fn struct {
	lw       *lowerer
	outer    *fn
	def      *Def
	steps    []Code // the straight line that is being built, not linked yet
	captures []capture
	lambdas  int
	succ     map[Var]Atom        // of the predecessors that matches have taken, what they come before
	known    map[Var]bitSet      // bits of numbers, where the code is that is being built
	tests    map[Code][]wordTest // what code that was built tests
}

func (lw *lowerer) newFn(outer *fn, d *Def) *fn {
	return &fn{lw: lw, outer: outer, def: d, succ: map[Var]Atom{}, known: map[Var]bitSet{}}
}

// A capture is a variable of the fn that stands for a value of the fn around it.
type capture struct {
	outer *val // the value as it was looked up
	from  Atom // in the fn around
	here  *val
}

// A val is what a core variable stands for.
type val struct {
	fn   *fn // whose variable atom is; nil for a constant
	kind valKind
	atom Atom
	bit  int // first bit of a word view, or the bit
}

type valKind uint8

const (
	vAtom valKind = iota
	vWord         // the Word that holds bits bit.. of the U32 atom, not made yet
	vBit          // bit number bit of the U32 atom, as a Bool
)

// gone is the value of what has no run-time form: it is never looked at.
var gone = &val{atom: Const(0)}

// An env gives the values of de Bruijn variables, innermost first.
type env struct {
	val  *val
	next *env
}

func (e *env) push(v *val) *env { return &env{v, e} }

func (e *env) at(ix int) *val {
	for ; ix > 0; ix-- {
		e = e.next
	}
	return e.val
}

func (f *fn) newVar(name string, raw bool) Var {
	f.def.Vars = append(f.def.Vars, VarInfo{Name: name, Raw: raw})
	return Var(len(f.def.Vars) - 1)
}

func (f *fn) local(v Var) *val { return &val{fn: f, atom: V(v)} }

func (f *fn) emit(c Code) { f.steps = append(f.steps, c) }

// seal links the current straight line in front of last.
func (f *fn) seal(last Code) Code {
	c := link(f.steps, last)
	f.steps = nil
	return c
}

// branch builds a body of its own.
func (f *fn) branch(body func() Code) Code {
	steps, succ := f.steps, maps.Clone(f.succ)
	f.steps = nil
	c := f.seal(body())
	f.steps, f.succ = steps, succ
	return c
}

// use returns v as seen from f: a value of an fn around is captured.
func (f *fn) use(v *val) *val {
	if v.fn == nil || v.fn == f {
		return v
	}
	for _, c := range f.captures {
		if c.outer == v {
			return c.here
		}
	}
	o := f.outer.use(v)
	info := f.outer.def.Vars[o.atom.Var]
	here := &val{fn: f, kind: o.kind, atom: V(f.newVar(info.Name, info.Raw)), bit: o.bit}
	f.captures = append(f.captures, capture{v, o.atom, here})
	return here
}

// atom returns the atom of v, making what a view stands for.
func (f *fn) atom(v *val) Atom {
	v = f.use(v)
	switch v.kind {
	case vWord:
		dst := f.newVar("word", false)
		f.emit(&Cut{Dst: dst, Call: Call{Def: f.lw.prog.wordOf(), Args: []Atom{v.atom, Const(word.Word(v.bit))}}})
		return V(dst)
	case vBit:
		dst := f.newVar("bit", true)
		f.emit(&Prim{Dst: dst, Op: OpBit, Args: []Atom{v.atom, Const(word.Word(v.bit))}})
		return V(dst)
	}
	return v.atom
}

// name gives v the name of a binder, unless it has one.
func (f *fn) name(v *val, name string, raw bool) {
	if v.fn != f || v.kind != vAtom || v.atom.IsConst() {
		return
	}
	info := &f.def.Vars[v.atom.Var]
	if info.Name == "" {
		info.Name = name
	}
	info.Raw = info.Raw || raw
}

// spine lowers t applied to args, in return position.
func (f *fn) spine(t core.Term, e *env, args []*val) Code {
	for {
		t = core.Strip(t)
		switch u := t.(type) {
		case *core.Let:
			e = f.let(u, e)
			t = u.Body
		case *core.Lam:
			if u.Q == core.None {
				e = e.push(gone)
			} else if len(args) == 0 {
				return &Return{f.build(f.lambda(u, e))}
			} else {
				f.name(args[0], u.Name, u.Rep != core.RepBox)
				e = e.push(args[0])
				args = args[1:]
			}
			t = u.Body
		case *core.Mat:
			if len(args) == 0 {
				return &Return{f.build(f.lambda(u, e))}
			}
			return f.match(u, e, args)
		case *core.Efq:
			if len(args) == 0 {
				return &Return{f.build(f.lambda(u, e))}
			}
			return &Stop{Why: "a match without cases was reached"}
		default:
			return f.tail(t, e, args)
		}
	}
}

// tail lowers t, which is no binder, applied to args, in return position.
func (f *fn) tail(t core.Term, e *env, args []*val) Code {
	head, apps := core.Unapply(t)
	switch h := core.Strip(head).(type) {
	case *core.Mat, *core.Lam, *core.Let:
		// A match written with \{..} and applied where it stands.
		own := f.operands(apps, e)
		vals := make([]*val, 0, len(own)+len(args))
		for _, r := range own {
			vals = append(vals, f.valOf(f.build(r)))
		}
		return f.spine(h, e, append(vals, args...))
	}
	r := f.apply(head, apps, e, f.extra(args))
	if r.kind != rxCall {
		return &Return{f.build(r)}
	}
	return &Tail{f.call(r)}
}

func (f *fn) extra(args []*val) []*rx {
	rs := make([]*rx, len(args))
	for i, a := range args {
		rs[i] = &rx{atom: f.atom(a)}
	}
	return rs
}

func (f *fn) valOf(a Atom) *val {
	if a.IsConst() {
		return &val{atom: a}
	}
	return &val{fn: f, atom: a}
}

// let lowers the bindings of t and returns the environment of its body.
func (f *fn) let(t *core.Let, e *env) *env {
	body := e
	if len(t.Names) == 1 {
		if t.Qs[0] == core.None {
			return e.push(gone)
		}
		r := f.reduce(t.Vals[0], e)
		v := f.valOf(f.named(r, t.Names[0], letRaw(t, 0)))
		return body.push(v)
	}
	rs := make([]*rx, len(t.Names))
	calls := true
	for i, x := range t.Vals {
		if t.Qs[i] == core.None {
			calls = false
			continue
		}
		rs[i] = f.reduce(x, e)
		calls = calls && rs[i].kind == rxCall
	}
	if calls {
		fork := &Fork{}
		for _, r := range rs {
			fork.Calls = append(fork.Calls, f.call(r))
		}
		for i, name := range t.Names {
			dst := f.newVar(name, letRaw(t, i))
			fork.Dsts = append(fork.Dsts, dst)
			body = body.push(f.local(dst))
		}
		f.emit(fork)
		clear(f.succ)
		return body
	}
	for i, r := range rs {
		if r == nil {
			body = body.push(gone)
			continue
		}
		body = body.push(f.valOf(f.named(r, t.Names[i], letRaw(t, i))))
	}
	return body
}

func letRaw(t *core.Let, i int) bool { return i < len(t.Reps) && t.Reps[i] != core.RepBox }

// named builds r and gives the variable it makes, if it makes one, a name.
func (f *fn) named(r *rx, name string, raw bool) Atom {
	r.raw = r.raw || raw
	a := f.build(r)
	if !a.IsConst() && r.kind != rxAtom {
		f.def.Vars[a.Var].Name = name
	}
	return a
}

// lambda lowers a function that is no def's parameter spine to a def of its own, and
// returns the closure of it.
func (f *fn) lambda(t core.Term, e *env) *rx {
	n := lambdaArity(t)
	if n == 0 { // erased binders only
		for {
			lam, ok := core.Strip(t).(*core.Lam)
			if !ok {
				return f.reduce(t, e)
			}
			t, e = lam.Body, e.push(gone)
		}
	}
	f.lambdas++
	nd := &Def{Key: fmt.Sprintf("%s/%d", f.def.Key, f.lambdas), Name: f.def.Name, Span: t.At()}
	f.lw.prog.Add(nd)
	f.lw.made = append(f.lw.made, nd)
	g := f.lw.newFn(f, nd)
	params := make([]*val, n)
	for i := range params {
		params[i] = g.local(g.newVar("", false))
	}
	nd.Body = g.seal(g.spine(t, e, params))
	g.capturesFirst(n)
	nd.Params = len(g.captures) + n
	held := make([]*rx, len(g.captures))
	for i, c := range g.captures {
		held[i] = &rx{atom: c.from}
	}
	return &rx{kind: rxClosure, fn: f.lw.prog.Fn(nd.ID, len(held)), args: held}
}

// lambdaArity counts the live binders at the head of t, up to the first match.
func lambdaArity(t core.Term) int {
	n := 0
	for {
		switch u := core.Strip(t).(type) {
		case *core.Lam:
			if u.Q != core.None {
				n++
			}
			t = u.Body
		case *core.Mat, *core.Efq:
			return n + 1
		default:
			return n
		}
	}
}

// capturesFirst renumbers the variables of f so that its captures come before its n
// own parameters.
func (f *fn) capturesFirst(n int) {
	if len(f.captures) == 0 {
		return
	}
	order := make([]Var, 0, len(f.def.Vars)) // new number -> old
	for _, c := range f.captures {
		order = append(order, c.here.atom.Var)
	}
	first := map[Var]bool{}
	for _, v := range order {
		first[v] = true
	}
	for v := range f.def.Vars {
		if !first[Var(v)] {
			order = append(order, Var(v))
		}
	}
	to := make([]Var, len(order))
	vars := make([]VarInfo, len(order))
	for i, old := range order {
		to[old] = Var(i)
		vars[i] = f.def.Vars[old]
	}
	f.def.Vars = vars
	renumber(f.def.Body, to)
}
