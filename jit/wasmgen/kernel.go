package wasmgen

import (
	"bend/interp/flat"
	"bend/jit/lane"
	"bend/jit/plan"
)

// maxBank is the number of parameters that travel in locals.
const maxBank = 24

// A kernel is the state of printing one.
type kernel struct {
	*plan.Plan
	rt    *runtime
	funcs map[flat.DefID]*function
}

// The memory of a module.
const (
	pageBytes = 1 << 16
	maxPages  = 1<<16 - 1 // one less than the most that exists: its size must fit 32 bits
)

// table is the address of the table of closures.
const table = lane.Static * 8

// Generate prints a kernel.
func Generate(p *plan.Plan) *lane.Kernel {
	k := &kernel{Plan: p, funcs: map[flat.DefID]*function{}}
	m := &Module{}
	k.rt = newRuntime(m, p.Kernel.Layout, p.Profile, p.Parallel)
	k.print(m)
	p.Finish()
	m.Memory(uint32(p.Kernel.Layout.Lanes*8/pageBytes+1), maxPages)
	if len(p.Data) > 0 {
		m.Data(table, p.Data)
	}
	p.Kernel.Wasm = m.Encode()
	return p.Kernel
}

// print prints the functions of the defs and the function run.
func (k *kernel) print(m *Module) {
	k.declare(m)
	for _, id := range k.Defs {
		k.body(k.Program.Def(id))
	}
	f := m.Func([]ValType{I32, I32, I32}, []ValType{I32})
	m.Export("run", f)
	e := &emitter{Func: f, k: k, rt: k.rt, pc: 1, fuel: 2}
	e.sp, e.result = f.Local(I32), f.Local(I64)
	status := f.Local(I32)
	e.loadHead(lane.HeadSP)
	e.set(e.sp)
	e.loadBank(0)
	e.set(e.result)
	e.leave = e.resultBlock(I32)
	e.top = e.loop()
	labels := make([]Label, len(k.Kernel.Returns))
	for i := len(k.Segments) - 1; i >= 0; i-- {
		labels[k.Segments[i].ID] = e.block()
	}
	for i, r := range k.Kernel.Returns {
		if r.Dealt {
			labels[i] = labels[k.Joined]
		}
	}
	e.get(e.pc)
	e.brTable(labels[:len(labels)-1], labels[len(labels)-1])
	for _, s := range k.Segments {
		e.end()
		e.begin(s.Def)
		e.segment(s)
	}
	e.end() // of the loop: nothing falls out of a segment
	e.op(opUnreachable)
	e.end()
	e.set(status)
	e.storeHead(lane.HeadSP, func() { e.get(e.sp) })
	e.storeHead(lane.HeadPC, func() { e.get(e.pc) })
	e.get(status)
}

// segment prints one segment.
func (e *emitter) segment(s plan.Segment) {
	switch s.Kind {
	case plan.Exit:
		e.leaveWith(lane.Exit)
	case plan.Joined:
		e.leaveWith(lane.Joined)
	case plan.Missing:
		e.post(lane.Missing, func() { e.i64(0) })
		e.exit(lane.Fuel)
	case plan.Apply:
		e.applySegment()
	case plan.Closure:
		e.fnSegment(s.Fn)
	case plan.Stub:
		e.stub(s.Def)
	case plan.AfterCut:
		e.afterCut(s.Cut)
	case plan.AfterCall:
		e.afterCall(s.Fork, s.Call)
	}
}

// wordAt is the offset of word i of a frame from the address of the word below it.
func wordAt(i int) int { return 8 * (i + 1) }
