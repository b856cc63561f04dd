package eval

import "bend/interp/flat"

// An opcode says what an instruction does. The primitives follow the opcodes listed
// here: opPrim+op computes a flat.Op, opBranch+op branches on one.
type opcode uint16

// An ins is one instruction. What a..e mean depends on the opcode: r[x] is the
// register x, pool[x] the operand pool.
type ins struct {
	op      opcode
	a, b, c uint16
	d       int32
	e       uint32
}

const (
	opExit opcode = iota // ends the run with the result
	opStop               // fails with stops[d]
	opMov                // r[a] = r[b]
	opLoad               // r[a] = wide[d]
	opPeek               // r[a] = stack[sp-d]

	opNew1 // r[a] = constructor e of r[b]
	opNew2 // r[a] = constructor e of r[b], r[c]
	opNew  // r[a] = constructor e of b registers at pool[d]
	opClo  // r[a] = closure e of b registers at pool[d]
	opText // r[a] = the String texts[d]
	opDup  // r[a] gets one more owner
	opDrop // r[a] is given up
	opKeep // r[a] = field c of the node of r[b], with one more owner

	// Arms: if r[a] is not constructor c then jump to d, else take it apart.
	opCtor // no fields
	opArm1 // field to r[e]
	opArm2 // fields to r[e low], r[e high]
	opArm  // b fields to r[e], r[e+1], ..
	// The same without the test.
	opOpen1
	opOpen2
	opOpen
	opRead   // b fields to r[e], r[e+1], ..: r[a] is not taken apart
	opSwitch // jump to jumps[d + constructor of r[a]], at most jumps[d+e]

	// Pushes: captures, then d as the return id.
	opPush0
	opPush1 // r[a]
	opPush2 // r[a] r[b]
	opPush3 // r[a] r[b] r[c]
	opPush  // a registers at pool[e]
	opJmp   // jump to d
	opMovJmp
	// Cuts in one instruction: push, the next instruction being the return id; then
	// r[a] = r[b]; then jump to d.
	opCut0
	opCut1  // captures r[c]
	opCut2  // captures r[c] r[e]
	opApply // apply the closure r[a] to r[b]: a jump, or a return of a longer closure
	opBang  // offer the call of def e with a arguments to Options.Bang
	opRet   // return r[a]

	// Where a call returns to. e is the frame's index in Machine.frames.
	opResume0 // result to r[0]
	opResume1 // one capture to r[0], result to r[1]
	opResume2
	opResume // a captures to r[0].., result to r[a]
	opStep   // push the result and d as the next return id: the next call of a fork

	// Profiling: d is an index into Machine.prof.
	opProfPush // a frame of e words was pushed
	opProfStep // a frame has grown
	opProfPop

	opPrim
	opBranch = opPrim + opcode(flat.NumOps) // if not op(r[a], r[b]) then jump to d
	numOps   = opBranch + opcode(flat.NumOps)
)

// Registers. Constants fill the array from its end.
const (
	numRegs   = 1 << 16
	maxLocals = 1 << 15
	maxConsts = numRegs - maxLocals
)

// headOf returns e of an instruction that makes a node: the constructor index or
// function id, and the number of words, placed as in the upper half of a word.
func headOf(aux, n int) uint32 { return uint32(aux) | uint32(n)<<16 }
