package wasmgen

import (
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
	"bend/jit/plan"
)

// leaveWith leaves to the host with the result in the bank.
func (e *emitter) leaveWith(s lane.Status) {
	e.saveBank(0, func() { e.get(e.result) })
	e.exit(s)
}

// applySegment applies the closure in the bank to the argument beside it.
func (e *emitter) applySegment() {
	fn := e.temp(I64)
	e.loadBank(0)
	e.set(fn)
	e.applied(func() { e.get(fn) })
	e.set(e.pc)
	e.br(e.top)
}

// saveBank stores the value that push pushes as word i of the bank.
func (e *emitter) saveBank(i int, push func()) {
	e.get(laneAt)
	push()
	e.mem(opI64Store, 8*(e.k.Kernel.Layout.Bank+i))
}

func (e *emitter) loadBank(i int) {
	e.get(laneAt)
	e.mem(opI64Load, 8*(e.k.Kernel.Layout.Bank+i))
}

// stub calls the function of d with the parameters that are in the bank.
func (e *emitter) stub(d *flat.Def) {
	f := e.k.funcs[d.ID]
	e.enter(d.ID, func(i int) {
		e.loadBank(i)
		e.fromWord(f.reps[i])
	})
}

// enter calls the function of a def, whose arguments push pushes as it takes them, and
// goes on where the top of the stack says when it has a result.
func (e *emitter) enter(d flat.DefID, push func(i int)) {
	f := e.k.funcs[d]
	e.get(laneAt)
	e.get(e.sp)
	e.get(e.fuel)
	for i := range f.reps {
		push(i)
	}
	e.call(f.Index)
	e.set(e.fuel)
	e.set(e.result)
	e.get(e.fuel)
	e.i32(0)
	e.op(opI32LtS)
	e.cond()
	// The function has left: where to go on is in the header.
	e.loadHead(lane.HeadSP)
	e.set(e.sp)
	e.loadHead(lane.HeadPC)
	e.set(e.pc)
	e.get(e.fuel)
	e.i32(goOn / 2)
	e.op(opI32LtS)
	e.cond()
	e.get(e.fuel)
	e.i32(goOn)
	e.op(opI32Sub)
	e.set(e.fuel)
	e.br(e.top)
	e.end()
	e.exit(lane.Fuel)
	e.end()
	e.ret()
}

// jump makes a call: the frame, if any, is on the stack already.
func (e *emitter) jump(c flat.Call) {
	if c.Apply {
		e.saveBank(0, func() { e.pushWord(c.Fn) })
		e.saveBank(1, func() { e.pushWord(c.Args[0]) })
		e.applied(func() { e.pushWord(c.Fn) })
		e.set(e.pc)
		e.br(e.top)
		return
	}
	e.saveRest(c.Args)
	f := e.k.funcs[c.Def]
	e.enter(c.Def, func(i int) { e.pushAs(c.Args[i], f.reps[i]) })
}

// saveRest stores the arguments that do not travel in locals.
func (e *emitter) saveRest(args []flat.Atom) {
	for i := maxBank; i < len(args); i++ {
		e.saveBank(i, func() { e.pushWord(args[i]) })
	}
}

// applied pushes the id of the segment of the closure that fn pushes, which applies it to
// the argument that is in the bank beside it.
func (e *emitter) applied(fn func()) {
	n := len(e.k.Program.Fns)
	id := e.temp(I32)
	fn()
	e.i64(word.AuxShift)
	e.op(opI64ShrU, opI32WrapI64)
	e.i32(0xffff)
	e.op(opI32And)
	e.tee(id)
	e.i32(int32(n))
	e.op(opI32LtU)
	e.condOf(I32)
	e.get(id)
	e.i32(2)
	e.op(opI32Shl)
	e.mem(opI32Load, table)
	e.otherwise()
	e.i32(plan.MissingID)
	e.end()
}

// fnSegment gives a closure its next argument: both are in the bank in memory.
func (e *emitter) fnSegment(id flat.FnID) {
	fn := e.k.Program.Fns[id]
	d := e.k.Program.Def(fn.Def)
	held := make([]uint32, 0, fn.Held)
	if fn.Held > 0 {
		w := e.temp(I64)
		e.loadBank(0)
		e.set(w)
		var at uint32
		at = e.unpack(w, fn.Held, func() {
			held = append(held, e.temp(I64))
			e.set(held[0])
		})
		for i := 1; i < fn.Held; i++ {
			held = append(held, e.temp(I64))
			e.get(at)
			e.mem(opI64Load, 8*i)
			e.set(held[i])
		}
	}
	arg := e.temp(I64)
	e.loadBank(1)
	e.set(arg)
	held = append(held, arg)
	if len(held) == d.Params {
		for i := maxBank; i < d.Params; i++ {
			e.saveBank(i, func() { e.get(held[i]) })
		}
		f := e.k.funcs[fn.Def]
		e.enter(fn.Def, func(i int) {
			e.get(held[i])
			e.fromWord(f.reps[i])
		})
		return
	}
	at := e.allocate(word.Class(len(held)))
	for i := len(held) - 1; i >= 0; i-- {
		e.get(at)
		e.get(held[i])
		e.mem(opI64Store, 8*i)
	}
	next := e.k.Program.Fn(fn.Def, len(held))
	e.word(word.Clo(int(next), len(held), 0), at)
	e.set(e.result)
	e.ret()
}

