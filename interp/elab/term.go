package elab

import (
	"math/bits"

	"bend/interp/core"
	"bend/interp/syntax"
)

// An operators gives the namespace of operators: the head of the ": T" of the nearest
// parentheses.
type operators struct{ name syntax.Name }

// methods maps an operator to the name it calls in its namespace.
var methods = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod",
	".&.": "and", ".|.": "or", ".^.": "xor", "<<": "shln", ">>": "shrn",
	"<": "is_lt", "<=": "is_le", ">": "is_gt", ">=": "is_ge",
}

// fixed maps an operator to the def it always calls.
var fixed = map[string]string{"&&": "Bool.and", "||": "Bool.or", "++": "String.append"}

// term elaborates x at depth core binders. ops is the namespace of the operators at
// the head of x, nil where there is none.
func (e *elab) term(x syntax.Expr, sc *scope, depth int, ops *operators) core.Term {
	sub := func(x syntax.Expr) core.Term { return e.term(x, sc, depth, nil) }
	sp := x.At()
	switch x := x.(type) {
	case *syntax.Ident:
		if k := sc.lookup(x.Text); k != nil {
			return e.mention(k, sp, depth)
		}
		return e.ref(x.Name)
	case *syntax.Number:
		return &core.Lit{Span: sp, Kind: x.Kind, N: x.Value}
	case *syntax.NatPlus:
		return natPlus(sp, x.K, sub(x.Rest))
	case *syntax.CharLit:
		return &core.Ctr{Span: sp, Key: "Chr", Args: []core.Term{&core.Lit{Span: sp, Kind: syntax.U32, N: uint64(x.Code)}}}
	case *syntax.StringLit:
		return stringTerm(sp, x.Codes)
	case *syntax.Universe:
		switch x.Word {
		case "Type":
			return &core.Kind{Span: sp, Q: &core.Qty{Span: sp, Q: core.Lone}}
		case "Data":
			return &core.Kind{Span: sp, Q: &core.Qty{Span: sp, Q: core.Many}}
		}
		return &core.Quant{Span: sp}
	case *syntax.KindOf:
		return &core.Kind{Span: sp, Q: sub(x.Q)}
	case *syntax.Quantity:
		return &core.Qty{Span: sp, Q: core.Quantity(x.Q)}
	case *syntax.Refl:
		return &core.Rfl{Span: sp}
	case *syntax.Hole:
		return &core.Hole{Span: sp, Name: x.Name}
	case *syntax.Pi:
		b := &bnd{name: x.Name.Text, level: depth}
		return &core.All{Span: sp, Q: quantity(x.Mark), Name: b.name, Dom: sub(x.Dom), Cod: e.term(x.Cod, sc.bind(b), depth+1, nil)}
	case *syntax.Exists:
		b := &bnd{name: x.Name.Text, level: depth, span: x.Name.Span}
		return exists(sp, b, sub(x.Dom), e.term(x.Cod, sc.bind(b), depth+1, nil))
	case *syntax.Equal:
		eq := &core.Eql{Span: sp, A: sub(x.A), B: sub(x.B), T: sub(x.Type)}
		if x.Not {
			return &core.All{Span: sp, Q: core.Lone, Name: "_", Dom: eq, Cod: &core.ADT{Span: sp, Key: "Empty"}}
		}
		return eq
	case *syntax.TypeInst:
		return e.instance(sp, x.Name, e.terms(x.Args, sc, depth), false)
	case *syntax.Infix:
		return e.infix(x, sc, depth, ops)
	case *syntax.PlusOf:
		switch u := x.X.(type) {
		case *syntax.TypeInst:
			return e.instance(sp, u.Name, e.terms(u.Args, sc, depth), true)
		case *syntax.Ident:
			return e.instance(sp, u.Name, nil, true)
		}
		e.errorf(sp, "plus", "", "'+' stands before a datatype or a binder")
		return sub(x.X)
	case *syntax.Annot:
		return &core.Ann{Span: sp, X: sub(x.X), T: sub(x.Type)}
	case *syntax.Paren:
		if x.Type != nil {
			ops = e.namespace(x.Type)
		}
		return e.flat(x.X, sc, nil, depth, ops)
	case *syntax.Tuple:
		return e.tuple(x, sc, depth)
	case *syntax.List:
		var t core.Term = &core.Ctr{Span: sp, Key: "Nil"}
		elems := e.terms(x.Elems, sc, depth)
		for i := len(elems) - 1; i >= 0; i-- {
			t = &core.Ctr{Span: sp, Key: "Con", Args: []core.Term{elems[i], t}}
		}
		return t
	case *syntax.ArrayLit:
		return e.arrayLit(x, sc, depth)
	case *syntax.Index:
		return apply(sp, base(sp, "Array.get"), &core.ADT{Span: sp, Key: "U32"}, sub(x.X), e.index(x.I, sc, depth))
	case *syntax.IndexSet:
		return apply(sp, base(sp, "Array.set"), &core.ADT{Span: sp, Key: "U32"}, sub(x.X), e.index(x.I, sc, depth), sub(x.V))
	case *syntax.Rewrite:
		return e.rewrite(x, sc, depth)
	case *syntax.MatchLam:
		var t core.Term = &core.Efq{Span: sp}
		if x.Rest != nil {
			t = sub(x.Rest)
		}
		for i := len(x.Arms) - 1; i >= 0; i-- {
			a := x.Arms[i]
			key, c := e.ctor(a.Ctor)
			if c == nil {
				e.errorf(a.Ctor.Span, "unknown-constructor", suggestion(e.book, a.Ctor.Text), "no constructor named %s is declared above", a.Ctor.Text)
			}
			t = &core.Mat{Span: sp, Key: key, Hit: sub(a.Body), Miss: t}
		}
		return t
	case *syntax.Call:
		return e.call(x, sc, depth, ops)
	case *syntax.CtorTerm:
		key, _ := e.ctor(x.Name)
		return &core.Ctr{Span: sp, Key: key, Args: e.terms(x.Args, sc, depth)}
	case *syntax.Lambda:
		b := &bnd{name: x.Param.Text, span: x.Param.Span, plus: x.Mark == syntax.Reusable, level: depth}
		body := e.flat(x.Body, sc.bind(b), nil, depth+1, nil)
		return &core.Lam{Span: sp, Name: b.name, BSpan: b.span, Plus: b.plus, Body: body}
	case *syntax.Do:
		return e.do(x, sc, depth)
	}
	// A match, or a let that destructures: nothing is pending here.
	return e.flat(x, sc, nil, depth, ops)
}

