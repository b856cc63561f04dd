package flat

import (
	"bend/interp/core"
	"bend/interp/syntax"
	"bend/interp/word"
)

// An rx is a term of which every inner call has been cut out: a tree of atoms,
// primitives and allocations that is built when its place in the order comes, after
// the cuts. Only a whole rx can be a call.
type rx struct {
	kind  rxKind
	atom  Atom
	op    Op
	ctor  int
	name  string
	fn    FnID
	args  []*rx
	codes []uint32
	def   DefID
	bang  bool
	raw   bool // of a call: the result never owns anything
	span  syntax.Span
}

type rxKind uint8

const (
	rxAtom    rxKind = iota
	rxPrim           // op over args
	rxNew            // constructor over args
	rxClosure        // fn holding args
	rxText
	rxCall  // def over args
	rxApply // args[0] applied to args[1]; counts as a call
)

// operands reduces the live arguments of apps, left to right.
func (f *fn) operands(apps []*core.App, e *env) []*rx {
	var rs []*rx
	for _, a := range apps {
		if a.Q != core.None {
			rs = append(rs, f.operand(a.Arg, e))
		}
	}
	return rs
}

// operand reduces t to an rx that is no call: a call is cut out.
func (f *fn) operand(t core.Term, e *env) *rx { return f.cutOut(f.reduce(t, e)) }

func (f *fn) cutOut(r *rx) *rx {
	if r.kind != rxCall {
		return r
	}
	return &rx{atom: f.build(r)}
}

// reduce lowers t, in which calls are cut out, to an rx.
func (f *fn) reduce(t core.Term, e *env) *rx {
	for {
		t = core.Strip(t)
		switch u := t.(type) {
		case *core.Let:
			e = f.let(u, e)
			t = u.Body
		case *core.Var:
			return &rx{atom: f.atom(e.at(u.Ix))}
		case *core.Lit:
			return f.literal(u)
		case *core.Str:
			if len(u.Codes) == 0 {
				return &rx{atom: Const(word.Pak(0))}
			}
			return &rx{kind: rxText, codes: u.Codes}
		case *core.Ctr:
			return f.constructor(u, e)
		case *core.Lam, *core.Mat, *core.Efq:
			return f.lambda(u, e)
		case *core.Ref, *core.App:
			head, apps := core.Unapply(u)
			return f.apply(head, apps, e, nil)
		case *core.Hole:
			return &rx{kind: rxCall, def: f.lw.id(holeDef(u)), span: u.Span}
		default: // types, proofs, quantities
			return &rx{atom: gone.atom}
		}
	}
}

// apply reduces head applied to the live arguments of apps and then to more.
func (f *fn) apply(head core.Term, apps []*core.App, e *env, more []*rx) *rx {
	head = core.Strip(head)
	ref, isRef := head.(*core.Ref)
	var d *core.Def
	if isRef {
		key := ref.Key
		if ref.Inst != "" {
			key = ref.Inst
		}
		d = f.lw.book.Defs[key]
		if d == nil {
			return &rx{atom: gone.atom} // a datatype
		}
	}
	rep := core.RepBox
	switch {
	case len(apps) > 0:
		rep = apps[len(apps)-1].ResRep
	case isRef:
		rep = d.ResRep
	}
	if rep == core.RepGone && len(more) == 0 {
		return &rx{atom: gone.atom}
	}
	args := append(f.operands(apps, e), more...)
	if !isRef {
		return f.beta(head, e, args, rep)
	}
	sp := head.At()
	if len(apps) > 0 {
		sp = apps[len(apps)-1].At()
	}
	id := f.lw.id(d)
	n := f.lw.prog.Defs[id].Params
	switch {
	case len(args) < n:
		return &rx{kind: rxClosure, fn: f.lw.prog.Fn(id, len(args)), args: args}
	case len(args) > n:
		call := &rx{kind: rxCall, def: id, args: args[:n], bang: ref.Bang, span: sp}
		return f.applyAll(f.cutOut(call), args[n:], rep, sp)
	}
	if op, ok := primOf(d); ok && !ref.Bang {
		return &rx{kind: rxPrim, op: op, args: args}
	}
	if !ref.Bang && f.lw.isSimple(d) {
		return f.inline(d, args)
	}
	return &rx{kind: rxCall, def: id, args: args, bang: ref.Bang, raw: rep != core.RepBox, span: sp}
}

// beta reduces head, which is no name, applied to args: the binders of a lambda that is
// applied where it stands are bound like lets, without a closure.
func (f *fn) beta(head core.Term, e *env, args []*rx, rep core.Rep) *rx {
	for {
		lam, ok := head.(*core.Lam)
		if !ok || lam.Q != core.None && len(args) == 0 {
			break
		}
		if lam.Q == core.None {
			e = e.push(gone)
		} else {
			e = e.push(f.valOf(f.named(args[0], lam.Name, lam.Rep != core.RepBox)))
			args = args[1:]
		}
		head = core.Strip(lam.Body)
	}
	switch h, apps := core.Unapply(head); {
	case len(args) == 0:
		return f.reduce(head, e)
	case len(apps) > 0:
		return f.apply(h, apps, e, args)
	}
	switch head := head.(type) {
	case *core.Ref:
		return f.apply(head, nil, e, args)
	case *core.Let:
		return f.beta(core.Strip(head.Body), f.let(head, e), args, rep)
	}
	return f.applyAll(f.operand(head, e), args, rep, head.At())
}

