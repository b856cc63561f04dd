package repl

import (
	"fmt"
	"io"
	"strings"

	"bend/interp/core"
	"bend/interp/syntax"
	"bend/stdlib"
)

// WriteBase writes the text of Base or, with types set, the names of its declarations and
// their types, one a line.
func (s *Session) WriteBase(w io.Writer, types bool) error {
	if !types {
		for i, f := range stdlib.Files() {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if _, err := io.WriteString(w, f.Text); err != nil {
				return err
			}
		}
		return nil
	}
	seen := map[string]bool{}
	for _, e := range s.base.Events {
		line, name := "", ""
		switch {
		case e.Type != nil:
			name, line = e.Type.Key, s.kindLine(e.Type)
		case e.Law != nil:
			name, line = e.Law.Key, s.typeLine(e.Law)
		case e.Def != nil:
			name, line = e.Def.Key, s.typeLine(e.Def)
		}
		if !seen[name] {
			seen[name] = true
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteDeclaration writes one declaration of Base, the loaded file or the prompt: its
// comment and its text or, with types set, its name and its type alone.
func (s *Session) WriteDeclaration(w io.Writer, name string, types bool) error {
	var span syntax.Span
	var line string
	switch d, t, k := s.defOf(name), s.book.Types[name], s.book.Ctors[name]; {
	case d != nil:
		span, line = d.Source, s.typeLine(d)
	case t != nil:
		span, line = t.Source, s.kindLine(t)
	case k != nil:
		span, line = k.Data.Source, s.kindLine(k.Data)
	default:
		hint := core.DidYouMean(s.book, name)
		if hint != "" {
			hint = ": " + hint
		}
		return fmt.Errorf("nothing is declared as %s%s", name, hint)
	}
	if types {
		_, err := fmt.Fprintln(w, line)
		return err
	}
	_, err := fmt.Fprintln(w, comment(span)+strings.TrimRight(span.Text(), " \n"))
	return err
}

func (s *Session) typeLine(d *core.Def) string { return d.Key + " : " + s.Show(d.Type, 0) }

// kindLine shows a datatype with its parameters and its kind.
func (s *Session) kindLine(t *core.Datatype) string {
	kind := t.Kind
	for i := len(t.Params) - 1; i >= 0; i-- {
		p := t.Params[i]
		kind = &core.All{Q: p.Q, Name: p.Name, Dom: p.Type, Cod: kind}
	}
	return t.Key + " : " + s.Show(kind, 0)
}

// comment returns the lines of comment right above a declaration.
func comment(span syntax.Span) string {
	lines := strings.SplitAfter(span.Src.Text[:span.Start], "\n")
	lines = lines[:len(lines)-1] // what stands before the declaration on its own line
	first := len(lines)
	for first > 0 && strings.HasPrefix(lines[first-1], "#") {
		first--
	}
	return strings.Join(lines[first:], "")
}
