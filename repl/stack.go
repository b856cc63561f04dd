package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/syntax"
	"bend/jit/lane"
)

// Stack evaluates an expression with every frame counted, and tells what was kept on
// the stack of the device. If the expression has no call marked "!", the call that it
// consists of runs as if it were marked; a run that fails is reported as far as it
// got.
func (s *Session) Stack(ctx context.Context, src *syntax.Source) (*StackReport, error) {
	x, d := syntax.ParseExpr(src)
	if d != nil {
		return nil, &Rejected{Diags: []*syntax.Diagnostic{d}}
	}
	names, binders := s.context()
	t, diags := elab.Expr(s.book, s.scope, names, x, elab.Options{Operators: true})
	if len(diags) > 0 {
		return nil, rejected(diags)
	}
	marked := hasBang(t)
	target := ""
	if !marked {
		target = s.markOutermost(t)
	}
	c, err := s.infer(t, binders)
	if err != nil {
		return nil, err
	}
	machine := s.machine
	defer func() { s.machine, s.lanes.profile, s.lanes.reports = machine, false, nil }()
	s.machine = s.machineWith(true)
	s.lanes.profile, s.lanes.reports = true, nil

	o := &Outcome{}
	r, err := s.run(ctx, c, o)
	rep := s.stackReport()
	rep.Notes = append(rep.Notes, o.Notes...)
	switch {
	case err != nil && ctx.Err() != nil:
		rep.Error = "interrupted"
	case err != nil:
		var rej *Rejected
		if errors.As(err, &rej) || s.lanes.reports == nil && rep.PeakWords == 0 {
			return nil, err
		}
		rep.Error, rep.full = err.Error(), stackFull(err)
		if note := laneNote(err); note != "" {
			rep.Error += "\n" + note
		}
	case !r.value.Unit:
		rep.Result = s.Show(r.value.Term, promptElems) + " : " + s.Show(r.value.Type, 0)
		if r.kept {
			s.heap.Drop(r.word)
		}
	}
	if err == nil {
		s.consume(c, o, x.At().Text())
	}
	if target != "" && len(s.lanes.reports) > 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("ran as if it were marked: %s!(..)", target))
	}
	if n := len(s.lanes.reports); n > 1 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("%d calls ran on lanes: this is the deepest one", n))
	}
	return rep, nil
}

// stackFull reports whether a run failed for want of stack.
func stackFull(err error) bool {
	var l *lane.Error
	if errors.As(err, &l) {
		return l.Code == lane.Overflow
	}
	var e *eval.Error
	return errors.As(err, &e) && e.Kind == eval.TooDeep
}

// stackReport returns what the deepest call on lanes kept, or else the interpreter.
func (s *Session) stackReport() *StackReport {
	if r := s.lanes.deepest(); r != nil {
		rep := &StackReport{
			Device: r.Device, LaneWords: r.LaneWords, BottomWords: r.Bottom, Policy: r.Policy.String(),
			PeakWords: r.PeakWords, Spills: r.Spills, Restores: r.Restores,
			SpillDepth: r.Blocks, SpillBytes: r.BlockBytes, Shares: r.Shares, Trace: r.Trace,
		}
		rep.Jobs, rep.Joins = r.Jobs, r.Joins
		if len(r.Lanes) > 1 {
			for _, l := range r.Lanes {
				rep.Lanes = append(rep.Lanes, StackLane(l))
			}
		}
		for _, l := range r.Levels {
			depth := l.Depth
			if !r.Profiled {
				depth = uncounted
			}
			rep.Defs = append(rep.Defs, StackDef{Name: l.Name, Words: l.Words, Keeps: s.keeps(l.Name, l.Words), Fits: l.Fits, Depth: depth})
		}
		if !r.Profiled {
			rep.Notes = append(rep.Notes, fmt.Sprintf("the lanes of %s do not count levels: those of cpu do", r.Device))
		}
		return rep
	}
	r := s.machine.Report()
	rep := &StackReport{Device: "the interpreter", BottomWords: 3, Policy: "none", PeakWords: r.PeakWords}
	for _, d := range r.Defs {
		name := d.Name
		if strings.HasPrefix(name, lineDef) {
			name = "the expression"
		}
		rep.Defs = append(rep.Defs, StackDef{Name: name, Words: d.Words, Keeps: s.keeps(d.Name, d.Words), Depth: d.Depth, Fits: fits(s.settings.LaneWords, 3, d.Words)})
	}
	return rep
}

