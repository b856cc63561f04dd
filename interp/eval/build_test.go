package eval

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"bend/interp/flat"
	"bend/interp/word"
)

// build makes a program from text, in the form of flat.Program.Print but without
// what flat.Finish adds. A variable with a star where it is bound is boxed.
func build(t testing.TB, text string) *flat.Program {
	t.Helper()
	a := &assembler{t: t, prog: flat.NewProgram()}
	for l := range strings.Lines(text) {
		body := strings.TrimRight(l, " \n")
		if trimmed := strings.TrimLeft(body, " "); trimmed != "" {
			a.lines = append(a.lines, line{len(body) - len(trimmed), trimmed})
		}
	}
	for _, l := range a.lines {
		if name, ok := strings.CutPrefix(l.text, "def "); ok {
			name, params, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
			d := &flat.Def{Key: name, Name: name, Params: len(list(params))}
			a.prog.Add(d)
		}
	}
	for id := flat.DefID(0); a.at < len(a.lines); id++ {
		_, params, _ := strings.Cut(strings.TrimSuffix(a.lines[a.at].text, ")"), "(")
		a.def, a.vars = a.prog.Defs[id], map[string]flat.Var{}
		for _, p := range list(params) {
			a.bind(p)
		}
		a.at++
		a.def.Body = a.code()
		flat.Finish(a.def)
	}
	return a.prog
}

type line struct {
	indent int
	text   string
}

type assembler struct {
	t     testing.TB
	prog  *flat.Program
	lines []line
	at    int
	def   *flat.Def
	vars  map[string]flat.Var
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func (a *assembler) bind(name string) flat.Var {
	plain := strings.TrimPrefix(name, "*")
	a.def.Vars = append(a.def.Vars, flat.VarInfo{Name: plain, Raw: plain == name})
	v := flat.Var(len(a.def.Vars) - 1)
	a.vars[plain] = v
	return v
}

func (a *assembler) atom(s string) flat.Atom {
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		return flat.Const(n)
	}
	if k, ok := strings.CutPrefix(s, "#"); ok {
		n, _ := strconv.Atoi(k)
		return flat.Const(word.Pak(n))
	}
	v, ok := a.vars[s]
	if !ok {
		a.t.Fatalf("unknown variable %q", s)
	}
	return flat.V(v)
}

func (a *assembler) atoms(s string) []flat.Atom {
	as := []flat.Atom{}
	for _, x := range list(s) {
		as = append(as, a.atom(x))
	}
	return as
}

func (a *assembler) call(s string) flat.Call {
	if f, x, ok := strings.Cut(s, " @ "); ok {
		return flat.Call{Apply: true, Fn: a.atom(f), Args: a.atoms(x)}
	}
	name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	name, bang := strings.CutSuffix(name, "!")
	id, ok := a.prog.Lookup(name)
	if !ok {
		a.t.Fatalf("unknown def %q", name)
	}
	return flat.Call{Def: id, Args: a.atoms(args), Bang: bang}
}

var opNames = func() map[string]flat.Op {
	m := map[string]flat.Op{}
	for op := range flat.NumOps {
		m[op.String()] = op
	}
	return m
}()

