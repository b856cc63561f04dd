// Package core holds terms after desugaring, the book of declarations made of
// them, and their printing back in surface syntax.
//
// Variables are de Bruijn indices: Var 0 is the innermost binder. A def's value is
// a case tree: lambdas and matches, one after the other, that consume the def's
// parameters from left to right, and leaves that hold no match.
//
// The checker writes what erasure needs to know into the nodes it visits (the
// fields named in a comment "set by the checker"); it visits each node of a live
// term once, so a term must not be shared between two places of live code.
package core

import "bend/interp/syntax"

// A Quantity says how often a binder may be used in live code.
type Quantity uint8

// The quantities: erased "-", plain, reusable "+". As values of type Quant they
// are &0, &1 and &2.
const (
	None Quantity = iota
	Lone
	Many
)

// A Rep tells how a run-time value is represented, as far as its type says.
type Rep uint8

// RepBox is a value about which nothing is known: it may be a node of the heap,
// with an owner. RepRaw never is: a number, a Char, a constructor of a datatype
// without fields. RepGone has no run-time value at all (types, proofs).
const (
	RepBox Rep = iota
	RepRaw
	RepGone
)

// A Term is a core term.
type Term interface {
	At() syntax.Span
	term()
}

// Span is the place of a node; every node embeds it.
type Span = syntax.Span

// The nodes. A node without own documentation is the form of the same name in the
// language reference.
type (
	// Var is a bound variable by de Bruijn index; Name is for printing.
	Var struct {
		Span
		Name string
		Ix   int
	}
	// Ref is a top-level name by key. Bang is the mark of f!(..). Inst is the key of
	// the template instance that a live call was resolved to (set by the checker).
	Ref struct {
		Span
		Key  string
		Bang bool
		Inst string
	}
	// Kind is Kind(Q); Type is Kind(&1), Data is Kind(&2).
	Kind struct {
		Span
		Q Term
	}
	// Quant is the type of quantities.
	Quant struct{ Span }
	// Qty is &0, &1 or &2.
	Qty struct {
		Span
		Q Quantity
	}
	// Meet is A <&> B.
	Meet struct {
		Span
		A, B Term
	}
	// All is @q x:Dom -> Cod; Name is "_" for an arrow.
	All struct {
		Span
		Q    Quantity
		Name string
		Dom  Term
		Cod  Term // under one binder
	}
	// Lam is x => Body. Plus is a written "+". BSpan is the binder's span. Q and Rep
	// are set by the checker.
	Lam struct {
		Span
		Name  string
		BSpan Span
		Plus  bool
		Body  Term // under one binder
		Q     Quantity
		Rep   Rep
	}
	// App is Fn applied to one argument. Tilde marks an argument written with "~".
	// Q is the quantity of the function's binder, ResRep the representation of the
	// result (both set by the checker).
	App struct {
		Span
		Fn, Arg Term
		Tilde   bool
		Q       Quantity
		ResRep  Rep
	}
	// ADT is an instance of a datatype with all its parameters. Removed holds the keys
	// of the constructors that an outer match has excluded; no source has any.
	ADT struct {
		Span
		Key     string
		Args    []Term
		Removed []string
	}
	// Ctr is a constructor with all its fields.
	Ctr struct {
		Span
		Key  string
		Args []Term
	}
	// Lit is a literal of kind U32, Nat or F32 (its bits).
	Lit struct {
		Span
		Kind syntax.NumKind
		N    uint64
		// Unfold: the goal is not Base's own type, so the literal stands for its
		// constructor tree at run time too (set by the checker).
		Unfold bool
	}
	// Str is a String literal whose code points are all Unicode scalar values.
	Str struct {
		Span
		Codes  []uint32
		Unfold bool // as in Lit
	}
	// Mat is \{Key: Hit; Miss}: a function that inspects its argument. Hit takes the
	// fields, Miss the whole argument. Name is the name of what is inspected, for
	// messages. Dead says that Miss can never be reached and was not checked; Q is
	// the quantity of the inspected binder (both set by the checker).
	Mat struct {
		Span
		Key  string
		Name string
		Hit  Term
		Miss Term
		Dead bool
		Q    Quantity
	}
	// Efq is \{}, the match without cases.
	Efq struct{ Span }
	// Eql is {A == B : T}.
	Eql struct {
		Span
		A, B, T Term
	}
	// Rfl is {==}.
	Rfl struct{ Span }
	// Rwt is %Name@Eq : Motive; Body. Motive is under two binders: the right endpoint
	// "_", then the equation Name ("" in the short form).
	Rwt struct {
		Span
		Name   string
		Eq     Term
		Motive Term
		Body   Term
	}
	// Let binds Names in parallel: Vals stand outside all of them, Body under all
	// (the last name is Var 0). Qs are written marks. Reps are set by the checker.
	Let struct {
		Span
		Names  []string
		BSpans []Span
		Qs     []Quantity
		Vals   []Term
		Body   Term
		Reps   []Rep
	}
	// Ann is {X : T}.
	Ann struct {
		Span
		X, T Term
	}
	// Hole is ?name. Goal, with the type that is wanted and the context, is set by the
	// checker where it lets a hole pass.
	Hole struct {
		Span
		Name string
		Goal *syntax.Diagnostic
	}
)

func (*Var) term()   {}
func (*Ref) term()   {}
func (*Kind) term()  {}
func (*Quant) term() {}
func (*Qty) term()   {}
func (*Meet) term()  {}
func (*All) term()   {}
func (*Lam) term()   {}
func (*App) term()   {}
func (*ADT) term()   {}
func (*Ctr) term()   {}
func (*Lit) term()   {}
func (*Str) term()   {}
func (*Mat) term()   {}
func (*Efq) term()   {}
func (*Eql) term()   {}
func (*Rfl) term()   {}
func (*Rwt) term()   {}
func (*Let) term()   {}
func (*Ann) term()   {}
func (*Hole) term()  {}
