package syntax

import (
	"regexp"
	"strings"
)

// maxErrors bounds the parse errors that are reported of one file.
const maxErrors = 20

// maxDepth bounds how deep terms and bodies nest.
const maxDepth = 100_000

// A parser reads the grammar by recursive descent.
type parser struct {
	scanner
	depth int
	todos map[int]bool // offsets of the ?TODO holes; a place may be read twice
}

func newParser(src *Source) *parser {
	p := &parser{scanner: scanner{src: src, text: src.Text, pos: src.From, end: src.From}, todos: map[int]bool{}}
	if strings.HasPrefix(p.text, "\ufeff") {
		p.pos, p.end = 3, 3
	}
	return p
}

// attempt runs f and returns the error that ended it, if one did.
func (p *parser) attempt(f func()) (d *Diagnostic) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			if !ok {
				panic(r)
			}
			d = s.diag
			if d.Span.Src == p.src && (d.Hint == "" || d.Hint == parallelHint) {
				if hint := foreignHint(p.text, int(d.Span.Start)); hint != "" {
					d.Hint = hint
				}
			}
		}
	}()
	f()
	return nil
}

// enter counts one more level of nesting; the caller defers leave.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.pos, "too-deep", "less nesting", "terms nest too deeply to be read")
	}
}

func (p *parser) leave() { p.depth-- }

// ParseFile parses a whole file. It goes on after an error at the next line that
// starts a declaration, so that independent errors are all found.
func ParseFile(src *Source) (*File, []*Diagnostic) {
	p := newParser(src)
	file := &File{Source: src}
	var diags []*Diagnostic
	if d := p.attempt(func() { p.imports(file) }); d != nil {
		diags = append(diags, d)
		p.recover(p.pos)
	}
	for len(diags) < maxErrors {
		p.space()
		if p.pos >= len(p.text) {
			break
		}
		start := p.pos
		p.depth = 0
		if d := p.attempt(func() { file.Tops = append(file.Tops, p.top()) }); d != nil {
			diags = append(diags, d)
			p.recover(max(start+1, int(d.Span.Start)))
		}
	}
	file.Comments = p.comments
	file.Todos = len(p.todos)
	return file, diags
}

// recover moves to the next line from offset from on that starts a declaration.
func (p *parser) recover(from int) {
	for {
		i := strings.IndexByte(p.text[min(from, len(p.text)):], '\n')
		if i < 0 {
			p.pos = len(p.text)
			return
		}
		from += i + 1
		p.pos = from
		switch p.word() {
		case "def", "type", "law":
			return
		}
		if p.looking("@unsafe") {
			return
		}
	}
}

// imports reads the import lines at the top.
func (p *parser) imports(file *File) {
	for {
		p.space()
		if p.word() != "import" {
			return
		}
		start := p.pos
		p.take(len("import"))
		end := strings.IndexByte(p.text[p.pos:], '\n')
		if end < 0 {
			end = len(p.text) - p.pos
		}
		line := p.text[p.pos : p.pos+end]
		if i := strings.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		words := strings.Fields(line)
		lineEnd := p.pos + len(strings.TrimRight(line, " \t\r"))
		im := &Import{}
		at := p.pos
		piece := func(w string) Name {
			at += strings.Index(p.text[at:], w)
			n := Name{Span{p.src, int32(at), int32(at + len(w))}, w}
			at += len(w)
			return n
		}
		p.pos, p.end = lineEnd, lineEnd
		im.Span = p.span(start)
		switch {
		case len(words) == 1 && words[0] == "Base":
			im.Base = true
		case len(words) == 3 && words[1] == "as" && isWordName(words[2]):
			im.Path = piece(words[0])
			piece("as")
			im.Alias = piece(words[2])
			if !strings.HasSuffix(words[0], ".bend") {
				p.failSpan(im.Path.Span, "import-path", "a path that ends in .bend", "")
			}
		default:
			p.failSpan(im.Span, "import-form", "'import Base' or 'import PATH as NAME'", "one import a line, for example: import ./shapes.bend as Shapes")
		}
		file.Imports = append(file.Imports, im)
	}
}

func isWordName(w string) bool {
	for i := range len(w) {
		if !isWord(w[i]) {
			return false
		}
	}
	return w != "" && isLetter(w[0]) && !reserved[w]
}

// top reads one declaration.
func (p *parser) top() Top {
	start := p.pos
	unsafe := false
	if p.looking("@") {
		p.take(1)
		if !p.acceptWord("unsafe") {
			p.fail(p.pos, "decorator", "'unsafe'", "@unsafe is the only mark of a def")
		}
		unsafe = true
		if !p.keyword("def") {
			p.fail(p.pos, "decorator", "'def' after @unsafe", "")
		}
	}
	switch w := p.word(); w {
	case "def":
		p.take(3)
		return p.def(start, unsafe)
	case "type":
		p.take(4)
		return p.typeDecl(start)
	case "law":
		p.take(3)
		return p.law(start)
	case "import":
		p.fail(p.pos, "top-level", "a def, a type or a law", "imports stand at the top of the file, before anything else")
	}
	p.fail(p.pos, "top-level", "a def, a type or a law", p.afterTerm())
	return nil
}

