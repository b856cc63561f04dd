package eval

import (
	"bend/interp/flat"
	"bend/interp/word"
)

// A fixup is an instruction whose d becomes the entry of a def.
type fixup struct {
	at  int
	def flat.DefID
}

// compile returns the entry of a def, after compiling it and all that it calls
// unless that was done before.
func (m *Machine) compile(id flat.DefID) (int32, error) {
	for len(m.entry) < len(m.prog.Defs) {
		m.entry = append(m.entry, 0)
	}
	if at := m.entry[id]; at != 0 {
		return at, nil
	}
	undo := len(m.code)
	var made []flat.DefID
	var fixups []fixup
	queue := []flat.DefID{id}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if m.entry[id] != 0 {
			continue
		}
		m.entry[id] = int32(len(m.code))
		made = append(made, id)
		c := &compiler{m: m, def: m.prog.Defs[id]}
		c.compile()
		if c.wide {
			m.code = m.code[:undo]
			for _, id := range made {
				m.entry[id] = 0
			}
			return 0, &Error{Kind: TooWide, Def: c.def.Name}
		}
		for _, f := range c.fixups {
			fixups = append(fixups, f)
			queue = append(queue, f.def)
		}
	}
	for _, f := range fixups {
		m.code[f.at].d = m.entry[f.def]
	}
	return m.entry[id], nil
}

// Contents of compiler.held other than a variable.
const (
	free    flat.Var = -1
	scratch flat.Var = -2
)

// A compiler is the state of compiling one def.
type compiler struct {
	m      *Machine
	def    *flat.Def
	live   liveness
	reg    []uint16         // of each variable that has one
	held   []flat.Var       // what each register holds
	low    int              // no register below low is free
	hints  map[flat.Var]int // registers where variables are wanted
	temps  []uint16         // scratch registers of the current step
	wide   bool             // there were not enough registers
	fixups []fixup
}

func (c *compiler) compile() {
	d := c.def
	if d.Body == nil {
		c.stop("the def " + d.Name + " has no body")
		return
	}
	c.live = liveness{vars: len(d.Vars), step: map[flat.Code][]flat.Var{}, branch: map[place][]flat.Var{}}
	in := c.live.look(d.Body)
	c.reg = make([]uint16, len(d.Vars))
	for v := range flat.Var(d.Params) {
		c.held = append(c.held, v)
		c.reg[v] = uint16(v)
	}
	for v := range flat.Var(d.Params) {
		if !in.has(v) {
			c.release(v)
		}
	}
	c.code(d.Body)
}

func (c *compiler) emit(i ins) int {
	c.m.code = append(c.m.code, i)
	return len(c.m.code) - 1
}

// patch makes the instruction at index i jump to what comes next.
func (c *compiler) patch(i int) { c.m.code[i].d = int32(len(c.m.code)) }

func (c *compiler) stop(why string) {
	c.m.stops = append(c.m.stops, why)
	c.emit(ins{op: opStop, d: int32(len(c.m.stops) - 1)})
}

// take returns a register for v: the wanted one if it is free.
func (c *compiler) take(v flat.Var) uint16 {
	if want, ok := c.hints[v]; ok && (want >= len(c.held) || c.held[want] == free) {
		return c.takeAt(v, want)
	}
	for c.low < len(c.held) && c.held[c.low] != free {
		c.low++
	}
	return c.takeAt(v, c.low)
}

func (c *compiler) takeAt(v flat.Var, r int) uint16 {
	if r >= maxLocals {
		c.wide, r = true, 0
	}
	for len(c.held) <= r {
		c.held = append(c.held, free)
	}
	c.held[r] = v
	if v >= 0 {
		c.reg[v] = uint16(r)
	}
	return uint16(r)
}

// takeRun returns the first of n registers in a row for vs.
func (c *compiler) takeRun(vs []flat.Var) uint16 {
	first := len(c.held)
	for first > 0 && c.held[first-1] == free {
		first--
	}
	for i, v := range vs {
		c.takeAt(v, first+i)
	}
	return uint16(min(first, maxLocals))
}

func (c *compiler) release(v flat.Var) { c.freeReg(int(c.reg[v])) }

func (c *compiler) freeReg(r int) {
	c.held[r] = free
	c.low = min(c.low, r)
}

func (c *compiler) releaseAll(vs []flat.Var) {
	for _, v := range vs {
		if r := int(c.reg[v]); r < len(c.held) && c.held[r] == v {
			c.freeReg(r)
		}
	}
}

// operand returns the register of a. A constant that has none is loaded first, to a
// register that is free again after the step.
func (c *compiler) operand(a flat.Atom) uint16 {
	if !a.IsConst() {
		return c.reg[a.Var]
	}
	if r, ok := c.m.constant(a.Word); ok {
		return r
	}
	r := c.take(scratch)
	c.temps = append(c.temps, r)
	c.load(r, a.Word)
	return r
}

