// Package format lays Bend programs out in one way: spaces, indentation and blank lines
// are its own, line ends inside of lists, calls and blocks are kept where the author has
// put them, and so are comments.
package format

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bend/interp/syntax"
)

// Source returns the text of src in the canonical layout, or the errors that keep it from
// being parsed.
func Source(src *syntax.Source) (string, []*syntax.Diagnostic) {
	file, diags := syntax.ParseFile(src)
	if len(diags) > 0 {
		return "", diags
	}
	p := &printer{src: src, comments: file.Comments}
	p.file(file)
	text := p.out.String()
	again, diags := syntax.ParseFile(syntax.NewSource(src.Name, text))
	if len(diags) > 0 || !same(reflect.ValueOf(file), reflect.ValueOf(again)) || !slices.EqualFunc(file.Comments, again.Comments, sameText) {
		return "", []*syntax.Diagnostic{{
			Code:    "layout",
			Message: fmt.Sprintf("the layout of %s would change what it says: it is left as it is (this is a bug in bend)", src.Name),
		}}
	}
	return text, nil
}

func sameText(a, b syntax.Span) bool {
	return strings.TrimRight(a.Text(), " \t\r") == strings.TrimRight(b.Text(), " \t\r")
}

// same compares trees without their spans.
func same(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.IsValid() != b.IsValid() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		switch a.Type() {
		case reflect.TypeFor[syntax.Span](), reflect.TypeFor[syntax.Source]():
			return true
		}
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// A printer writes a file. Indentation is in columns.
type printer struct {
	src      *syntax.Source
	out      strings.Builder
	comments []syntax.Span // those not written yet
	last     int32         // end of what was written, in the source
	closed   bool          // by a comment: the line that is written
	compared bool          // what was written ends in a comparison a < b
	flat     int           // inside of a block that stands on one line
}

// write writes text that ends at the given offset of the source.
func (p *printer) write(text string, end int32) {
	p.mark(text)
	p.last = max(p.last, end)
}

// mark writes a mark of which no position is kept.
func (p *printer) mark(text string) {
	p.out.WriteString(text)
	p.compared = false
}

// breaks counts the line ends in the source between two offsets, comments aside.
func (p *printer) breaks(from, to int32) int {
	n := 0
	comment := false
	for _, c := range p.src.Text[from:max(from, to)] {
		switch {
		case c == '\n':
			n++
			comment = false
		case c == '#':
			comment = true
		case comment:
		}
	}
	return n
}

// many reports whether a node takes more than one line in the source.
func (p *printer) many(sp syntax.Span) bool { return strings.Contains(sp.Text(), "\n") }

// line starts a line at a column, for what stands at offset at of the source: the comments
// before it come first, and one empty line if there are any.
func (p *printer) line(column int, at int32) {
	for len(p.comments) > 0 && p.comments[0].Start < at {
		c := p.comments[0]
		p.comments = p.comments[1:]
		text := strings.TrimRight(c.Text(), " \t\r")
		switch {
		case p.out.Len() == 0:
			p.mark(text)
		case p.breaks(p.last, c.Start) == 0 && !p.closed:
			p.mark("  " + text)
		default:
			p.end(column, c.Start)
			p.mark(text)
		}
		p.last, p.closed = max(p.last, c.End), true
	}
	if p.out.Len() > 0 {
		p.end(column, at)
	}
}

// end ends the line and indents the next.
func (p *printer) end(column int, at int32) {
	p.closed = false
	p.mark("\n")
	if p.breaks(p.last, at) > 1 {
		p.mark("\n")
	}
	p.mark(strings.Repeat(" ", column))
}

func (p *printer) file(f *syntax.File) {
	for _, im := range f.Imports {
		p.line(0, im.Start)
		if im.Base {
			p.write("import Base", im.End)
		} else {
			p.write("import "+im.Path.Text+" as "+im.Alias.Text, im.End)
		}
	}
	for _, t := range f.Tops {
		p.line(0, t.At().Start)
		switch t := t.(type) {
		case *syntax.TypeDecl:
			p.typeDecl(t)
		case *syntax.LawDecl:
			p.law(t)
		case *syntax.DefDecl:
			p.def(t)
		}
	}
	p.line(0, int32(len(p.src.Text)))
	text := strings.TrimRight(p.out.String(), "\n")
	p.out.Reset()
	if text != "" {
		p.mark(text + "\n")
	}
}

func (p *printer) typeDecl(t *syntax.TypeDecl) {
	p.write("type "+t.Name.Text, t.Name.End)
	if len(t.Params) > 0 {
		p.params("<", t.Params, ">", 0)
	}
	p.mark(" is ")
	p.expr(t.Kind, 2)
	p.mark(":")
	for _, c := range t.Ctors {
		if p.breaks(p.last, c.Start) > 0 {
			p.line(2, c.Start)
		} else {
			p.mark(" ")
		}
		p.write(c.Name.Text, c.Name.End)
		p.params("{", c.Fields, "}", 2)
		p.last = max(p.last, c.End)
	}
}

func (p *printer) law(l *syntax.LawDecl) {
	p.write("law "+l.Name.Text, l.Name.End)
	p.mark(":")
	next := func(at int32) {
		if p.breaks(p.last, at) > 0 {
			p.line(2, at)
		} else {
			p.mark(" ")
		}
	}
	for _, c := range l.Clauses {
		next(c.Start)
		word := "for "
		if c.Exists {
			word = "exs "
		}
		p.write(word+markText(c.Mark)+c.Name.Text, c.Name.End)
		p.mark(": ")
		p.expr(c.Type, 4)
		if c.Where != nil {
			p.mark(" where ")
			p.expr(c.Where, 4)
		}
	}
	next(l.Claim.At().Start)
	p.body(l.Claim, 2)
}

func (p *printer) def(d *syntax.DefDecl) {
	if d.Unsafe {
		p.write("@unsafe", d.Start)
		if p.breaks(p.last, d.Name.Start) > 0 {
			p.line(0, d.Name.Start)
		} else {
			p.mark(" ")
		}
	}
	p.write("def "+d.Name.Text, d.Name.End)
	p.params("(", d.Params, ")", 0)
	if d.Result != nil {
		p.mark(" -> ")
		p.expr(d.Result, 2)
	}
	p.mark(":")
	for _, s := range d.Foreign {
		p.line(2, s.Start)
		p.write("import "+s.Text(), s.End)
	}
	if d.Body != nil {
		p.block(d.Body, 2)
	}
}

// block writes the body behind a colon: on the same line if it stands there in the source
// and is no block of several lines, else on a line of its own.
func (p *printer) block(e syntax.Expr, column int) {
	sp := e.At()
	if p.breaks(p.last, sp.Start) > 0 || isBlock(e) && p.many(sp) {
		p.line(column, sp.Start)
	} else {
		p.mark(" ")
	}
	p.body(e, column)
}

func markText(m syntax.Mark) string {
	if m == syntax.Plain {
		return ""
	}
	return string(m)
}

func (p *printer) params(open string, ps []syntax.Param, close string, column int) {
	p.mark(open)
	for i, q := range ps {
		p.between(i, q.Start, column+2)
		p.write(markText(q.Mark)+q.Name.Text, q.Name.End)
		if q.Type != nil {
			p.mark(": ")
			p.expr(q.Type, column+4)
		}
		p.last = max(p.last, q.End)
	}
	p.mark(close)
}

// comma returns a comma, or nothing behind a comparison, which a comma would make the
// start of type arguments.
func (p *printer) comma() string {
	if p.compared {
		return ""
	}
	return ","
}

// between writes what separates the elements of a sequence: a comma, and a line end
// where the source has one.
func (p *printer) between(i int, at int32, column int) {
	broken := p.breaks(p.last, at) > 0
	switch {
	case i == 0 && broken && p.flat == 0:
		p.line(column, at)
	case i == 0:
	case broken && p.flat == 0:
		p.mark(p.comma())
		p.line(column, at)
	default:
		p.mark(p.comma() + " ")
	}
}