// applyAll applies the closure r to args, one at a time; the last application is left
// as the call.
func (f *fn) applyAll(r *rx, args []*rx, rep core.Rep, sp syntax.Span) *rx {
	for i, a := range args {
		r = &rx{kind: rxCall, def: -1, args: []*rx{r, a}, span: sp}
		if i == len(args)-1 {
			r.raw = rep != core.RepBox
			return r
		}
		r = f.cutOut(r)
	}
	return r
}

// call builds the arguments of a call.
func (f *fn) call(r *rx) Call {
	as := f.buildAll(r.args)
	if r.def < 0 {
		return Call{Apply: true, Fn: as[0], Args: as[1:], Span: r.span}
	}
	return Call{Def: r.def, Args: as, Bang: r.bang, Span: r.span}
}

func (f *fn) buildAll(rs []*rx) []Atom {
	as := make([]Atom, len(rs))
	for i, r := range rs {
		as[i] = f.build(r)
	}
	return as
}

// build emits what makes r and returns its atom.
func (f *fn) build(r *rx) Atom {
	switch r.kind {
	case rxPrim:
		args := f.buildAll(r.args)
		if r.op == OpNatAdd && f.plus(args) {
			return args[0]
		}
		dst := f.newVar("", true)
		f.emit(&Prim{Dst: dst, Op: r.op, Args: args})
		return V(dst)
	case rxNew:
		return f.buildNew(r)
	case rxClosure:
		args := f.buildAll(r.args)
		dst := f.newVar("", false)
		f.emit(&Closure{Dst: dst, Fn: r.fn, Held: args})
		return V(dst)
	case rxText:
		dst := f.newVar("", false)
		f.emit(&Text{Dst: dst, Codes: r.codes})
		return V(dst)
	case rxCall:
		c := f.call(r)
		dst := f.newVar("", r.raw)
		f.emit(&Cut{Dst: dst, Call: c})
		clear(f.succ)
		return V(dst)
	}
	return r.atom
}

// plus adds a constant to a predecessor that a match has taken, by going back to what it
// came from, and reports whether nothing is left to add. After a cut it does not: there
// the number that it would go back to might be one more word to keep.
func (f *fn) plus(args []Atom) bool {
	for !args[0].IsConst() && args[1].IsConst() && args[1].Word > 0 {
		above, ok := f.succ[args[0].Var]
		if !ok {
			return false
		}
		args[0], args[1] = above, Const(args[1].Word-1)
	}
	return args[1] == Const(0)
}

// buildNew builds a constructor; a chain along the last fields, as a list literal is,
// is built from its end without recursion.
func (f *fn) buildNew(r *rx) Atom {
	var chain []*rx
	var firsts [][]Atom
	for r.kind == rxNew {
		chain = append(chain, r)
		firsts = append(firsts, f.buildAll(r.args[:len(r.args)-1]))
		r = r.args[len(r.args)-1]
	}
	last := f.build(r)
	for i := len(chain) - 1; i >= 0; i-- {
		dst := f.newVar("", false)
		f.emit(&New{Dst: dst, Ctor: chain[i].ctor, Name: chain[i].name, Fields: append(firsts[i], last)})
		last = V(dst)
	}
	return last
}

// literal reduces a number; one that stands for a datatype of the user's own becomes
// its constructors.
func (f *fn) literal(t *core.Lit) *rx {
	if !t.Unfold {
		return &rx{atom: Const(t.N)}
	}
	if t.Kind != syntax.Nat {
		f.lw.fail(t.At(), "literal-form", "a number literal of a datatype other than Base's cannot be run: write its constructor")
		return &rx{atom: gone.atom}
	}
	const most = 1 << 16
	if t.N > most {
		f.lw.fail(t.At(), "literal-form", "a literal of an own Nat above %d cannot be run", most)
		return &rx{atom: gone.atom}
	}
	r := &rx{atom: Const(word.Pak(f.lw.ctorIndex("Zero")))}
	for range t.N {
		r = &rx{kind: rxNew, ctor: f.lw.ctorIndex("Succ"), name: "Succ", args: []*rx{r}}
	}
	return r
}

func (lw *lowerer) ctorIndex(key string) int {
	if c := lw.book.Ctors[key]; c != nil {
		return c.Index
	}
	return 0
}