func (c *compiler) load(r uint16, w word.Word) {
	c.m.wide = append(c.m.wide, w)
	c.emit(ins{op: opLoad, a: r, d: int32(len(c.m.wide) - 1)})
}

// constant returns the register that holds w, false when there is none left.
func (m *Machine) constant(w word.Word) (uint16, bool) {
	r, ok := m.consts[w]
	if !ok {
		if len(m.consts) == maxConsts {
			return 0, false
		}
		r = uint16(numRegs - 1 - len(m.consts))
		m.consts[w] = r
		m.regs[r] = w
	}
	return r, true
}

// done ends a step: the registers of what it used last become free.
func (c *compiler) done(s flat.Code) {
	c.dropTemps()
	c.releaseAll(c.live.step[s])
}

func (c *compiler) dropTemps() {
	for _, r := range c.temps {
		c.freeReg(int(r))
	}
	c.temps = c.temps[:0]
}

// result takes a register for the result v of s, after the registers of what s uses
// last have become free: an instruction reads before it writes.
func (c *compiler) result(s flat.Code, v flat.Var) uint16 {
	c.done(s)
	r := c.take(v)
	for _, dead := range c.live.step[s] {
		if dead == v {
			c.release(v)
		}
	}
	return r
}

// pooled appends the registers of as to the operand pool and returns their index.
func (c *compiler) pooled(as []flat.Atom) int {
	rs := make([]uint16, len(as))
	for i, a := range as {
		rs[i] = c.operand(a)
	}
	at := len(c.m.pool)
	c.m.pool = append(c.m.pool, rs...)
	return at
}

// want notes in which registers the next call of the line wants its arguments.
func (c *compiler) want(s flat.Code) {
	for ; s != nil; s = follow(s) {
		var call *flat.Call
		switch s := s.(type) {
		case *flat.Cut:
			call = &s.Call
		case *flat.Fork:
			call = &s.Calls[0]
		case *flat.Tail:
			call = &s.Call
		default:
			continue
		}
		c.hints = make(map[flat.Var]int, len(call.Args))
		if call.Apply {
			return
		}
		for i, a := range call.Args {
			if _, twice := c.hints[a.Var]; !a.IsConst() && !twice {
				c.hints[a.Var] = i
			}
		}
		return
	}
	c.hints = nil
}

// code compiles s and what follows it.
func (c *compiler) code(s flat.Code) {
	c.want(s)
	for s != nil && !c.wide {
		c.step(s)
		switch s.(type) {
		case *flat.Cut, *flat.Fork:
			c.want(follow(s))
		}
		s = follow(s)
	}
}

func (c *compiler) step(s flat.Code) {
	switch s := s.(type) {
	case *flat.Prim:
		i := ins{op: opPrim + opcode(s.Op), b: c.operand(s.Args[0])}
		if len(s.Args) > 1 {
			i.c = c.operand(s.Args[1])
		}
		i.a = c.result(s, s.Dst)
		c.emit(i)
	case *flat.New:
		c.node(s, s.Dst, opNew, s.Ctor, s.Fields)
	case *flat.Closure:
		if len(s.Held) > 0 {
			c.node(s, s.Dst, opClo, int(s.Fn), s.Held)
			return
		}
		from := c.operand(flat.Const(word.Clo(int(s.Fn), 0, 0)))
		c.emit(ins{op: opMov, a: c.result(s, s.Dst), b: from})
	case *flat.Text:
		c.m.texts = append(c.m.texts, s.Codes)
		c.emit(ins{op: opText, a: c.result(s, s.Dst), d: int32(len(c.m.texts) - 1)})
	case *flat.Dup:
		c.emit(ins{op: opDup, a: c.reg[s.X]})
		c.done(s)
	case *flat.Drop:
		c.emit(ins{op: opDrop, a: c.reg[s.X]})
		c.done(s)
	case *flat.Keep:
		of := c.reg[s.Of]
		c.emit(ins{op: opKeep, a: c.result(s, s.Dst), b: of, c: uint16(s.Field)})
	case *flat.If:
		c.branches(s)
	case *flat.Match:
		c.match(s)
	case *flat.Cut:
		c.cut(s)
	case *flat.Fork:
		c.fork(s)
	case *flat.Tail:
		c.jump(s.Call)
	case *flat.Return:
		c.emit(ins{op: opRet, a: c.operand(s.X)})
	case *flat.Stop:
		c.stop(s.Why)
	}
}

