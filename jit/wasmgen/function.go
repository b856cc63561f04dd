package wasmgen

import (
	"slices"

	"bend/interp/flat"
	"bend/jit/lane"
)

// A function is the Wasm function of a def:
//
//	(lane, sp, fuel, parameters ..) -> (result, fuel)
//
// It makes the def's calls as calls of Wasm, each behind a frame on the lane's stack,
// which is there for the case that the call cannot end: then everybody returns, and the
// frames tell the rest (see fuel below). The first maxBank parameters are locals, held
// as reps; the others are in the bank in memory.
type function struct {
	*Func
	reps []rep
	// tails are the defs that tail calls of it call, itself aside. One from which tail
	// calls may lead back is not called but left to the kernel's loop.
	tails []flat.DefID
}

// The fuel that a function returns in place of a result that it does not have. The header
// says where to go on, and the stack holds the frames of all who wait.
const (
	goOn  = -1 << 30 // plus the fuel that is left: by the kernel's loop
	leave = -1       // by the host
)

// declare makes the function of each def, still without code.
func (k *kernel) declare(m *Module) {
	for _, id := range k.Defs {
		d := k.Program.Def(id)
		f := &function{reps: paramReps(d)}
		types := []ValType{I32, I32, I32}
		for _, r := range f.reps {
			types = append(types, repTypes[r])
		}
		f.Func = m.Func(types, []ValType{I64, I32})
		flat.Walk(d.Body, func(c flat.Code) {
			if t, ok := c.(*flat.Tail); ok && !t.Call.Apply && t.Call.Def != id {
				f.tails = append(f.tails, t.Call.Def)
			}
		})
		k.funcs[id] = f
	}
}

// leadsBack reports whether tail calls lead from one def to another.
func (k *kernel) leadsBack(from, to flat.DefID) bool {
	seen := map[flat.DefID]bool{}
	todo := []flat.DefID{from}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if id == to {
			return true
		}
		if !seen[id] {
			seen[id] = true
			todo = append(todo, k.funcs[id].tails...)
		}
	}
	return false
}

