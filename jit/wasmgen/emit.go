package wasmgen

import (
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/lane"
)

// An emitter prints the function of a def, or segments into the function run. Locals of
// its own:
//
//	laneAt the address of the lane
//	sp     the address of the top word of the stack
//	fuel   entries and turns of loops until the host gets a turn
//
// In a function of a def:
//
//	limit  the highest place of the top word that does not overflow
//
// and sp stays what it was. In run:
//
//	pc     where the table goes
//	result what was returned
//
// All others are temporaries: no value in them outlives a segment.
type emitter struct {
	*Func
	k      *kernel
	rt     *runtime
	native bool // a function of a def
	sp     uint32
	fuel   uint32
	limit  uint32
	pc     uint32
	result uint32
	places []place // of the variables of the def that is printed
	def    *flat.Def

	top   Label // of run: the loop around the table
	leave Label // of run: to the host, with pc and the status set
	self  Label // of a function: its loop
	reps  []rep // and how its parameters are held

	pool [4][]uint32 // temporaries, by type
	used [4]int
}

// temp returns a temporary of the segment.
func (e *emitter) temp(t ValType) uint32 {
	i := int(I32 - t)
	if e.used[i] == len(e.pool[i]) {
		e.pool[i] = append(e.pool[i], e.Local(t))
	}
	e.used[i]++
	return e.pool[i][e.used[i]-1]
}

// begin starts a segment of def d.
func (e *emitter) begin(d *flat.Def) {
	e.used = [4]int{}
	e.def = d
	if d != nil && cap(e.places) < len(d.Vars) {
		e.places = make([]place, len(d.Vars))
	}
	if d != nil {
		e.places = e.places[:len(d.Vars)]
	}
}

// bind puts the value on the stack into a variable.
func (e *emitter) bind(v flat.Var, r rep) {
	p := place{r, e.temp(repTypes[r])}
	e.set(p.local)
	e.places[v] = p
}

// code prints c. Every path of it ends in a branch.
func (e *emitter) code(c flat.Code) {
	for c != nil {
		c = e.stepOf(c)
	}
}

// stepOf prints one step and returns what follows it.
func (e *emitter) stepOf(c flat.Code) flat.Code {
	switch s := c.(type) {
	case *flat.Prim:
		e.bind(s.Dst, e.prim(s.Op, s.Args))
		return s.Next
	case *flat.New:
		if c := e.k.Chain(s); c != nil {
			return e.chain(c)
		}
		at := e.node(s.Fields)
		e.word(word.Ctr(s.Ctor, len(s.Fields), 0), at)
		e.bind(s.Dst, repWord)
		return s.Next
	case *flat.Closure:
		e.closure(s.Fn, s.Held)
		e.bind(s.Dst, repWord)
		return s.Next
	case *flat.Text:
		e.get(laneAt)
		e.i32(int32(table + e.k.Text(s.Codes)))
		e.i32(int32(len(s.Codes)))
		e.call(e.rt.text.Index)
		e.bind(s.Dst, repWord)
		return s.Next
	case *flat.Dup:
		if p := e.places[s.X]; p.rep == repWord {
			e.get(p.local)
			e.boxed()
			e.cond()
			e.get(laneAt)
			e.get(p.local)
			e.call(e.rt.keep.Index)
			e.set(p.local)
			e.end()
		}
		return s.Next
	case *flat.Drop:
		if p := e.places[s.X]; p.rep == repWord {
			e.get(p.local)
			e.boxed()
			e.cond()
			e.get(laneAt)
			e.get(p.local)
			e.call(e.rt.drop.Index)
			e.end()
		}
		return s.Next
	case *flat.Keep:
		e.get(laneAt)
		e.nodeOf(e.places[s.Of].local)
		e.i32(int32(8 * s.Field))
		e.op(opI32Add)
		e.call(e.rt.seal.Index)
		e.bind(s.Dst, repWord)
		return s.Next
	case *flat.If:
		other := e.block()
		e.test(s.Op, s.Args)
		e.op(opI32Eqz)
		e.brIf(other)
		e.code(s.Then)
		e.end()
		return s.Else
	case *flat.Match:
		return e.match(s)
	case *flat.Cut:
		if e.native {
			return e.waits([]flat.Call{s.Call}, []flat.Var{s.Dst}, s.Frame, s.Next)
		}
		e.push(e.k.Returns[s.Frame][0], s.Frame.Caps)
		e.jump(s.Call)
	case *flat.Fork:
		if e.native {
			return e.waits(s.Calls, s.Dsts, s.Frame, s.Next)
		}
		e.push(e.k.Returns[s.Frame][0], s.Frame.Caps)
		e.jump(s.Calls[0])
	case *flat.Tail:
		if e.native {
			e.tail(s.Call)
		} else {
			e.jump(s.Call)
		}
	case *flat.Return:
		e.pushWord(s.X)
		if e.native {
			e.get(e.fuel)
			e.op(opReturn)
			return nil
		}
		e.set(e.result)
		e.ret()
	case *flat.Stop:
		e.post(lane.Stopped, func() { e.i64(int64(e.k.Stop(s.Why))) })
		e.exit(lane.Fuel)
	}
	return nil
}

// ret goes on where the top of the stack says.
func (e *emitter) ret() {
	e.get(e.sp)
	e.mem(opI32Load, 0)
	e.set(e.pc)
	e.br(e.top)
}