func (e *elab) terms(xs []syntax.Expr, sc *scope, depth int) []core.Term {
	ts := make([]core.Term, len(xs))
	for i, x := range xs {
		ts[i] = e.term(x, sc, depth, nil)
	}
	return ts
}

func quantity(m syntax.Mark) core.Quantity {
	switch m {
	case syntax.Erased, syntax.Template:
		return core.None
	case syntax.Reusable:
		return core.Many
	}
	return core.Lone
}

func exists(sp syntax.Span, b *bnd, dom, cod core.Term) core.Term {
	return apply(sp, base(sp, "Exists"), dom, &core.Lam{Span: sp, Name: b.name, BSpan: b.span, Body: cod})
}

// natPlus is k successors around t.
func natPlus(sp syntax.Span, k uint64, t core.Term) core.Term {
	if l, ok := t.(*core.Lit); ok && l.Kind == syntax.Nat && l.N+k <= 1<<32-1 {
		return &core.Lit{Span: sp, Kind: syntax.Nat, N: l.N + k}
	}
	if k > 256 {
		return apply(sp, base(sp, "Nat.add"), &core.Lit{Span: sp, Kind: syntax.Nat, N: k}, t)
	}
	for range k {
		t = &core.Ctr{Span: sp, Key: "Succ", Args: []core.Term{t}}
	}
	return t
}

func stringTerm(sp syntax.Span, codes []uint32) core.Term {
	scalar := true
	for _, c := range codes {
		scalar = scalar && c <= 0x10ffff && (c < 0xd800 || c >= 0xe000)
	}
	if scalar {
		return &core.Str{Span: sp, Codes: codes}
	}
	var t core.Term = &core.Ctr{Span: sp, Key: "SNil"}
	for i := len(codes) - 1; i >= 0; i-- {
		c := &core.Ctr{Span: sp, Key: "Chr", Args: []core.Term{&core.Lit{Span: sp, Kind: syntax.U32, N: uint64(codes[i])}}}
		t = &core.Ctr{Span: sp, Key: "SCon", Args: []core.Term{c, t}}
	}
	return t
}

