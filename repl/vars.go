package repl

import (
	"context"
	"time"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// A variable is a value that the prompt keeps under a name.
type variable struct {
	name   string
	id     int       // no other that was ever kept has it
	ty     core.Term // closed
	word   word.Word // its own, unless gone or used up
	val    norm.Value
	data   bool   // it may be copied
	gone   bool   // it has no run-time form: a type, a proof
	usedBy string // the line that consumed it
}

func (v *variable) quantity() core.Quantity {
	if v.data || v.gone {
		return core.Many
	}
	return core.Lone
}

// variable returns the variable of the given name, nil if there is none.
func (s *Session) variable(name string) *variable {
	for _, v := range s.vars {
		if v.name == name {
			return v
		}
	}
	return nil
}

// context returns the variables as the checker wants them.
func (s *Session) context() (names []string, binders []check.Binder) {
	for _, v := range s.vars {
		names = append(names, v.name)
		binders = append(binders, check.Binder{Name: v.name, Q: v.quantity(), Type: v.ty})
	}
	return names, binders
}

// env returns the values of the variables.
func (s *Session) env(m *norm.Machine) *norm.Env {
	var env *norm.Env
	for i, v := range s.vars {
		val := v.val
		if val == nil {
			val = norm.Free(i, v.name)
		}
		env = env.Push(val)
	}
	return env
}

// bind does what x = value or x : A <- action says.
func (s *Session) bind(ctx context.Context, b *syntax.PromptBinding, o *Outcome) error {
	start := time.Now()
	ty := b.Type
	if b.Effect {
		ty = nil
	}
	c, err := s.check(b.Value, ty)
	if err != nil {
		return err
	}
	o.Cost.Check = time.Since(start)
	if b.Effect {
		if err := s.checkAction(b, c); err != nil {
			return err
		}
	}
	var r *result
	if b.Effect {
		r, err = s.run(ctx, c, o)
	} else {
		r, err = s.hold(ctx, c, o)
	}
	if err != nil {
		return err
	}
	s.consume(c, o, b.Value.At().Text())
	o.Value = r.value
	if o.Died {
		return nil
	}
	r.value.Unit = false
	o.Bound = b.Name.Text
	s.keep(b.Name.Text, r)
	return nil
}

// checkAction refuses a binding with "<-" of what is no action, or of an action of
// another type than the one that is written.
func (s *Session) checkAction(b *syntax.PromptBinding, c *typed) error {
	m := norm.New(s.book)
	var action norm.Value
	fits := true
	err := m.Catch(func() {
		action = actionOf(m, m.Whnf(m.Eval(s.env(m), c.ty)))
	})
	if err != nil {
		return err
	}
	if action == nil {
		return &Rejected{Diags: []*syntax.Diagnostic{{
			Code: "type-mismatch", Span: b.Value.At(), Expected: "IO(..)", Observed: s.Show(s.closed(m, c.ty), 0),
			Hint: "`<-` keeps the result of an effect; a value is kept with `" + b.Name.Text + " = ..`",
		}}}
	}
	if b.Type == nil {
		return nil
	}
	want, err := s.check(b.Type, nil)
	if err != nil {
		return err
	}
	if err := m.Catch(func() {
		fits = m.Convert(0, action, m.Eval(s.env(m), want.term), norm.LE)
	}); err != nil {
		return err
	}
	if !fits {
		return &Rejected{Diags: []*syntax.Diagnostic{{
			Code: "type-mismatch", Span: b.Value.At(), Expected: s.Show(want.term, 0), Observed: s.Show(m.Reify(0, action), 0),
		}}}
	}
	return nil
}

// hold evaluates what a variable is to keep: an action is kept, not performed.
func (s *Session) hold(ctx context.Context, c *typed, o *Outcome) (*result, error) {
	s.sweep()
	m := norm.New(s.book)
	isAction := false
	if err := m.Catch(func() { isAction = actionOf(m, m.Whnf(m.Eval(s.env(m), c.ty))) != nil }); err != nil {
		return nil, err
	}
	if !isAction {
		return s.run(ctx, c, o)
	}
	w, err := s.call(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return &result{
		value: &Value{Term: c.term, Type: s.closed(m, c.ty)},
		word:  w, kept: true, val: m.Delay(s.env(m), c.term),
	}, nil
}

// keep makes a result the value of a variable, in place of what it was.
func (s *Session) keep(name string, r *result) {
	s.kept++
	v := &variable{name: name, id: s.kept, ty: r.value.Type, word: r.word, val: r.val, data: r.data, gone: !r.kept}
	if old := s.variable(name); old != nil {
		s.release(old)
		*old = *v
		return
	}
	s.vars = append(s.vars, v)
}

// consume marks the variables that a line has used up. What the line left in the heap is
// what it gave, unless it died.
func (s *Session) consume(c *typed, o *Outcome, line string) {
	s.unswept = o.Died
	for i, v := range s.vars {
		if c.used[i] && !v.data && !v.gone {
			s.release(v)
			v.usedBy = line
		}
	}
}

func (s *Session) release(v *variable) {
	if !v.gone && v.usedBy == "" {
		s.heap.Drop(v.word)
	}
}

// roots returns the values of the heap that the session owns.
func (s *Session) roots() []word.Word {
	ws := s.handles.Roots()
	for _, v := range s.vars {
		if !v.gone && v.usedBy == "" {
			ws = append(ws, v.word)
		}
	}
	for _, n := range s.undone {
		ws = append(ws, n.values()...)
	}
	return ws
}

// sweep frees what a run that failed left in the heap, and takes the share counts back to
// what is true. It is put off until the next run, so that an interrupted line answers at
// once.
func (s *Session) sweep() {
	if s.unswept {
		s.unswept = false
		s.heap.Sweep(s.roots()...)
	}
}

// measure does a piece of work, and returns the most bytes of heap that it had in use.
func (s *Session) measure(work func() error) (bytes int, err error) {
	s.sweep()
	s.heap.Fresh()
	defer func() { s.unswept = true }()
	before := s.heap.High()
	err = work()
	return 8 * (s.heap.High() - before), err
}

// dropVars forgets all variables.
func (s *Session) dropVars() {
	for _, v := range s.vars {
		s.release(v)
	}
	s.vars = nil
}
