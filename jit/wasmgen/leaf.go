package wasmgen

import "bend/interp/flat"

// A call that comes back at once, because tests of its arguments lead to a result without
// another call, is most of what a tree recursion does: its leaves. Where a cut or a fork
// makes such a call, the tests are printed there, and if they hold the code goes on with
// the result, without a frame. A def that handles nothing but numbers is looked into a
// little deeper: calls whose own calls are all leaves count as well.
//
// The frames must fit all the same, so that the depth a lane has room for stays what it
// is; and nothing is consumed before the last test, so that the call can still be made.

const (
	maxLeafSteps = 300 // steps printed at one call
	maxLeafDepth = 4   // calls within calls
)

// A leafer prints the leaves of one call.
type leafer struct {
	*emitter
	call Label // where a test fails: the call is made
}

// isLeaf reports whether c, of def d, is a straight line that cannot fail, makes calls
// only that leaves may replace, and ends in a return.
func (k *kernel) isLeaf(d *flat.Def, c flat.Code, depth int) bool {
	for {
		switch s := c.(type) {
		case *flat.Prim:
			if s.Op.CanFail() {
				return false
			}
			c = s.Next
		case *flat.Drop:
			c = s.Next
		case *flat.Dup:
			c = s.Next
		case *flat.Cut:
			if depth == 0 || !numeric(d) || !k.hasLeaf(s.Call, depth-1) {
				return false
			}
			c = s.Next
		case *flat.Fork:
			if depth == 0 || !numeric(d) {
				return false
			}
			for _, call := range s.Calls {
				if !k.hasLeaf(call, depth-1) {
					return false
				}
			}
			c = s.Next
		case *flat.Return:
			return true
		default:
			return false
		}
	}
}

// hasLeaf reports whether tests of the arguments of a call can lead to a leaf, through
// steps that cannot fail and consume nothing.
func (k *kernel) hasLeaf(call flat.Call, depth int) bool {
	if call.Apply || k.funcs[call.Def] == nil {
		return false
	}
	d := k.Program.Def(call.Def)
	c := d.Body
	for {
		switch s := c.(type) {
		case *flat.Prim:
			if s.Op.CanFail() {
				return false
			}
			c = s.Next
		case *flat.If:
			if k.isLeaf(d, s.Then, depth) || k.isLeaf(d, s.Else, depth) {
				return true
			}
			c = s.Else
		case *flat.Match:
			for _, a := range s.Arms {
				if k.isLeaf(d, a.Body, 0) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
}

// weight returns about how many steps the leaves of a call have.
func (k *kernel) weight(call flat.Call, depth int) int {
	n := 0
	d := k.Program.Def(call.Def)
	flat.Walk(d.Body, func(c flat.Code) {
		n++
		if depth == 0 || !numeric(d) {
			return
		}
		for _, call := range inner(c) {
			if k.hasLeaf(call, depth-1) {
				n += k.weight(call, depth-1)
			}
		}
	})
	return n
}

// inner returns the calls of a step that are no tail calls.
func inner(c flat.Code) []flat.Call {
	switch s := c.(type) {
	case *flat.Cut:
		return []flat.Call{s.Call}
	case *flat.Fork:
		return s.Calls
	}
	return nil
}

// numeric reports whether no variable of d owns anything.
func numeric(d *flat.Def) bool {
	for _, v := range d.Vars {
		if !v.Raw {
			return false
		}
	}
	return true
}

// leafDepth returns how deep the leaves of a call are printed; it is negative when they
// are not.
func (e *emitter) leafDepth(c flat.Call) int {
	if e.rt.profile || !e.k.hasLeaf(c, 0) {
		return -1
	}
	depth := maxLeafDepth
	for depth >= 0 && e.k.weight(c, depth) > maxLeafSteps {
		depth--
	}
	return depth
}

// try prints the tests of a call, with words on the stack that it and the calls around
// it would have pushed, and returns the local that its result is in.
func (l *leafer) try(call flat.Call, words, depth int) (result uint32) {
	l.get(l.sp)
	l.i32(int32(words * 8))
	l.op(opI32Add)
	l.get(l.limit)
	l.op(opI32GtU)
	l.brIf(l.call)

	d := l.k.Program.Def(call.Def)
	caller := l.places
	l.places = make([]place, len(d.Vars))
	for i, a := range call.Args {
		if !a.IsConst() {
			l.places[i] = caller[a.Var]
			continue
		}
		l.i64(int64(a.Word))
		l.bind(flat.Var(i), repWord)
	}
	result = l.temp(I64)
	done := l.block()
	l.tests(d, result, done, words, depth)
	l.end()
	l.places = caller
	return result
}

// tests prints the tests of the body of d and, behind those that lead to a leaf, the
// leaf and a branch to done; all others branch to the call.
func (l *leafer) tests(d *flat.Def, result uint32, done Label, words, depth int) {
	leaf := func(c flat.Code) {
		for {
			switch s := c.(type) {
			case *flat.Return:
				l.pushWord(s.X)
				l.set(result)
				l.br(done)
				return
			case *flat.Cut:
				l.get(l.try(s.Call, words+s.Frame.Words, depth-1))
				l.bind(s.Dst, repWord)
				c = s.Next
			case *flat.Fork:
				for i, call := range s.Calls {
					l.get(l.try(call, words+s.Frame.Words+i, depth-1))
					l.bind(s.Dsts[i], repWord)
				}
				c = s.Next
			default:
				c = l.stepOf(c)
			}
		}
	}
	c := d.Body
	for {
		switch s := c.(type) {
		case *flat.Prim:
			c = l.stepOf(s)
		case *flat.If:
			then, other := l.k.isLeaf(d, s.Then, depth), l.k.isLeaf(d, s.Else, depth)
			skip := l.block()
			l.test(s.Op, s.Args)
			l.op(opI32Eqz)
			l.brIf(skip)
			if then {
				leaf(s.Then)
			} else {
				l.br(l.call)
			}
			l.end()
			if other {
				leaf(s.Else)
				return
			}
			c = s.Else
		case *flat.Match:
			for _, a := range s.Arms {
				if !l.k.isLeaf(d, a.Body, 0) {
					continue
				}
				skip := l.block()
				l.pushEnum(flat.V(s.X))
				l.i32(int32(a.Ctor))
				l.op(opI32Ne)
				l.brIf(skip)
				l.fields(s, a)
				leaf(a.Body)
				l.end()
			}
			l.br(l.call)
			return
		default:
			l.br(l.call)
			return
		}
		if p, ok := c.(*flat.Prim); ok && p.Op.CanFail() {
			l.br(l.call)
			return
		}
	}
}
