package flat

import (
	"fmt"
	"strconv"
	"strings"

	"bend/interp/word"
)

// Print returns the text of every def of p, in order.
func (p *Program) Print() string {
	var b strings.Builder
	for i, d := range p.Defs {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.print(&b, d)
	}
	return b.String()
}

// PrintDef returns the text of d, a def of p: its steps one a line, and beside each
// cut and fork the frame that it pushes.
func (p *Program) PrintDef(d *Def) string {
	var b strings.Builder
	p.print(&b, d)
	return b.String()
}

func (p *Program) print(b *strings.Builder, d *Def) {
	pr := &printer{prog: p, def: d, out: b, names: make([]string, len(d.Vars))}
	taken := map[string]bool{}
	for i, v := range d.Vars {
		name := v.Name
		if name == "" || name == "_" || taken[name] {
			name += "%" + strconv.Itoa(i)
		}
		taken[name] = true
		pr.names[i] = name
	}
	params := append([]string(nil), pr.names[:d.Params]...)
	for i := range params {
		if d.Vars[i].Borrowed {
			params[i] = "&" + params[i]
		}
	}
	fmt.Fprintf(b, "def %s(%s)", d.Key, strings.Join(params, ", "))
	if d.Loops {
		b.WriteString(" loops")
	}
	b.WriteByte('\n')
	pr.code(d.Body, 1)
}

type printer struct {
	prog  *Program
	def   *Def
	out   *strings.Builder
	names []string
}

func (pr *printer) line(depth int, format string, args ...any) {
	pr.out.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(pr.out, format, args...)
	pr.out.WriteByte('\n')
}

func (pr *printer) atom(a Atom) string {
	if !a.IsConst() {
		return pr.names[a.Var]
	}
	return constant(a.Word)
}

// constant returns the text of a word that owns nothing.
func constant(w word.Word) string {
	switch word.Tag(w) {
	case word.TagPak:
		return "#" + strconv.Itoa(word.Aux(w))
	case word.TagClo:
		return "fn" + strconv.Itoa(word.Aux(w))
	}
	return strconv.FormatUint(w, 10)
}

func (pr *printer) atoms(as []Atom) string {
	ss := make([]string, len(as))
	for i, a := range as {
		ss[i] = pr.atom(a)
	}
	return strings.Join(ss, ", ")
}

func (pr *printer) vars(vs []Var) string {
	ss := make([]string, len(vs))
	for i, v := range vs {
		ss[i] = pr.names[v]
	}
	return strings.Join(ss, ", ")
}

func (pr *printer) call(c Call) string {
	if c.Apply {
		return fmt.Sprintf("%s @ %s", pr.atom(c.Fn), pr.atoms(c.Args))
	}
	bang := ""
	if c.Bang {
		bang = "!"
	}
	return fmt.Sprintf("%s%s(%s)", pr.defKey(c.Def), bang, pr.atoms(c.Args))
}

func (pr *printer) defKey(id DefID) string {
	if int(id) < len(pr.prog.Defs) {
		return pr.prog.Defs[id].Key
	}
	return "def" + strconv.Itoa(int(id))
}

// frame pictures the frame of a cut or fork.
func (pr *printer) frame(f *Frame) string {
	if f == nil {
		return ""
	}
	caps := pr.vars(f.Caps)
	if caps != "" {
		caps += " "
	}
	words := "words"
	if f.Words == 1 {
		words = "word"
	}
	return fmt.Sprintf("   |%sid| %d %s", strings.ReplaceAll(caps, ", ", " "), f.Words, words)
}

func (pr *printer) code(c Code, depth int) {
	for c != nil {
		switch s := c.(type) {
		case *Prim:
			pr.line(depth, "%s = %s %s", pr.names[s.Dst], s.Op, pr.atoms(s.Args))
		case *New:
			pr.line(depth, "%s = %s#%d{%s}", pr.names[s.Dst], s.Name, s.Ctor, pr.atoms(s.Fields))
		case *Closure:
			fn := pr.prog.Fns[s.Fn]
			pr.line(depth, "%s = fn%d %s[%s]", pr.names[s.Dst], s.Fn, pr.defKey(fn.Def), pr.atoms(s.Held))
		case *Text:
			pr.line(depth, "%s = %q", pr.names[s.Dst], textOf(s.Codes))
		case *Dup:
			pr.line(depth, "dup %s", pr.names[s.X])
		case *Drop:
			pr.line(depth, "drop %s", pr.names[s.X])
		case *Keep:
			pr.line(depth, "%s = keep field %d of %s", pr.names[s.Dst], s.Field, pr.names[s.Of])
		case *Cut:
			pr.line(depth, "%s <- %s%s", pr.names[s.Dst], pr.call(s.Call), pr.frame(s.Frame))
		case *Fork:
			pr.line(depth, "fork%s", pr.frame(s.Frame))
			for i, call := range s.Calls {
				pr.line(depth+1, "%s <- %s", pr.names[s.Dsts[i]], pr.call(call))
			}
		case *If:
			pr.line(depth, "if %s %s", s.Op, pr.atoms(s.Args))
			pr.code(s.Then, depth+1)
			pr.line(depth, "else")
			pr.code(s.Else, depth+1)
			return
		case *Match:
			borrow := ""
			if s.Borrows {
				borrow = "&"
			}
			pr.line(depth, "match %s%s", borrow, pr.names[s.X])
			for _, a := range s.Arms {
				pr.line(depth, "case %s#%d{%s}", a.Name, a.Ctor, pr.vars(a.Fields))
				pr.code(a.Body, depth+1)
			}
			if s.Else != nil {
				pr.line(depth, "else")
				pr.code(s.Else, depth+1)
			}
			return
		case *Tail:
			pr.line(depth, "jump %s", pr.call(s.Call))
			return
		case *Return:
			pr.line(depth, "return %s", pr.atom(s.X))
			return
		case *Stop:
			pr.line(depth, "stop %q", s.Why)
			return
		}
		c = *next(c)
	}
}

// textOf returns the text of a literal's code points; what is none is replaced.
func textOf(codes []uint32) string {
	var b strings.Builder
	for _, c := range codes {
		b.WriteRune(rune(min(c, 0x110000)))
	}
	return b.String()
}
