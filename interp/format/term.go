package format

import (
	"fmt"
	"strings"

	"bend/interp/syntax"
)

// isBlock reports whether e is made of statements, which may stand on lines of their own.
func isBlock(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.Match, *syntax.LetPattern, *syntax.LetNames, *syntax.ArrayWrite, *syntax.Rewrite:
		return true
	}
	return false
}

// body writes a body whose first mark stands at a column, or behind other marks on a line
// of that indentation.
func (p *printer) body(e syntax.Expr, column int) {
	for {
		var rest syntax.Expr
		switch s := e.(type) {
		case *syntax.LetNames:
			p.letNames(s, column)
			rest = s.Body
		case *syntax.LetPattern:
			p.expr(s.Pat, column)
			p.mark(" = ")
			p.expr(s.Value, column)
			rest = s.Body
		case *syntax.ArrayWrite:
			p.write(s.Array.Text, s.Array.End)
			p.mark("[")
			p.expr(s.I, column)
			p.mark("] <- ")
			p.expr(s.V, column)
			rest = s.Body
		case *syntax.Rewrite:
			p.rewrite(s, column)
			rest = s.Rest
		case *syntax.Match:
			p.match(s, column)
			return
		default:
			p.expr(e, column)
			return
		}
		p.next(rest.At().Start, column)
		e = rest
	}
}

// next goes on to the statement at an offset: on a line of its own, unless it follows on
// the same line. A semicolon that is not there is not added, since behind a do block it
// would belong to that.
func (p *printer) next(at int32, column int) {
	between := p.src.Text[p.last:max(p.last, at)]
	switch {
	case p.flat == 0 && p.breaks(p.last, at) > 0:
		p.line(column, at)
	case strings.Contains(between, ";"):
		p.mark("; ")
	default:
		p.mark(" ")
	}
}

func (p *printer) letNames(s *syntax.LetNames, column int) {
	if s.Erased {
		p.mark("-")
	}
	for i, n := range s.Names {
		if i > 0 {
			p.mark(" ")
		}
		p.write(markText(n.Mark)+n.Name.Text, n.Name.End)
	}
	if s.Type != nil {
		p.mark(" : ")
		p.expr(s.Type, column)
	}
	p.mark(" =")
	for i, v := range s.Values {
		at := v.At().Start
		if c := p.src.Text[at]; p.breaks(p.last, at) > 0 || i > 0 && (c == '(' || c == '[') {
			p.line(column+2, at) // what starts a line is no call and no index
		} else {
			p.mark(" ")
		}
		p.expr(v, column+2)
	}
}

func (p *printer) rewrite(s *syntax.Rewrite, column int) {
	p.mark("%")
	if s.Name != nil {
		p.write(s.Name.Text, s.Name.End)
		p.mark("@")
	}
	p.expr(s.Eq, column)
	p.mark(" : ")
	p.expr(s.Motive, column)
}

func (p *printer) match(m *syntax.Match, column int) {
	flat := p.flat > 0 || !p.many(m.Span)
	p.mark("match")
	for i, s := range m.Scruts {
		if i > 0 {
			p.mark(p.comma())
		}
		p.mark(" ")
		p.expr(s, column+2)
	}
	p.mark(":")
	for _, c := range m.Cases {
		if flat {
			p.mark(" ")
		} else {
			p.line(column+2, c.Start)
		}
		p.mark("case")
		for i, q := range c.Pats {
			if i > 0 {
				p.mark(p.comma())
			}
			p.mark(" ")
			p.expr(q, column+4)
		}
		p.mark(":")
		p.block(c.Body, column+4)
		p.last = max(p.last, c.End)
	}
	p.last = max(p.last, m.End)
}

