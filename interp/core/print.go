package core

import (
	"fmt"
	"strconv"
	"strings"

	"bend/interp/syntax"
)

// PrintOptions shape printed terms.
type PrintOptions struct {
	// MaxElems bounds the elements of a list, array, string or chain that are printed;
	// "..." stands for the others. 0 prints all.
	MaxElems int
	// Name shows a top-level key; nil shows a namespace before a dot.
	Name func(key string) string
}

// ShowKey returns the display form of a key: its namespace, a dot and the name.
func ShowKey(key string) string { return strings.Replace(key, ":", ".", 1) }

// Print returns t in surface syntax, on one line. names are the variables in scope,
// outermost first.
func Print(t Term, names []string, opts PrintOptions) string {
	p := &printer{names: append([]string(nil), names...), opts: opts}
	if p.opts.Name == nil {
		p.opts.Name = ShowKey
	}
	p.term(t, top)
	return p.out.String()
}

// The positions of a term within another: they decide about parentheses.
const (
	top  = -1
	arg  = 0 // argument, field, element
	tail = 1 // right of an arrow or of <>, a part of an equation, an arm
	head = 2 // head of a call, domain, left of <>
)

// maxPrintDepth bounds the nesting that is printed; deeper parts show as "...".
const maxPrintDepth = 250_000

type printer struct {
	out   strings.Builder
	names []string
	opts  PrintOptions
	depth int
}

func (p *printer) write(s string) { p.out.WriteString(s) }

// wrap prints parentheses around body when paren.
func (p *printer) wrap(paren bool, body func()) {
	if paren {
		p.write("(")
		body()
		p.write(")")
		return
	}
	body()
}

// under prints body with one more name in scope.
func (p *printer) under(name string, body func()) {
	p.names = append(p.names, name)
	body()
	p.names = p.names[:len(p.names)-1]
}

func (p *printer) term(t Term, pos int) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxPrintDepth {
		p.write("...")
		return
	}
	switch t := t.(type) {
	case *Var:
		p.write(p.variable(t))
	case *Ref:
		p.write(p.ref(t.Key))
		if t.Bang {
			p.write("!")
		}
	case *Kind:
		if q, ok := t.Q.(*Qty); ok && q.Q != None {
			p.write(map[Quantity]string{Lone: "Type", Many: "Data"}[q.Q])
			return
		}
		p.write("Kind(")
		p.term(t.Q, arg)
		p.write(")")
	case *Quant:
		p.write("Quant")
	case *Qty:
		p.write("&" + strconv.Itoa(int(t.Q)))
	case *Meet:
		p.wrap(pos >= tail, func() {
			p.term(t.A, head)
			p.write(" <&> ")
			p.term(t.B, tail)
		})
	case *All:
		if a := action(t); a != nil {
			p.under("", func() { p.term(&App{Fn: &Ref{Key: "IO"}, Arg: a}, pos) })
			return
		}
		p.wrap(pos == head, func() { p.all(t) })
	case *Lam:
		p.wrap(pos >= tail, func() {
			if t.Plus {
				p.write("+")
			}
			p.write(t.Name + " => ")
			p.under(t.Name, func() { p.term(t.Body, top) })
		})
	case *App:
		p.app(t)
	case *ADT:
		p.write(p.ref(t.Key))
		if len(t.Args) > 0 {
			p.write("<")
			p.list(t.Args)
			p.write(">")
		}
		for _, key := range t.Removed {
			p.write(" - " + p.opts.Name(key) + "{}")
		}
	case *Ctr:
		p.ctr(t, pos)
	case *Lit:
		switch t.Kind {
		case syntax.U32:
			p.write(strconv.FormatUint(t.N, 10))
		case syntax.Nat:
			p.write(strconv.FormatUint(t.N, 10) + "n")
		default:
			p.write(ShowF32(uint32(t.N)))
		}
	case *Str:
		p.write(quote(t.Codes, '"', p.opts.MaxElems))
	case *Mat, *Efq:
		p.mat(t)
	case *Eql:
		p.write("{")
		p.term(t.A, tail)
		p.write(" == ")
		p.term(t.B, tail)
		p.write(" : ")
		p.term(t.T, top)
		p.write("}")
	case *Rfl:
		p.write("{==}")
	case *Rwt:
		p.wrap(pos >= tail, func() {
			p.write("%")
			if t.Name != "" {
				p.write(t.Name + "@")
			}
			p.term(t.Eq, arg)
			p.write(" : ")
			p.under("_", func() { p.under(t.Name, func() { p.term(t.Motive, arg) }) })
			p.write("; ")
			p.term(t.Body, top)
		})
	case *Let:
		p.wrap(pos >= arg, func() { p.let(t) })
	case *Ann:
		p.write("{")
		p.term(t.X, arg)
		p.write(" : ")
		p.term(t.T, top)
		p.write("}")
	case *Hole:
		p.write("?" + t.Name)
	}
}

