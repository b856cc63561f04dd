package core

import (
	"maps"
	"strings"

	"bend/interp/syntax"
)

// A Book is everything that was declared: by all loaded files, in load order.
type Book struct {
	Types  map[string]*Datatype
	Ctors  map[string]*Ctor
	Defs   map[string]*Def // defs, laws and abstract types
	Events []Event         // in checking order
	Todos  int             // ?TODO holes met while elaborating

	// Files tells how each file of a program, Base aside, writes the names of others.
	Files map[*syntax.Source]Naming

	// Instances holds the key of the instance of each template, by the template's key
	// and the text of its arguments (set by the checker).
	Instances map[string]string
}

// NewBook returns an empty book.
func NewBook() *Book {
	return &Book{
		Types: map[string]*Datatype{}, Ctors: map[string]*Ctor{}, Defs: map[string]*Def{},
		Files: map[*syntax.Source]Naming{}, Instances: map[string]string{},
	}
}

// A Naming is how a file writes names: those of its own namespace bare, and those of
// the namespaces that it has an alias for behind that.
type Naming struct {
	Namespace string
	Aliases   map[string]string // alias -> namespace
}

// Show returns the key of a declaration as the file writes it.
func (n Naming) Show(key string) string {
	ns, name, ok := strings.Cut(key, ":")
	switch {
	case !ok:
		return key
	case ns == n.Namespace:
		return name
	}
	best := ns
	for alias, to := range n.Aliases {
		if to == ns && (best == ns || alias < best) {
			best = alias
		}
	}
	return best + "." + name
}

// Fork returns a book that shares all declarations of b and can be added to
// without changing b.
func (b *Book) Fork() *Book {
	n := NewBook()
	maps.Copy(n.Types, b.Types)
	maps.Copy(n.Ctors, b.Ctors)
	maps.Copy(n.Defs, b.Defs)
	maps.Copy(n.Files, b.Files)
	maps.Copy(n.Instances, b.Instances)
	n.Events = append(n.Events, b.Events...)
	n.Todos = b.Todos
	return n
}

// An Event is one step of checking: exactly one of the fields is set. A law that
// is filled later gives two events: Law at its statement, Def at its fill.
type Event struct {
	Type *Datatype
	Law  *Def // check the type only
	Def  *Def // check the value against the type; and the type too, unless the def fills a law
}

// A Field is one binder of a telescope; Type stands under the binders before it.
type Field struct {
	Name string
	Q    Quantity
	Type Term
	Span syntax.Span
}

// A Datatype is a declared family of values.
type Datatype struct {
	Key    string
	Params []Field
	Kind   Term // under the parameters
	Ctors  []*Ctor
	Quants int  // leading parameters of type Quant
	Base   bool // declared by the Base library
	Span   syntax.Span
	Source syntax.Span // the whole declaration
}

// A Ctor is one constructor. Its fields stand under the datatype's parameters.
type Ctor struct {
	Key    string
	Data   *Datatype
	Index  int
	Fields []Field
	Span   syntax.Span
}

// A Def is a top-level def, law or abstract type.
type Def struct {
	Key       string
	Type      Term
	Value     Term // nil while open, or native, or foreign
	Arity     int  // names in its parameter list (clauses before the first exs for a law)
	Templates int  // leading "~" parameters
	Params    []string
	Law       bool // stated by "law", filled or not
	Fills     bool // its value came from a def that fills the law
	Unsafe    bool
	Base      bool
	Foreign   []string // import paths of a foreign def
	Checked   bool     // its body has passed: it unfolds (set by the checker)
	ResRep    Rep      // representation of a saturated call's result (set by the checker)
	Template  string   // of an instance: the key of its template
	Span      syntax.Span
	Source    syntax.Span // the whole declaration, for excerpts and :source
}

// Open reports whether the def has neither a body nor a foreign one nor a native.
func (d *Def) Open() bool { return d.Value == nil && len(d.Foreign) == 0 && !d.Base }
