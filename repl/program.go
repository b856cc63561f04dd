package repl

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/flat"
	"bend/interp/module"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// Program loads a whole program: unlike Load it refuses one with unfinished work, and
// its errors say that the program is rejected.
func (s *Session) Program(path string) error {
	_, err := s.Load(path)
	if err == nil {
		err = unfinished(s.ground)
	}
	var rej *Rejected
	if errors.As(err, &rej) {
		rej.Verdict = true
	}
	return err
}

// Prove loads a whole program and writes the verdict on its proofs. Its error tells all
// that a program leaves open or takes on trust. With twice set, the program and Base
// are read and checked once more, by definitions alone.
func (s *Session) Prove(w io.Writer, path string, twice bool) error {
	err := s.Program(path)
	if err == nil && twice {
		err = s.again()
	}
	if err == nil {
		return s.verdict(w, twice)
	}
	rej := (*Rejected)(nil)
	if !errors.As(err, &rej) || len(rej.Diags) > 0 {
		return err // it was not loaded
	}
	sum := check.Verdict(s.ground)
	for _, law := range sum.Open {
		rej.Text += "\n- the law " + core.ShowKey(law) + " is open"
	}
	if n := sum.Todos - len(sum.Open); n > 0 {
		rej.Text += fmt.Sprintf("\n- ?TODO holes: %d", n)
	}
	if trust := (*Rejected)(nil); errors.As(s.Verdict(io.Discard), &trust) {
		rej.Text += "\n" + trust.Text
	}
	return rej
}

// again checks the loaded program and Base anew.
func (s *Session) again() error {
	units, diags := module.NewLoader(".").File(s.file)
	book := core.NewBook()
	if len(diags) == 0 {
		diags = declare(book, units)
	}
	if len(diags) == 0 {
		step, end := s.progress.during("checking again", len(book.Events))
		defer end()
		diags = check.Again(book, s.interrupted, step)
	}
	if len(diags) > 0 {
		return &Rejected{Verdict: true, Diags: diags}
	}
	return nil
}

const proofsCheck = "ALL PROOFS CHECK"

// Verdict writes what the check of a program without main says, or returns the error
// that it relies on unsafe or foreign code.
func (s *Session) Verdict(w io.Writer) error { return s.verdict(w, false) }

func (s *Session) verdict(w io.Writer, twice bool) error {
	names := check.Verdict(s.book).Relies
	if len(names) == 0 {
		fmt.Fprintln(w, proofsCheck)
		if !twice {
			fmt.Fprintln(w, "Use --verdict for mathematical validity.")
		}
		return nil
	}
	text := fmt.Sprintf("Error: %d defs rely on unsafe or foreign code:", len(names))
	if len(names) == 1 {
		text = "Error: 1 def relies on unsafe or foreign code:"
	}
	for _, n := range names {
		text += "\n- " + core.ShowKey(n)
	}
	return &Rejected{Verdict: true, Text: text}
}

// HasMain reports whether the loaded program has something to run.
func (s *Session) HasMain() bool {
	d := s.ground.Defs["main"]
	return d != nil && d.Value != nil
}

// RunMain runs the main of the loaded program: an effect is performed, any other value
// is written to w. It returns the exit code.
func (s *Session) RunMain(ctx context.Context, w io.Writer) (int, error) {
	d := s.ground.Defs["main"]
	if d.Arity > 0 {
		return 0, s.printNormal(ctx, w, d.Value)
	}
	c := &typed{term: &core.Ref{Span: d.Span, Key: "main"}, ty: d.Type}
	o := &Outcome{}
	r, err := s.run(ctx, c, o)
	if err != nil {
		return 1, err
	}
	if r.kept {
		s.heap.Drop(r.word)
	}
	if !o.performed {
		if _, err := fmt.Fprintln(w, core.Print(r.value.Term, nil, core.PrintOptions{})); err != nil {
			return 1, nil // nobody reads on
		}
	}
	return o.Exit, nil
}

// printNormal writes the normal form of t, a function.
func (s *Session) printNormal(ctx context.Context, w io.Writer, t core.Term) error {
	m := norm.New(s.ground)
	m.Stop = func() bool { return ctx.Err() != nil }
	if err := m.Catch(func() { t = m.Quote(0, m.Eval(nil, t)) }); err != nil {
		return err
	}
	fmt.Fprintln(w, core.Print(t, nil, core.PrintOptions{}))
	return nil
}

// Dump writes what a def becomes: its core terms, or the flat form of it and of all it
// reaches.
func (s *Session) Dump(w io.Writer, form, key string) error {
	d := s.book.Defs[key]
	if d == nil {
		return fmt.Errorf("no def is named %s", key)
	}
	return s.dump(w, form, d)
}

// DumpExpr writes what an expression becomes, as Dump does.
func (s *Session) DumpExpr(w io.Writer, form string, src *syntax.Source) error {
	c, err := s.checkText(src)
	if err != nil {
		return err
	}
	return s.dump(w, form, &core.Def{Key: "it", Type: c.ty, Value: c.term, Checked: true})
}

func (s *Session) dump(w io.Writer, form string, d *core.Def) error {
	if form == "core" {
		fmt.Fprintf(w, "%s : %s\n", s.showKey(d.Key), s.Show(d.Type, 0))
		if d.Value != nil {
			fmt.Fprintf(w, "%s = %s\n", s.showKey(d.Key), s.Show(d.Value, 0))
		}
		return nil
	}
	p := flat.NewProgram()
	book := s.book.Fork()
	book.Defs[d.Key] = d
	if _, err := flat.Lower(book, p, d.Key); err != nil {
		return err
	}
	_, err := io.WriteString(w, p.Print())
	return err
}
