package norm

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// A Machine evaluates terms against a book. It is not safe for concurrent use.
type Machine struct {
	Book *core.Book
	// Stop, if set, is asked now and then; when it says true the evaluation is given
	// up with a panic of ErrStopped.
	Stop func() bool
	// Plain evaluates by definitions alone, without native arithmetic.
	Plain bool
	// Opaque, if set, is a def that does not unfold.
	Opaque *core.Def

	depth int
	steps int
}

// New returns a machine for b.
func New(b *core.Book) *Machine { return &Machine{Book: b} }

// A Failure is what a machine panics with when it gives up; Catch turns it into an
// error.
type Failure string

func (f Failure) Error() string { return string(f) }

// The failures. ErrDeep says that values are nested more deeply than the machine can
// follow.
const (
	ErrDeep    Failure = "the evaluation is nested too deeply"
	ErrStopped Failure = "the evaluation was interrupted"
)

// maxDepth bounds the recursion of evaluation, reading back and comparison; it keeps
// the Go stack well below its limit.
const maxDepth = 400_000

// Catch runs f; if a machine gave up in it, the failure is returned.
func (m *Machine) Catch(f func()) (err error) {
	depth := m.depth
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Failure:
			m.depth = depth
			err = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func (m *Machine) enter() {
	if m.depth++; m.depth > maxDepth {
		panic(ErrDeep)
	}
}

func (m *Machine) tick() {
	if m.steps++; m.steps&0x3fff == 0 && m.Stop != nil && m.Stop() {
		panic(ErrStopped)
	}
}

// Delay returns a cell for t in env; a term that is cheap to evaluate is evaluated.
func (m *Machine) Delay(env *Env, t core.Term) Value {
	switch u := t.(type) {
	case *core.Var:
		return env.At(u.Ix)
	case *core.Ann:
		return m.Delay(env, u.X)
	case *core.Ctr:
		if len(u.Args) == 0 {
			return m.Eval(env, t)
		}
	case *core.Lit, *core.Str, *core.Lam, *core.Mat, *core.Efq, *core.Ref, *core.Kind, *core.Quant, *core.Qty, *core.Rfl, *core.Hole:
		return m.Eval(env, t)
	}
	return &Thunk{env: env, term: t}
}

// Eval evaluates t as far as that needs neither a def's body nor the value of a
// match's argument.
func (m *Machine) Eval(env *Env, t core.Term) Value {
	for {
		switch u := t.(type) {
		case *core.Var:
			return env.At(u.Ix)
		case *core.Ann:
			t = u.X
		case *core.Let:
			inner := env
			for _, v := range u.Vals {
				inner = inner.Push(m.Delay(env, v))
			}
			env, t = inner, u.Body
		case *core.App:
			head, args := m.spine(env, u)
			if lam, ok := strip(head).(*core.Lam); ok {
				env, t = env.Push(args[0]), lam.Body
				if len(args) > 1 {
					return m.Apply(m.Eval(env, t), args[1:]...)
				}
				continue
			}
			return m.Apply(m.Eval(env, head), args...)
		case *core.Ref:
			return m.ref(u)
		case *core.Lam:
			return &Lam{env, u}
		case *core.Mat:
			return &Mat{env, u}
		case *core.All:
			cod := u.Cod
			return &All{u.Q, u.Name, m.Delay(env, u.Dom), func(v Value) Value { return m.Eval(env.Push(v), cod) }}
		case *core.Kind:
			if q, ok := u.Q.(*core.Qty); ok {
				switch q.Q {
				case core.Lone:
					return Type
				case core.Many:
					return Data
				}
			}
			return &Kind{m.Delay(env, u.Q)}
		case *core.Quant:
			return quant
		case *core.Qty:
			return QtyOf(u.Q)
		case *core.Meet:
			return &Meet{m.Delay(env, u.A), m.Delay(env, u.B)}
		case *core.ADT:
			data := m.Book.Types[u.Key]
			if data == nil {
				return &Hole{u.Key}
			}
			var removed CtorSet
			for _, key := range u.Removed {
				removed = removed.With(m.Book.Ctors[key])
			}
			return &ADT{data, m.delayAll(env, u.Args), removed}
		case *core.Ctr:
			ctor := m.Book.Ctors[u.Key]
			if ctor == nil {
				return &Hole{u.Key}
			}
			return &Ctr{ctor, m.delayAll(env, u.Args)}
		case *core.Lit:
			return &Lit{u.Kind, u.N}
		case *core.Str:
			return &Str{u.Codes}
		case *core.Efq:
			return efq
		case *core.Eql:
			return &Eql{m.Delay(env, u.A), m.Delay(env, u.B), m.Delay(env, u.T)}
		case *core.Rfl:
			return rfl
		case *core.Rwt:
			return &Rwt{env, u, m.Delay(env, u.Eq)}
		case *core.Hole:
			return &Hole{u.Name}
		}
	}
}

func (m *Machine) delayAll(env *Env, ts []core.Term) []Value {
	if len(ts) == 0 {
		return nil
	}
	vs := make([]Value, len(ts))
	for i, t := range ts {
		vs[i] = m.Delay(env, t)
	}
	return vs
}

// spine returns the head of an application and the cells of its arguments.
func (m *Machine) spine(env *Env, a *core.App) (core.Term, []Value) {
	n := 0
	var t core.Term = a
	for {
		u, ok := t.(*core.App)
		if !ok {
			break
		}
		n, t = n+1, u.Fn
	}
	args := make([]Value, n)
	var u core.Term = a
	for i := n - 1; i >= 0; i-- {
		app := u.(*core.App)
		args[i] = m.Delay(env, app.Arg)
		u = app.Fn
	}
	return t, args
}

// ref evaluates a name. One that is not declared stays as a hole of that name: terms
// that mention it have been refused already.
func (m *Machine) ref(u *core.Ref) Value {
	if d := m.Book.Defs[u.Key]; d != nil {
		return &Neu{Head: &Ref{d, u.Bang}}
	}
	if d := m.Book.Types[u.Key]; d != nil {
		return &ADT{Data: d}
	}
	return &Hole{u.Key}
}

// strip looks through annotations.
func strip(t core.Term) core.Term {
	for {
		a, ok := t.(*core.Ann)
		if !ok {
			return t
		}
		t = a.X
	}
}

// Apply applies f to args, as far as Eval goes.
func (m *Machine) Apply(f Value, args ...Value) Value {
	for len(args) > 0 {
		switch u := f.(type) {
		case *Lam:
			env, t := u.env, u.term
			for {
				env, args = env.Push(args[0]), args[1:]
				next, ok := t.Body.(*core.Lam)
				if !ok || len(args) == 0 {
					break
				}
				t = next
			}
			f = m.Eval(env, t.Body)
		case *Thunk:
			if !u.done {
				return &Neu{Head: f, Args: args}
			}
			f = u.val
		case *Neu:
			if u.done && u.res != f {
				f = u.res
				continue
			}
			all := make([]Value, 0, len(u.Args)+len(args))
			return &Neu{Head: u.Head, Args: append(append(all, u.Args...), args...)}
		default:
			return &Neu{Head: f, Args: args}
		}
	}
	return f
}

// Body returns the body of a function at the argument v.
func (m *Machine) body(u *Lam, v Value) Value { return m.Eval(u.env.Push(v), u.term.Body) }

// Unfold returns v with its outermost constructor visible: a literal is opened by one
// layer. ok is false if v, which must be in weak head normal form, is no constructor.
func (m *Machine) Unfold(v Value) (ctor *core.Ctor, args []Value, ok bool) {
	con := func(key string, args ...Value) (*core.Ctor, []Value, bool) {
		c := m.Book.Ctors[key]
		return c, args, c != nil
	}
	switch u := v.(type) {
	case *Ctr:
		return u.Ctor, u.Args, true
	case *Lit:
		switch u.Kind {
		case syntax.Nat:
			if u.N == 0 {
				return con("Zero")
			}
			return con("Succ", &Lit{syntax.Nat, u.N - 1})
		case syntax.U32:
			return con("U32", &Word{uint32(u.N), 32})
		case syntax.F32:
			return con("F32", &Word{uint32(u.N), 32})
		}
	case *Succs:
		if u.N == 1 {
			return con("Succ", u.T)
		}
		return con("Succ", &Succs{u.N - 1, u.T})
	case *Str:
		if len(u.Codes) == 0 {
			return con("SNil")
		}
		if _, _, ok := con("Chr"); !ok {
			return nil, nil, false
		}
		head := &Ctr{m.Book.Ctors["Chr"], []Value{&Lit{syntax.U32, uint64(u.Codes[0])}}}
		return con("SCon", head, &Str{u.Codes[1:]})
	case *Word:
		if u.Left == 0 {
			return con("WNil")
		}
		bit := "False"
		if u.Bits&1 == 1 {
			bit = "True"
		}
		if c := m.Book.Ctors[bit]; c != nil {
			return con("WCon", &Ctr{Ctor: c}, &Word{u.Bits >> 1, u.Left - 1})
		}
	}
	return nil, nil, false
}
