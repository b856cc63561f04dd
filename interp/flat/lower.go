package flat

import (
	"fmt"
	"strings"

	"bend/interp/core"
	"bend/interp/syntax"
	"bend/interp/word"
)

// Lower lowers the checked def of b with the given key, and all that it can reach,
// into p, and returns its id. What p holds already is not lowered again. The error,
// if any, is a *syntax.Diagnostic.
func Lower(b *core.Book, p *Program, key string) (DefID, error) {
	d := b.Defs[key]
	if d == nil {
		return 0, &syntax.Diagnostic{Code: "unknown-name", Message: "no def is named " + key}
	}
	lw := &lowerer{book: b, prog: p, simple: map[*core.Def]bool{}}
	id := lw.id(d)
	for len(lw.queue) > 0 && lw.err == nil {
		job := lw.queue[0]
		lw.queue = lw.queue[1:]
		lw.def(job)
	}
	if lw.err != nil {
		lw.forget()
		return 0, lw.err
	}
	borrowable(p, lw.made)
	for i := 0; i < len(lw.made); i++ {
		lw.made = append(lw.made, finish(p, lw.made[i])...)
	}
	return id, nil
}

// A lowerer is the state of one call of Lower.
type lowerer struct {
	book   *core.Book
	prog   *Program
	queue  []*core.Def
	made   []*Def
	simple map[*core.Def]bool // memo of isSimple
	err    error
}

func (lw *lowerer) fail(sp syntax.Span, code, format string, args ...any) {
	if lw.err == nil {
		lw.err = &syntax.Diagnostic{Code: code, Span: sp, Message: fmt.Sprintf(format, args...)}
	}
}

// forget makes the defs of a failed lowering unknown, so that a later one starts anew.
func (lw *lowerer) forget() {
	for d, id := range lw.prog.ids {
		for _, nd := range lw.made {
			if nd.ID == id {
				delete(lw.prog.ids, d)
			}
		}
		if lw.prog.Defs[id].Body == nil {
			delete(lw.prog.ids, d)
		}
	}
}

// id returns the id of d, and queues d for lowering when it is met first.
func (lw *lowerer) id(d *core.Def) DefID {
	if id, ok := lw.prog.ids[d]; ok {
		return id
	}
	nd := &Def{Key: d.Key, Name: shownName(d), Params: runtimeArity(d), Span: d.Span}
	id := lw.prog.Add(nd)
	lw.prog.ids[d] = id
	lw.queue = append(lw.queue, d)
	return id
}

func shownName(d *core.Def) string {
	if d.Template != "" {
		return d.Template
	}
	return d.Key
}

// runtimeArity returns the number of arguments that a call of d takes when run: its
// parameters that are not erased, and those of the lambdas that directly follow.
func runtimeArity(d *core.Def) int {
	if op, ok := primOf(d); ok {
		return op.NumArgs()
	}
	if e, ok := effectOf(d); ok {
		return e.Args + 1
	}
	n, straight := 0, true
	v, ty := d.Value, d.Type
	for i := 0; i < d.Arity; i++ {
		v = core.Strip(v)
		lam, isLam := v.(*core.Lam)
		live := true
		if all, ok := ty.(*core.All); ok {
			live = all.Q != core.None
			ty = all.Cod
		} else if isLam {
			live = lam.Q != core.None
		}
		if isLam {
			v = lam.Body
		} else {
			v, straight = nil, false
		}
		if live {
			n++
		}
	}
	for straight {
		lam, ok := core.Strip(v).(*core.Lam)
		if !ok {
			break
		}
		if lam.Q != core.None {
			n++
		}
		v = lam.Body
	}
	return n
}

func primOf(d *core.Def) (Op, bool) {
	if !d.Base {
		return 0, false
	}
	return OpOf(d.Key)
}

func effectOf(d *core.Def) (Effect, bool) {
	if !d.Base {
		return Effect{}, false
	}
	return EffectOf(d.Key)
}

// def lowers the body of d.
func (lw *lowerer) def(d *core.Def) {
	nd := lw.prog.Defs[lw.prog.ids[d]]
	lw.made = append(lw.made, nd)
	f := lw.newFn(nil, nd)
	params := make([]*val, nd.Params)
	for i := range params {
		params[i] = f.local(f.newVar("", false))
	}
	var last Code
	op, isOp := primOf(d)
	eff, isEff := effectOf(d)
	switch {
	case isOp:
		dst := f.newVar("", true)
		for i := range params {
			f.def.Vars[i] = VarInfo{Name: paramName(d, i), Raw: true}
		}
		f.emit(&Prim{Dst: dst, Op: op, Args: atoms(params)})
		last = &Return{V(dst)}
	case isEff:
		dst := f.newVar("request", false)
		fields := append([]Atom{Const(word.Word(eff.ID))}, atoms(params)...)
		f.emit(&New{Dst: dst, Ctor: RequestCtor, Name: "Request", Fields: fields})
		last = &Return{V(dst)}
	case d.Value == nil && len(d.Foreign) > 0:
		last = &Stop{Why: fmt.Sprintf("%s is a foreign effect: this program runs Base's effects only", d.Key)}
	case d.Value == nil && d.Base && lw.book.Defs[d.Key+".run"] != nil:
		last = f.spine(lw.book.Defs[d.Key+".run"].Value, nil, params)
	case d.Value == nil && strings.HasPrefix(d.Key, "?"):
		last = &Stop{Why: "the hole " + d.Key + " was reached"}
	case d.Value == nil:
		last = &Stop{Why: fmt.Sprintf("%s has no definition that can be run", d.Key)}
	default:
		last = f.spine(d.Value, nil, params)
	}
	nd.Body = f.seal(last)
}

// holeDef returns a def that stands for a hole: to call it stops the program.
func holeDef(h *core.Hole) *core.Def {
	key := "?" + h.Name
	if h.Span.Valid() {
		line, _ := h.Span.Src.Line(h.Span.Start)
		key += fmt.Sprintf(" at %s:%d", h.Span.Src.Name, line)
	}
	return &core.Def{Key: key, Span: h.Span}
}

func paramName(d *core.Def, i int) string {
	if i < len(d.Params) {
		return d.Params[i]
	}
	return ""
}

func atoms(vs []*val) []Atom {
	as := make([]Atom, len(vs))
	for i, v := range vs {
		as[i] = v.atom
	}
	return as
}
