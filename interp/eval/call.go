package eval

import "bend/interp/flat"

// A move copies one register to another.
type move struct{ to, from uint16 }

// moves returns the moves that bring args to registers 0.. all at once, in an order
// in which none overwrites what a later one reads. Constants without a register are
// left out: loads returns them with their registers, to be loaded last.
func (c *compiler) moves(args []flat.Atom) (ms []move, loads []int) {
	var todo []move
	reads := map[uint16]int{} // how many moves of todo read a register
	for i, a := range args {
		from, ok := uint16(0), true
		if a.IsConst() {
			from, ok = c.m.constant(a.Word)
		} else {
			from = c.reg[a.Var]
		}
		switch {
		case !ok:
			loads = append(loads, i)
		case int(from) != i:
			todo = append(todo, move{uint16(i), from})
			reads[from]++
		}
	}
	for len(todo) > 0 {
		rest := todo[:0]
		for _, m := range todo {
			if reads[m.to] > 0 {
				rest = append(rest, m)
				continue
			}
			ms = append(ms, m)
			reads[m.from]--
		}
		if len(rest) == len(todo) {
			// Cycles only: what the first move overwrites goes to a register that
			// nothing uses.
			spare := uint16(max(len(c.held), len(args)))
			if int(spare) >= maxLocals {
				c.wide = true
				return nil, nil
			}
			kept := rest[0].to
			ms = append(ms, move{spare, kept})
			for i := range rest {
				if rest[i].from == kept {
					rest[i].from = spare
					reads[kept]--
					reads[spare]++
				}
			}
		}
		todo = rest
	}
	return ms, loads
}

// jump compiles a call in return position.
func (c *compiler) jump(call flat.Call) {
	if call.Apply {
		c.emit(ins{op: opApply, a: c.operand(call.Fn), b: c.operand(call.Args[0])})
		return
	}
	if len(call.Args) >= maxLocals {
		c.wide = true
		return
	}
	ms, loads := c.moves(call.Args)
	plain := len(loads) == 0 && !c.offered(call)
	for i, m := range ms {
		if plain && i == len(ms)-1 {
			c.target(ins{op: opMovJmp, a: m.to, b: m.from}, call.Def)
			return
		}
		c.emit(ins{op: opMov, a: m.to, b: m.from})
	}
	for _, i := range loads {
		c.load(uint16(i), call.Args[i].Word)
	}
	if c.offered(call) {
		c.emit(ins{op: opBang, a: uint16(len(call.Args)), e: uint32(call.Def)})
	}
	c.target(ins{op: opJmp}, call.Def)
}

// offered reports whether the call is for Options.Bang.
func (c *compiler) offered(call flat.Call) bool { return call.Bang && c.m.opts.Bang != nil }

// target emits an instruction that jumps to the entry of a def.
func (c *compiler) target(i ins, def flat.DefID) {
	c.fixups = append(c.fixups, fixup{c.emit(i), def})
}

func (c *compiler) cut(s *flat.Cut) {
	if !c.short(s) {
		push := c.push(s.Frame)
		c.jump(s.Call)
		c.patch(push)
	}
	c.resume(s.Frame, s.Frame.Caps, []flat.Var{s.Dst})
	c.releaseAll(c.live.step[s])
}

// short compiles a cut to one instruction, if it is one of the common ones: at most
// two captures, and at most one move to bring the arguments in place.
func (c *compiler) short(s *flat.Cut) bool {
	if s.Call.Apply || c.offered(s.Call) || c.m.opts.Profile || len(s.Frame.Caps) > 2 {
		return false
	}
	ms, loads := c.moves(s.Call.Args)
	if len(ms) > 1 || len(loads) > 0 {
		return false
	}
	i := ins{op: opCut0 + opcode(len(s.Frame.Caps))}
	if len(ms) > 0 {
		i.a, i.b = ms[0].to, ms[0].from
	}
	for j, v := range s.Frame.Caps {
		if j == 0 {
			i.c = c.reg[v]
		} else {
			i.e = uint32(c.reg[v])
		}
	}
	c.target(i, s.Call.Def)
	return true
}

// push emits the push of a frame and returns the instruction whose d is to become
// the return id.
func (c *compiler) push(f *flat.Frame) int {
	i := ins{op: opPush0}
	switch r := c.reg; len(f.Caps) {
	case 0:
	case 1:
		i.op, i.a = opPush1, r[f.Caps[0]]
	case 2:
		i.op, i.a, i.b = opPush2, r[f.Caps[0]], r[f.Caps[1]]
	case 3:
		i.op, i.a, i.b, i.c = opPush3, r[f.Caps[0]], r[f.Caps[1]], r[f.Caps[2]]
	default:
		i.op, i.a, i.e = opPush, uint16(len(f.Caps)), uint32(len(c.m.pool))
		for _, v := range f.Caps {
			c.m.pool = append(c.m.pool, r[v])
		}
	}
	at := c.emit(i)
	if c.m.opts.Profile {
		c.emit(ins{op: opProfPush, d: c.m.profileOf(f)})
	}
	return at
}

// frame returns the index of a new description of what lies below a return id.
func (c *compiler) frame(f *flat.Frame, size int) uint32 {
	c.m.frames = append(c.m.frames, frameInfo{f, c.def, size})
	return uint32(len(c.m.frames) - 1)
}

// resume emits what a call returns to: the captures and the results before the last
// come off the stack, the last is in the return register. The variables that it binds
// are the only ones that have a register afterwards.
func (c *compiler) resume(f *flat.Frame, caps, results []flat.Var) {
	bound := append(append([]flat.Var(nil), caps...), results...)
	n := len(bound) - 1
	i := ins{op: opResume, a: uint16(n), e: c.frame(f, n+1)}
	if n <= 2 {
		i.op = opResume0 + opcode(n)
	}
	c.emit(i)
	if c.m.opts.Profile {
		c.emit(ins{op: opProfPop, d: c.m.profileOf(f)})
	}
	c.held, c.low = c.held[:0], 0
	for r, v := range bound {
		c.takeAt(v, r)
	}
}

func (c *compiler) fork(s *flat.Fork) {
	caps := s.Frame.Caps
	push := c.push(s.Frame)
	c.jump(s.Calls[0])
	for i, call := range s.Calls[1:] {
		c.patch(push)
		size := len(caps) + i + 1 // of the frame that has just ended
		push = c.emit(ins{op: opStep, e: c.frame(s.Frame, size)})
		if c.m.opts.Profile {
			c.emit(ins{op: opProfStep})
		}
		c.peek(call, caps, size+1)
		c.jump(call)
	}
	c.patch(push)
	c.resume(s.Frame, caps, s.Dsts)
	c.releaseAll(c.live.step[s])
}

// peek loads the captures that a call of a fork needs: the frame has size words, the
// captures are at its bottom. Each goes where the call wants it, if it can.
func (c *compiler) peek(call flat.Call, caps []flat.Var, size int) {
	c.held, c.low = c.held[:0], 0
	c.want(&flat.Tail{Call: call})
	needed := map[flat.Var]bool{}
	operands(&flat.Tail{Call: call}, func(a flat.Atom) {
		if !a.IsConst() {
			needed[a.Var] = true
		}
	})
	for j, v := range caps {
		if needed[v] {
			c.emit(ins{op: opPeek, a: c.take(v), d: int32(size - j)})
		}
	}
}
