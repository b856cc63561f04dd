package eval

import (
	"context"
	"math"
	"math/bits"

	"bend/interp/flat"
	"bend/interp/word"
)

// pollEvery is the number of jumps after which the context is looked at.
const pollEvery = 1 << 14

// The words of False and True, and of the constructors of String.
const (
	wordFalse = word.TagPak << word.TagShift
	wordTrue  = word.TagPak<<word.TagShift | 1<<word.AuxShift
	sconHead  = word.TagCtr<<word.TagShift | 2<<word.SizeShift | 1<<word.AuxShift
)

// truth returns the word of a Bool.
func truth(b bool) word.Word {
	var w word.Word
	if b {
		w = 1 << word.AuxShift
	}
	return wordFalse | w
}

func f32(w word.Word) float32 { return math.Float32frombits(uint32(w)) }

func f32Word(f float32) word.Word { return word.Word(math.Float32bits(f)) }

// run executes instructions from m.pc until the return id at the bottom of the stack
// is reached. What can fail in the heap is preceded by a store of where the run
// stands. The cases are in the order of code.go.
func (m *Machine) run(ctx context.Context) (word.Word, error) {
	var (
		code  = m.code
		regs  = m.regs
		stack = m.stack
		h     = m.heap
		sp    = m.sp
		pc    = m.pc
		fuel  = pollEvery
		ret   word.Word
		open  [word.MaxFields]word.Word
		done  = ctx.Done()
		err   error
	)
loop:
	for {
		in := &code[pc]
		pc++
		switch in.op {
		case opExit:
			return ret, nil
		case opStop:
			return 0, &Error{Kind: Stopped, Def: m.defAt(pc - 1), Why: m.stops[in.d]}
		case opMov:
			regs[in.a] = regs[in.b]
		case opLoad:
			regs[in.a] = m.wide[in.d]
		case opPeek:
			regs[in.a] = stack[sp-int(in.d)]

		case opNew1:
			loc := h.Pop(0)
			if loc == 0 {
				m.pc = pc
				loc = h.Alloc(1)
			}
			h.Mem[loc] = regs[in.b]
			regs[in.a] = word.TagCtr<<word.TagShift | word.Word(in.e)<<word.AuxShift | word.Word(loc)
		case opNew2:
			loc := h.Pop(1)
			if loc == 0 {
				m.pc = pc
				loc = h.Alloc(2)
			}
			node := h.Mem[loc : loc+2]
			node[0], node[1] = regs[in.b], regs[in.c]
			regs[in.a] = word.TagCtr<<word.TagShift | word.Word(in.e)<<word.AuxShift | word.Word(loc)
		case opNew, opClo:
			m.pc = pc
			n := int(in.b)
			loc := h.Alloc(n)
			node := h.Mem[loc:]
			for i, r := range m.pool[in.d : int(in.d)+n] {
				node[i] = regs[r]
			}
			tag := word.Word(word.TagCtr << word.TagShift)
			if in.op == opClo {
				tag = word.TagClo << word.TagShift
			}
			regs[in.a] = tag | word.Word(in.e)<<word.AuxShift | word.Word(loc)
		case opText:
			m.pc = pc
			codes := m.texts[in.d]
			text := word.Pak(0)
			for i := len(codes) - 1; i >= 0; i-- {
				loc := h.Alloc(2)
				h.Mem[loc], h.Mem[loc+1] = word.Word(codes[i]), text
				text = sconHead | word.Word(loc)
			}
			regs[in.a] = text
		case opDup:
			if w := regs[in.a]; word.Boxed(w) {
				m.pc = pc
				regs[in.a] = h.Keep(w)
			}
		case opDrop:
			if w := regs[in.a]; word.Boxed(w) {
				h.Drop(w)
			}

		case opKeep:
			m.pc = pc
			regs[in.a] = h.KeepAt(h.NodeAt(regs[in.b]) + uint32(in.c))

		case opRead:
			loc := h.NodeAt(regs[in.a])
			copy(regs[in.e:], h.Mem[loc:loc+uint32(in.b)])
		case opCtor:
			if uint16(regs[in.a]>>word.AuxShift) != in.c {
				pc = int(in.d)
			}
		case opArm1:
			if uint16(regs[in.a]>>word.AuxShift) != in.c {
				pc = int(in.d)
				continue
			}
			fallthrough
		case opOpen1:
			w := regs[in.a]
			if word.Shared(w) {
				m.pc = pc
				h.Open(w, open[:])
				regs[uint16(in.e)] = open[0]
				continue
			}
			loc := uint32(w)
			f := h.Mem[loc]
			h.Push(0, loc)
			regs[uint16(in.e)] = f
		case opArm2:
			if uint16(regs[in.a]>>word.AuxShift) != in.c {
				pc = int(in.d)
				continue
			}
			fallthrough
		case opOpen2:
			w := regs[in.a]
			if word.Shared(w) {
				m.pc = pc
				h.Open(w, open[:])
				regs[uint16(in.e)], regs[uint16(in.e>>16)] = open[0], open[1]
				continue
			}
			loc := uint32(w)
			node := h.Mem[loc : loc+2]
			f, g := node[0], node[1]
			h.Push(1, loc)
			regs[uint16(in.e)], regs[uint16(in.e>>16)] = f, g
		case opArm:
			if uint16(regs[in.a]>>word.AuxShift) != in.c {
				pc = int(in.d)
				continue
			}
			fallthrough
		case opOpen:
			m.pc = pc
			h.Open(regs[in.a], open[:])
			copy(regs[in.e:], open[:in.b])
		case opSwitch:
			k := min(uint32(uint16(regs[in.a]>>word.AuxShift)), in.e)
			pc = int(m.jumps[uint32(in.d)+k])

		case opPush0:
			if sp+1 > len(stack) {
				if stack, err = m.grow(sp, 1); err != nil {
					return 0, err
				}
			}
			stack[sp] = word.Word(in.d)
			sp++
		case opPush1:
			if sp+2 > len(stack) {
				if stack, err = m.grow(sp, 2); err != nil {
					return 0, err
				}
			}
			stack[sp] = regs[in.a]
			stack[sp+1] = word.Word(in.d)
			sp += 2
		case opPush2:
			if sp+3 > len(stack) {
				if stack, err = m.grow(sp, 3); err != nil {
					return 0, err
				}
			}
			top := stack[sp : sp+3]
			top[0], top[1], top[2] = regs[in.a], regs[in.b], word.Word(in.d)
			sp += 3
		case opPush3:
			if sp+4 > len(stack) {
				if stack, err = m.grow(sp, 4); err != nil {
					return 0, err
				}
			}
			top := stack[sp : sp+4]
			top[0], top[1], top[2], top[3] = regs[in.a], regs[in.b], regs[in.c], word.Word(in.d)
			sp += 4
		case opPush:
			n := int(in.a)
			if sp+n+1 > len(stack) {
				if stack, err = m.grow(sp, n+1); err != nil {
					return 0, err
				}
			}
			for _, r := range m.pool[in.e : int(in.e)+n] {
				stack[sp] = regs[r]
				sp++
			}
			stack[sp] = word.Word(in.d)
			sp++
		case opMovJmp:
			regs[in.a] = regs[in.b]
			fallthrough
		case opJmp:
			pc = int(in.d)
			if fuel--; fuel == 0 {
				fuel = pollEvery
				select {
				case <-done:
					m.pc = pc
					return 0, m.fault(ctx.Err())
				default:
				}
			}
		case opCut0:
			if sp+1 > len(stack) {
				if stack, err = m.grow(sp, 1); err != nil {
					return 0, err
				}
			}
			stack[sp] = word.Word(pc)
			sp++
			regs[in.a] = regs[in.b]
			pc = int(in.d)
			if fuel--; fuel == 0 {
				fuel = pollEvery
				select {
				case <-done:
					m.pc = pc
					return 0, m.fault(ctx.Err())
				default:
				}
			}
		case opCut1:
			if sp+2 > len(stack) {
				if stack, err = m.grow(sp, 2); err != nil {
					return 0, err
				}
			}
			stack[sp] = regs[in.c]
			stack[sp+1] = word.Word(pc)
			sp += 2
			regs[in.a] = regs[in.b]
			pc = int(in.d)
			if fuel--; fuel == 0 {
				fuel = pollEvery
				select {
				case <-done:
					m.pc = pc
					return 0, m.fault(ctx.Err())
				default:
				}
			}
		case opCut2:
			if sp+3 > len(stack) {
				if stack, err = m.grow(sp, 3); err != nil {
					return 0, err
				}
			}
			top := stack[sp : sp+3]
			top[0], top[1], top[2] = regs[in.c], regs[uint16(in.e)], word.Word(pc)
			sp += 3
			regs[in.a] = regs[in.b]
			pc = int(in.d)
			if fuel--; fuel == 0 {
				fuel = pollEvery
				select {
				case <-done:
					m.pc = pc
					return 0, m.fault(ctx.Err())
				default:
				}
			}
		case opApply:
			m.pc = pc
			f, x := regs[in.a], regs[in.b]
			id := word.Aux(f)
			if id >= len(m.fns) || m.fns[id].entry == 0 {
				if _, err = m.fn(id); err != nil {
					return 0, err
				}
				code = m.code
			}
			fn := &m.fns[id]
			if fn.last {
				if fn.held > 0 {
					h.Open(f, regs[:])
				}
				regs[fn.held&(numRegs-1)] = x
				pc = int(fn.entry)
				if fuel--; fuel == 0 {
					fuel = pollEvery
					select {
					case <-done:
						m.pc = pc
						return 0, m.fault(ctx.Err())
					default:
					}
				}
				continue
			}
			if fn.held > 0 {
				h.Open(f, open[:])
			}
			open[fn.held] = x
			n := fn.held + 1
			loc := h.Alloc(n)
			copy(h.Mem[loc:], open[:n])
			ret = word.Clo(int(fn.longer), n, loc)
			sp--
			pc = int(stack[sp])
		case opBang:
			m.pc = pc
			args := append([]word.Word(nil), regs[:in.a]...)
			w, err := m.opts.Bang(ctx, flat.DefID(in.e), args)
			code = m.code
			switch err {
			case nil:
				ret = w
				sp--
				pc = int(stack[sp])
			case ErrDeclined:
				// The jump follows.
			default:
				return 0, m.fault(err)
			}
		case opRet:
			ret = regs[in.a]
			sp--
			pc = int(stack[sp])

		case opResume0:
			regs[0] = ret
		case opResume1:
			sp--
			regs[0], regs[1] = stack[sp], ret
		case opResume2:
			sp -= 2
			regs[0], regs[1], regs[2] = stack[sp], stack[sp+1], ret
		case opResume:
			n := int(in.a)
			sp -= n
			copy(regs[:], stack[sp:sp+n])
			regs[in.a] = ret
		case opStep:
			if sp+2 > len(stack) {
				// The id that was popped is still there, for a look at the frames.
				if stack, err = m.grow(sp+1, 1); err != nil {
					return 0, err
				}
			}
			stack[sp], stack[sp+1] = ret, word.Word(in.d)
			sp += 2

		case opProfPush:
			p := &m.prof[in.d]
			p.n++
			p.levels++
			p.deepest = max(p.deepest, p.levels)
			m.peak = max(m.peak, sp)
		case opProfStep:
			m.peak = max(m.peak, sp)
		case opProfPop:
			m.prof[in.d].levels--

		case opPrim + opcode(flat.OpNatPred):
			regs[in.a] = regs[in.b] - 1
		case opPrim + opcode(flat.OpNatIsZero):
			regs[in.a] = truth(regs[in.b] == 0)
		case opPrim + opcode(flat.OpBit):
			regs[in.a] = truth(regs[in.b]>>(regs[in.c]&31)&1 != 0)
		case opPrim + opcode(flat.OpU32Inc):
			regs[in.a] = word.Word(uint32(regs[in.b]) + 1)
		case opPrim + opcode(flat.OpU32Add):
			regs[in.a] = word.Word(uint32(regs[in.b]) + uint32(regs[in.c]))
		case opPrim + opcode(flat.OpU32Sub):
			regs[in.a] = word.Word(uint32(regs[in.b]) - uint32(regs[in.c]))
		case opPrim + opcode(flat.OpU32Mul):
			regs[in.a] = word.Word(uint32(regs[in.b]) * uint32(regs[in.c]))
		case opPrim + opcode(flat.OpU32Div):
			var q uint32
			if y := uint32(regs[in.c]); y != 0 {
				q = uint32(regs[in.b]) / y
			}
			regs[in.a] = word.Word(q)
		case opPrim + opcode(flat.OpU32Mod):
			r := uint32(regs[in.b])
			if y := uint32(regs[in.c]); y != 0 {
				r %= y
			}
			regs[in.a] = word.Word(r)
		case opPrim + opcode(flat.OpU32Not):
			regs[in.a] = word.Word(^uint32(regs[in.b]))
		case opPrim + opcode(flat.OpU32And):
			regs[in.a] = regs[in.b] & regs[in.c]
		case opPrim + opcode(flat.OpU32Or):
			regs[in.a] = regs[in.b] | regs[in.c]
		case opPrim + opcode(flat.OpU32Xor):
			regs[in.a] = regs[in.b] ^ regs[in.c]
		case opPrim + opcode(flat.OpU32Shl):
			regs[in.a] = word.Word(uint32(regs[in.b]) << 1)
		case opPrim + opcode(flat.OpU32Shr):
			regs[in.a] = regs[in.b] >> 1
		case opPrim + opcode(flat.OpU32Shln):
			regs[in.a] = word.Word(uint32(regs[in.b]) << regs[in.c])
		case opPrim + opcode(flat.OpU32Shrn):
			regs[in.a] = regs[in.b] >> regs[in.c]
		case opPrim + opcode(flat.OpU32IsEq), opPrim + opcode(flat.OpNatIsEq), opPrim + opcode(flat.OpCharIsEq):
			regs[in.a] = truth(regs[in.b] == regs[in.c])
		case opPrim + opcode(flat.OpU32IsNe), opPrim + opcode(flat.OpNatIsNe):
			regs[in.a] = truth(regs[in.b] != regs[in.c])
		case opPrim + opcode(flat.OpU32IsLt), opPrim + opcode(flat.OpNatIsLt):
			regs[in.a] = truth(regs[in.b] < regs[in.c])
		case opPrim + opcode(flat.OpU32IsLe), opPrim + opcode(flat.OpNatIsLe):
			regs[in.a] = truth(regs[in.b] <= regs[in.c])
		case opPrim + opcode(flat.OpU32IsGt), opPrim + opcode(flat.OpNatIsGt):
			regs[in.a] = truth(regs[in.b] > regs[in.c])
		case opPrim + opcode(flat.OpU32IsGe), opPrim + opcode(flat.OpNatIsGe):
			regs[in.a] = truth(regs[in.b] >= regs[in.c])
		case opPrim + opcode(flat.OpU32IsZero):
			regs[in.a] = truth(regs[in.b] == 0)
		case opPrim + opcode(flat.OpU32IsEven):
			regs[in.a] = truth(regs[in.b]&1 == 0)
		case opPrim + opcode(flat.OpU32Min), opPrim + opcode(flat.OpNatMin):
			regs[in.a] = min(regs[in.b], regs[in.c])
		case opPrim + opcode(flat.OpU32Max), opPrim + opcode(flat.OpNatMax):
			regs[in.a] = max(regs[in.b], regs[in.c])
		case opPrim + opcode(flat.OpU32ToNat), opPrim + opcode(flat.OpCharToU32), opPrim + opcode(flat.OpF32Bits):
			regs[in.a] = regs[in.b]
		case opPrim + opcode(flat.OpU32FromNat):
			regs[in.a] = word.Word(uint32(regs[in.b]))
		case opPrim + opcode(flat.OpNatAdd):
			n := regs[in.b] + regs[in.c]
			if n > word.NatMax {
				m.pc = pc
				return 0, m.fault(flat.ErrNat)
			}
			regs[in.a] = n
		case opPrim + opcode(flat.OpNatSub):
			a, b := regs[in.b], regs[in.c]
			regs[in.a] = a - min(a, b)
		case opPrim + opcode(flat.OpNatMul):
			hi, lo := bits.Mul64(regs[in.b], regs[in.c])
			if hi != 0 || lo > word.NatMax {
				m.pc = pc
				return 0, m.fault(flat.ErrNat)
			}
			regs[in.a] = lo
		case opPrim + opcode(flat.OpNatDiv):
			var q word.Word
			if y := regs[in.c]; y != 0 {
				q = regs[in.b] / y
			}
			regs[in.a] = q
		case opPrim + opcode(flat.OpNatMod):
			r := regs[in.b]
			if y := regs[in.c]; y != 0 {
				r %= y
			}
			regs[in.a] = r
		case opPrim + opcode(flat.OpBoolNot):
			regs[in.a] = regs[in.b] ^ (wordFalse ^ wordTrue)
		case opPrim + opcode(flat.OpBoolAnd):
			regs[in.a] = regs[in.b] & regs[in.c]
		case opPrim + opcode(flat.OpBoolOr):
			regs[in.a] = regs[in.b] | regs[in.c]
		case opPrim + opcode(flat.OpF32Add):
			regs[in.a] = f32Word(float32(f32(regs[in.b]) + f32(regs[in.c])))
		case opPrim + opcode(flat.OpF32Sub):
			regs[in.a] = f32Word(float32(f32(regs[in.b]) - f32(regs[in.c])))
		case opPrim + opcode(flat.OpF32Mul):
			regs[in.a] = f32Word(float32(f32(regs[in.b]) * f32(regs[in.c])))
		case opPrim + opcode(flat.OpF32Div):
			regs[in.a] = f32Word(float32(f32(regs[in.b]) / f32(regs[in.c])))

		case opBranch + opcode(flat.OpIsTrue):
			if regs[in.a] != wordTrue {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpNatIsZero), opBranch + opcode(flat.OpU32IsZero):
			if regs[in.a] != 0 {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpBit):
			if regs[in.a]>>(regs[in.b]&31)&1 == 0 {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsEq), opBranch + opcode(flat.OpNatIsEq), opBranch + opcode(flat.OpCharIsEq):
			if regs[in.a] != regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsNe), opBranch + opcode(flat.OpNatIsNe):
			if regs[in.a] == regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsLt), opBranch + opcode(flat.OpNatIsLt):
			if regs[in.a] >= regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsLe), opBranch + opcode(flat.OpNatIsLe):
			if regs[in.a] > regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsGt), opBranch + opcode(flat.OpNatIsGt):
			if regs[in.a] <= regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsGe), opBranch + opcode(flat.OpNatIsGe):
			if regs[in.a] < regs[in.b] {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpU32IsEven):
			if regs[in.a]&1 != 0 {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpF32IsLt):
			if !(f32(regs[in.a]) < f32(regs[in.b])) {
				pc = int(in.d)
			}
		case opBranch + opcode(flat.OpF32IsGt):
			if !(f32(regs[in.a]) > f32(regs[in.b])) {
				pc = int(in.d)
			}

		default: // the other primitives
			m.pc = pc
			if in.op >= opBranch {
				w, err := flat.Compute(flat.Op(in.op-opBranch), regs[in.a], regs[in.b])
				if err != nil {
					return 0, m.fault(err)
				}
				if w != wordTrue {
					pc = int(in.d)
				}
				continue loop
			}
			w, err := flat.Compute(flat.Op(in.op-opPrim), regs[in.b], regs[in.c])
			if err != nil {
				return 0, m.fault(err)
			}
			regs[in.a] = w
		}
	}
}
