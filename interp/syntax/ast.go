package syntax

// This file holds the surface syntax tree: what the parser reads, before names
// are resolved and before anything is desugared. Every node carries the span of
// its text, so that errors, the formatter and the prompt can point at it.

// A Mark is the quantity mark in front of a binder.
type Mark byte

// The marks of a binder. Template marks compile-time parameters.
const (
	Plain    Mark = 0
	Erased   Mark = '-'
	Reusable Mark = '+'
	Template Mark = '~'
)

// A Name is an identifier as written, dots included.
type Name struct {
	Span
	Text string
}

// A File is one parsed source.
type File struct {
	Source   *Source
	Imports  []*Import
	Tops     []Top
	Comments []Span // all comments, in order, from '#' to the line end
	Todos    int    // ?TODO holes
}

// An Import is one import line. Base imports have no path and no alias.
type Import struct {
	Span
	Base  bool
	Path  Name // the path as written
	Alias Name
}

// A Top is a top-level declaration: *TypeDecl, *LawDecl or *DefDecl.
type Top interface {
	At() Span
	Declared() Name
}

// A Param is a binder of a type, a constructor, or a def. A bare name has a nil
// Type: in a declaration it means an erased Quant parameter, in a fill of a law it
// takes its type from the law.
type Param struct {
	Span
	Mark Mark
	Name Name
	Type Expr
}

// A TypeDecl declares a datatype.
type TypeDecl struct {
	Span
	Name   Name
	Params []Param
	Kind   Expr
	Ctors  []CtorDecl
}

// A CtorDecl declares one constructor of a datatype.
type CtorDecl struct {
	Span
	Name   Name
	Fields []Param
}

// A LawDecl states a law.
type LawDecl struct {
	Span
	Name    Name
	Clauses []Clause
	Claim   Expr
}

// A Clause is a "for" or an "exs" line of a law. Where is nil when absent.
type Clause struct {
	Span
	Exists bool
	Mark   Mark
	Name   Name
	Type   Expr
	Where  Expr
}

// A DefDecl is a definition, or the fill of a law when Result is nil. Body is nil
// for a foreign def, whose import paths are in Foreign.
type DefDecl struct {
	Span
	Name    Name
	Unsafe  bool // "@unsafe def f" or "def f?"
	Params  []Param
	Result  Expr
	Body    Expr
	Foreign []StringLit
}

func (s Span) At() Span { return s }

func (d *TypeDecl) Declared() Name { return d.Name }
func (d *LawDecl) Declared() Name  { return d.Name }
func (d *DefDecl) Declared() Name  { return d.Name }

// An Expr is a term, a pattern or a body; the node types below implement it.
// Match, LetPattern, LetNames and ArrayWrite occur only where a body may stand.
type Expr interface {
	At() Span
	expr()
}

// Atoms.
type (
	// Ident is a name in a term or a pattern, not resolved yet.
	Ident struct{ Name }
	// Number is a literal. Value is the number, or the bits of a binary32.
	Number struct {
		Span
		Kind  NumKind
		Value uint64
	}
	// NatPlus is "kn+Rest".
	NatPlus struct {
		Span
		K    uint64
		Rest Expr
	}
	// CharLit is 'c'; Code may be no Unicode scalar value.
	CharLit struct {
		Span
		Code uint32
	}
	// StringLit is "..."; one element a code point.
	StringLit struct {
		Span
		Codes []uint32
	}
	// Universe is the word Type, Data or Quant.
	Universe struct {
		Span
		Word string
	}
	// KindOf is Kind(Q).
	KindOf struct {
		Span
		Q Expr
	}
	// Quantity is &0, &1 or &2.
	Quantity struct {
		Span
		Q uint8
	}
	// Refl is {==}.
	Refl struct{ Span }
	// Hole is ?name.
	Hole struct {
		Span
		Name string
	}
)

// NumKind tells the three kinds of number literal apart.
type NumKind uint8

// The kinds of number literal: 42, 3n, 1.5.
const (
	U32 NumKind = iota
	Nat
	F32
)

// Types.
type (
	// Pi is @x:A -> B, with a mark.
	Pi struct {
		Span
		Mark Mark
		Name Name
		Dom  Expr
		Cod  Expr
	}
	// Exists is &x:A -> B.
	Exists struct {
		Span
		Name Name
		Dom  Expr
		Cod  Expr
	}
	// Equal is {A == B : T}, or {A != B : T} when Not.
	Equal struct {
		Span
		A, B Expr
		Not  bool
		Type Expr
	}
	// TypeInst is D<args>.
	TypeInst struct {
		Span
		Name Name
		Args []Expr
	}
)

