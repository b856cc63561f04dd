// Package step evaluates an expression by hand: call by call, with the calls that wait
// in view. It computes on closed terms, and shows what the source says; the order is that
// of the interpreter.
package step

import (
	"errors"
	"fmt"
	"slices"

	"bend/interp/core"
	"bend/interp/flat"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// A Frame is a call that has not returned: the def that was called and what is left of its
// body. Of one that waits for another, Hole tells where the result goes.
type Frame struct {
	Def  string // its key, "" for the expression itself
	Expr core.Term
	with func(core.Term) core.Term
}

// With returns the expression of a frame that waits, with a term in the place of what it
// waits for.
func (f Frame) With(t core.Term) core.Term { return f.with(t) }

// A Machine evaluates one expression.
type Machine struct {
	book   *core.Book
	norm   *norm.Machine
	frames []Frame // oldest first
	Steps  int     // made so far
	Stop   func() bool
	past   []moment

	values map[*core.Ctr]bool // constructors that are known to be values
}

// A moment is what a machine was before a command.
type moment struct {
	frames []Frame
	steps  int
}

// mostKnown is how many values are remembered.
const mostKnown = 1 << 20

// know remembers that a term is a value.
func (m *Machine) know(c *core.Ctr) {
	if len(m.values) >= mostKnown {
		clear(m.values)
	}
	m.values[c] = true
}

// mostPast is how many commands can be taken back.
const mostPast = 10_000

// New returns a machine for a checked term whose variables stand for the closed terms of
// env, the last of which is Var 0.
func New(b *core.Book, t core.Term, env []core.Term) *Machine {
	m := &Machine{book: b, norm: norm.New(b), Stop: func() bool { return false }, values: map[*core.Ctr]bool{}}
	m.frames = []Frame{{Expr: m.subst(t, env)}}
	return m
}

// Frames returns the calls that have not returned, oldest first.
func (m *Machine) Frames() []Frame { return m.frames }

// Done reports whether the expression has its value, which is that of the only frame.
func (m *Machine) Done() bool {
	_, open := m.focus(m.frames[len(m.frames)-1].Expr)
	return len(m.frames) == 1 && !open
}

// Next returns the term that is evaluated next and the expression with a mark in its
// place; nil when the call on top has its value.
func (m *Machine) Next() (redex core.Term, around func(core.Term) core.Term) {
	f, open := m.focus(m.frames[len(m.frames)-1].Expr)
	if !open {
		return nil, nil
	}
	return f.redex, f.with
}

// Call returns the key of the def that is called next, "" if it is no call of a def.
func (m *Machine) Call() string {
	redex, _ := m.Next()
	if redex == nil {
		return ""
	}
	head, _ := spine(redex)
	if r, ok := head.(*core.Ref); ok {
		return r.Key
	}
	return ""
}

// ErrStopped is the end of a step that was interrupted.
var ErrStopped = errors.New("interrupted")

// command does some steps as one that Back takes back; nothing has changed on an error.
func (m *Machine) command(do func() error) error {
	now := moment{slices.Clone(m.frames), m.Steps} // steps work in place
	if err := do(); err != nil {
		m.frames, m.Steps = now.frames, now.steps
		return err
	}
	if m.past = append(m.past, now); len(m.past) > mostPast {
		m.past = m.past[1:]
	}
	return nil
}

// Into makes one step: a call is entered, and a value returned.
func (m *Machine) Into() error { return m.command(m.step) }

// Over makes one step, and all those of a call that it enters.
func (m *Machine) Over() error {
	return m.command(func() error {
		height := len(m.frames)
		return m.until(func() bool { return len(m.frames) <= height })
	})
}

// Out makes steps until the call on top has returned.
func (m *Machine) Out() error {
	return m.command(func() error {
		height := len(m.frames)
		return m.until(func() bool { return len(m.frames) < height || m.Done() })
	})
}

// To makes steps until a def is called, or the value is there.
func (m *Machine) To(key string) error {
	return m.command(func() error { return m.until(func() bool { return m.Call() == key || m.Done() }) })
}

// End makes steps until the value is there.
func (m *Machine) End() error { return m.command(func() error { return m.until(m.Done) }) }

// Back takes the last command back; it reports whether there was one.
func (m *Machine) Back() bool {
	n := len(m.past)
	if n == 0 {
		return false
	}
	m.frames, m.Steps = m.past[n-1].frames, m.past[n-1].steps
	m.past = m.past[:n-1]
	return true
}

// until makes steps, one at least, until a condition holds.
func (m *Machine) until(ok func() bool) error {
	for {
		if m.Stop() {
			return ErrStopped
		}
		if m.Done() {
			return nil
		}
		if err := m.step(); err != nil {
			return err
		}
		if ok() {
			return nil
		}
	}
}

// step makes one step.
func (m *Machine) step() error {
	top := len(m.frames) - 1
	f, open := m.focus(m.frames[top].Expr)
	if !open {
		if top == 0 {
			return nil
		}
		value := m.frames[top].Expr
		below := m.frames[top-1]
		m.frames = append(m.frames[:top-1], Frame{Def: below.Def, Expr: below.with(value)})
		return nil
	}
	m.Steps++
	head, apps := spine(f.redex)
	replace := func(t core.Term) error {
		m.frames = append(m.frames[:top], Frame{Def: m.frames[top].Def, Expr: f.with(t)})
		return nil
	}
	switch h := head.(type) {
	case *core.Let:
		return replace(rest(m.subst(h.Body, h.Vals), apps))
	case *core.Ref:
		return m.call(f, h, apps)
	}
	body, left, err := m.enter(head, apps)
	if err != nil {
		return err
	}
	return replace(rest(body, left))
}

// rest applies a term to arguments that are left.
func rest(t core.Term, apps []*core.App) core.Term { return apply(t, apps, -1, nil) }

// call computes a primitive, or enters the body of a def.
func (m *Machine) call(f focus, h *core.Ref, apps []*core.App) error {
	top := len(m.frames) - 1
	d := m.def(h)
	if d.Base {
		if v, ok, err := m.primitive(d, f.redex, apps); ok || err != nil {
			m.frames = append(m.frames[:top], Frame{Def: m.frames[top].Def, Expr: f.with(v)})
			return err
		}
	}
	if d.Value == nil {
		return fmt.Errorf("%s cannot be entered", core.ShowKey(h.Key))
	}
	body, left, err := m.enter(d.Value, apps)
	if err != nil {
		return err
	}
	frame := Frame{Def: h.Key, Expr: rest(body, left)}
	if f.whole {
		m.frames = append(m.frames[:top], frame) // a tail call: nothing waits
		return nil
	}
	waiting := m.frames[top]
	waiting.with = f.with
	m.frames = append(m.frames[:top], waiting, frame)
	return nil
}

// enter gives arguments to a function that is written out, up to what it does with them.
func (m *Machine) enter(t core.Term, apps []*core.App) (body core.Term, left []*core.App, err error) {
	var env []core.Term
	var args []core.Term
	for _, a := range apps {
		args = append(args, a.Arg)
	}
	for len(args) > 0 {
		switch u := core.Strip(t).(type) {
		case *core.Lam:
			env, args, t = append(env, args[0]), args[1:], u.Body
		case *core.Mat:
			key, fields, err := m.open(args[0])
			if err != nil {
				return nil, nil, err
			}
			if key != u.Key {
				t = u.Miss
				break
			}
			t, args = u.Hit, append(fields, args[1:]...)
		case *core.Efq:
			return nil, nil, errors.New("a match without cases was reached")
		default:
			// A body that is itself a function: what is left are the last arguments.
			if len(args) > len(apps) {
				return nil, nil, errors.New("this function cannot be entered")
			}
			return m.subst(t, env), apps[len(apps)-len(args):], nil
		}
		if t == nil {
			return nil, nil, errors.New("a match without a case for its value was reached")
		}
	}
	return m.subst(t, env), nil, nil
}

// open returns the constructor of a value and its fields, for a match on it.
func (m *Machine) open(t core.Term) (key string, fields []core.Term, err error) {
	if c, ok := core.Strip(t).(*core.Ctr); ok {
		return c.Key, slices.Clip(c.Args), nil
	}
	err = m.norm.Catch(func() {
		ctor, values, ok := m.norm.Unfold(m.norm.Whnf(m.norm.Eval(nil, t)))
		if !ok {
			return
		}
		key = ctor.Key
		for _, v := range values {
			fields = append(fields, m.norm.Quote(0, v))
		}
	})
	if err == nil && key == "" {
		err = errors.New("a match on what is no value cannot be shown step by step")
	}
	return key, fields, err
}

// def returns what a name stands for, nil for a datatype.
func (m *Machine) def(r *core.Ref) *core.Def {
	if r.Inst != "" {
		return m.book.Defs[r.Inst]
	}
	return m.book.Defs[r.Key]
}

// inert reports whether a def of Base is an effect, a type or the like, whose calls are
// values.
func (m *Machine) inert(d *core.Def) bool {
	if !d.Base {
		return false
	}
	_, effect := flat.EffectOf(d.Key)
	_, op := flat.OpOf(d.Key)
	return effect || d.Value == nil && !op
}

// primitive computes what a device computes in one instruction; ok is false for other
// defs.
func (m *Machine) primitive(d *core.Def, call core.Term, apps []*core.App) (v core.Term, ok bool, err error) {
	op, isOp := flat.OpOf(d.Key)
	if !isOp || len(apps) != d.Arity {
		return nil, false, nil
	}
	var words []word.Word
	for i, kind := range op.Args() {
		w, known := m.word(apps[i].Arg, kind)
		if !known {
			return nil, false, nil
		}
		words = append(words, w)
	}
	w, err := flat.Eval(op, words...)
	if err != nil {
		return nil, true, err
	}
	return m.term(w, op.Result()), true, nil
}

// word returns the word of a value of a kind.
func (m *Machine) word(t core.Term, kind flat.Kind) (word.Word, bool) {
	switch u := core.Strip(t).(type) {
	case *core.Lit:
		return word.Word(u.N), kind != flat.KindBool && kind != flat.KindCmp && kind != flat.KindChar
	case *core.Ctr:
		switch {
		case kind == flat.KindBool || kind == flat.KindCmp:
			return word.Pak(m.book.Ctors[u.Key].Index), true
		case kind == flat.KindChar && len(u.Args) == 1:
			return m.word(u.Args[0], flat.KindU32)
		}
	}
	return 0, false
}

// term returns the value of a word of a kind.
func (m *Machine) term(w word.Word, kind flat.Kind) core.Term {
	con := func(data string) core.Term {
		return &core.Ctr{Key: m.book.Types[data].Ctors[word.Aux(w)].Key}
	}
	switch kind {
	case flat.KindNat:
		return &core.Lit{Kind: syntax.Nat, N: uint64(w)}
	case flat.KindF32:
		return &core.Lit{Kind: syntax.F32, N: uint64(w)}
	case flat.KindBool:
		return con("Bool")
	case flat.KindCmp:
		return con("Cmp")
	case flat.KindChar:
		return &core.Ctr{Key: "Chr", Args: []core.Term{&core.Lit{Kind: syntax.U32, N: uint64(w)}}}
	}
	return &core.Lit{Kind: syntax.U32, N: uint64(w)}
}
