package syntax

import "strings"

// levels gives the infix operators their binding level; see the language reference.
var levels = map[string]int{
	"->": 0,
	"&":  1, "|": 1,
	"||": 2,
	"&&": 3,
	"<":  4, "<=": 4, ">": 4, ">=": 4,
	"<>": 5, "++": 5, "<&>": 5,
	".|.": 6, ".^.": 7, ".&.": 8,
	"<<": 9, ">>": 9,
	"+": 10, "-": 10,
	"*": 11, "/": 11, "%": 11,
}

// tight is the level above every infix operator.
const tight = 12

// term reads a term of level k or tighter.
func (p *parser) term(k int) Expr {
	p.enter()
	defer p.leave()
	p.space()
	start := p.pos
	return p.suffix(start, p.base(), k)
}

// suffix reads what may follow t, which starts at start: calls, indexes, type
// arguments and operators of level k or tighter.
func (p *parser) suffix(start int, t Expr, k int) Expr {
	for {
		spaced, newline := p.gap()
		c := p.at(0)
		switch {
		case c == '(' && !newline:
			t = p.call(start, t, false)
		case c == '!' && p.at(1) != '=':
			if !isNamed(t) {
				p.failSpan(t.At(), "bang", "the name of a def before '!'", "only a call of a named def can be marked: name!(..)")
			}
			p.take(1)
			if p.at(0) != '(' {
				p.fail(p.pos, "bang", "'(' right after '!'", "a marked call is written f!(x)")
			}
			t = p.call(start, t, true)
		case c == '[' && !newline:
			t = p.index(start, t)
		case k == 0 && p.looking("=>"):
			return p.lambda(start, t)
		default:
			next, ok := p.infix(start, t, k, spaced)
			if !ok {
				return t
			}
			t = next
		}
	}
}

func isNamed(t Expr) bool {
	for {
		switch u := t.(type) {
		case *Ident:
			return true
		case *Paren:
			if u.Type != nil {
				return false
			}
			t = u.X
		default:
			return false
		}
	}
}

func (p *parser) call(start int, fn Expr, bang bool) Expr {
	p.take(1)
	c := &Call{Fn: fn, Bang: bang}
	for !p.accept(")") {
		at := p.pos
		a := Arg{Tilde: p.accept("~")}
		if n := len(c.Args); a.Tilde && n > 0 && !c.Args[n-1].Tilde {
			p.fail(at, "template-order", "an argument without '~'", "'~' arguments come first")
		}
		a.X = p.term(0)
		c.Args = append(c.Args, a)
		p.accept(",")
	}
	c.Span = p.span(start)
	return c
}

func (p *parser) index(start int, x Expr) Expr {
	p.take(1)
	i := p.term(0)
	p.expect("]", "")
	close := p.pos
	if newline := p.space(); !newline && p.looking("<-") {
		p.take(2)
		v := p.term(2)
		return &IndexSet{p.span(start), x, i, v}
	}
	p.pos = close
	return &Index{p.span(start), x, i}
}

func (p *parser) lambda(start int, t Expr) Expr {
	l := &Lambda{}
	switch u := t.(type) {
	case *Ident:
		l.Param = u.Name
	case *PlusOf:
		if id, ok := u.X.(*Ident); ok {
			l.Mark, l.Param = Reusable, id.Name
		}
	case *Paren:
		if id, ok := u.X.(*Ident); ok && u.Type != nil {
			l.Param, l.Type = id.Name, u.Type
		}
	}
	if l.Param.Text == "" || strings.Contains(l.Param.Text, ".") {
		p.failSpan(t.At(), "lambda-binder", "one name before '=>'", "a function of two arguments is x => y => ..")
	}
	p.take(2)
	l.Body = p.innerBody()
	l.Span = p.span(start)
	return l
}

// innerBody reads a body that is a block of its own.
func (p *parser) innerBody() Expr {
	p.space()
	return p.body(p.column(p.pos) - 1)
}