// Terms.
type (
	// Infix is any infix operator of the table, "->", "&", "|", "<>" and "<&>" among them.
	Infix struct {
		Span
		Op     string
		OpSpan Span
		L, R   Expr
	}
	// PlusOf is a "+" in front of X: a reusable binder, or a +D<..> type.
	PlusOf struct {
		Span
		X Expr
	}
	// Annot is {x : T}.
	Annot struct {
		Span
		X    Expr
		Type Expr
	}
	// Paren is (body) or (body : T); Type is nil in the first form.
	Paren struct {
		Span
		X    Expr
		Type Expr
	}
	// Tuple is (a, b, ..) or (a, b : T) with at least two elements.
	Tuple struct {
		Span
		Elems []Expr
		Type  Expr
	}
	// List is [a, b].
	List struct {
		Span
		Elems []Expr
	}
	// ArrayLit is [v : T * n], or [v : T ^ d] when Depth.
	ArrayLit struct {
		Span
		Elem  Expr
		Type  Expr
		Depth bool
		Size  Expr
	}
	// Rewrite is %Eq : Motive; Rest, or %Name@Eq : Motive; Rest (Name nil in the first form).
	Rewrite struct {
		Span
		Name   *Name
		Eq     Expr
		Motive Expr
		Rest   Expr
	}
	// MatchLam is \{K: h; L: g; rest}; Rest is nil when absent.
	MatchLam struct {
		Span
		Arms []MatchLamArm
		Rest Expr
	}
	// MatchLamArm is one arm of a MatchLam.
	MatchLamArm struct {
		Ctor Name
		Body Expr
	}
	// Call is fn(args) or fn!(args). f() keeps a Call with no arguments.
	Call struct {
		Span
		Fn   Expr
		Bang bool
		Args []Arg
	}
	// Arg is one argument; Tilde marks ~x.
	Arg struct {
		Tilde bool
		X     Expr
	}
	// Index is x[i].
	Index struct {
		Span
		X, I Expr
	}
	// IndexSet is x[i] <- v as a term.
	IndexSet struct {
		Span
		X, I, V Expr
	}
	// CtorTerm is K{args}, a term or a pattern.
	CtorTerm struct {
		Span
		Name Name
		Args []Expr
	}
	// Lambda is x => body or +x => body. Type is the ignored type of (x : T) => body, or nil.
	Lambda struct {
		Span
		Mark  Mark
		Param Name
		Type  Expr
		Body  Expr
	}
	// Do is do M<args>: statements.
	Do struct {
		Span
		Monad Name
		Args  []Expr
		Stmts []DoStmt
	}
)

// DoKind tells the statements of a do block apart.
type DoKind uint8

// The statements of a do block.
const (
	DoBind   DoKind = iota // x : A <- v   (Name.Text is empty in the form A <- v)
	DoLet                  // x : A = v
	DoStep                 // v, followed by more
	DoReturn               // return v
	DoValue                // v as the last
)

// A DoStmt is one statement of a do block. Mark and Name are used by DoBind and
// DoLet, Type by those two.
type DoStmt struct {
	Span
	Kind  DoKind
	Mark  Mark
	Name  Name
	Type  Expr
	Value Expr
}

// Bodies.
type (
	// Match is match scrutinees: cases. It has no case when it is absurd.
	Match struct {
		Span
		Scruts []Expr
		Cases  []Case
	}
	// Case is one row of a Match.
	Case struct {
		Span
		Pats []Expr
		Body Expr
	}
	// LetPattern destructures: pattern = value; body.
	LetPattern struct {
		Span
		Pat   Expr
		Value Expr
		Body  Expr
	}
	// LetNames binds one name, or several in parallel. Erased is a leading "-".
	// Type is nil except in x : T = v.
	LetNames struct {
		Span
		Erased bool
		Names  []LetName
		Type   Expr
		Values []Expr
		Body   Expr
	}
	// LetName is a name of a LetNames, with its "+" mark if any.
	LetName struct {
		Mark Mark
		Name Name
	}
	// ArrayWrite is the statement x[i] <- v; body.
	ArrayWrite struct {
		Span
		Array Name
		I, V  Expr
		Body  Expr
	}
)

func (*Ident) expr()      {}
func (*Number) expr()     {}
func (*NatPlus) expr()    {}
func (*CharLit) expr()    {}
func (*StringLit) expr()  {}
func (*Universe) expr()   {}
func (*KindOf) expr()     {}
func (*Quantity) expr()   {}
func (*Refl) expr()       {}
func (*Hole) expr()       {}
func (*Pi) expr()         {}
func (*Exists) expr()     {}
func (*Equal) expr()      {}
func (*TypeInst) expr()   {}
func (*Infix) expr()      {}
func (*PlusOf) expr()     {}
func (*Annot) expr()      {}
func (*Paren) expr()      {}
func (*Tuple) expr()      {}
func (*List) expr()       {}
func (*ArrayLit) expr()   {}
func (*Rewrite) expr()    {}
func (*MatchLam) expr()   {}
func (*Call) expr()       {}
func (*Index) expr()      {}
func (*IndexSet) expr()   {}
func (*CtorTerm) expr()   {}
func (*Lambda) expr()     {}
func (*Do) expr()         {}
func (*Match) expr()      {}
func (*LetPattern) expr() {}
func (*LetNames) expr()   {}
func (*ArrayWrite) expr() {}