// afterTerm returns a hint for what stands where a term has ended.
func (p *parser) afterTerm() string {
	switch {
	case p.looking("=="), p.looking("!="):
		return "== and != make types, as in {a == b : T}; values are compared by U32.is_eq(a, b), Nat.is_eq(a, b), .."
	case p.at(0) == '>':
		return "a comparison needs spaces: a > b"
	case p.at(0) == '-' || p.at(0) == '+':
		return "a sum needs a space behind its sign: a - b"
	case p.looking(": "):
		return "a value and its type stand in braces: {e : T}"
	case p.at(0) == '.':
		return "a pair is taken apart by (a, b) = p, a constructor by a match"
	case p.at(0) == ',':
		return "several values are a pair (a, b) or a list [a, b]"
	case strings.HasPrefix(p.text[p.pos:], "IO."):
		return "effects, one after the other, stand in a block do IO<Unit>:"
	case isWord(p.at(0)) || p.at(0) == '"' || p.at(0) == '\'':
		if name := callee.FindString(p.text[:p.pos]); name != "" {
			return "a call has parentheses: " + strings.TrimRight(name, " ") + "(..)"
		}
	}
	return ""
}

// callee is a name with spaces behind it at the end of a text.
var callee = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*!? +$`)

// param reads one binder; types may be left out where bare names are allowed.
func (p *parser) param(tilde bool) Param {
	p.space()
	start := p.pos
	var q Param
	switch c := p.at(0); c {
	case '-', '+':
		q.Mark = Mark(c)
		p.take(1)
	case '~':
		if !tilde {
			p.fail(p.pos, "template-binder", "a field or parameter without '~'", "'~' parameters belong to defs and laws")
		}
		q.Mark = Template
		p.take(1)
	}
	q.Name = p.name("a name")
	if p.accept(":") {
		q.Type = p.term(0)
	} else if q.Mark != Plain {
		p.fail(p.pos, "mark-expected", "':'", "a marked parameter has a type: "+string(rune(q.Mark))+q.Name.Text+": T")
	}
	q.Span = p.span(start)
	return q
}

// params reads binders up to close.
func (p *parser) params(closing string, tilde bool) []Param {
	var ps []Param
	for !p.accept(closing) {
		q := p.param(tilde)
		if n := len(ps); q.Mark == Template && n > 0 && ps[n-1].Mark != Template {
			p.failSpan(q.Span, "template-order", "a parameter without '~'", "'~' parameters come first")
		}
		ps = append(ps, q)
		p.accept(",")
	}
	return ps
}

func (p *parser) typeDecl(start int) *TypeDecl {
	d := &TypeDecl{Name: p.name("the name of a type")}
	if p.accept("<") {
		d.Params = p.params(">", false)
	}
	if !p.acceptWord("is") {
		hint := "say what kind the type has: type " + p.text[d.Name.Start:p.end] + " is Data: ..  (or: is Type)"
		if len(d.Params) > 0 || p.at(0) == '(' {
			hint += ", with parameters as in type " + d.Name.Text + "<A: Data> is Data: .."
		}
		p.fail(p.pos, "is-missing", "'is'", hint)
	}
	d.Kind = p.term(0)
	p.expect(":", "")
	for {
		p.space()
		w := p.word()
		if w == "" || !isLetter(w[0]) || w == "def" || w == "type" || w == "law" {
			break
		}
		at := p.pos
		c := CtorDecl{Name: p.name("the name of a constructor")}
		p.expect("{", "a constructor is written with its fields: "+c.Name.Text+"{} or "+c.Name.Text+"{x: T}")
		c.Fields = p.params("}", false)
		c.Span = p.span(at)
		d.Ctors = append(d.Ctors, c)
	}
	d.Span = p.span(start)
	return d
}

func (p *parser) law(start int) *LawDecl {
	d := &LawDecl{Name: p.name("the name of a law")}
	p.expect(":", "")
	for {
		p.space()
		at := p.pos
		c := Clause{}
		switch p.word() {
		case "for":
			p.take(3)
			p.space()
			if m := p.at(0); m == '~' || m == '-' || m == '+' {
				c.Mark = Mark(m)
				p.take(1)
			}
		case "exs":
			p.take(3)
			c.Exists = true
		default:
			d.Claim = p.body(0)
			d.Span = p.span(start)
			return d
		}
		c.Name = p.name("a name")
		p.expect(":", "")
		c.Type = p.term(0)
		if p.acceptWord("where") {
			c.Where = p.term(0)
		}
		c.Span = p.span(at)
		if n := len(d.Clauses); c.Mark == Template && n > 0 && d.Clauses[n-1].Mark != Template {
			p.failSpan(c.Span, "template-order", "a clause without '~'", "'~' clauses come first")
		}
		d.Clauses = append(d.Clauses, c)
	}
}

func (p *parser) def(start int, unsafe bool) *DefDecl {
	d := &DefDecl{Name: p.name("the name of a def"), Unsafe: unsafe}
	if p.at(0) == '?' {
		p.take(1)
		d.Unsafe = true
	}
	p.expect("(", "a def has its parameters in parentheses, also when it has none: def "+d.Name.Text+"()")
	d.Params = p.params(")", true)
	if p.accept("->") {
		d.Result = p.term(0)
	} else {
		for _, q := range d.Params {
			if q.Type != nil || q.Mark != Plain {
				p.failSpan(q.Span, "fill-form", "a bare name", "a def without '-> T' fills a law: its parameters have no types and no marks")
			}
		}
	}
	p.expect(":", "")
	if p.keyword("import") {
		for p.acceptWord("import") {
			p.space()
			if p.at(0) != '"' {
				p.fail(p.pos, "foreign-form", "a path in quotes", "")
			}
			path := p.str()
			if t := path.Text(); !strings.HasSuffix(t, `.c"`) && !strings.HasSuffix(t, `.js"`) {
				p.failSpan(path.Span, "foreign-form", "a path that ends in .c or .js", "")
			}
			d.Foreign = append(d.Foreign, *path)
		}
	} else {
		d.Body = p.body(0)
	}
	d.Span = p.span(start)
	return d
}