// operator returns the infix operator that is next, "" if none is.
func (p *parser) operator(spaced bool) string {
	for n := 3; n >= 1; n-- {
		if p.pos+n > len(p.text) {
			continue
		}
		op := p.text[p.pos : p.pos+n]
		if op == "<-" || op == "=>" || op == "==" || op == "!=" {
			return ""
		}
		if _, ok := levels[op]; !ok {
			continue
		}
		after := p.at(n)
		switch op {
		case "+", "-":
			if isLetter(after) || after == '>' {
				return ""
			}
		case "%":
			if after != ' ' && after != '\t' && after != '\n' && after != '\r' {
				return ""
			}
		case ">", ">=", ">>":
			if !spaced {
				return ""
			}
		}
		return op
	}
	return ""
}

// infix reads an operator and its right side after t; ok is false if none of level k
// or tighter is next.
func (p *parser) infix(start int, t Expr, k int, spaced bool) (Expr, bool) {
	op := p.operator(spaced)
	if op == "" {
		return t, false
	}
	if op == "<" {
		return p.less(start, t, k, spaced)
	}
	level := levels[op]
	if level < k {
		return t, false
	}
	opSpan := p.operatorMark(op)
	switch level {
	case 0:
		r := p.term(0)
		return &Infix{p.span(start), op, opSpan, t, r}, true
	case 1, 5: // right: read the whole chain, then fold it
		operands := []Expr{t}
		ops := []string{op}
		spans := []Span{opSpan}
		for {
			operands = append(operands, p.term(level+1))
			spaced, _ := p.gap()
			next := p.operator(spaced)
			if next == "" || levels[next] != level {
				break
			}
			ops = append(ops, next)
			spans = append(spans, p.operatorMark(next))
		}
		r := operands[len(operands)-1]
		end := r.At().End
		for i := len(ops) - 1; i >= 0; i-- {
			sp := Span{p.src, operands[i].At().Start, end}
			r = &Infix{sp, ops[i], spans[i], operands[i], r}
		}
		return r, true
	}
	r := p.term(level + 1)
	return &Infix{p.span(start), op, opSpan, t, r}, true
}

func (p *parser) operatorMark(op string) Span {
	at := p.pos
	p.take(len(op))
	return p.span(at)
}

// less reads what "<" starts: type arguments after a name, or a comparison.
func (p *parser) less(start int, t Expr, k int, spaced bool) (Expr, bool) {
	if spaced && k > 4 {
		return t, false
	}
	back, backEnd := p.pos, p.end
	opSpan := p.operatorMark("<")
	first := p.term(5)
	p.space()
	id, named := t.(*Ident)
	if c := p.at(0); c == '>' || c == ',' {
		if !named {
			p.failSpan(t.At().To(first.At()), "comparison", "a comparison in parentheses", "before ',' and '>' write ((a < b : T), ..)")
		}
		args := []Expr{first}
		for p.accept(","); !p.accept(">"); p.accept(",") {
			if c := p.at(0); c == ')' || c == ']' || c == '}' || c == 0 || c == ':' {
				p.fail(p.pos, "mark-expected", "'>'", "a comparison before ',' needs parentheses: ((a < b : T), ..)")
			}
			args = append(args, p.term(0))
		}
		return &TypeInst{p.span(start), id.Name, args}, true
	}
	if named && !spaced && (p.looking("->") || p.looking("&") && !p.looking("&&") || p.looking("|") && !p.looking("||")) {
		p.fail(p.pos, "type-argument", "'>' or ','", "put a compound first type argument in parentheses: "+id.Text+"<(A & B)>")
	}
	if k > 4 {
		p.pos, p.end = back, backEnd
		return t, false
	}
	return &Infix{p.span(start), "<", opSpan, t, first}, true
}