// namespace returns the namespace of operators that the T of ( e : T ) names.
func (e *elab) namespace(t syntax.Expr) *operators {
	switch u := t.(type) {
	case *syntax.Ident:
		return &operators{u.Name}
	case *syntax.TypeInst:
		return &operators{u.Name}
	case *syntax.Call:
		if id, ok := u.Fn.(*syntax.Ident); ok {
			return &operators{id.Name}
		}
	case *syntax.PlusOf:
		return e.namespace(u.X)
	case *syntax.Paren:
		if u.Type == nil {
			return e.namespace(u.X)
		}
	}
	e.errorf(t.At(), "operator-namespace", "in parentheses write (a + b : U32), the name of a type; any type goes in braces: {e : A -> B}", "the type after ':' in parentheses begins with no name")
	return &operators{}
}

func (e *elab) infix(x *syntax.Infix, sc *scope, depth int, ops *operators) core.Term {
	sp := x.Span
	sub := func(x syntax.Expr) core.Term { return e.term(x, sc, depth, nil) }
	switch x.Op {
	case "->":
		b := &bnd{name: "_", level: depth}
		return &core.All{Span: sp, Q: core.Lone, Name: "_", Dom: sub(x.L), Cod: e.term(x.R, sc.bind(b), depth+1, nil)}
	case "&":
		return apply(sp, base(sp, "Pair"), sub(x.L), sub(x.R))
	case "|":
		return apply(sp, base(sp, "Or"), sub(x.L), sub(x.R))
	case "<>":
		return &core.Ctr{Span: sp, Key: "Con", Args: []core.Term{sub(x.L), sub(x.R)}}
	case "<&>":
		return &core.Meet{Span: sp, A: sub(x.L), B: sub(x.R)}
	}
	if f, ok := fixed[x.Op]; ok {
		return apply(sp, base(x.OpSpan, f), e.term(x.L, sc, depth, ops), e.term(x.R, sc, depth, ops))
	}
	if ops == nil && e.opts.Operators {
		ops = &operators{syntax.Name{Span: x.OpSpan, Text: guess(x)}}
	}
	if ops == nil {
		e.errorf(x.OpSpan, "operator-type", "write the whole in parentheses with its type, such as (a "+x.Op+" b : U32)", "this operator needs a type")
		return &core.Hole{Span: sp, Name: "operator"}
	}
	f := e.ref(syntax.Name{Span: x.OpSpan, Text: ops.name.Text + "." + methods[x.Op]})
	return apply(sp, f, e.term(x.L, sc, depth, ops), e.term(x.R, sc, depth, ops))
}

// guess names the namespace of an operator at the prompt by its operands.
func guess(x syntax.Expr) string {
	switch u := x.(type) {
	case *syntax.Infix:
		if l := guess(u.L); l != "" {
			return l
		}
		if r := guess(u.R); r != "" {
			return r
		}
		return "U32"
	case *syntax.Number:
		return map[syntax.NumKind]string{syntax.U32: "U32", syntax.Nat: "Nat", syntax.F32: "F32"}[u.Kind]
	case *syntax.NatPlus:
		return "Nat"
	case *syntax.Paren:
		if u.Type == nil {
			return guess(u.X)
		}
		if id, ok := u.Type.(*syntax.Ident); ok {
			return id.Text
		}
	case *syntax.Annot:
		if id, ok := u.Type.(*syntax.Ident); ok {
			return id.Text
		}
	}
	return ""
}

func (e *elab) tuple(x *syntax.Tuple, sc *scope, depth int) core.Term {
	n := len(x.Elems) - 1
	var ops *operators
	if x.Type != nil {
		ops = e.namespace(x.Type)
	}
	t := e.flat(x.Elems[n], sc, nil, depth, ops)
	for i := n - 1; i >= 0; i-- {
		t = &core.Ctr{Span: x.Span, Key: "Tuple", Args: []core.Term{e.flat(x.Elems[i], sc, nil, depth, nil), t}}
	}
	return t
}

