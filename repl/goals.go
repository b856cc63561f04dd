package repl

import (
	"context"
	"fmt"
	"io"
	"slices"

	"bend/interp/core"
	"bend/interp/syntax"
)

// Goals writes the holes ?TODO of all defs outside Base, each with the type that is wanted
// and the names that there are, and the laws that are open; of some defs, if any are
// named, it writes the holes only. It returns how many there are.
func (s *Session) Goals(w io.Writer, of ...Defined) (n int) {
	for _, e := range s.book.Events[len(s.base.Events):] {
		d := e.Def
		if d == nil {
			d = e.Law
		}
		if d == nil || len(of) > 0 && !slices.ContainsFunc(of, func(o Defined) bool { return o.Name == s.showKey(d.Key) }) {
			continue
		}
		if now := s.book.Defs[d.Key]; e.Law != nil && now.Open() && len(of) == 0 {
			n++
			fmt.Fprintf(w, "law %s : %s\n", s.showKey(d.Key), s.Show(d.Type, 0))
		}
		if e.Def == nil || d.Value == nil {
			continue
		}
		core.Walk(d.Value, func(t core.Term, _ int) {
			if h, ok := t.(*core.Hole); ok && h.Goal != nil {
				n++
				writeGoal(w, h.Goal)
			}
		})
	}
	return n
}

func writeGoal(w io.Writer, g *syntax.Diagnostic) {
	line, _ := g.Span.Src.Line(g.Span.Start)
	fmt.Fprintf(w, "%s : %s   # in %s, %s:%d\n", g.Observed, g.Expected, g.Def, g.Span.Src.Name, line)
	width := 0
	for _, b := range g.Context {
		width = max(width, len(b.Name))
	}
	for _, b := range g.Context {
		fmt.Fprintf(w, "  %-*s : %s\n", width, b.Name, b.Type)
	}
}

func (c *Console) goals(context.Context, string) error {
	n := c.listing(func(w io.Writer) int { return c.session.Goals(w) })
	c.none(n, "nothing is left to do")
	return nil
}

// check gives the verdict on the laws of the session.
func (c *Console) check(context.Context, string) error {
	if n := c.session.Goals(io.Discard); n > 0 {
		return fmt.Errorf("not done yet: %s left (see :goals)", count(n, "goal"))
	}
	if err := c.session.Verdict(io.Discard); err != nil {
		return err
	}
	fmt.Fprintln(c.out, proofsCheck)
	return nil
}
