package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/effect"
	"bend/interp/elab"
	"bend/interp/flat"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// An Outcome is what a text did.
type Outcome struct {
	Defined   []Defined
	Rechecked []string // typed names that were checked again since they use a replaced one
	Bound     string   // the variable that keeps the value
	Value     *Value   // nil for definitions
	Exit      int      // the exit code of an effect that ended with IO.die
	Died      bool
	performed bool // the value is the result of an effect
	Cost      Cost
	Notes     []string
}

// A Value is the value of an expression or the result of an effect, and its type.
type Value struct {
	Term core.Term
	Type core.Term
	Unit bool // the result of an effect that says nothing
}

// A Cost says what the parts of an evaluation took.
type Cost struct {
	Check, Compile, Run    time.Duration
	Build, Transfer, Lanes time.Duration // of calls marked "!"
	Launches               int
	LaneHeapBytes          int // the most of a device's heap
}

// Do does what src says: declarations, a binding, or an expression.
func (s *Session) Do(ctx context.Context, src *syntax.Source) (*Outcome, error) {
	p, d := syntax.ParsePrompt(src)
	if d != nil {
		return nil, &Rejected{Diags: []*syntax.Diagnostic{d}}
	}
	o := &Outcome{}
	var err error
	switch {
	case p.File != nil:
		start := time.Now()
		err = s.define(src, p.File, o)
		o.Cost.Check = time.Since(start)
	case p.Bind != nil:
		err = s.bind(ctx, p.Bind, o)
	case p.Expr != nil:
		err = s.evaluate(ctx, p.Expr, o)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// A typed is a checked term over the prompt variables, and its type.
type typed struct {
	term core.Term
	ty   core.Term
	used []bool // the variables that the term mentions, by position
}

// check elaborates and checks an expression. A type that the person wrote is nil when
// absent.
func (s *Session) check(x, ty syntax.Expr) (*typed, error) {
	names, binders := s.context()
	t, diags := elab.Expr(s.book, s.scope, names, x, elab.Options{Operators: true})
	if ty != nil && len(diags) == 0 {
		var tt core.Term
		tt, diags = elab.Expr(s.book, s.scope, names, ty, elab.Options{Operators: true})
		t = &core.Ann{Span: x.At(), X: t, T: tt}
	}
	if len(diags) > 0 {
		return nil, rejected(diags)
	}
	return s.infer(t, binders)
}

func (s *Session) infer(t core.Term, binders []check.Binder) (*typed, error) {
	_, end := s.progress.during("checking", -1)
	defer end()
	ty, err := check.InferUntil(s.book, binders, t, s.interrupted)
	if err != nil {
		return nil, err
	}
	c := &typed{term: t, ty: ty, used: freeVars(t, len(binders))}
	for i, v := range s.vars {
		if c.used[i] && v.usedBy != "" {
			return nil, fmt.Errorf("%s is gone: the line `%s` consumed it", v.name, v.usedBy)
		}
	}
	return c, nil
}

// checkText is check for the text of an expression.
func (s *Session) checkText(src *syntax.Source) (*typed, error) {
	x, d := syntax.ParseExpr(src)
	if d != nil {
		return nil, &Rejected{Diags: []*syntax.Diagnostic{d}}
	}
	return s.check(x, nil)
}

// TypeOf returns the type of an expression, without running it.
func (s *Session) TypeOf(src *syntax.Source) (core.Term, error) {
	c, err := s.checkText(src)
	if err != nil {
		return nil, err
	}
	m := norm.New(s.book)
	return s.closed(m, c.ty), nil
}

// closed returns a type without prompt variables in it, its defs not unfolded.
func (s *Session) closed(m *norm.Machine, ty core.Term) core.Term {
	t := ty
	err := m.Catch(func() {
		v := m.Whnf(m.Eval(s.env(m), ty))
		if a := actionOf(m, v); a != nil {
			t = &core.App{Fn: &core.Ref{Key: "IO"}, Arg: m.Reify(0, a)}
			return
		}
		t = m.Reify(0, v)
	})
	if err != nil {
		return ty
	}
	return t
}

func (s *Session) evaluate(ctx context.Context, x syntax.Expr, o *Outcome) error {
	start := time.Now()
	c, err := s.check(x, nil)
	if err != nil {
		return err
	}
	o.Cost.Check = time.Since(start)
	r, err := s.run(ctx, c, o)
	if err != nil {
		return err
	}
	s.consume(c, o, x.At().Text())
	o.Value = r.value
	if r.kept && !r.value.Unit {
		s.keep("it", r)
	}
	return nil
}

// A result is the outcome of a run: the value as a word, when it has a run-time form.
type result struct {
	value *Value
	word  word.Word
	kept  bool // word is there
	val   norm.Value
	data  bool // it may be copied
}

// run evaluates a checked term: an effect is performed, anything with a run-time form
// is run, anything else is normalised.
func (s *Session) run(ctx context.Context, c *typed, o *Outcome) (*result, error) {
	s.sweep()
	m := norm.New(s.book)
	m.Stop = func() bool { return ctx.Err() != nil }
	_, end := s.progress.during("evaluating", -1)
	defer end()
	var ty norm.Value
	var form typeForm
	if err := m.Catch(func() {
		ty = m.Eval(s.env(m), c.ty)
		form = formOf(m, ty)
	}); err != nil {
		return nil, err
	}
	r := &result{value: &Value{Type: s.closed(m, c.ty)}}
	if form.action != nil {
		o.performed = true
		w, err := s.perform(ctx, c, o)
		if err != nil || o.Died {
			r.value.Unit = true
			return r, err
		}
		r.word, r.kept, ty = w, true, form.action
		if err := m.Catch(func() { r.value.Type = m.Reify(0, ty) }); err != nil {
			return nil, err
		}
		r.value.Unit = isUnit(r.value.Type)
	} else if form.runs {
		w, err := s.call(ctx, c, o)
		if err != nil {
			return nil, err
		}
		r.word, r.kept = w, true
	}
	var err error
	r.data = s.isData(m, ty)
	if r.kept && form.prints || form.action != nil {
		r.value.Term, err = readBack(ctx, s.book, s.heap, r.word, ty)
		if err == nil {
			r.val = m.Eval(nil, r.value.Term)
			return r, nil
		}
		if !errors.Is(err, errNoForm) {
			s.heap.Drop(r.word)
			return nil, err
		}
	}
	if form.action != nil {
		// The result of an effect that holds a function or a handle: its name has to do.
		r.value.Term = &core.Hole{Name: "value"}
		return r, nil
	}
	err = m.Catch(func() {
		r.val = m.Delay(s.env(m), c.term)
		r.value.Term = m.Quote(0, r.val)
	})
	return r, err
}

// A typeForm says what to do with a value of a type.
type typeForm struct {
	action norm.Value // of IO(A): A
	runs   bool       // it has a run-time form
	prints bool       // that can be read back
}

func formOf(m *norm.Machine, ty norm.Value) typeForm {
	ty = m.Whnf(ty)
	if a := actionOf(m, ty); a != nil {
		return typeForm{action: a}
	}
	switch ty.(type) {
	case *norm.ADT:
		return typeForm{runs: true, prints: true}
	case *norm.All:
		return typeForm{runs: !givesType(m, ty)}
	}
	return typeForm{}
}

// givesType reports whether a function of type ty gives a type or a proof in the end.
func givesType(m *norm.Machine, ty norm.Value) bool {
	for level := 0; ; level++ {
		all, ok := m.Whnf(ty).(*norm.All)
		if !ok {
			break
		}
		ty = all.Cod(norm.Free(level, all.Name))
	}
	switch m.Whnf(ty).(type) {
	case *norm.Kind, *norm.Quant, *norm.Eql:
		return true
	}
	return false
}

// actionOf returns A if ty, in weak head normal form, is what Base's IO(A) stands for:
// -R: Type -> k: (A -> IO.OP<R>) -> IO.OP<R>.
func actionOf(m *norm.Machine, ty norm.Value) norm.Value {
	outer, ok := ty.(*norm.All)
	if !ok || outer.Q != core.None {
		return nil
	}
	inner, ok := m.Whnf(outer.Cod(norm.Free(0, "R"))).(*norm.All)
	if !ok {
		return nil
	}
	op, ok := m.Whnf(inner.Cod(norm.Free(1, "k"))).(*norm.ADT)
	if !ok || !op.Data.Base || op.Data.Key != "IO.OP" {
		return nil
	}
	k, ok := m.Whnf(inner.Dom).(*norm.All)
	if !ok {
		return nil
	}
	return k.Dom
}

func isUnit(t core.Term) bool {
	adt, ok := t.(*core.ADT)
	return ok && adt.Key == "Unit"
}

// isData reports whether values of type ty may be copied.
func (s *Session) isData(m *norm.Machine, ty norm.Value) (data bool) {
	m.Catch(func() {
		kind, err := check.Infer(s.book, nil, m.Quote(0, ty))
		if err != nil {
			return
		}
		if k, ok := m.Whnf(m.Eval(nil, kind)).(*norm.Kind); ok {
			q, ok := m.Whnf(k.Q).(*norm.Qty)
			data = ok && q.Q == core.Many
		}
	})
	return data
}

// lineDef begins the names of the defs that lines of the prompt are lowered as; no
// written name has a tilde.
const lineDef = "prompt~"

// lower makes a flat def of a checked term, with the variables it uses as parameters.
func (s *Session) lower(c *typed) (flat.DefID, error) {
	d := &core.Def{Key: lineDef + strconv.Itoa(s.lines), Type: c.ty, Value: c.term, Arity: len(s.vars), Checked: true}
	s.lines++
	for i := len(s.vars) - 1; i >= 0; i-- {
		v := s.vars[i]
		q := core.None
		if c.used[i] && !v.gone {
			q = v.quantity()
		}
		d.Type = &core.All{Q: q, Name: v.name, Dom: v.ty, Cod: d.Type}
		d.Value = &core.Lam{Name: v.name, Body: d.Value, Q: q}
	}
	for _, v := range s.vars {
		d.Params = append(d.Params, v.name)
	}
	s.book.Defs[d.Key] = d
	defer delete(s.book.Defs, d.Key)
	return flat.Lower(s.book, s.prog, d.Key)
}

// arguments returns the words of the variables that c uses. Each keeps its own: what a
// line consumes is given up when the line has succeeded.
func (s *Session) arguments(c *typed) (args []word.Word) {
	for i, v := range s.vars {
		if c.used[i] && !v.gone {
			v.word = s.heap.Keep(v.word)
			args = append(args, v.word)
		}
	}
	return args
}

// call runs a checked term on the machine.
func (s *Session) call(ctx context.Context, c *typed, o *Outcome) (word.Word, error) {
	start := time.Now()
	id, err := s.lower(c)
	if err != nil {
		return 0, err
	}
	o.Cost.Compile = time.Since(start)
	start = time.Now()
	s.lanes.begin()
	s.unswept = true
	args := s.arguments(c)
	if s.prog.Def(id).Params > len(args) {
		return s.closure(id, args), nil
	}
	_, end := s.progress.during("running", -1)
	defer end()
	w, err := s.machine.Call(ctx, id, args...)
	s.finish(o, start)
	return w, err
}

// closure returns the function that a def is when it has only its first arguments.
func (s *Session) closure(id flat.DefID, args []word.Word) word.Word {
	fn := int(s.prog.Fn(id, len(args)))
	if len(args) == 0 {
		return word.Clo(fn, 0, 0)
	}
	loc := s.heap.Alloc(len(args))
	copy(s.heap.Mem[loc:], args)
	return word.Clo(fn, len(args), loc)
}

// perform runs a checked term of type IO(A) and its action, and returns the result.
func (s *Session) perform(ctx context.Context, c *typed, o *Outcome) (word.Word, error) {
	action, err := s.call(ctx, c, o)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	_, end := s.progress.during("running", -1)
	defer end()
	res, err := effect.Run(ctx, s.machine, action, s.effectEnv())
	s.finish(o, start)
	if err != nil {
		return 0, err
	}
	o.Exit, o.Died = res.Code, res.Died
	return res.Value, nil
}

// readLine reads a line for IO.read_line: from what the prompt reads, if there is one.
func (s *Session) readLine(prompt string) (string, error) {
	s.progress.hush()
	if s.input == nil {
		if s.opts.Stdin == nil {
			return "", io.EOF
		}
		s.input = newScriptLines(s.opts.Stdin)
	}
	l, err := s.input.ReadLine(prompt, "")
	if errors.Is(err, errInterrupt) {
		return "", context.Canceled
	}
	return l, err
}

func (s *Session) effectEnv() effect.Env {
	return effect.Env{
		Line: s.readLine, Stdout: hushing{s.opts.Stdout, s.progress}, Stderr: hushing{s.opts.Stderr, s.progress},
		Eager: IsTerminal(s.opts.Stdout), Args: s.opts.Args, Handles: s.handles,
	}
}

// finish adds up the cost of a run that started at start.
func (s *Session) finish(o *Outcome, start time.Time) {
	t := s.lanes.cost
	o.Cost.Run += time.Since(start) - t.Build - t.Transfer - t.Lanes
	o.Cost.Build += t.Build
	o.Cost.Transfer += t.Transfer
	o.Cost.Lanes += t.Lanes
	o.Cost.Launches += t.Launches
	o.Cost.LaneHeapBytes = max(o.Cost.LaneHeapBytes, t.LaneHeapBytes)
	o.Notes = append(o.Notes, s.lanes.notes...)
	s.lanes.begin()
}