// expr writes a term; its further lines are indented from a column.
func (p *printer) expr(e syntax.Expr, column int) {
	sp := e.At()
	p.last = max(p.last, sp.Start)
	switch t := e.(type) {
	case *syntax.Refl:
		p.mark("{==}")
	case *syntax.NatPlus:
		p.mark(fmt.Sprintf("%dn+", t.K))
		p.expr(t.Rest, column)
	case *syntax.KindOf:
		p.mark("Kind(")
		p.expr(t.Q, column)
		p.mark(")")
	case *syntax.Pi:
		p.mark("@" + markText(t.Mark))
		p.arrow(t.Name, t.Dom, t.Cod, column)
	case *syntax.Exists:
		p.mark("&")
		p.arrow(t.Name, t.Dom, t.Cod, column)
	case *syntax.Equal:
		op := " == "
		if t.Not {
			op = " != "
		}
		p.mark("{")
		p.expr(t.A, column)
		p.mark(op)
		p.expr(t.B, column)
		p.mark(" : ")
		p.expr(t.Type, column)
		p.mark("}")
	case *syntax.TypeInst:
		p.write(t.Name.Text, t.Name.End)
		p.exprs("<", t.Args, ">", sp.End, column)
	case *syntax.Infix:
		p.expr(t.L, column)
		if p.flat == 0 && p.breaks(p.last, t.R.At().Start) > 0 {
			p.line(column+2, t.OpSpan.Start)
			p.write(t.Op+" ", t.OpSpan.End)
		} else {
			p.write(" "+t.Op+" ", t.OpSpan.End)
		}
		p.expr(t.R, column)
		p.compared = p.compared || t.Op == "<"
	case *syntax.PlusOf:
		p.mark("+")
		p.expr(t.X, column)
	case *syntax.Annot:
		p.mark("{")
		p.expr(t.X, column)
		p.mark(" : ")
		p.expr(t.Type, column)
		p.mark("}")
	case *syntax.Paren:
		p.paren([]syntax.Expr{t.X}, t.Type, sp, column)
	case *syntax.Tuple:
		p.paren(t.Elems, t.Type, sp, column)
	case *syntax.List:
		p.exprs("[", t.Elems, "]", sp.End, column)
	case *syntax.ArrayLit:
		op := " * "
		if t.Depth {
			op = " ^ "
		}
		p.mark("[")
		p.expr(t.Elem, column)
		p.mark(" : ")
		p.expr(t.Type, column)
		p.mark(op)
		p.expr(t.Size, column)
		p.mark("]")
	case *syntax.MatchLam:
		p.matchLam(t, column)
	case *syntax.Call:
		p.call(t, column)
	case *syntax.Index:
		p.expr(t.X, column)
		p.mark("[")
		p.expr(t.I, column)
		p.mark("]")
	case *syntax.IndexSet:
		p.expr(t.X, column)
		p.mark("[")
		p.expr(t.I, column)
		p.mark("] <- ")
		p.expr(t.V, column)
	case *syntax.CtorTerm:
		p.write(t.Name.Text, t.Name.End)
		p.exprs("{", t.Args, "}", sp.End, column)
	case *syntax.Lambda:
		p.lambda(t, column)
	case *syntax.Do:
		p.do(t, column)
	case *syntax.Match, *syntax.LetPattern, *syntax.LetNames, *syntax.ArrayWrite, *syntax.Rewrite:
		p.body(e, column)
	default: // atoms
		p.mark(sp.Text())
	}
	p.last = max(p.last, sp.End)
}

func (p *printer) arrow(name syntax.Name, dom, cod syntax.Expr, column int) {
	p.write(name.Text, name.End)
	p.mark(": ")
	p.expr(dom, column)
	if p.flat == 0 && p.breaks(p.last, cod.At().Start) > 0 {
		p.line(column+2, cod.At().Start)
		p.mark("-> ")
	} else {
		p.mark(" -> ")
	}
	p.expr(cod, column)
}

// exprs writes a sequence in brackets, the last of which ends at the given offset.
func (p *printer) exprs(open string, es []syntax.Expr, close string, end int32, column int) {
	p.mark(open)
	for i, e := range es {
		p.between(i, e.At().Start, column+2)
		p.expr(e, column+2)
	}
	p.closing(close, len(es) > 0, end, column)
}

