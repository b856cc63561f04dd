package elab

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// A pat is a pattern. It is a variable (name "" or "_" binds nothing), a constructor,
// or a literal that unfolds one constructor at a time.
type pat struct {
	span syntax.Span
	name string
	plus bool

	kind patKind
	ctor string
	args []*pat
	n    uint64   // of patNat the number, of patWord and patBits the bits
	rest *pat     // of patNat what follows the n successors, nil for zero
	bit  int      // of patBits the next bit
	text []uint32 // of patText
	word string   // of patWord: U32 or F32
}

type patKind uint8

const (
	patVar patKind = iota
	patCtor
	patNat
	patWord // U32{..} or F32{..} of known bits
	patBits // the bits from bit on
	patText
)

func (p *pat) isCtor() bool { return p.kind != patVar }

// layer returns the constructor of p and the patterns of its fields.
func (p *pat) layer() (string, []*pat) {
	switch p.kind {
	case patNat:
		if p.n == 0 {
			if p.rest == nil {
				return "Zero", nil
			}
			return p.rest.layer()
		}
		if p.n == 1 && p.rest != nil {
			return "Succ", []*pat{p.rest}
		}
		return "Succ", []*pat{{span: p.span, kind: patNat, n: p.n - 1, rest: p.rest}}
	case patWord:
		return p.word, []*pat{{span: p.span, kind: patBits, n: p.n}}
	case patBits:
		if p.bit == 32 {
			return "WNil", nil
		}
		bit := "False"
		if p.n>>p.bit&1 != 0 {
			bit = "True"
		}
		return "WCon", []*pat{{span: p.span, kind: patCtor, ctor: bit}, {span: p.span, kind: patBits, n: p.n, bit: p.bit + 1}}
	case patText:
		if len(p.text) == 0 {
			return "SNil", nil
		}
		return "SCon", []*pat{char(p.span, p.text[0]), {span: p.span, kind: patText, text: p.text[1:]}}
	}
	return p.ctor, p.args
}

func char(sp syntax.Span, code uint32) *pat {
	return &pat{span: sp, kind: patCtor, ctor: "Chr", args: []*pat{{span: sp, kind: patWord, word: "U32", n: uint64(code)}}}
}

func (e *elab) patterns(xs []syntax.Expr) []*pat {
	ps := make([]*pat, len(xs))
	for i, x := range xs {
		ps[i] = e.pattern(x)
	}
	return ps
}

// pattern reads a term as a pattern.
func (e *elab) pattern(x syntax.Expr) *pat {
	sp := x.At()
	ctr := func(key string, args ...*pat) *pat {
		return &pat{span: sp, kind: patCtor, ctor: key, args: args}
	}
	switch x := x.(type) {
	case *syntax.Ident:
		if key, c := e.ctor(x.Name); c != nil {
			e.errorf(sp, "constructor-as-binder", "write "+x.Text+"{..} to match it", "%s is a constructor, not a binder", x.Text)
			return ctr(key)
		}
		if !simpleName(x.Text) {
			e.errorf(sp, "not-a-pattern", "", "a name bound by a pattern has no dots")
		}
		return &pat{span: sp, name: x.Text}
	case *syntax.PlusOf:
		if id, ok := x.X.(*syntax.Ident); ok && simpleName(id.Text) {
			return &pat{span: id.Span, name: id.Text, plus: true}
		}
	case *syntax.Paren:
		if x.Type == nil {
			return e.pattern(x.X)
		}
	case *syntax.CtorTerm:
		key, c := e.ctor(x.Name)
		if c == nil {
			e.errorf(x.Name.Span, "unknown-constructor", suggestion(e.book, x.Name.Text), "no constructor named %s is declared above", x.Name.Text)
			return &pat{span: sp}
		}
		if len(x.Args) != len(c.Fields) {
			e.errorf(sp, "field-count", "", "%s has %s, the pattern gives %d", x.Name.Text, count(len(c.Fields), "field"), len(x.Args))
			return &pat{span: sp}
		}
		return ctr(key, e.patterns(x.Args)...)
	case *syntax.Number:
		switch x.Kind {
		case syntax.Nat:
			return &pat{span: sp, kind: patNat, n: x.Value}
		case syntax.U32:
			return &pat{span: sp, kind: patWord, word: "U32", n: x.Value}
		}
		return &pat{span: sp, kind: patWord, word: "F32", n: x.Value}
	case *syntax.NatPlus:
		if x.K > 256 {
			e.errorf(sp, "not-a-pattern", "", "a pattern takes at most 256 successors")
		}
		rest := e.pattern(x.Rest)
		if x.K == 0 {
			return rest
		}
		return &pat{span: sp, kind: patNat, n: x.K, rest: rest}
	case *syntax.CharLit:
		p := char(sp, x.Code)
		return p
	case *syntax.StringLit:
		return &pat{span: sp, kind: patText, text: x.Codes}
	case *syntax.List:
		p := ctr("Nil")
		for i := len(x.Elems) - 1; i >= 0; i-- {
			p = ctr("Con", e.pattern(x.Elems[i]), p)
		}
		return p
	case *syntax.Tuple:
		if x.Type == nil {
			n := len(x.Elems) - 1
			p := e.pattern(x.Elems[n])
			for i := n - 1; i >= 0; i-- {
				p = ctr("Tuple", e.pattern(x.Elems[i]), p)
			}
			return p
		}
	case *syntax.Infix:
		if x.Op == "<>" {
			return ctr("Con", e.pattern(x.L), e.pattern(x.R))
		}
	}
	e.errorf(sp, "not-a-pattern", "a pattern is a name, a constructor K{..}, a literal, a list, a tuple or h <> t", "'%s' is not a pattern", sp.Text())
	return &pat{span: sp}
}

func simpleName(s string) bool {
	for i := range len(s) {
		if s[i] == '.' {
			return false
		}
	}
	return true
}

func suggestion(b *core.Book, name string) string { return core.DidYouMean(b, name) }
