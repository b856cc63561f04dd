// Package flat is the form that every executor runs: erased defs in which each call
// is a tail call, a cut or a fork, and everything else is call-free.
//
// # From core to flat
//
// Lower takes a checked def and all that it can reach. Types, proofs and erased
// binders go. A case tree becomes a tree of If and Match steps; in its leaves
//
//   - a saturated call in return position is a Tail: a jump;
//   - any other call is cut out, left to right, before what surrounds it is built: a
//     Cut names its result, and what follows is its continuation;
//   - a parallel let of two or more calls is a Fork.
//
// A lambda becomes a def of its own that takes the captured values first; the closure
// holds them. Primitive defs of Base (see Op) become Prim steps, and a short def that
// is a straight line of primitives and constructors is unfolded where it is called.
//
// The numbers are native: Succ{e} is e + 1, a match on a Nat tests for zero, and a
// match on the bits of a U32, which is what a literal pattern means, reads them in
// place (see val).
//
// # Words a level
//
// The frame of a cut holds the variables that its continuation still uses, and one
// return id. Each variable is one word, whatever its type, so a recursion through a
// cut keeps len(Frame.Caps) + 1 words a level:
//
//	deep(p) + 1                  |id|        1 word
//	h <> append(t, ys)           |h id|      2 words
//	deep3(p, a, b) + a + b       |a b id|    3 words
//
// This number is computed here, once; the interpreter, the lanes and the stack
// picture of the prompt all use it.
//
// # Ownership
//
// A value has one owner and a step consumes what it stores, passes on or takes
// apart. finish inserts a Dup where a variable is consumed more than once and a Drop
// where a path does not consume it, so that no executor needs a collector: after a
// run the heap holds the result and nothing else. Variables that are known to hold
// numbers (VarInfo.Raw) need neither.
//
// A value that is needed again after a call is lent to it where the callee only takes it
// apart: the callee is then a variant that reads it in place (see borrow.go), and neither
// counts owners nor frees.
package flat
