package syntax

import "strings"

// body reads a body: lets, then a match or a term. block is the column of the block
// around it; the cases of a match stand to the right of it.
func (p *parser) body(block int) Expr {
	p.enter()
	defer p.leave()
	var result Expr
	slot := &result // where the rest of the body goes
	var ends []*Span
	for {
		p.space()
		start := p.pos
		node, rest, end := p.statement(block)
		*slot = node
		if rest == nil {
			break
		}
		end.Src, end.Start = p.src, int32(start)
		ends = append(ends, end)
		slot = rest
		p.accept(";")
	}
	for _, e := range ends {
		e.End = int32(p.end)
	}
	return result
}

// statement reads one let, whose rest and span are to be filled in, or what ends a
// body, with a nil rest.
func (p *parser) statement(block int) (node Expr, rest *Expr, sp *Span) {
	start := p.pos
	if p.word() == "match" {
		return p.match(block), nil, nil
	}
	if l := p.namesLet(); l != nil {
		return l, &l.Body, &l.Span
	}
	t := p.term(0)
	p.space()
	switch {
	case p.letMark():
		if n, ok := letName(t); ok {
			p.undotted(n)
			p.take(1)
			l := &LetNames{Names: []LetName{n}, Values: []Expr{p.term(0)}}
			return l, &l.Body, &l.Span
		}
		p.take(1)
		l := &LetPattern{Pat: t, Value: p.term(0)}
		return l, &l.Body, &l.Span
	case p.at(0) == ':':
		n, named := letName(t)
		if l := p.typedLet(n, false); l != nil {
			if !named {
				p.failMessage(t.At(), "let-binds-names", "a let with a type binds one name, not a pattern", "")
			}
			p.undotted(n)
			return l, &l.Body, &l.Span
		}
	}
	if w, ok := t.(*IndexSet); ok {
		id, plain := w.X.(*Ident)
		if plain && int(id.Start) == start && (p.looking(";") || p.pos < len(p.text) && p.column(p.pos) == p.column(start)) {
			l := &ArrayWrite{Array: id.Name, I: w.I, V: w.V}
			return l, &l.Body, &l.Span
		}
	}
	return t, nil, nil
}

// letMark reports whether the "=" of a let is next.
func (p *parser) letMark() bool {
	return p.at(0) == '=' && p.at(1) != '=' && p.at(1) != '>'
}

// undotted refuses a let of a name with dots.
func (p *parser) undotted(n LetName) {
	if strings.Contains(n.Name.Text, ".") {
		p.failMessage(n.Name.Span, "let-binds-names", "the name of a let has no dots", "")
	}
}

// letName returns the binder that t is, if it is one.
func letName(t Expr) (LetName, bool) {
	switch u := t.(type) {
	case *Ident:
		return LetName{Plain, u.Name}, true
	case *PlusOf:
		if id, ok := u.X.(*Ident); ok {
			return LetName{Reusable, id.Name}, true
		}
	}
	return LetName{}, false
}

// parallelHint is for two names in a row, which is not often what was meant.
const parallelHint = "two names in a row start a parallel let: a b = f(x) g(y); a call is f(x)"

// namesLet reads a let that starts with "-", or with two or more names on one line,
// and returns nil, having read nothing, if none is next.
func (p *parser) namesLet() *LetNames {
	back, backEnd := p.pos, p.end
	undo := func() *LetNames {
		p.pos, p.end = back, backEnd
		return nil
	}
	l := &LetNames{}
	noMark := func() {
		want := "'='"
		if p.at(0) == '=' {
			want = "'=' on the line of the names"
		}
		p.fail(p.pos, "mark-expected", want, parallelHint)
	}
	if p.at(0) == '-' && isLetter(p.at(1)) {
		p.take(1)
		l.Erased = true
	}
	if p.keyword("let") && p.at(3) == ' ' && isLetter(p.at(4)) {
		p.failKeyword("let", foreignWords["let"])
	}
	for {
		if newline := p.space(); newline && len(l.Names) > 1 {
			noMark()
		} else if newline && len(l.Names) > 0 {
			return undo()
		}
		plus := p.at(0) == '+'
		at := p.pos
		if plus {
			p.take(1)
		}
		w := p.word()
		if w == "" || !isLetter(w[0]) || reserved[w] || strings.Contains(w, ".") {
			p.pos = at
			break
		}
		n := LetName{Name: p.name("a name")}
		if plus {
			n.Mark = Reusable
			if l.Erased {
				p.failSpan(n.Name.Span, "let-mark", "a name without '+'", "a leading '-' erases all names")
			}
		}
		l.Names = append(l.Names, n)
	}
	switch {
	case p.letMark() && (len(l.Names) > 1 || l.Erased && len(l.Names) == 1):
		p.take(1)
	case l.Erased && len(l.Names) == 1 && p.at(0) == ':':
		if t := p.typedLet(l.Names[0], true); t != nil {
			return t
		}
		return undo()
	case len(l.Names) > 1:
		noMark()
	default:
		return undo()
	}
	for range l.Names {
		l.Values = append(l.Values, p.term(0))
	}
	return l
}

