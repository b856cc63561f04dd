package syntax

import (
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ParseExpr parses one body that is the whole source.
func ParseExpr(src *Source) (Expr, *Diagnostic) {
	p := newParser(src)
	var e Expr
	d := p.attempt(func() {
		e = p.body(0)
		p.finish()
	})
	return e, d
}

// finish fails unless the source ends here.
func (p *parser) finish() {
	p.space()
	if p.pos < len(p.text) {
		p.fail(p.pos, "end-expected", "the end of the input", p.afterTerm())
	}
}

// A Prompt is what a person typed at a prompt: exactly one field is set.
type Prompt struct {
	File *File // declarations
	Bind *PromptBinding
	Expr Expr
}

// A PromptBinding keeps a value under a name: [+]x [: T] = value, or x : A <- value with
// Effect set.
type PromptBinding struct {
	Span
	Mark   Mark
	Name   Name
	Type   Expr
	Effect bool
	Value  Expr
}

// ParsePrompt parses a block typed at a prompt.
func ParsePrompt(src *Source) (Prompt, *Diagnostic) {
	p := newParser(src)
	p.space()
	switch w := p.word(); {
	case w == "def", w == "type", w == "law", w == "import", p.looking("@unsafe"):
		file, diags := ParseFile(src)
		if len(diags) > 0 {
			return Prompt{}, diags[0]
		}
		return Prompt{File: file}, nil
	}
	if b := p.binding(); b != nil {
		return Prompt{Bind: b}, nil
	}
	e, d := ParseExpr(src)
	return Prompt{Expr: e}, d
}

// binding reads a binding that is the whole source, or returns nil.
func (p *parser) binding() *PromptBinding {
	start := p.pos
	b := &PromptBinding{}
	d := p.attempt(func() {
		if p.accept("+") {
			b.Mark = Reusable
		}
		b.Name = p.name("a name")
		if p.accept(":") {
			b.Type = p.term(0)
		}
		p.space()
		switch {
		case p.accept("<-"):
			b.Effect = true
		case p.letMark():
			p.take(1)
		default:
			p.fail(p.pos, "mark-expected", "'='", "")
		}
		b.Value = p.term(0)
		p.finish()
	})
	if d != nil {
		return nil
	}
	b.Span = p.span(start)
	return b
}

// A State tells whether a block is finished.
type State int

// The states of a block typed so far.
const (
	Complete State = iota // it parses
	More                  // it ends before it is finished
	Bad                   // it has an error that more text cannot mend
)

// StateOf tells whether text, typed at a prompt so far, is a finished block.
func StateOf(text string) State {
	_, d := ParsePrompt(NewSource("", text))
	switch {
	case d == nil:
		return Complete
	case d.Observed == "end of input":
		return More
	}
	return Bad
}