// closing writes a closing bracket, on a line of its own if it stands on one.
func (p *printer) closing(close string, any bool, end int32, column int) {
	if any && p.flat == 0 && p.breaks(p.last, end) > 0 {
		p.line(column, end)
	}
	p.write(close, end)
}

func (p *printer) paren(es []syntax.Expr, typ syntax.Expr, sp syntax.Span, column int) {
	flat := !p.many(sp)
	if flat {
		p.flat++
	}
	p.mark("(")
	for i, e := range es {
		if at := e.At().Start; i == 0 && p.flat == 0 && isBlock(e) && p.many(e.At()) {
			p.line(column+2, at)
		} else {
			p.between(i, at, column+2)
		}
		p.body(e, column+2)
	}
	if typ != nil {
		p.mark(" : ")
		p.expr(typ, column+2)
	}
	p.closing(")", true, sp.End, column)
	if flat {
		p.flat--
	}
}

func (p *printer) call(t *syntax.Call, column int) {
	p.expr(t.Fn, column)
	if t.Bang {
		p.mark("!")
	}
	p.mark("(")
	for i, a := range t.Args {
		p.between(i, a.X.At().Start, column+2)
		if a.Tilde {
			p.mark("~")
		}
		p.expr(a.X, column+2)
	}
	p.closing(")", len(t.Args) > 0, t.End, column)
}

func (p *printer) matchLam(t *syntax.MatchLam, column int) {
	broken := p.flat == 0 && p.many(t.Span) && (len(t.Arms) > 0 || t.Rest != nil)
	next := func(i int, at int32) {
		switch {
		case broken && i > 0:
			p.mark(";")
			fallthrough
		case broken:
			p.line(column+2, at)
		case i > 0:
			p.mark("; ")
		}
	}
	p.mark("\\{")
	for i, a := range t.Arms {
		next(i, a.Ctor.Start)
		p.write(a.Ctor.Text, a.Ctor.End)
		p.mark(": ")
		p.expr(a.Body, column+2)
	}
	if t.Rest != nil {
		next(len(t.Arms), t.Rest.At().Start)
		p.expr(t.Rest, column+2)
	} else if broken {
		p.mark(";")
	}
	if broken {
		p.line(column, t.End)
	}
	p.write("}", t.End)
}

func (p *printer) lambda(t *syntax.Lambda, column int) {
	if t.Type != nil {
		p.write("("+t.Param.Text, t.Param.End)
		p.mark(" : ")
		p.expr(t.Type, column)
		p.mark(") =>")
	} else {
		p.write(markText(t.Mark)+t.Param.Text, t.Param.End)
		p.mark(" =>")
	}
	body := t.Body.At()
	if p.flat == 0 && (p.breaks(p.last, body.Start) > 0 || isBlock(t.Body) && p.many(body)) {
		p.line(column+2, body.Start)
		p.body(t.Body, column+2)
		return
	}
	p.mark(" ")
	p.body(t.Body, column)
}

func (p *printer) do(t *syntax.Do, column int) {
	p.write("do "+t.Monad.Text, t.Monad.End)
	p.mark("<")
	for i, a := range t.Args {
		if i > 0 {
			p.mark(p.comma() + " ")
		}
		p.expr(a, column)
	}
	p.mark(">:")
	broken := p.flat == 0 && p.many(t.Span)
	for i, s := range t.Stmts {
		switch {
		case broken:
			p.line(column+2, s.Start)
		case i > 0:
			p.mark("; ")
		default:
			p.mark(" ")
		}
		p.stmt(s, column+2)
	}
}

func (p *printer) stmt(s syntax.DoStmt, column int) {
	switch s.Kind {
	case syntax.DoBind, syntax.DoLet:
		if s.Name.Text != "" {
			p.write(markText(s.Mark)+s.Name.Text, s.Name.End)
			p.mark(" : ")
		}
		p.expr(s.Type, column)
		if s.Kind == syntax.DoBind {
			p.mark(" <- ")
		} else {
			p.mark(" = ")
		}
	case syntax.DoReturn:
		p.mark("return ")
	}
	p.expr(s.Value, column)
	p.last = max(p.last, s.End)
}
