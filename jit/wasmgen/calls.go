package wasmgen

import (
	"slices"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// exitSegment leaves to the host with the result in the bank.
func (e *emitter) exitSegment() {
	e.saveBank(0, func() { e.get(e.bank[0]) })
	e.exit(lane.Exit)
}

// joinedSegment leaves to the host with the result in the bank: the frame on the stack
// is that of a fork that was dealt out.
func (e *emitter) joinedSegment() {
	e.saveBank(0, func() { e.get(e.bank[0]) })
	e.exit(lane.Joined)
}

// applySegment applies the closure in the bank in memory to the argument beside it.
func (e *emitter) applySegment() {
	fn := e.temp(I64)
	e.loadBank(0)
	e.set(fn)
	e.apply(func() { e.get(fn) })
}

// missingSegment is where an unknown closure leads.
func (e *emitter) missingSegment() {
	e.post(lane.Missing, func() { e.i64(0) })
	e.exit(lane.Fuel)
}

// saveBank stores the value that push pushes as word i of the bank in memory.
func (e *emitter) saveBank(i int, push func()) {
	e.get(laneAt)
	push()
	e.mem(opI64Store, 8*(e.k.out.Layout.Bank+i))
}

func (e *emitter) loadBank(i int) {
	e.get(laneAt)
	e.mem(opI64Load, 8*(e.k.out.Layout.Bank+i))
}

// stub loads the parameters of d from memory; the entry follows.
func (e *emitter) stub(d *flat.Def) {
	for i := range min(d.Params, maxBank) {
		e.loadBank(i)
		e.set(e.bank[i])
	}
}

// entry prints the body of d. Both tests of it leave with the parameters in memory.
func (e *emitter) entry(d *flat.Def) {
	e.begin(d)
	calls, deep := recursion(d)
	reps := loopReps(d)
	params := func() { // the parameters are where each turn of the loop begins
		for i, r := range reps {
			e.places[i] = place{r, e.params[i]}
		}
	}
	e.params, e.reps = e.params[:0], reps
	for i, r := range reps {
		switch {
		case i >= maxBank:
			e.params = append(e.params, 0)
		case r == repWord:
			e.params = append(e.params, e.bank[i])
		default:
			e.params = append(e.params, e.temp(repTypes[r]))
			e.places[i] = place{repWord, e.bank[i]}
			e.pushAs(flat.V(flat.Var(i)), r)
			e.set(e.params[i])
		}
	}
	params()
	out := e.block()
	test := func() {
		e.get(e.sp)
		e.get(e.limit)
		e.op(opI32GtU)
		e.brIf(out)
	}
	if !deep {
		test()
	}
	e.self = e.loop()
	e.open = true
	if deep {
		test()
	}
	if calls {
		e.get(e.fuel)
		e.i32(1)
		e.op(opI32Sub)
		e.tee(e.fuel)
		e.i32(0)
		e.op(opI32LtS)
		e.brIf(out)
	}
	for i := maxBank; i < d.Params; i++ {
		e.loadBank(i)
		e.bind(flat.Var(i), repWord)
	}
	e.code(d.Body)
	e.open = false
	e.end()
	e.end()
	params()
	for i := range min(d.Params, maxBank) {
		e.saveBank(i, func() { e.pushWord(flat.V(flat.Var(i))) })
	}
	e.i32(int32(e.k.entries[d.ID].stub.id))
	e.set(e.pc)
	e.exit(lane.Fuel)
}

// loopReps returns how the parameters of d are held in its loop: as the numbers that
// they are, if d calls itself in a tail call and uses them as one kind of number only.
func loopReps(d *flat.Def) []rep {
	reps := make([]rep, d.Params)
	loops := false
	flat.Walk(d.Body, func(c flat.Code) {
		s, ok := c.(*flat.Tail)
		loops = loops || ok && !s.Call.Apply && s.Call.Def == d.ID
	})
	if !loops {
		return reps
	}
	mixed := make([]bool, d.Params)
	use := func(o flat.Op, args []flat.Atom) {
		for i, a := range args {
			if v := a.Var; !a.IsConst() && int(v) < min(d.Params, maxBank) {
				r := kindReps[o.ArgKind(i)]
				mixed[v] = mixed[v] || r == repWord || reps[v] != repWord && reps[v] != r
				reps[v] = r
			}
		}
	}
	flat.Walk(d.Body, func(c flat.Code) {
		switch s := c.(type) {
		case *flat.Prim:
			use(s.Op, s.Args)
		case *flat.If:
			use(s.Op, s.Args)
		}
	})
	for i, m := range mixed {
		if m || !d.Vars[i].Raw {
			reps[i] = repWord
		}
	}
	return reps
}

// recursion tells whether d calls anything, and whether it calls itself in a cut or a
// fork before any other call.
func recursion(d *flat.Def) (calls, deep bool) {
	see := func(c flat.Call, push bool) {
		calls = true
		deep = deep || push && !c.Apply && c.Def == d.ID
	}
	flat.Walk(d.Body, func(c flat.Code) {
		switch s := c.(type) {
		case *flat.Cut:
			see(s.Call, true)
		case *flat.Fork:
			see(s.Calls[0], true)
		case *flat.Tail:
			see(s.Call, false)
		}
	})
	return calls, deep
}

// jump makes a call: the frame, if any, is on the stack already.
func (e *emitter) jump(c flat.Call) {
	if e.open && !c.Apply && c.Def == e.def.ID {
		e.again(c.Args)
		return
	}
	if c.Apply {
		e.saveBank(0, func() { e.pushWord(c.Fn) })
		e.saveBank(1, func() { e.pushWord(c.Args[0]) })
		e.apply(func() { e.pushWord(c.Fn) })
		return
	}
	e.goTo(c.Def, len(c.Args), func(i int) { e.pushWord(c.Args[i]) })
}

// goTo enters def d with the arguments that push pushes.
func (e *emitter) goTo(d flat.DefID, args int, push func(i int)) {
	target := e.k.entries[d]
	if target.body.pos <= e.at {
		for i := range args {
			e.saveBank(i, func() { push(i) })
		}
		e.i32(int32(target.stub.id))
		e.set(e.pc)
		e.br(e.top)
		return
	}
	// All are read before any is written: arguments may be parameters.
	regs := min(args, maxBank)
	for i := range regs {
		push(i)
	}
	for i := regs; i < args; i++ {
		e.saveBank(i, func() { push(i) })
	}
	for i := regs - 1; i >= 0; i-- {
		e.set(e.bank[i])
	}
	e.br(target.body.label)
}

// again goes to the loop of the def whose entry is printed. All arguments are read before
// any is written: they may be parameters.
func (e *emitter) again(args []flat.Atom) {
	for i := maxBank; i < len(args); i++ {
		e.saveBank(i, func() { e.pushWord(args[i]) })
	}
	regs := min(len(args), maxBank)
	for i := range regs {
		e.pushAs(args[i], e.reps[i])
	}
	for i := regs - 1; i >= 0; i-- {
		e.set(e.params[i])
	}
	e.br(e.self)
}

// apply goes to the segment of the closure that fn pushes, which is in the bank in
// memory.
func (e *emitter) apply(fn func()) {
	n := len(e.k.in.Program.Fns)
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
	e.mem(opI32Load, e.k.table)
	e.otherwise()
	e.i32(missingID)
	e.end()
	e.set(e.pc)
	e.br(e.top)
}

// fnSegment gives a closure its next argument: both are in the bank in memory.
func (e *emitter) fnSegment(id flat.FnID) {
	fn := e.k.in.Program.Fns[id]
	d := e.k.in.Program.Def(fn.Def)
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
		e.goTo(fn.Def, d.Params, func(i int) { e.get(held[i]) })
		return
	}
	at := e.allocate(word.Class(len(held)))
	for i := len(held) - 1; i >= 0; i-- {
		e.get(at)
		e.get(held[i])
		e.mem(opI64Store, 8*i)
	}
	next := e.k.in.Program.Fn(fn.Def, len(held))
	e.word(word.Clo(int(next), len(held), 0), at)
	e.set(e.bank[0])
	e.ret()
}