// code reads steps that are indented as the next line is, until one ends the line.
func (a *assembler) code() flat.Code {
	l := a.lines[a.at]
	a.at++
	more := func() bool {
		return a.at < len(a.lines) && a.lines[a.at].indent == l.indent
	}
	first, rest, _ := strings.Cut(l.text, " ")
	switch first {
	case "return":
		return &flat.Return{X: a.atom(rest)}
	case "jump":
		return &flat.Tail{Call: a.call(rest)}
	case "stop":
		return &flat.Stop{Why: rest}
	case "if":
		op, args, _ := strings.Cut(rest, " ")
		s := &flat.If{Op: a.op(op), Args: a.atoms(args)}
		s.Then = a.code()
		a.at++ // else
		s.Else = a.code()
		return s
	case "match":
		s := &flat.Match{X: a.atom(rest).Var}
		for more() {
			head := a.lines[a.at].text
			a.at++
			if head == "else" {
				s.Else = a.code()
				break
			}
			name, fields, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(head, "case "), "}"), "{")
			name, k, _ := strings.Cut(name, "#")
			arm := flat.Arm{Name: name}
			arm.Ctor, _ = strconv.Atoi(k)
			for _, f := range list(fields) {
				arm.Fields = append(arm.Fields, a.bind(f))
			}
			arm.Body = a.code()
			s.Arms = append(s.Arms, arm)
		}
		return s
	case "fork":
		s := &flat.Fork{}
		var names []string
		for a.lines[a.at].indent > l.indent {
			name, call, _ := strings.Cut(a.lines[a.at].text, " <- ")
			names = append(names, name)
			s.Calls = append(s.Calls, a.call(call))
			a.at++
		}
		for _, name := range names {
			s.Dsts = append(s.Dsts, a.bind(name))
		}
		s.Next = a.code()
		return s
	}
	if name, call, ok := strings.Cut(l.text, " <- "); ok {
		s := &flat.Cut{Call: a.call(call)}
		s.Dst = a.bind(name)
		s.Next = a.code()
		return s
	}
	name, value, _ := strings.Cut(l.text, " = ")
	switch {
	case value[0] == '"':
		s := &flat.Text{}
		text, _ := strconv.Unquote(value)
		for _, r := range text {
			s.Codes = append(s.Codes, uint32(r))
		}
		s.Dst = a.bind(name)
		s.Next = a.code()
		return s
	case value[0] == '&':
		def, held, _ := strings.Cut(strings.TrimSuffix(value[1:], "]"), "[")
		id, _ := a.prog.Lookup(def)
		s := &flat.Closure{Held: a.atoms(held)}
		s.Fn = a.prog.Fn(id, len(s.Held))
		s.Dst = a.bind(name)
		s.Next = a.code()
		return s
	case strings.HasSuffix(value, "}"):
		ctor, fields, _ := strings.Cut(strings.TrimSuffix(value, "}"), "{")
		ctor, k, _ := strings.Cut(ctor, "#")
		s := &flat.New{Name: ctor, Fields: a.atoms(fields)}
		s.Ctor, _ = strconv.Atoi(k)
		s.Dst = a.bind(name)
		s.Next = a.code()
		return s
	}
	op, args, _ := strings.Cut(value, " ")
	s := &flat.Prim{Op: a.op(op), Args: a.atoms(args)}
	s.Dst = a.bind(name)
	s.Next = a.code()
	return s
}

func (a *assembler) op(name string) flat.Op {
	op, ok := opNames[name]
	if !ok {
		a.t.Fatalf("unknown primitive %q", name)
	}
	return op
}

// machine returns a machine for the program of text.
func machine(t testing.TB, text string, opts Options) *Machine {
	t.Helper()
	return New(build(t, text), word.NewHeap(0), opts)
}

// call calls a def by name.
func call(t testing.TB, m *Machine, name string, args ...word.Word) (word.Word, error) {
	t.Helper()
	id, ok := m.prog.Lookup(name)
	if !ok {
		t.Fatalf("unknown def %q", name)
	}
	return m.Call(context.Background(), id, args...)
}

// result calls a def by name and checks that only its result is left in the heap.
func result(t testing.TB, m *Machine, name string, args ...word.Word) string {
	t.Helper()
	w, err := call(t, m, name, args...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, args, err)
	}
	s := show(m.heap, w)
	m.heap.Drop(w)
	if n := m.heap.Live(); n != 0 {
		t.Errorf("%s%v leaves %d words in the heap", name, args, n)
	}
	return s
}

// show returns the text of a value, as much of it as is not too deep.
func show(h *word.Heap, w word.Word) string {
	switch word.Tag(w) {
	case word.TagPak:
		return fmt.Sprintf("#%d", word.Aux(w))
	case word.TagCtr:
		var parts []string
		for _, f := range h.Node(w) {
			parts = append(parts, show(h, f))
		}
		return fmt.Sprintf("#%d{%s}", word.Aux(w), strings.Join(parts, ","))
	case word.TagClo:
		return "closure"
	}
	return strconv.FormatUint(w, 10)
}