// typedLet reads ": T = v" after a name. The ":" may instead belong to what is
// around: then nothing is read and nil returned.
func (p *parser) typedLet(n LetName, erased bool) *LetNames {
	back, backEnd, depth := p.pos, p.end, p.depth
	l := &LetNames{Erased: erased, Names: []LetName{n}}
	d := p.attempt(func() {
		p.take(1)
		l.Type = p.term(0)
		p.space()
	})
	if d != nil || !p.letMark() {
		p.pos, p.end, p.depth = back, backEnd, depth
		return nil
	}
	p.take(1)
	l.Values = []Expr{p.term(0)}
	return l
}

// match reads "match scrutinees:" and the cases that belong to it.
func (p *parser) match(block int) Expr {
	start := p.pos
	p.take(len("match"))
	m := &Match{}
	for !p.accept(":") {
		if p.pos >= len(p.text) {
			p.fail(p.pos, "mark-expected", "':'", "")
		}
		m.Scruts = append(m.Scruts, p.term(0))
		p.accept(",")
	}
	if len(m.Scruts) == 0 {
		p.fail(p.pos-1, "term-expected", "a term", "say what to match on")
	}
	p.space()
	first := p.column(p.pos)
	for first > block && p.keyword("case") && p.column(p.pos) >= first {
		m.Cases = append(m.Cases, p.row(len(m.Scruts)))
	}
	m.Span = p.span(start)
	return m
}

// row reads one case with n patterns.
func (p *parser) row(n int) Case {
	start := p.pos
	column := p.column(start)
	p.take(len("case"))
	var c Case
	for !p.accept(":") {
		if p.pos >= len(p.text) {
			p.fail(p.pos, "mark-expected", "':'", "")
		}
		if p.looking("=>") || p.looking("->") {
			p.fail(p.pos, "mark-expected", "':'", "a case is written case P: body")
		}
		c.Pats = append(c.Pats, p.term(1))
		p.accept(",")
	}
	if len(c.Pats) != n {
		sp := p.span(start)
		if len(c.Pats) > 0 {
			sp = c.Pats[0].At().To(c.Pats[len(c.Pats)-1].At())
		}
		p.failSpan(sp, "pattern-count", plural(n, "pattern"), "a case has as many patterns as the match has scrutinees; write a comma before a pattern in parentheses")
	}
	c.Body = p.body(column)
	c.Span = p.span(start)
	return c
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

// do reads a do block; the word is next.
func (p *parser) do() Expr {
	start := p.pos
	p.take(len("do"))
	d := &Do{Monad: p.name("the name of a monad")}
	p.expect("<", "a do block names its monad and types: do IO<Unit>:")
	d.Args = p.terms(">")
	p.expect(":", "")
	p.space()
	column := p.column(p.pos)
	for {
		s, last := p.doStmt(column)
		d.Stmts = append(d.Stmts, s)
		if last {
			d.Span = p.span(start)
			return d
		}
	}
}

func (p *parser) doStmt(column int) (s DoStmt, last bool) {
	p.space()
	start := p.pos
	if p.acceptWord("return") {
		s = DoStmt{Kind: DoReturn, Value: p.term(0)}
		s.Span = p.span(start)
		return s, true
	}
	t := p.term(0)
	p.space()
	n, named := letName(t)
	switch {
	case named && p.at(0) == ':':
		p.take(1)
		s.Mark, s.Name = n.Mark, n.Name
		s.Type = p.term(1)
		p.space()
		switch {
		case p.accept("<-"):
			s.Kind = DoBind
		case p.letMark():
			p.take(1)
			s.Kind = DoLet
		default:
			p.fail(p.pos, "mark-expected", "'<-' or '='", "")
		}
		s.Value = p.term(0)
	case p.accept("<-"):
		s.Kind, s.Type = DoBind, t
		s.Value = p.term(0)
	case p.letMark():
		p.fail(p.pos, "do-let", "a type", "a let in a do block has a type: "+t.At().Text()+" : T = ..")
	default:
		s.Value = t
		s.Span = p.span(start)
		more := p.accept(";")
		p.space()
		if more || p.pos < len(p.text) && p.column(p.pos) == column {
			s.Kind = DoStep
			return s, false
		}
		s.Kind = DoValue
		return s, true
	}
	s.Span = p.span(start)
	p.accept(";")
	return s, false
}