func (e *elab) arrayLit(x *syntax.ArrayLit, sc *scope, depth int) core.Term {
	sp := x.Span
	var d core.Term
	if x.Depth {
		d = e.term(x.Size, sc, depth, nil)
	} else {
		n, ok := x.Size.(*syntax.Number)
		if !ok || n.Kind != syntax.Nat || bits.OnesCount64(n.Value) != 1 {
			e.errorf(x.Size.At(), "array-size", "write a literal such as 8n, or [v : T ^ d] for 2^d elements", "an array literal takes a power of two count")
			n = &syntax.Number{Value: 1}
		}
		d = &core.Lit{Span: x.Size.At(), Kind: syntax.Nat, N: uint64(bits.TrailingZeros64(n.Value))}
	}
	var ops *operators
	switch x.Type.(type) {
	case *syntax.Ident, *syntax.TypeInst, *syntax.Call, *syntax.PlusOf:
		ops = e.namespace(x.Type)
	}
	return apply(sp, base(sp, "Array.new"), e.term(x.Type, sc, depth, nil), d, e.term(x.Elem, sc, depth, ops))
}

// index elaborates an array index, whose operators are U32's.
func (e *elab) index(x syntax.Expr, sc *scope, depth int) core.Term {
	return e.term(x, sc, depth, &operators{syntax.Name{Span: x.At(), Text: "U32"}})
}

func (e *elab) rewrite(x *syntax.Rewrite, sc *scope, depth int) core.Term {
	r := &core.Rwt{Span: x.Span, Eq: e.term(x.Eq, sc, depth, nil)}
	end := &bnd{name: "_", level: depth}
	eq := &bnd{level: depth + 1}
	in := &scope{"_", &known{bnd: end}, sc}
	if x.Name != nil {
		r.Name, eq.name = x.Name.Text, x.Name.Text
		in = in.bind(eq)
	}
	r.Motive = e.term(x.Motive, in, depth+2, nil)
	r.Body = e.flat(x.Rest, sc, nil, depth, nil)
	return r
}

func (e *elab) call(x *syntax.Call, sc *scope, depth int, ops *operators) core.Term {
	sp := x.Span
	if t := e.beta(x, sc, depth); t != nil {
		return t
	}
	fn := x.Fn
	for {
		p, ok := fn.(*syntax.Paren)
		if !ok || p.Type != nil {
			break
		}
		fn = p.X
	}
	f := e.term(fn, sc, depth, nil)
	id, named := fn.(*syntax.Ident)
	if x.Bang {
		r, ok := f.(*core.Ref)
		if !ok {
			e.errorf(x.Fn.At(), "bang", "give the function a def of its own", "only a call of a named def can be marked with '!'")
		} else {
			r.Bang = true
		}
	}
	e.checkTildes(x, f)
	var in *operators
	if named && (id.Text == "Bool.and" || id.Text == "Bool.or" || id.Text == "String.append") {
		in = ops
	}
	for _, a := range x.Args {
		f = &core.App{Span: sp, Fn: f, Arg: e.term(a.X, sc, depth, in), Tilde: a.Tilde}
	}
	return f
}

// beta elaborates a lambda applied where it stands: its body with the arguments put in.
func (e *elab) beta(x *syntax.Call, sc *scope, depth int) core.Term {
	fn := x.Fn
	for {
		p, ok := fn.(*syntax.Paren)
		if !ok || p.Type != nil {
			break
		}
		fn = p.X
	}
	lam, ok := fn.(*syntax.Lambda)
	if !ok || len(x.Args) == 0 {
		return nil
	}
	in := sc.push(lam.Param.Text, &known{term: x.Args[0].X, in: sc})
	if len(x.Args) == 1 {
		return e.flat(lam.Body, in, nil, depth, nil)
	}
	// The body may be the next lambda.
	rest := &syntax.Call{Span: x.Span, Fn: lam.Body, Args: x.Args[1:]}
	if _, ok := lam.Body.(*syntax.Lambda); ok {
		return e.beta(rest, in, depth)
	}
	f := e.flat(lam.Body, in, nil, depth, nil)
	for _, a := range rest.Args {
		f = &core.App{Span: x.Span, Fn: f, Arg: e.term(a.X, sc, depth, nil)}
	}
	return f
}

