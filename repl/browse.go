package repl

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"bend/interp/flat"
	"bend/interp/syntax"
)

// A listed is a declaration as a list shows it.
type listed struct {
	name, line string
	span       syntax.Span
}

// declarations returns what is declared by names that fit, in the order of the names.
func (s *Session) declarations(fits func(name string) bool) []listed {
	found := map[string]listed{}
	for key, d := range s.book.Defs {
		name := s.showKey(key)
		if fits(name) && d.Type != nil && !strings.ContainsAny(name, "~<") && d.Template == "" {
			found[name] = listed{name, name + " : " + s.Show(d.Type, 0), d.Source}
		}
	}
	for key, d := range s.book.Types {
		if name := s.showKey(key); fits(name) {
			found[name] = listed{name, s.kindLine(d), d.Source}
		}
	}
	var out []listed
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

// Browse writes the names that begin with a prefix, with their types; with an empty one
// those that were typed or loaded.
func (s *Session) Browse(w io.Writer, prefix string) (n int) {
	for _, l := range s.declarations(func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		if prefix == "" && s.isBase(l.name) {
			continue
		}
		fmt.Fprintln(w, l.line)
		n++
	}
	return n
}

func (s *Session) isBase(name string) bool {
	d, t := s.book.Defs[name], s.book.Types[name]
	return d != nil && d.Base || t != nil && t.Base
}

// Doc writes the comment above a declaration, without its marks, and its type.
func (s *Session) Doc(w io.Writer, name string) error {
	if err := s.WriteDeclaration(w, name, true); err != nil {
		return err
	}
	var span syntax.Span
	if d := s.defOf(name); d != nil {
		span = d.Source
	} else if t := s.book.Types[name]; t != nil {
		span = t.Source
	} else if k := s.book.Ctors[name]; k != nil {
		span = k.Data.Source
	}
	if !span.Valid() {
		return nil
	}
	for line := range strings.Lines(comment(span)) {
		fmt.Fprint(w, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
	}
	return nil
}

// Flat writes what a def becomes: its steps, which of its calls are tails, cuts and
// forks, and the words that each keeps.
func (s *Session) Flat(w io.Writer, name string) error {
	d := s.defOf(name)
	if d == nil {
		return fmt.Errorf("no def is named %s", name)
	}
	id, err := flat.Lower(s.book, s.prog, d.Key)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s.prog.PrintDef(s.prog.Def(id)))
	return err
}

// Save writes what was typed, as a program that can be loaded.
func (s *Session) Save(w io.Writer) error {
	fmt.Fprintln(w, "import Base")
	for _, c := range s.chunks {
		for _, u := range c.units {
			for _, top := range u.File.Tops {
				if c.name != "" {
					fmt.Fprintf(w, "\n%s%s\n", comment(top.At()), strings.TrimRight(top.At().Text(), " \n"))
				}
			}
		}
	}
	return nil
}

// Variables writes the variables of the prompt and their types, and of those that are
// used up where they went.
func (s *Session) Variables(w io.Writer) (n int) {
	for _, v := range s.vars {
		fmt.Fprintf(w, "%s : %s", v.name, s.Show(v.ty, 0))
		switch {
		case v.usedBy != "":
			fmt.Fprintf(w, "   (used up by %s)", strings.TrimSpace(v.usedBy))
		case !v.data && !v.gone:
			fmt.Fprint(w, "   (can be used once)")
		}
		fmt.Fprintln(w)
	}
	return len(s.vars)
}

// none is what a list says that has nothing in it.
func (c *Console) none(n int, what string) {
	if n == 0 {
		fmt.Fprintln(c.out, what)
	}
}

func (c *Console) show(context.Context, string) error {
	n := c.session.Variables(c.out)
	n += c.listing(func(w io.Writer) int { return c.session.Browse(w, "") })
	c.none(n, "nothing was bound, defined or loaded")
	return nil
}

// listing shows Bend that write writes, in colours.
func (c *Console) listing(write func(io.Writer) int) int {
	var b strings.Builder
	n := write(&b)
	io.WriteString(c.out, c.paint.code(b.String()))
	return n
}

func (c *Console) browse(_ context.Context, arg string) error {
	c.none(c.listing(func(w io.Writer) int { return c.session.Browse(w, arg) }), "no name begins with "+arg)
	return nil
}

func (c *Console) doc(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected a name after :doc, as in :doc List.map")
	}
	return c.session.Doc(c.out, arg)
}

func (c *Console) flat(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected the name of a def after :flat, as in :flat Nat.min")
	}
	return c.session.Flat(c.out, arg)
}