// push puts a frame on the stack: captures, then the return id.
func (e *emitter) push(id int, caps []flat.Var) {
	e.store(id, caps)
	e.get(e.sp)
	e.i32(int32(8 * (len(caps) + 1)))
	e.op(opI32Add)
	e.set(e.sp)
}

// store writes a frame above the stack.
func (e *emitter) store(id int, caps []flat.Var) {
	for i := len(caps) - 1; i >= 0; i-- {
		e.get(e.sp)
		e.pushWord(flat.V(caps[i]))
		e.mem(opI64Store, wordAt(i))
	}
	e.get(e.sp)
	e.i64(int64(id))
	e.mem(opI64Store, wordAt(len(caps)))
	e.counted(id, len(caps)+1)
}

// counted counts a frame that was stored above the stack.
func (e *emitter) counted(id, words int) {
	if !e.rt.profile {
		return
	}
	e.get(laneAt)
	e.counts(id)
	e.get(e.sp)
	e.i32(int32(8 * words))
	e.op(opI32Add)
	e.call(e.rt.count.Index)
}

// counts pushes the address of the counts of a frame's owner.
func (e *emitter) counts(id int) {
	e.get(laneAt)
	e.i32(int32(8 * (e.k.Kernel.Layout.Counts + 2*e.k.Kernel.Returns[id].Owner)))
	e.op(opI32Add)
}

// uncount takes a frame that is dropped off the count.
func (e *emitter) uncount(id int) {
	if !e.rt.profile {
		return
	}
	e.counts(id)
	e.counts(id)
	e.mem(opI32Load, 0)
	e.i32(1)
	e.op(opI32Sub)
	e.mem(opI32Store, 0)
}

// below takes the address of the word below the frame of n words at the top.
func (e *emitter) below(n int) uint32 {
	b := e.temp(I32)
	e.get(e.sp)
	e.i32(int32(8 * n))
	e.op(opI32Sub)
	e.set(b)
	return b
}

// load binds v to word i of the frame above the word at an address.
func (e *emitter) load(below uint32, i int, v flat.Var) {
	e.get(below)
	e.mem(opI64Load, wordAt(i))
	e.bind(v, repWord)
}

// afterCut goes on after a cut: the result is in the bank.
func (e *emitter) afterCut(c *flat.Cut) {
	e.uncount(e.k.Returns[c.Frame][0])
	b := e.below(c.Frame.Words)
	for i := len(c.Frame.Caps) - 1; i >= 0; i-- {
		e.load(b, i, c.Frame.Caps[i])
	}
	e.get(b)
	e.set(e.sp)
	e.get(e.result)
	e.bind(c.Dst, repWord)
	e.code(c.Next)
}

// afterCall goes on after the given call, counted from 1, of a fork.
func (e *emitter) afterCall(f *flat.Fork, call int) {
	id := e.k.Returns[f.Frame][call-1]
	caps := f.Frame.Caps
	e.uncount(id)
	b := e.below(len(caps) + call)
	if call == len(f.Calls) {
		for i := len(caps) - 1; i >= 0; i-- {
			e.load(b, i, caps[i])
		}
		for i := range call - 1 {
			e.load(b, len(caps)+i, f.Dsts[i])
		}
		e.get(b)
		e.set(e.sp)
		e.get(e.result)
		e.bind(f.Dsts[call-1], repWord)
		e.code(f.Next)
		return
	}
	// The result takes the place of the id, and the next id follows.
	next := e.k.Returns[f.Frame][call]
	e.get(e.sp)
	e.i64(int64(next))
	e.mem(opI64Store, 8)
	e.get(e.sp)
	e.get(e.result)
	e.mem(opI64Store, 0)
	e.counted(next, 1)
	e.get(e.sp)
	e.i32(8)
	e.op(opI32Add)
	e.set(e.sp)
	used := map[flat.Var]bool{}
	c := f.Calls[call]
	for _, a := range c.Args {
		used[a.Var] = true // of a constant too, which stands for no variable
	}
	used[c.Fn.Var] = used[c.Fn.Var] || c.Apply
	for i := len(caps) - 1; i >= 0; i-- {
		if used[caps[i]] {
			e.load(b, i, caps[i])
		}
	}
	e.jump(c)
}
