// Package cgen prints a kernel in C, from the same layout as package wasmgen and with the
// same words, frames and errors. One text serves C11, CUDA and Metal: what they do not
// share, which is little, stands in a prelude for each (folder text).
//
// A kernel is one function, bend_run, a loop around a switch of segments. It uses neither
// recursion nor goto nor arrays of its own, which a GPU has none of or does not like: a
// frame is on the lane's stack, and parameters travel in the variables r0, r1, and so on.
package cgen

import (
	"embed"
	"fmt"
	"strings"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
	"bend/jit/plan"
)

// A Target is a dialect.
type Target string

// The targets.
const (
	C     Target = "c"
	CUDA  Target = "cuda"
	Metal Target = "metal"
)

//go:embed text
var texts embed.FS

func text(name string) string {
	b, err := texts.ReadFile("text/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Stride is the number of lanes whose stacks are interleaved: on a GPU, those that run in
// step.
func (t Target) Stride() int {
	if t == C {
		return 1
	}
	return 32
}

// Options chooses the variant of a text.
type Options struct {
	Target Target
	// OwnFunctions takes the target's own functions of F32 for those that IEEE 754 leaves
	// open, whose last bits differ from one target to the next.
	OwnFunctions bool
}

// Generate prints a kernel as the kernel's Text. The error says why there is none: a
// function of F32 has no version that gives the same bits everywhere.
func Generate(p *plan.Plan, o Options) (*lane.Kernel, error) {
	t := o.Target
	pr := &printer{Plan: p, options: o}
	pr.run()
	if pr.err != nil {
		return nil, pr.err
	}
	p.Finish()
	k := p.Kernel
	k.Grid = lane.NewGrid(k.Layout, t.Stride(), len(p.Data)/8)
	k.Data = p.Data
	var b strings.Builder
	b.WriteString(text(string(t) + ".h"))
	pr.defines(&b)
	b.WriteString(text("runtime.c") + "\n")
	if pr.functions {
		b.WriteString(text("f32.c") + "\n")
	}
	b.WriteString(pr.out.String() + "\n")
	b.WriteString(text("pass.c") + "\n")
	b.WriteString(text(string(t) + "_entry.c"))
	k.Text = b.String()
	return k, nil
}

// maxBank is the number of parameters that travel in variables.
const maxBank = 24

// A printer prints the function bend_run.
type printer struct {
	*plan.Plan
	options   Options
	functions bool // text/f32.c is needed
	out       strings.Builder
	depth     int
	def       *flat.Def
	loop      bool // in the loop of a def's entry
	temps     int
	err       error
}

func (p *printer) line(format string, args ...any) {
	p.out.WriteString(strings.Repeat("  ", p.depth))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

func (p *printer) open(format string, args ...any) {
	p.line(format, args...)
	p.depth++
}

func (p *printer) close(format string, args ...any) {
	p.depth--
	p.line(format, args...)
}

// entry returns the id of a def's entry with the parameters in variables; those of plan
// find them in memory.
func (p *printer) entry(d flat.DefID) int { return len(p.Kernel.Returns) + int(p.Stubs[d]) }

func (p *printer) run() {
	bank := min(p.Kernel.Layout.Scratch-p.Kernel.Layout.Bank, maxBank)
	p.line("// Runs lane from segment pc on until it has to leave, and tells why.")
	p.open("FN int bend_run(MEM m, u32 lane, u32 pc, int fuel) {")
	p.line("u32 sp = (u32)H(HEAD_SP), limit = (u32)H(HEAD_LIMIT);")
	p.line("int leave = -1;")
	for i := range bank {
		if i == 0 {
			p.line("u64 r0 = H(BANK);")
		} else {
			p.line("u64 r%d = 0;", i)
		}
	}
	p.open("while (leave < 0) switch (pc) {")
	for _, s := range p.Segments {
		if s.Kind == plan.Joined {
			for id, r := range p.Kernel.Returns {
				if r.Dealt && id != s.ID {
					p.line("case %d:", id)
				}
			}
		}
		p.segment(s)
	}
	for _, id := range p.Defs {
		p.function(p.Program.Def(id))
	}
	p.close("}")
	p.line("H(HEAD_SP) = sp;")
	p.line("H(HEAD_PC) = pc;")
	p.line("H(HEAD_FUEL) = (u32)fuel;")
	p.line("return leave;")
	p.close("}")
}

// segment prints a segment of the plan. Each path of it ends in a break out of the
// switch.
func (p *printer) segment(s plan.Segment) {
	p.begin(s.Def)
	p.open("case %d: do {%s", s.ID, comment(s))
	switch s.Kind {
	case plan.Exit:
		p.line("H(BANK) = r0;")
		p.leave(lane.Exit)
	case plan.Joined:
		p.line("H(BANK) = r0;")
		p.leave(lane.Joined)
	case plan.Missing:
		p.fail(lane.Missing, "0")
		p.leave(lane.Fuel)
	case plan.Apply:
		p.line("pc = bend_applied(m, H(BANK));")
	case plan.Closure:
		p.closure(s.Fn)
	case plan.Stub:
		for i := range min(s.Def.Params, maxBank) {
			p.line("r%d = H(BANK + %d);", i, i)
		}
		p.line("pc = %d;", p.entry(s.Def.ID))
	case plan.AfterCut:
		p.afterCut(s.Cut)
	case plan.AfterCall:
		p.afterCall(s.Fork, s.Call)
	}
	p.close("} while (0); break;")
}

func comment(s plan.Segment) string {
	switch s.Kind {
	case plan.Stub:
		return " // " + s.Def.Key
	case plan.AfterCut, plan.AfterCall:
		return " // in " + s.Def.Key
	}
	return ""
}

func (p *printer) begin(d *flat.Def) { p.def, p.loop = d, false }

// function prints the entry of a def: a loop, whose break leaves the switch too.
func (p *printer) function(d *flat.Def) {
	p.begin(d)
	p.open("case %d: for (;;) { // %s", p.entry(d.ID), d.Key)
	p.open("if (sp > limit || --fuel < 0) {")
	for i := range min(d.Params, maxBank) {
		p.line("H(BANK + %d) = r%d;", i, i)
	}
	p.line("pc = %d;", p.Stubs[d.ID])
	p.leave(lane.Fuel)
	p.line("break;")
	p.close("}")
	for i := range d.Params {
		if i < maxBank {
			p.line("u64 %s = r%d;", v(flat.Var(i)), i)
		} else {
			p.line("u64 %s = H(BANK + %d);", v(flat.Var(i)), i)
		}
	}
	p.loop = true
	p.code(d.Body)
	p.close("} break;")
}

func v(x flat.Var) string { return fmt.Sprintf("v%d", x) }

func constant(w word.Word) string { return fmt.Sprintf("W(%#x)", w) }

func atom(a flat.Atom) string {
	if a.IsConst() {
		return constant(a.Word)
	}
	return v(a.Var)
}

func (p *printer) temp() string {
	p.temps++
	return fmt.Sprintf("t%d", p.temps)
}

// leave makes the function return; a break has to follow.
func (p *printer) leave(s lane.Status) { p.line("leave = %d;", s) }

func (p *printer) fail(c lane.Code, detail string) {
	p.line("bend_fail(m, lane, %d, %s);", c, detail)
}
