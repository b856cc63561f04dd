// Package eval is the interpreter: it runs the flat form on the host.
//
// # Instructions
//
// A def is compiled once, with all that it calls, to fixed-size instructions in one
// array that all defs share; a return id is an index into it. Instructions work on
// registers. The registers of a def start at 0, parameters first, and every def
// reuses them, because nothing lives across a call but what its frame captured:
//
//	cut      push the captures and the return id, move the arguments to 0.., jump
//	return   pop the return id, jump there; the result is in the return register
//	resume   pop the captures into 0.., the result goes to the register after them
//
// The constants of all defs live in the same array, from the other end, so that an
// operand is one number whatever it is.
//
// # Stack
//
// The stack is a slice of words that grows up to Options.StackWords. It starts with
// as many bottom words as a lane's, so that the peaks of both are comparable. The Go
// stack is never used for the recursion of a program.
//
// # Failures
//
// A run that fails gives an *Error. The machine can be used again at once; what the
// run was working on stays in the heap until word.Heap.Sweep.
package eval
