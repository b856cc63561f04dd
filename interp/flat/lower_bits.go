package flat

import (
	"fmt"
	"strings"

	"bend/interp/core"
	"bend/interp/word"
)

// A literal pattern on a U32 means a match on each of its 32 bits, with the same row for
// whatever differs. The functions here turn that back into one comparison, and a number
// that such a row builds anew, bit by bit, back into the number that was matched.

// A bitSet is what is known of the bits of a U32: those in mask are those of value.
type bitSet struct{ mask, value uint32 }

func (s bitSet) with(bit int, on bool) bitSet {
	s.mask |= 1 << bit
	if on {
		s.value |= 1 << bit
	}
	return s
}

// knowing builds a branch in which a bit of x is known.
func (f *fn) knowing(x *val, on bool, body func() Code) Code {
	if x.kind != vBit {
		return f.branch(body)
	}
	saved := f.known[x.atom.Var]
	f.known[x.atom.Var] = saved.with(x.bit, on)
	c := f.branch(body)
	f.known[x.atom.Var] = saved
	return c
}

// sameNumber returns the number whose Word t is, if t puts together again what matches
// have taken apart, or is a constant.
func (f *fn) sameNumber(t core.Term, e *env) (Atom, bool) {
	var consts bitSet
	from := Const(0) // the number that the views among the bits belong to
	view := func(t core.Term, kind valKind, bit int) bool {
		v, ok := core.Strip(t).(*core.Var)
		if !ok {
			return false
		}
		x := f.use(e.at(v.Ix))
		if x.kind != kind || x.bit != bit || x.atom.IsConst() || !from.IsConst() && x.atom != from {
			return false
		}
		from = x.atom
		return true
	}
	for bit := 0; ; bit++ {
		if view(t, vWord, bit) {
			break
		}
		c, ok := core.Strip(t).(*core.Ctr)
		if !ok {
			return Atom{}, false
		}
		live := f.lw.liveArgs(c)
		if c.Key == "WNil" && bit == 32 {
			break
		}
		if c.Key != "WCon" || len(live) != 2 || bit == 32 {
			return Atom{}, false
		}
		if b, ok := core.Strip(live[0]).(*core.Ctr); ok && (b.Key == "True" || b.Key == "False") {
			consts = consts.with(bit, b.Key == "True")
		} else if !view(live[0], vBit, bit) {
			return Atom{}, false
		}
		t = live[1]
	}
	if from.IsConst() {
		return Const(word.Word(consts.value)), consts.mask == 1<<32-1
	}
	known := f.known[from.Var]
	return from, consts.mask&^known.mask == 0 && (consts.value^known.value)&consts.mask == 0
}

// liveArgs returns the fields of c that exist at run time.
func (lw *lowerer) liveArgs(c *core.Ctr) (live []core.Term) {
	for i, fd := range lw.book.Ctors[c.Key].Fields {
		if fd.Q != core.None {
			live = append(live, c.Args[i])
		}
	}
	return live
}

// A wordTest is code that tests whether the bits from.. of the number x are value.
type wordTest struct {
	x         Atom
	from      int
	value     uint32
	hit, miss Code
}

// testBit returns the code that branches on a bit of x. If one of the branches tests all
// bits above and else does what the other does, one comparison is enough.
func (f *fn) testBit(x Atom, bit int, then, other Code) Code {
	tests := []wordTest{{x, bit, 1, then, other}, {x, bit, 0, other, then}}
	if bit < 31 {
		tests = nil
		join := func(low uint32, deep, miss Code) {
			for _, t := range f.tests[deep] {
				if t.x == x && t.from == bit+1 && same(t.miss, miss) {
					tests = append(tests, wordTest{x, bit, t.value<<1 | low, t.hit, miss})
					return
				}
			}
		}
		join(1, then, other)
		if len(tests) == 0 {
			join(0, other, then)
		}
	}
	c := Code(&If{Op: OpBit, Args: []Atom{x, Const(word.Word(bit))}, Then: then, Else: other})
	if bit < 31 && len(tests) > 0 {
		t := tests[0]
		x := x
		br := &If{Op: OpU32IsEq, Then: t.hit, Else: t.miss}
		c = br
		if bit > 0 {
			dst := f.newVar("", true)
			c = &Prim{Dst: dst, Op: OpU32Shrn, Args: []Atom{x, Const(word.Word(bit))}, Next: br}
			x = V(dst)
		}
		br.Args = []Atom{x, Const(word.Word(t.value))}
	}
	if len(tests) > 0 {
		if f.tests == nil {
			f.tests = map[Code][]wordTest{}
		}
		f.tests[c] = tests
	}
	return c
}

// maxSame bounds the text of code that is compared.
const maxSame = 1 << 12

// same reports whether a and b do the same, step by step; it says no to long code.
func same(a, b Code) bool {
	if a == b {
		return true
	}
	x, y := canonical{names: map[Var]int{}}, canonical{names: map[Var]int{}}
	x.code(a)
	y.code(b)
	return x.out.Len() < maxSame && x.out.String() == y.out.String()
}

// A canonical writes code with the variables that it binds itself numbered in order.
type canonical struct {
	out   strings.Builder
	names map[Var]int
}

func (w *canonical) bind(v *Var) { w.names[*v] = len(w.names) }

func (w *canonical) atom(a *Atom) {
	n, own := w.names[a.Var]
	switch {
	case a.IsConst():
		fmt.Fprintf(&w.out, " #%d", a.Word)
	case own:
		fmt.Fprintf(&w.out, " n%d", n)
	default:
		fmt.Fprintf(&w.out, " v%d", a.Var)
	}
}

func (w *canonical) code(c Code) {
	for c != nil && w.out.Len() < maxSame {
		call := func(c *Call) { fmt.Fprintf(&w.out, " call %d %v %v %d", c.Def, c.Apply, c.Bang, len(c.Args)) }
		fmt.Fprintf(&w.out, "(%T", c)
		switch s := c.(type) {
		case *Prim:
			fmt.Fprintf(&w.out, " %d", s.Op)
		case *New:
			fmt.Fprintf(&w.out, " %d %d", s.Ctor, len(s.Fields))
		case *Closure:
			fmt.Fprintf(&w.out, " %d", s.Fn)
		case *Text:
			fmt.Fprintf(&w.out, " %v", s.Codes)
		case *Cut:
			call(&s.Call)
		case *Tail:
			call(&s.Call)
		case *Fork:
			for i := range s.Calls {
				call(&s.Calls[i])
			}
		case *If:
			fmt.Fprintf(&w.out, " %d", s.Op)
		case *Stop:
			fmt.Fprintf(&w.out, " %q", s.Why)
		}
		operands(c, w.atom)
		results(c, w.bind)
		w.out.WriteByte(')')
		switch s := c.(type) {
		case *If:
			w.code(s.Then)
			w.out.WriteString(" else ")
			c = s.Else
			continue
		case *Match:
			w.atom(&Atom{Var: s.X})
			for _, a := range s.Arms {
				fmt.Fprintf(&w.out, " case %d %d", a.Ctor, len(a.Fields))
				for i := range a.Fields {
					w.bind(&a.Fields[i])
				}
				w.code(a.Body)
			}
			w.out.WriteString(" else ")
			c = s.Else
			continue
		}
		n := next(c)
		if n == nil {
			return
		}
		c = *n
	}
}