// base reads a term that no operator holds together.
func (p *parser) base() Expr {
	start := p.pos
	c := p.at(0)
	switch {
	case isLetter(c):
		return p.named()
	case isDigit(c):
		return p.numberTerm()
	}
	switch c {
	case '\'':
		return p.char()
	case '"':
		return p.str()
	case '@':
		return p.pi()
	case '&':
		if d := p.at(1); '0' <= d && d <= '2' && !isWord(p.at(2)) {
			p.take(2)
			return &Quantity{p.span(start), d - '0'}
		}
		p.take(1)
		name, dom, cod := p.dependent()
		return &Exists{p.span(start), name, dom, cod}
	case '+':
		p.take(1)
		x := p.term(tight)
		return &PlusOf{p.span(start), x}
	case '{':
		return p.braces()
	case '(':
		return p.paren()
	case '[':
		return p.brackets()
	case '%':
		return p.rewrite()
	case '\\':
		return p.matchLam()
	case '?':
		p.take(1)
		if !isLetter(p.at(0)) {
			p.fail(p.pos, "name-expected", "the name of a hole", "")
		}
		n := p.name("the name of a hole")
		if n.Text == "TODO" {
			p.todos[start] = true
		}
		return &Hole{p.span(start), n.Text}
	}
	hint := ""
	if c == '-' && p.at(1) != '-' {
		hint = "there are no negative literals: write F32.neg(1.0), or a subtraction with ( .. : T)"
	}
	if c == '=' {
		hint = "equality of values is a call, such as U32.is_eq(a, b); {a == b : T} is a type"
	}
	p.fail(start, "term-expected", "a term", hint)
	return nil
}

// dependent reads x:A -> B, the tail of @x:A -> B and of &x:A -> B.
func (p *parser) dependent() (name Name, dom, cod Expr) {
	name = p.name("a name")
	p.expect(":", "")
	dom = p.term(1)
	p.expect("->", "an arrow or a binder inside the domain needs parentheses")
	return name, dom, p.term(0)
}

func (p *parser) pi() Expr {
	start := p.pos
	p.take(1)
	t := &Pi{}
	if c := p.at(0); c == '-' || c == '+' {
		t.Mark = Mark(c)
		p.take(1)
	}
	t.Name, t.Dom, t.Cod = p.dependent()
	t.Span = p.span(start)
	return t
}

// named reads what a word starts: a name, a constructor, or a keyword's form.
func (p *parser) named() Expr {
	start := p.pos
	switch w := p.word(); w {
	case "Type", "Data", "Quant":
		p.take(len(w))
		return &Universe{p.span(start), w}
	case "Kind":
		p.take(4)
		p.expect("(", "")
		q := p.term(0)
		p.expect(")", "")
		return &KindOf{p.span(start), q}
	case "do":
		return p.do()
	default:
		if reserved[w] {
			hint, ok := misplaced[w]
			if !ok {
				hint = "'" + w + "' is a reserved word: choose another name"
			}
			p.failKeyword(w, hint)
		}
	}
	n := p.name("a term")
	if p.at(0) != '{' {
		return &Ident{n}
	}
	p.take(1)
	args := p.terms("}")
	return &CtorTerm{p.span(start), n, args}
}

// misplaced tells where the keywords belong that people write where a term is wanted.
var misplaced = map[string]string{
	"match":  "a match stands only as the body of a def or of a case: give it a def of its own",
	"case":   "a case stands under the match it belongs to, right of the case around it",
	"return": "return is the last statement of a do block; the value of a def is its last line, without a word",
	"for":    "there are no loops: a def calls itself",
	"def":    "a def stands at the left margin; in an expression a function is x => body",
}

// failKeyword ends reading at the word w, which is next where a term is wanted.
func (p *parser) failKeyword(w, hint string) {
	start := p.pos
	p.take(len(w))
	p.failSpan(p.span(start), "term-expected", "a term", hint)
}

// terms reads terms up to closing.
func (p *parser) terms(closing string) []Expr {
	var ts []Expr
	for !p.accept(closing) {
		if p.pos >= len(p.text) {
			p.fail(p.pos, "mark-expected", "'"+closing+"'", "")
		}
		ts = append(ts, p.term(0))
		p.accept(",")
	}
	return ts
}

func (p *parser) numberTerm() Expr {
	start := p.pos
	n := p.number()
	if n.Kind == Nat && p.at(0) == '+' {
		p.take(1)
		rest := p.term(0)
		return &NatPlus{p.span(start), n.Value, rest}
	}
	return n
}