// exit leaves to the host.
func (e *emitter) exit(s lane.Status) {
	if e.native { // there is an error, and no going on
		e.i64(0)
		e.i32(leave)
		e.op(opReturn)
		return
	}
	e.i32(int32(s))
	e.br(e.leave)
}

// allocate allocates a block of a class and returns a local with its address.
func (e *emitter) allocate(class int) uint32 {
	at := e.temp(I32)
	e.loadHead(lane.HeadFree + class)
	e.tee(at)
	e.cond()
	e.storeHead(lane.HeadFree+class, func() {
		e.get(at)
		e.mem(opI32Load, 0)
	})
	e.otherwise()
	e.get(laneAt)
	e.i32(int32(class))
	e.call(e.rt.alloc.Index)
	e.tee(at)
	e.sink(e.rt)
	e.op(opI32Eq)
	e.cond()
	e.i32(0)
	e.set(e.fuel)
	e.end()
	e.end()
	return at
}

// node allocates a node and fills it; it returns a local with its address.
func (e *emitter) node(fields []flat.Atom) uint32 {
	at := e.allocate(word.Class(len(fields)))
	for i := len(fields) - 1; i >= 0; i-- {
		e.get(at)
		e.pushWord(fields[i])
		e.mem(opI64Store, 8*i)
	}
	return at
}

// closure pushes a closure.
func (e *emitter) closure(fn flat.FnID, held []flat.Atom) {
	if len(held) == 0 {
		e.i64(int64(word.Clo(int(fn), 0, 0)))
		return
	}
	at := e.node(held)
	e.word(word.Clo(int(fn), len(held), 0), at)
}

// match prints a match: the arms but for the last, which it returns when it needs no
// test, or else the code for all others.
func (e *emitter) match(m *flat.Match) flat.Code {
	if len(m.Arms) == 0 {
		return m.Else
	}
	tested := m.Arms
	if m.Else == nil {
		tested = m.Arms[:len(m.Arms)-1]
	}
	x := flat.V(m.X)
	switch {
	case len(tested) > 2:
		e.table(m, tested)
	case len(tested) > 0:
		for _, a := range tested {
			other := e.block()
			e.pushEnum(x)
			if a.Ctor != 0 {
				e.i32(int32(a.Ctor))
				e.op(opI32Ne)
			}
			e.brIf(other)
			e.arm(m, a)
			e.end()
		}
	}
	if m.Else != nil {
		return m.Else
	}
	last := m.Arms[len(m.Arms)-1]
	e.fields(m, last)
	return last.Body
}

// table prints the tested arms of a match behind a br_table.
func (e *emitter) table(m *flat.Match, tested []flat.Arm) {
	other := e.block()
	labels := make([]Label, len(tested))
	for i := len(tested) - 1; i >= 0; i-- {
		labels[i] = e.block()
	}
	most := 0
	for _, a := range tested {
		most = max(most, a.Ctor)
	}
	targets := make([]Label, most+1)
	for i := range targets {
		targets[i] = other
	}
	for i, a := range tested {
		targets[a.Ctor] = labels[i]
	}
	e.pushEnum(flat.V(m.X))
	e.brTable(targets, other)
	for _, a := range tested {
		e.end()
		e.arm(m, a)
	}
	e.end()
}

func (e *emitter) arm(m *flat.Match, a flat.Arm) {
	e.fields(m, a)
	e.code(a.Body)
}

// nodeOf pushes the address of the node of the word in a local.
func (e *emitter) nodeOf(w uint32) {
	cell := e.temp(I64)
	e.get(w)
	e.i64(0)
	e.op(opI64LtS)
	e.condOf(I32)
	e.get(w)
	e.address()
	e.mem(opI64Load, 0)
	e.set(cell)
	e.Code.node(cell)
	e.otherwise()
	e.get(w)
	e.address()
	e.end()
}

// fields takes the node that m matches apart, or reads it.
func (e *emitter) fields(m *flat.Match, a flat.Arm) {
	n := len(a.Fields)
	if n == 0 {
		return
	}
	x := e.places[m.X].local
	if m.Borrows {
		at := e.temp(I32)
		e.nodeOf(x)
		e.set(at)
		for i, v := range a.Fields {
			e.get(at)
			e.mem(opI64Load, 8*i)
			e.bind(v, repWord)
		}
		return
	}
	at := e.unpack(x, n, func() { e.bind(a.Fields[0], repWord) })
	for i := 1; i < n; i++ {
		e.get(at)
		e.mem(opI64Load, 8*i)
		e.bind(a.Fields[i], repWord)
	}
}

// unpack takes apart the node of n words of the word in a local; it frees the block,
// whose words other than the first, which first binds, stay in place for now: it
// returns a local with their address.
func (e *emitter) unpack(w uint32, n int, first func()) uint32 {
	at, f := e.temp(I32), e.temp(I64)
	e.get(w)
	e.i64(0)
	e.op(opI64LtS)
	e.cond()
	e.get(laneAt)
	e.get(w)
	e.call(e.rt.open.Index)
	e.tee(at)
	e.mem(opI64Load, 0)
	e.set(f)
	e.otherwise()
	e.get(w)
	e.address()
	e.tee(at)
	e.mem(opI64Load, 0)
	e.set(f)
	e.free(at, word.Class(n))
	e.end()
	e.get(f)
	first()
	return at
}