// forkCall makes the given call of a fork, whose captures and earlier results are in
// locals.
func (e *emitter) forkCall(f *flat.Fork, call int) {
	e.push(e.k.returns[f.Frame][call], append(slices.Clip(f.Frame.Caps), f.Dsts[:call]...))
	e.jump(f.Calls[call])
}

// push puts a frame on the stack: captures, then the return id.
func (e *emitter) push(id int, caps []flat.Var) {
	e.get(e.sp)
	e.i64(int64(id))
	e.mem(opI64Store, wordAt(len(caps)))
	for i := len(caps) - 1; i >= 0; i-- {
		e.get(e.sp)
		e.pushWord(flat.V(caps[i]))
		e.mem(opI64Store, wordAt(i))
	}
	e.get(e.sp)
	e.i32(int32(8 * (len(caps) + 1)))
	e.op(opI32Add)
	e.set(e.sp)
	e.counted(id)
}

// counted counts the frame that was pushed.
func (e *emitter) counted(id int) {
	if !e.rt.profile {
		return
	}
	e.get(laneAt)
	e.counts(id)
	e.get(e.sp)
	e.call(e.rt.count.Index)
}

// counts pushes the address of the counts of a frame's owner.
func (e *emitter) counts(id int) {
	e.get(laneAt)
	e.i32(int32(8 * (e.k.out.Layout.Counts + 2*e.k.out.Returns[id].Owner)))
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
func (e *emitter) afterCut(d *flat.Def, c *flat.Cut) {
	e.begin(d)
	e.uncount(e.k.returns[c.Frame][0])
	b := e.below(c.Frame.Words)
	for i := len(c.Frame.Caps) - 1; i >= 0; i-- {
		e.load(b, i, c.Frame.Caps[i])
	}
	e.get(b)
	e.set(e.sp)
	e.get(e.bank[0])
	e.bind(c.Dst, repWord)
	e.code(c.Next)
}

// afterCall goes on after the given call, counted from 1, of a fork.
func (e *emitter) afterCall(d *flat.Def, f *flat.Fork, call int) {
	e.begin(d)
	id := e.k.returns[f.Frame][call-1]
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
		e.get(e.bank[0])
		e.bind(f.Dsts[call-1], repWord)
		e.code(f.Next)
		return
	}
	if depth := e.leafDepth(f.Next, f.Calls[call:]...); depth >= 0 {
		for i := len(caps) - 1; i >= 0; i-- {
			e.load(b, i, caps[i])
		}
		for i := range call - 1 {
			e.load(b, len(caps)+i, f.Dsts[i])
		}
		e.get(b)
		e.set(e.sp)
		e.get(e.bank[0])
		e.bind(f.Dsts[call-1], repWord)
		e.forkLeaf(f, call)
		e.forkCall(f, call)
		return
	}
	// The result takes the place of the id, and the next id follows.
	next := e.k.returns[f.Frame][call]
	e.get(e.sp)
	e.i64(int64(next))
	e.mem(opI64Store, 8)
	e.get(e.sp)
	e.get(e.bank[0])
	e.mem(opI64Store, 0)
	e.get(e.sp)
	e.i32(8)
	e.op(opI32Add)
	e.set(e.sp)
	e.counted(next)
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
