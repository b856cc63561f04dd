package repl

import (
	"errors"
	"slices"

	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// A chunk is one declaration that was typed, or the files that an import line brought.
type chunk struct {
	name  string // "" for imports
	fill  bool   // a def that fills a law
	units []*module.Unit
}

// A Defined is one name that a text declared.
type Defined struct {
	Name     string
	Replaced bool
}

// define adds what file declares. A name that was typed before is replaced, and what
// uses it is checked again. On errors nothing changes.
func (s *Session) define(src *syntax.Source, file *syntax.File, o *Outcome) error {
	scope := s.scope
	chunks := slices.Clone(s.chunks)
	if len(file.Imports) > 0 {
		units, aliases, err := s.imports(src)
		if err != nil {
			return err
		}
		if len(units) > 0 {
			chunks = append(chunks, &chunk{units: units})
		}
		scope = &module.Unit{File: &syntax.File{}, Namespace: s.scope.Namespace, Aliases: aliases}
	}
	plain := true
	for _, t := range file.Tops {
		d, isDef := t.(*syntax.DefDecl)
		c := &chunk{name: t.Declared().Text, fill: isDef && d.Result == nil}
		one := *file
		one.Tops, one.Imports, one.Todos = []syntax.Top{t}, nil, 0
		c.units = []*module.Unit{{File: &one, Namespace: scope.Namespace, Aliases: scope.Aliases}}
		var replaced bool
		var users []string
		chunks, replaced, users = s.place(chunks, c)
		plain = plain && !replaced
		o.Defined = append(o.Defined, Defined{c.name, replaced})
		o.Rechecked = append(o.Rechecked, users...)
	}
	var book *core.Book
	var err error
	if plain {
		book, err = s.extend(s.book, chunks[len(s.chunks):])
	} else {
		book, err = s.rebuild(chunks)
	}
	if err != nil {
		return s.explainVariables(err)
	}
	s.book, s.chunks, s.scope = book, chunks, scope
	return nil
}

// explainVariables says of an unknown name that it is a prompt variable, if it is one.
func (s *Session) explainVariables(err error) error {
	var r *Rejected
	if !errors.As(err, &r) {
		return err
	}
	for _, d := range r.Diags {
		if d.Code == "unknown-name" && s.variable(d.Span.Text()) != nil {
			d.Expected, d.Observed = "", ""
			d.Message = d.Span.Text() + " is a prompt variable: a definition cannot mention it"
			d.Hint = "give the definition a parameter for it"
		}
	}
	return err
}

// imports loads the files that the import lines of a text ask for, and returns the
// aliases that hold from then on.
func (s *Session) imports(src *syntax.Source) ([]*module.Unit, map[string]string, error) {
	units, diags := s.loader.Text(src)
	if len(diags) > 0 {
		return nil, nil, rejected(diags)
	}
	own := units[len(units)-1]
	aliases := map[string]string{}
	for a, ns := range s.scope.Aliases {
		aliases[a] = ns
	}
	for a, ns := range own.Aliases {
		aliases[a] = ns
	}
	return units[:len(units)-1], aliases, nil
}

// place puts c among the chunks: at the end, or, if it replaces one, behind all that
// do not depend on the old one and before all that do.
func (s *Session) place(chunks []*chunk, c *chunk) (out []*chunk, replaced bool, users []string) {
	var others []*chunk
	for _, old := range chunks {
		if old.name == c.name && (old.fill || !c.fill) {
			replaced = true
			continue
		}
		others = append(others, old)
	}
	if !replaced {
		return append(others, c), false, nil
	}
	depends := s.dependents(others, c.name)
	var after []*chunk
	for _, old := range others {
		if old.name != "" && depends[old.name] {
			after = append(after, old)
			users = append(users, old.name)
		} else {
			out = append(out, old)
		}
	}
	return append(append(out, c), after...), true, slices.Compact(users)
}

// dependents returns the names among chunks whose declarations mention name, directly
// or through others.
func (s *Session) dependents(chunks []*chunk, name string) map[string]bool {
	tainted := map[string]bool{name: true}
	for _, c := range s.book.Ctors {
		if c.Data.Key == name {
			tainted[c.Key] = true
		}
	}
	for grew := true; grew; {
		grew = false
		for _, c := range chunks {
			if c.name == "" || tainted[c.name] {
				continue
			}
			s.terms(c.name, func(t core.Term) {
				core.Mentions(t, func(key string) {
					if tainted[key] && !tainted[c.name] {
						tainted[c.name], grew = true, true
						if d := s.book.Types[c.name]; d != nil {
							for _, k := range d.Ctors {
								tainted[k.Key] = true
							}
						}
					}
				})
			})
		}
	}
	return tainted
}

// terms visits the terms of the declaration of the given key.
func (s *Session) terms(key string, visit func(core.Term)) {
	if d := s.book.Defs[key]; d != nil {
		visit(d.Type)
		visit(d.Value)
	}
	if d := s.book.Types[key]; d != nil {
		visit(d.Kind)
		for _, f := range d.Params {
			visit(f.Type)
		}
		for _, c := range d.Ctors {
			for _, f := range c.Fields {
				visit(f.Type)
			}
		}
	}
}

// rebuild returns the book of the ground and the given chunks.
func (s *Session) rebuild(chunks []*chunk) (*core.Book, error) { return s.extend(s.ground, chunks) }

// extend returns a book that holds what b does and the given chunks, checked.
func (s *Session) extend(b *core.Book, chunks []*chunk) (*core.Book, error) {
	book := forkBook(b)
	from := len(book.Events)
	var diags []*syntax.Diagnostic
	for _, c := range chunks {
		for _, u := range c.units {
			diags = append(diags, elab.Add(book, u)...)
		}
	}
	if len(diags) == 0 {
		diags = s.checkEvents(book, from)
	}
	if err := rejected(diags); err != nil {
		return nil, err
	}
	return book, nil
}