func (p *printer) variable(v *Var) string {
	i := len(p.names) - 1 - v.Ix
	if i < 0 {
		if v.Name != "" {
			return v.Name
		}
		return fmt.Sprintf("_%d", v.Ix)
	}
	name := p.names[i]
	for _, n := range p.names[i+1:] {
		if n == name {
			return fmt.Sprintf("%s^%d", name, i)
		}
	}
	return name
}

func (p *printer) ref(key string) string {
	name := p.opts.Name(key)
	for _, n := range p.names {
		if n == name {
			return name + "^"
		}
	}
	return name
}

func (p *printer) list(ts []Term) {
	for i, t := range ts {
		if i > 0 {
			p.write(", ")
		}
		p.term(t, arg)
	}
}

// action returns A, under the binder of t, if t is what IO(A) of Base stands for:
// @-R:Type -> @k:(@_:A -> IO.OP<R>) -> IO.OP<R>. People know it by its name.
func action(t *All) Term {
	op := func(t Term, r int) bool {
		u, ok := t.(*ADT)
		if !ok || u.Key != "IO.OP" || len(u.Args) != 1 {
			return false
		}
		v, ok := u.Args[0].(*Var)
		return ok && v.Ix == r
	}
	f, ok := t.Cod.(*All)
	if !ok || t.Q != None || !op(f.Cod, 1) {
		return nil
	}
	k, ok := f.Dom.(*All)
	if !ok || !op(k.Cod, 1) {
		return nil
	}
	free := true
	Walk(k.Dom, func(t Term, binders int) {
		if v, ok := t.(*Var); ok && v.Ix == binders {
			free = false
		}
	})
	if !free {
		return nil
	}
	return k.Dom
}

func (p *printer) all(t *All) {
	p.write("@")
	switch t.Q {
	case None:
		p.write("-")
	case Many:
		p.write("+")
	}
	name := t.Name
	if name == "" {
		name = "_"
	}
	p.write(name + ":")
	p.term(t.Dom, head)
	p.write(" -> ")
	p.under(name, func() { p.term(t.Cod, tail) })
}

func (p *printer) app(t *App) {
	var args []Term
	var f Term = t
	for {
		a, ok := f.(*App)
		if !ok {
			break
		}
		args = append(args, a.Arg)
		f = a.Fn
	}
	p.term(f, head)
	p.write("(")
	for i := len(args) - 1; i >= 0; i-- {
		p.term(args[i], arg)
		if i > 0 {
			p.write(", ")
		}
	}
	p.write(")")
}

func (p *printer) mat(t Term) {
	p.write(`\{`)
	for first := true; ; first = false {
		m, ok := t.(*Mat)
		if !ok {
			if _, none := t.(*Efq); !none {
				if !first {
					p.write("; ")
				}
				p.term(t, tail)
			}
			break
		}
		if !first {
			p.write("; ")
		}
		p.write(p.opts.Name(m.Key) + ": ")
		p.term(m.Hit, tail)
		t = m.Miss
	}
	p.write("}")
}

func (p *printer) let(t *Let) {
	for i, n := range t.Names {
		if i > 0 {
			p.write(" ")
		}
		switch {
		case t.Qs[i] == None && i == 0:
			p.write("-")
		case t.Qs[i] == Many:
			p.write("+")
		}
		p.write(n)
	}
	p.write(" = ")
	for i, v := range t.Vals {
		if i > 0 {
			p.write(" ")
		}
		p.term(v, arg)
	}
	p.write("; ")
	p.names = append(p.names, t.Names...)
	p.term(t.Body, top)
	p.names = p.names[:len(p.names)-len(t.Names)]
}