// paramReps returns how the parameters of d that travel in locals are held: as the
// numbers that they are, if d uses them as one kind of number only.
func paramReps(d *flat.Def) []rep {
	reps := make([]rep, min(d.Params, maxBank))
	mixed := make([]bool, len(reps))
	use := func(o flat.Op, args []flat.Atom) {
		for i, a := range args {
			if v := a.Var; !a.IsConst() && int(v) < len(reps) {
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

// body prints the function of d. Its tests leave with the parameters in the bank.
func (k *kernel) body(d *flat.Def) {
	f := k.funcs[d.ID]
	e := &emitter{Func: f.Func, k: k, rt: k.rt, native: true, sp: 1, fuel: 2, reps: f.reps}
	e.begin(d)
	params := func() { // the parameters are where each turn of the loop begins
		for i, r := range f.reps {
			e.places[i] = place{r, uint32(3 + i)}
		}
	}
	params()
	e.limit = f.Local(I32)
	e.loadHead(lane.HeadLimit)
	e.set(e.limit)
	out := e.block()
	e.get(e.sp)
	e.get(e.limit)
	e.op(opI32GtU)
	e.brIf(out)
	e.self = e.loop()
	if callsAny(d) {
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
	e.end()
	e.end()
	params()
	for i := range f.reps {
		e.saveBank(i, func() { e.pushWord(flat.V(flat.Var(i))) })
	}
	e.leaveAt(0, func() { e.i32(int32(k.Stubs[d.ID])) })
	e.i64(0)
	e.i32(leave)
}

// callsAny reports whether d calls anything.
func callsAny(d *flat.Def) (yes bool) {
	flat.Walk(d.Body, func(c flat.Code) {
		switch c.(type) {
		case *flat.Cut, *flat.Fork, *flat.Tail:
			yes = true
		}
	})
	return yes
}

// leaveAt notes where to go on: words above sp are on the stack, and pc pushes the id.
func (e *emitter) leaveAt(words int, pc func()) {
	e.storeHead(lane.HeadSP, func() {
		e.get(e.sp)
		if words > 0 {
			e.i32(int32(8 * words))
			e.op(opI32Add)
		}
	})
	e.storeHead(lane.HeadPC, pc)
}

// goOn leaves the rest to the kernel's loop, see leaveAt.
func (e *emitter) goOn(words int, pc func()) {
	e.leaveAt(words, pc)
	e.i64(0)
	e.get(e.fuel)
	e.i32(goOn)
	e.op(opI32Add, opReturn)
}

// again goes to the loop of the function. All arguments are read before any is written:
// they may be parameters.
func (e *emitter) again(args []flat.Atom) {
	e.saveRest(args)
	for i, r := range e.reps {
		e.pushAs(args[i], r)
	}
	for i := len(e.reps) - 1; i >= 0; i-- {
		e.set(uint32(3 + i))
	}
	e.br(e.self)
}

// invoke calls the function of a call, words being on the stack above sp.
func (e *emitter) invoke(c flat.Call, words int) {
	e.saveRest(c.Args)
	f := e.k.funcs[c.Def]
	e.get(laneAt)
	e.get(e.sp)
	if words > 0 {
		e.i32(int32(8 * words))
		e.op(opI32Add)
	}
	e.get(e.fuel)
	for i, r := range f.reps {
		e.pushAs(c.Args[i], r)
	}
	e.call(f.Index)
}

// wait makes a call whose result is bound to dst, behind the frame of an id and captures.
func (e *emitter) wait(c flat.Call, id int, caps []flat.Var, dst flat.Var) {
	words := len(caps) + 1
	if c.Apply {
		e.store(id, caps)
		e.leaveApplying(c, words)
		return
	}
	result := e.temp(I64)
	done := e.block()
	if depth := e.leafDepth(c); depth >= 0 {
		l := &leafer{e, e.block()}
		e.get(l.try(c, words, depth))
		e.set(result)
		e.br(done)
		e.end()
	}
	e.store(id, caps)
	e.invoke(c, words)
	e.set(e.fuel)
	e.set(result)
	e.get(e.fuel)
	e.i32(0)
	e.op(opI32LtS)
	e.cond()
	e.i64(0)
	e.get(e.fuel)
	e.op(opReturn)
	e.end()
	e.uncount(id)
	e.end()
	e.get(result)
	e.bind(dst, repWord)
}

// waits makes calls one after the other behind one frame, which grows by their results,
// and returns what follows them, nil if the kernel's loop is to go on there.
func (e *emitter) waits(calls []flat.Call, dsts []flat.Var, f *flat.Frame, next flat.Code) flat.Code {
	for i, c := range calls {
		e.wait(c, e.k.Returns[f][i], append(slices.Clip(f.Caps), dsts[:i]...), dsts[i])
		if c.Apply {
			return nil
		}
	}
	return next
}

// leaveApplying leaves the application of a closure to the kernel's loop.
func (e *emitter) leaveApplying(c flat.Call, words int) {
	e.saveBank(0, func() { e.pushWord(c.Fn) })
	e.saveBank(1, func() { e.pushWord(c.Args[0]) })
	e.goOn(words, func() { e.applied(func() { e.pushWord(c.Fn) }) })
}

// tail makes a tail call of another def.
func (e *emitter) tail(c flat.Call) {
	switch {
	case c.Apply:
		e.leaveApplying(c, 0)
	case c.Def == e.def.ID:
		e.again(c.Args)
	case e.k.leadsBack(c.Def, e.def.ID):
		for i, a := range c.Args {
			e.saveBank(i, func() { e.pushWord(a) })
		}
		e.goOn(0, func() { e.i32(int32(e.k.Stubs[c.Def])) })
	default:
		e.invoke(c, 0)
		e.op(opReturn)
	}
}