func hasBang(t core.Term) bool {
	found := false
	core.Walk(t, func(t core.Term, _ int) {
		if r, ok := t.(*core.Ref); ok && r.Bang {
			found = true
		}
	})
	return found
}

// markOutermost marks the call of a def that t consists of, and returns the def's
// name; "" if t is no such call.
func (s *Session) markOutermost(t core.Term) string {
	for {
		switch u := t.(type) {
		case *core.App:
			t = u.Fn
		case *core.Ann:
			t = u.X
		case *core.Ref:
			if d := s.book.Defs[u.Key]; d == nil || d.Value == nil {
				return ""
			}
			u.Bang = true
			return s.showKey(u.Key)
		default:
			return ""
		}
	}
}

// Frames tells, without running it, what a def keeps on the stack: one report for
// each of its calls that is not a tail call.
func (s *Session) Frames(name string) ([]FrameReport, error) {
	d := s.defOf(name)
	switch {
	case d == nil:
		return nil, fmt.Errorf("no def is named %s", name)
	case d.Templates > 0:
		return nil, fmt.Errorf("%s is a template: it keeps nothing before it is called with its ~ arguments; ask for a def that calls it", name)
	case d.Open():
		return nil, fmt.Errorf("%s is a law that is still open", name)
	}
	id, err := flat.Lower(s.book, s.prog, d.Key)
	if err != nil {
		return nil, err
	}
	var out []FrameReport
	seen := map[flat.DefID]bool{}
	var visit func(id flat.DefID)
	visit = func(id flat.DefID) {
		fd := s.prog.Def(id)
		if seen[id] {
			return
		}
		seen[id] = true
		flat.Walk(fd.Body, func(c flat.Code) {
			switch u := c.(type) {
			case *flat.Cut:
				out = append(out, s.frame(fd, u.Frame, u.Call, nil))
			case *flat.Fork:
				var back []flat.Var
				for i, call := range u.Calls {
					out = append(out, s.frame(fd, u.Frame, call, back))
					back = append(back, u.Dsts[i])
				}
			case *flat.Closure:
				if inner := s.prog.Fns[u.Fn].Def; s.prog.Def(inner).Name == fd.Name {
					visit(inner) // a lambda of this def
				}
			}
		})
	}
	visit(id)
	return out, nil
}

// widest returns the frame of a def that has most words, nil if it has none.
func (s *Session) widest(name string) *FrameReport {
	frames, err := s.Frames(name)
	if err != nil || len(frames) == 0 {
		return nil
	}
	f := slices.MaxFunc(frames, func(a, b FrameReport) int { return cmp.Compare(a.Words, b.Words) })
	return &f
}

// keeps names what is in the frames of a def that have some words, as far as that is known.
func (s *Session) keeps(name string, words int) (all [][]string) {
	frames, err := s.Frames(name)
	if err != nil {
		return nil
	}
	for _, f := range frames {
		kept := f.keeps()
		if f.Words == words && !slices.ContainsFunc(all, func(k []string) bool { return slices.Equal(k, kept) }) {
			all = append(all, kept)
		}
	}
	return all
}

// frame describes the frame of a call that waits while back holds the results of the
// calls of its fork that have returned.
func (s *Session) frame(d *flat.Def, f *flat.Frame, call flat.Call, back []flat.Var) FrameReport {
	r := FrameReport{Words: f.Words + len(back)}
	for _, v := range f.Caps {
		r.Values = append(r.Values, valueName(d, v))
	}
	for _, v := range back {
		r.Values = append(r.Values, valueName(d, v))
	}
	sp := call.Span
	if !sp.Valid() {
		sp = f.Span
	}
	r.Fits = fits(s.settings.LaneWords, 3, r.Words)
	if sp.Valid() {
		line, _ := sp.Src.Line(sp.Start)
		r.Call = clip(strings.Join(strings.Fields(sp.Text()), " "), 40)
		r.Place = fmt.Sprintf("%s:%d", sp.Src.Name, line)
		r.Line = strings.TrimSpace(sp.Src.LineText(line))
	}
	return r
}

func valueName(d *flat.Def, v flat.Var) string {
	if n := d.Vars[v].Name; n != "" && n != "_" {
		return n
	}
	return "an intermediate result"
}

// clip shortens text to at most n characters, n >= 1.
func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
