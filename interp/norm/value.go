// Package norm evaluates core terms for the checker: lazily, with shared cells, to
// weak head normal form; reads values back as terms; and compares values.
//
// A value stands for a term in an environment. Free variables are de Bruijn levels, so
// a value means the same under any number of further binders. Three forms are not yet
// in weak head normal form and are updated in place when they are: a Thunk, a Neu (an
// application that may or may not be able to step) and a Rwt. A Neu whose head is a
// name steps only by unfolding a def, so it can also be compared as it stands, before
// anything is unfolded.
package norm

import (
	"bend/interp/core"
	"bend/interp/syntax"
)

// A Value is what a term evaluates to.
type Value interface{ value() }

// The forms of values. Each has the meaning of the core term of the same name.
type (
	// Thunk is a shared cell: a term waiting in its environment, or its value. The
	// call that it stood for is kept beside its normal form, unless that is small:
	// two calls are compared most quickly by their arguments.
	Thunk struct {
		env  *Env
		term core.Term
		val  Value
		done bool // val is in weak head normal form
		call *Neu
	}
	// Neu is Head applied to Args.
	Neu struct {
		Head Value
		Args []Value
		res  Value
		done bool // res is the weak head normal form: the node itself if it is stuck
	}
	// Var is a free variable, by level.
	Var struct {
		Level int
		Name  string
	}
	// Ref is a top-level def.
	Ref struct {
		Def  *core.Def
		Bang bool
	}
	// Lam is a function: a term under one binder and its environment.
	Lam struct {
		env  *Env
		term *core.Lam
	}
	// Mat is a match that waits for its argument.
	Mat struct {
		env  *Env
		term *core.Mat
	}
	// All is a function type; Cod gives the type of the result for an argument.
	All struct {
		Q    core.Quantity
		Name string
		Dom  Value
		Cod  func(Value) Value
	}
	// Kind is Kind(Q).
	Kind struct{ Q Value }
	// Quant is the type of quantities.
	Quant struct{}
	// Qty is a quantity.
	Qty struct{ Q core.Quantity }
	// Meet is A <&> B.
	Meet struct{ A, B Value }
	// ADT is an instance of a datatype.
	ADT struct {
		Data    *core.Datatype
		Args    []Value
		Removed CtorSet
	}
	// Ctr is a constructor with its fields.
	Ctr struct {
		Ctor *core.Ctor
		Args []Value
	}
	// Lit is a number literal.
	Lit struct {
		Kind syntax.NumKind
		N    uint64
	}
	// Str is a String literal.
	Str struct{ Codes []uint32 }
	// Word is the chain of the Left lowest bits of a U32 or F32 literal.
	Word struct {
		Bits uint32
		Left int
	}
	// Succs is N successors of Base's Nat around T; N is at least 1.
	Succs struct {
		N uint64
		T Value
	}
	// Efq is the match without cases.
	Efq struct{}
	// Eql is an equality type.
	Eql struct{ A, B, T Value }
	// Rfl is {==}.
	Rfl struct{}
	// Rwt is a rewrite whose evidence may or may not reduce.
	Rwt struct {
		env  *Env
		term *core.Rwt
		Eq   Value
	}
	// Hole is ?name.
	Hole struct{ Name string }
)

func (*Thunk) value() {}
func (*Neu) value()   {}
func (*Var) value()   {}
func (*Ref) value()   {}
func (*Lam) value()   {}
func (*Mat) value()   {}
func (*All) value()   {}
func (*Kind) value()  {}
func (*Quant) value() {}
func (*Qty) value()   {}
func (*Meet) value()  {}
func (*ADT) value()   {}
func (*Ctr) value()   {}
func (*Lit) value()   {}
func (*Str) value()   {}
func (*Word) value()  {}
func (*Succs) value() {}
func (*Efq) value()   {}
func (*Eql) value()   {}
func (*Rfl) value()   {}
func (*Rwt) value()   {}
func (*Hole) value()  {}

// An Env gives the values of the variables in scope, innermost first; nil is empty.
type Env struct {
	val Value
	up  *Env
}

// Push returns e with v as its innermost variable.
func (e *Env) Push(v Value) *Env { return &Env{v, e} }

// At returns the value of the variable with index ix.
func (e *Env) At(ix int) Value {
	for ; ix > 0; ix-- {
		e = e.up
	}
	return e.val
}

// Kinds and quantities that are used all over.
var (
	None Value = &Qty{core.None}
	Lone Value = &Qty{core.Lone}
	Many Value = &Qty{core.Many}
	Type Value = &Kind{Lone}
	Data Value = &Kind{Many}

	quant = &Quant{}
	efq   = &Efq{}
	rfl   = &Rfl{}
)

// Refl is the value of {==}.
func Refl() Value { return rfl }

// QtyOf returns the value of q.
func QtyOf(q core.Quantity) Value {
	switch q {
	case core.None:
		return None
	case core.Lone:
		return Lone
	}
	return Many
}

// Free returns a variable that stands for the binder at the given level.
func Free(level int, name string) Value { return &Var{level, name} }