// node compiles what makes a node of at least one word.
func (c *compiler) node(s flat.Code, dst flat.Var, op opcode, aux int, fields []flat.Atom) {
	i := ins{op: op, e: headOf(aux, len(fields))}
	switch {
	case op == opNew && len(fields) == 1:
		i.op, i.b = opNew1, c.operand(fields[0])
	case op == opNew && len(fields) == 2:
		i.op, i.b, i.c = opNew2, c.operand(fields[0]), c.operand(fields[1])
	default:
		i.b, i.d = uint16(len(fields)), int32(c.pooled(fields))
	}
	i.a = c.result(s, dst)
	c.emit(i)
}

// A snapshot is where the variables are at a branching.
type snapshot struct {
	held  []flat.Var
	hints map[flat.Var]int
}

func (c *compiler) snapshot() snapshot {
	return snapshot{append([]flat.Var(nil), c.held...), c.hints}
}

func (c *compiler) restore(s snapshot) {
	c.held = append(c.held[:0], s.held...)
	c.low, c.hints = 0, s.hints
	for r, v := range c.held {
		if v >= 0 {
			c.reg[v] = uint16(r)
		}
	}
}

func (c *compiler) branches(s *flat.If) {
	i := ins{op: opBranch + opcode(s.Op), a: c.operand(s.Args[0])}
	if len(s.Args) > 1 {
		i.b = c.operand(s.Args[1])
	}
	c.done(s)
	at := c.emit(i)
	snap := c.snapshot()
	c.releaseAll(c.live.branch[place{s, 0}])
	c.code(s.Then)
	c.restore(snap)
	c.patch(at)
	c.releaseAll(c.live.branch[place{s, 1}])
	c.code(s.Else)
}

// manyArms is the number of arms from which on a match is a jump through a table.
const manyArms = 5

func (c *compiler) match(s *flat.Match) {
	x := c.reg[s.X]
	snap := c.snapshot()
	last := len(s.Arms) - 1
	table, size := -1, 0
	if len(s.Arms) >= manyArms {
		table = len(c.m.jumps)
		for _, a := range s.Arms {
			size = max(size, a.Ctor+1)
		}
		c.m.jumps = append(c.m.jumps, make([]int32, size+1)...)
		c.emit(ins{op: opSwitch, a: x, d: int32(table), e: uint32(size)})
	}
	for i, a := range s.Arms {
		p := place{s, i}
		c.restore(snap)
		c.releaseUnless(c.live.branch[p], a.Fields)
		test := table < 0 && (i < last || s.Else != nil)
		if table >= 0 {
			c.m.jumps[table+a.Ctor] = int32(len(c.m.code))
		}
		at := c.arm(x, a, test, s.Borrows)
		c.releaseAll(c.live.branch[p])
		c.code(a.Body)
		if test {
			c.patch(at)
		}
	}
	if table >= 0 {
		targets := c.m.jumps[table : table+size+1]
		for i, at := range targets {
			if at == 0 {
				targets[i] = int32(len(c.m.code))
			}
		}
	}
	if s.Else != nil {
		c.restore(snap)
		c.releaseAll(c.live.branch[place{s, len(s.Arms)}])
		c.code(s.Else)
	} else if table >= 0 {
		c.stop("a match without a case for its value was reached")
	}
}

// releaseUnless is releaseAll but for the variables that are not bound yet.
func (c *compiler) releaseUnless(vs, unbound []flat.Var) {
	for _, v := range vs {
		bound := true
		for _, u := range unbound {
			bound = bound && u != v
		}
		if bound {
			c.releaseAll([]flat.Var{v})
		}
	}
}

// arm compiles the test for an arm, if there is one, and the binding of its fields,
// and returns the instruction that jumps when the test fails.
func (c *compiler) arm(x uint16, a flat.Arm, test, borrows bool) int {
	i := ins{a: x, c: uint16(a.Ctor)}
	c.want(a.Body)
	if borrows && len(a.Fields) > 0 {
		at := -1
		if test {
			i.op = opCtor
			at = c.emit(i)
		}
		c.emit(ins{op: opRead, a: x, b: uint16(len(a.Fields)), e: uint32(c.takeRun(a.Fields))})
		return at
	}
	switch len(a.Fields) {
	case 0:
		if !test {
			return -1
		}
		i.op = opCtor
	case 1:
		i.op, i.e = opArm1, uint32(c.take(a.Fields[0]))
	case 2:
		i.op, i.e = opArm2, uint32(c.take(a.Fields[0]))|uint32(c.take(a.Fields[1]))<<16
	default:
		i.op, i.b, i.e = opArm, uint16(len(a.Fields)), uint32(c.takeRun(a.Fields))
	}
	if !test {
		i.op += opOpen1 - opArm1
	}
	return c.emit(i)
}