// braces reads {==}, {x : T}, {a == b : T} or {a != b : T}.
func (p *parser) braces() Expr {
	start := p.pos
	p.take(1)
	if p.accept("==") {
		p.expect("}", "")
		return &Refl{p.span(start)}
	}
	a := p.term(0)
	p.space()
	switch {
	case p.accept(":"):
		t := p.term(0)
		p.expect("}", "")
		return &Annot{p.span(start), a, t}
	case p.looking("=="), p.looking("!="):
		not := p.at(0) == '!'
		p.take(2)
		b := p.term(0)
		p.expect(":", "an equation says its type: {a == b : T}")
		t := p.term(0)
		p.expect("}", "")
		return &Equal{p.span(start), a, b, not, t}
	}
	p.fail(p.pos, "mark-expected", "':', '==' or '!='", "{x : T} is an annotation, {a == b : T} an equation")
	return nil
}

// paren reads (body), (body : T) or a tuple.
func (p *parser) paren() Expr {
	start := p.pos
	p.take(1)
	p.space()
	if p.looking(")") {
		p.fail(p.pos, "term-expected", "a term", "the unit value is Unit{}")
	}
	elems := []Expr{p.innerBody()}
	var typ Expr
	for typ == nil && !p.accept(")") {
		switch {
		case p.accept(","):
			elems = append(elems, p.innerBody())
		case p.accept(":"):
			typ = p.term(0)
			p.expect(")", "")
		default:
			p.fail(p.pos, "mark-expected", "',', ':' or ')'", "")
		}
	}
	if len(elems) == 1 {
		return &Paren{p.span(start), elems[0], typ}
	}
	return &Tuple{p.span(start), elems, typ}
}

// brackets reads a list or an array literal.
func (p *parser) brackets() Expr {
	start := p.pos
	p.take(1)
	if p.accept("]") {
		return &List{p.span(start), nil}
	}
	first := p.term(0)
	if p.accept(":") {
		a := &ArrayLit{Elem: first, Type: p.term(tight)}
		p.space()
		switch {
		case p.accept("^"):
			a.Depth = true
		case p.accept("*"):
		default:
			p.fail(p.pos, "mark-expected", "'*' or '^'", "an array is [v : T * 8n], or [v : T ^ 3n] for 2^3 elements")
		}
		a.Size = p.term(0)
		p.expect("]", "")
		a.Span = p.span(start)
		return a
	}
	p.accept(",")
	elems := append([]Expr{first}, p.terms("]")...)
	return &List{p.span(start), elems}
}

func (p *parser) rewrite() Expr {
	start := p.pos
	p.take(1)
	r := &Rewrite{}
	p.space()
	back, backEnd := p.pos, p.end
	if w := p.word(); w != "" && isLetter(w[0]) && !reserved[w] {
		n := p.name("a name")
		if p.accept("@") {
			if strings.Contains(n.Text, ".") {
				p.failSpan(n.Span, "rewrite-binder", "one name before '@'", "")
			}
			r.Name = &n
		} else {
			p.pos, p.end = back, backEnd
		}
	}
	r.Eq = p.term(0)
	p.space()
	if p.looking("@") {
		p.failSpan(r.Eq.At(), "rewrite-binder", "one name before '@'", "")
	}
	p.expect(":", "a rewrite is %e : P; rest, where P is the goal with _ for the right side of e")
	r.Motive = p.term(0)
	p.accept(";")
	r.Rest = p.innerBody()
	r.Span = p.span(start)
	return r
}

func (p *parser) matchLam() Expr {
	start := p.pos
	p.take(1)
	if p.at(0) != '{' {
		p.fail(p.pos, "mark-expected", "'{'", `a function is x => body; one that inspects its argument is \{K: ..; rest}`)
	}
	p.take(1)
	m := &MatchLam{}
	for !p.accept("}") {
		if m.Rest != nil {
			p.fail(p.pos, "mark-expected", "'}'", "the rest of a match stands last")
		}
		back, backEnd := p.pos, p.end
		if w := p.word(); w != "" && isLetter(w[0]) && !reserved[w] {
			n := p.name("a constructor")
			if p.accept(":") {
				m.Arms = append(m.Arms, MatchLamArm{n, p.term(0)})
				p.accept(";")
				continue
			}
			p.pos, p.end = back, backEnd
		}
		m.Rest = p.term(0)
		p.accept(";")
	}
	m.Span = p.span(start)
	return m
}