// checkTildes checks that "~" arguments stand only where a template takes them.
func (e *elab) checkTildes(x *syntax.Call, f core.Term) {
	n := 0
	for _, a := range x.Args {
		if a.Tilde {
			n++
		}
	}
	if n == 0 {
		return
	}
	most := 0
	if r, ok := f.(*core.Ref); ok {
		if d := e.book.Defs[r.Key]; d != nil {
			most = d.Templates
		}
	}
	if n > most {
		e.errorf(x.Args[most].X.At(), "tilde", "", "%s takes %s", x.Fn.At().Text(), count(most, "'~' argument"))
	}
}

// do elaborates a do block to binds of its monad.
func (e *elab) do(x *syntax.Do, sc *scope, depth int) core.Term {
	args := x.Args
	monad := e.global(x.Monad)
	data := e.book.Types[monad]
	all := func(depth int, sc *scope) []core.Term {
		ts := e.terms(args, sc, depth)
		if data != nil && len(ts) == len(data.Params)-data.Quants {
			ts = append(quantities(x.Monad.Span, data.Quants, core.Lone), ts...)
		}
		return ts
	}
	method := func(name string) core.Term {
		return e.ref(syntax.Name{Span: x.Monad.Span, Text: x.Monad.Text + "." + name})
	}
	var stmts func(i int, sc *scope, depth int) core.Term
	stmts = func(i int, sc *scope, depth int) core.Term {
		s := x.Stmts[i]
		bind := func(b *bnd, typ core.Term) core.Term {
			ts := all(depth, sc)
			f := method("bind")
			var r core.Term
			if n := len(ts); n > 0 {
				f, r = apply(s.Span, f, ts[:n-1]...), ts[n-1]
			}
			f = apply(s.Span, f, typ)
			if r != nil {
				f = apply(s.Span, f, r)
			}
			v := e.term(s.Value, sc, depth, nil)
			b.level = depth
			rest := stmts(i+1, sc.bind(b), depth+1)
			return apply(s.Span, f, v, &core.Lam{Span: rest.At(), Name: b.name, BSpan: b.span, Plus: b.plus, Body: rest})
		}
		if i == len(x.Stmts)-1 && (s.Kind == syntax.DoBind || s.Kind == syntax.DoLet) {
			e.errorf(s.Span, "do-value", "end the block with a value or with return", "a do block ends in a value")
			return &core.Hole{Span: s.Span, Name: "value"}
		}
		switch s.Kind {
		case syntax.DoBind:
			if id, ok := s.Type.(*syntax.Ident); ok && s.Name.Text == "" && sc.lookup(id.Text) == nil && !e.declared(e.global(id.Name)) {
				e.errorf(id.Span, "do-bind", "a bind in a do block has a type: "+id.Text+" : T <- ..", "%s is no type", id.Text)
			}
			b := &bnd{name: s.Name.Text, span: s.Name.Span, plus: s.Mark == syntax.Reusable}
			if b.name == "" {
				b.name, b.span = "_", s.Span
			}
			return bind(b, e.term(s.Type, sc, depth, nil))
		case syntax.DoStep:
			return bind(&bnd{name: "_", span: s.Span}, e.ref(syntax.Name{Span: s.Span, Text: "Unit"}))
		case syntax.DoLet:
			b := &bnd{name: s.Name.Text, span: s.Name.Span, plus: s.Mark == syntax.Reusable, level: depth}
			q := quantity(s.Mark)
			v := &core.Ann{Span: s.Value.At(), X: e.term(s.Value, sc, depth, nil), T: e.term(s.Type, sc, depth, nil)}
			rest := stmts(i+1, sc.bind(b), depth+1)
			return &core.Let{Span: s.Span, Names: []string{b.name}, BSpans: []core.Span{b.span}, Qs: []core.Quantity{q}, Vals: []core.Term{v}, Body: rest}
		case syntax.DoReturn:
			return apply(s.Span, apply(s.Span, method("pure"), all(depth, sc)...), e.term(s.Value, sc, depth, nil))
		}
		v := e.term(s.Value, sc, depth, nil)
		var t core.Term
		if ts := all(depth, sc); data != nil {
			t = &core.ADT{Span: x.Monad.Span, Key: monad, Args: ts}
		} else {
			t = apply(x.Monad.Span, &core.Ref{Span: x.Monad.Span, Key: monad}, ts...)
		}
		return &core.Ann{Span: s.Span, X: v, T: t}
	}
	return stmts(0, sc, depth)
}
