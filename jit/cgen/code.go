package cgen

import (
	"fmt"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// code prints c. Every path ends in a break, or in a continue of the def's loop.
func (p *printer) code(c flat.Code) {
	for c != nil {
		c = p.step(c)
	}
}

// step prints one step and returns what follows it.
func (p *printer) step(c flat.Code) flat.Code {
	switch s := c.(type) {
	case *flat.Prim:
		p.line("u64 %s = %s;", v(s.Dst), p.prim(s.Op, s.Args))
		return s.Next
	case *flat.New:
		if c := p.Chain(s); c != nil {
			p.node(s.Dst, word.Ctr(s.Ctor, len(s.Fields), 0), s.Fields)
			p.line("u64 %s = bend_chain(m, lane, STATIC + %d, %d, %d, %d, %s, %s);", v(c.Last.Dst), c.Data/8, c.Count, c.Size, c.Pos, constant(c.Node), v(s.Dst))
			return c.Last.Next
		}
		p.node(s.Dst, word.Ctr(s.Ctor, len(s.Fields), 0), s.Fields)
		return s.Next
	case *flat.Closure:
		if len(s.Held) == 0 {
			p.line("u64 %s = %s;", v(s.Dst), constant(word.Clo(int(s.Fn), 0, 0)))
		} else {
			p.node(s.Dst, word.Clo(int(s.Fn), len(s.Held), 0), s.Held)
		}
		return s.Next
	case *flat.Text:
		p.line("u64 %s = bend_text(m, lane, %d, %d);", v(s.Dst), p.Text(s.Codes)/4, len(s.Codes))
		return s.Next
	case *flat.Dup:
		p.line("%s = bend_keep(m, lane, %s);", v(s.X), v(s.X))
		return s.Next
	case *flat.Drop:
		p.line("if (bend_boxed(%s)) bend_drop(m, lane, %s);", v(s.X), v(s.X))
		return s.Next
	case *flat.Keep:
		p.line("u64 %s = bend_seal(m, lane, bend_node(m, %s) + %d);", v(s.Dst), v(s.Of), s.Field)
		return s.Next
	case *flat.If:
		p.open("if (%s) {", p.test(s.Op, s.Args))
		p.code(s.Then)
		p.close("}")
		return s.Else
	case *flat.Match:
		return p.match(s)
	case *flat.Cut:
		p.push(p.Returns[s.Frame][0], s.Frame.Caps)
		p.jump(s.Call)
	case *flat.Fork:
		p.push(p.Returns[s.Frame][0], s.Frame.Caps)
		p.jump(s.Calls[0])
	case *flat.Tail:
		p.jump(s.Call)
	case *flat.Return:
		p.line("r0 = %s;", atom(s.X))
		p.line("pc = (u32)S(sp);")
		p.line("break;")
	case *flat.Stop:
		p.fail(lane.Stopped, fmt.Sprint(p.Stop(s.Why)))
		p.leave(lane.Fuel)
		p.line("break;")
	}
	return nil
}

// node makes a node and binds the word that is like w to dst.
func (p *printer) node(dst flat.Var, w word.Word, fields []flat.Atom) {
	at := p.temp()
	p.line("u32 %s = bend_alloc(m, lane, %d);", at, word.Class(len(fields)))
	for i, f := range fields {
		p.line("m[%s + %d] = %s;", at, i, atom(f))
	}
	p.line("u64 %s = %s | %s;", v(dst), constant(w), at)
}

// match prints the arms of a match but for the last, which it returns when it needs no
// test, or else the code for all others.
func (p *printer) match(m *flat.Match) flat.Code {
	if len(m.Arms) == 0 {
		return m.Else
	}
	tested := m.Arms
	if m.Else == nil {
		tested = m.Arms[:len(m.Arms)-1]
	}
	for _, a := range tested {
		p.open("if (bend_index(%s) == %d) {", v(m.X), a.Ctor)
		p.fields(m, a)
		p.code(a.Body)
		p.close("}")
	}
	if m.Else != nil {
		return m.Else
	}
	last := m.Arms[len(m.Arms)-1]
	p.fields(m, last)
	return last.Body
}

// fields takes the node that m matches apart, or reads it.
func (p *printer) fields(m *flat.Match, a flat.Arm) {
	n := len(a.Fields)
	if n == 0 {
		return
	}
	at, x := p.temp(), v(m.X)
	if m.Borrows {
		p.line("u32 %s = bend_node(m, %s);", at, x)
	} else {
		p.unpack(at, x)
	}
	for i, f := range a.Fields {
		p.line("u64 %s = m[%s + %d];", v(f), at, i)
	}
	if !m.Borrows {
		p.line("if (!bend_shared(%s)) bend_free(m, lane, %s, %d);", x, at, word.Class(n))
	}
}

// unpack finds the fields of a word that is to be taken apart; the block of one that is
// not shared is still to be freed.
func (p *printer) unpack(at, x string) {
	p.line("u32 %s = bend_shared(%s) ? bend_open(m, lane, %s) : (u32)%s;", at, x, x, x)
}

// push puts a frame on the stack: captures, then the return id.
func (p *printer) push(id int, caps []flat.Var) {
	for i, c := range caps {
		p.line("S(sp + %d) = %s;", i+1, v(c))
	}
	p.line("S(sp + %d) = %d;", len(caps)+1, id)
	p.line("sp += %d;", len(caps)+1)
}

// jump makes a call: the frame, if any, is on the stack already.
func (p *printer) jump(c flat.Call) {
	if c.Apply {
		p.line("H(BANK) = %s;", atom(c.Fn))
		p.line("H(BANK + 1) = %s;", atom(c.Args[0]))
		p.line("pc = bend_applied(m, %s);", atom(c.Fn))
		p.line("break;")
		return
	}
	for i, a := range c.Args {
		if i < maxBank {
			p.line("r%d = %s;", i, atom(a))
		} else {
			p.line("H(BANK + %d) = %s;", i, atom(a))
		}
	}
	if p.loop && c.Def == p.def.ID {
		p.line("continue;")
		return
	}
	p.line("pc = %d;", p.entry(c.Def))
	p.line("break;")
}

// closure gives the closure in the bank its next argument.
func (p *printer) closure(id flat.FnID) {
	fn := p.Program.Fns[id]
	d := p.Program.Def(fn.Def)
	p.line("u64 fn = H(BANK), arg = H(BANK + 1);")
	if fn.Held > 0 {
		p.unpack("at", "fn")
		for i := range fn.Held {
			p.line("u64 h%d = m[at + %d];", i, i)
		}
		p.line("if (!bend_shared(fn)) bend_free(m, lane, at, %d);", word.Class(fn.Held))
	}
	held := func(i int) string {
		if i == fn.Held {
			return "arg"
		}
		return fmt.Sprintf("h%d", i)
	}
	if fn.Held+1 == d.Params {
		for i := range d.Params {
			if i < maxBank {
				p.line("r%d = %s;", i, held(i))
			} else {
				p.line("H(BANK + %d) = %s;", i, held(i))
			}
		}
		p.line("pc = %d;", p.entry(fn.Def))
		return
	}
	p.line("u32 to = bend_alloc(m, lane, %d);", word.Class(fn.Held+1))
	for i := range fn.Held + 1 {
		p.line("m[to + %d] = %s;", i, held(i))
	}
	next := p.Program.Fn(fn.Def, fn.Held+1)
	p.line("r0 = %s | to;", constant(word.Clo(int(next), fn.Held+1, 0)))
	p.line("pc = (u32)S(sp);")
}

// afterCut goes on after a cut: the result is in r0.
func (p *printer) afterCut(c *flat.Cut) {
	n := len(c.Frame.Caps)
	p.line("sp -= %d;", n+1)
	for i, x := range c.Frame.Caps {
		p.line("u64 %s = S(sp + %d);", v(x), i+1)
	}
	p.line("u64 %s = r0;", v(c.Dst))
	p.code(c.Next)
}

// afterCall goes on after the given call, counted from 1, of a fork.
func (p *printer) afterCall(f *flat.Fork, call int) {
	caps := f.Frame.Caps
	if call == len(f.Calls) {
		p.line("sp -= %d;", len(caps)+call)
		for i, x := range caps {
			p.line("u64 %s = S(sp + %d);", v(x), i+1)
		}
		for i := range call - 1 {
			p.line("u64 %s = S(sp + %d);", v(f.Dsts[i]), len(caps)+i+1)
		}
		p.line("u64 %s = r0;", v(f.Dsts[call-1]))
		p.code(f.Next)
		return
	}
	// The result takes the place of the id, and the next id follows.
	p.line("S(sp) = r0;")
	p.line("S(++sp) = %d;", p.Returns[f.Frame][call])
	used := map[flat.Var]bool{}
	c := f.Calls[call]
	for _, a := range c.Args {
		used[a.Var] = true // of a constant too, which stands for no variable
	}
	used[c.Fn.Var] = used[c.Fn.Var] || c.Apply
	for i, x := range caps {
		if used[x] {
			p.line("u64 %s = S(sp - %d);", v(x), len(caps)+call-i)
		}
	}
	p.jump(c)
}