// constructor reduces a constructor with its live fields. The numbers of Base have
// forms of their own: Succ{e} is e + 1, Chr{c} is c, U32{w} is a packed word.
func (f *fn) constructor(t *core.Ctr, e *env) *rx {
	type node struct {
		c    *core.Ctor
		args []*rx
	}
	var chain []node
	var last *rx
	for last == nil {
		c := f.lw.book.Ctors[t.Key]
		if c.Data.Base {
			if r := f.number(t, c, e); r != nil {
				last = r
				break
			}
		}
		live := f.lw.liveArgs(t)
		if len(live) > word.MaxFields {
			f.lw.fail(t.At(), "too-wide", "%s has %d fields at run time, the most is %d", t.Key, len(live), word.MaxFields)
		}
		if len(live) == 0 {
			last = &rx{atom: Const(word.Pak(c.Index))}
			break
		}
		nd := node{c: c}
		for _, x := range live[:len(live)-1] {
			nd.args = append(nd.args, f.operand(x, e))
		}
		chain = append(chain, nd)
		x := core.Strip(live[len(live)-1])
		if u, ok := x.(*core.Ctr); ok {
			t = u
			continue
		}
		last = f.operand(x, e)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		nd := chain[i]
		last = &rx{kind: rxNew, ctor: nd.c.Index, name: nd.c.Key, args: append(nd.args, last)}
	}
	return last
}

// number reduces a constructor of Base's Nat, Char, U32 or F32, and returns nil for
// any other.
func (f *fn) number(t *core.Ctr, c *core.Ctor, e *env) *rx {
	switch c.Key {
	case "Zero":
		return &rx{atom: Const(0)}
	case "Succ":
		k := uint64(1)
		x := core.Strip(t.Args[0])
		for {
			u, ok := x.(*core.Ctr)
			if !ok || u.Key != "Succ" {
				break
			}
			k++
			x = core.Strip(u.Args[0])
		}
		r := f.operand(x, e)
		if r.kind == rxAtom && r.atom.IsConst() && r.atom.Word+k <= word.NatMax {
			return &rx{atom: Const(r.atom.Word + k)}
		}
		return &rx{kind: rxPrim, op: OpNatAdd, args: []*rx{r, {atom: Const(k)}}}
	case "Chr":
		r := f.operand(t.Args[0], e)
		if r.kind == rxAtom && r.atom.IsConst() {
			return r
		}
		return &rx{kind: rxPrim, op: OpCharFromU32, args: []*rx{r}}
	case "U32", "F32":
		if x, ok := f.sameNumber(t.Args[0], e); ok {
			return &rx{atom: x}
		}
		r := f.operand(t.Args[0], e)
		return &rx{kind: rxCall, def: f.lw.prog.u32Of(), args: []*rx{r, {atom: Const(0)}, {atom: Const(0)}}, raw: true, span: t.At()}
	}
	return nil
}

// isSimple reports whether d is a short straight line of primitives and
// constructors: calls of it are unfolded.
func (lw *lowerer) isSimple(d *core.Def) bool {
	if s, ok := lw.simple[d]; ok {
		return s
	}
	lw.simple[d] = false // a recursive def is none
	if d.Value == nil || d.Unsafe {
		return false
	}
	t := core.Strip(d.Value)
	for i := 0; i < d.Arity; i++ {
		lam, ok := t.(*core.Lam)
		if !ok {
			return false
		}
		t = core.Strip(lam.Body)
	}
	budget := 12
	s := lw.simpleTerm(t, &budget)
	lw.simple[d] = s
	return s
}

func (lw *lowerer) simpleTerm(t core.Term, budget *int) bool {
	*budget--
	if *budget < 0 {
		return false
	}
	switch u := core.Strip(t).(type) {
	case *core.Var:
		return true
	case *core.Lit:
		return !u.Unfold
	case *core.Ctr:
		for _, a := range u.Args {
			if !lw.simpleTerm(a, budget) {
				return false
			}
		}
		return u.Key != "U32" && u.Key != "F32"
	case *core.Ref, *core.App:
		head, apps := core.Unapply(u)
		ref, ok := core.Strip(head).(*core.Ref)
		if !ok || ref.Bang || ref.Inst != "" {
			return false
		}
		d := lw.book.Defs[ref.Key]
		if d == nil {
			return false
		}
		op, isOp := primOf(d)
		if !(isOp && len(apps) == op.NumArgs()) && !(len(apps) == d.Arity && lw.isSimple(d)) {
			return false
		}
		for _, a := range apps {
			if a.Q != core.None && !lw.simpleTerm(a.Arg, budget) {
				return false
			}
		}
		return true
	}
	return false
}

// inline reduces the body of a simple def at args.
func (f *fn) inline(d *core.Def, args []*rx) *rx {
	var e *env
	t := core.Strip(d.Value)
	for i := 0; i < d.Arity; i++ {
		lam := t.(*core.Lam)
		if lam.Q == core.None {
			e = e.push(gone)
		} else {
			e = e.push(f.valOf(f.build(args[0])))
			args = args[1:]
		}
		t = core.Strip(lam.Body)
	}
	r := f.reduce(t, e)
	if len(args) > 0 {
		return f.applyAll(f.cutOut(r), args, core.RepBox, d.Span)
	}
	return r
}
