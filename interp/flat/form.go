package flat

import (
	"bend/interp/core"
	"bend/interp/syntax"
	"bend/interp/word"
)

// A DefID indexes Program.Defs. An FnID indexes Program.Fns and is the function id
// of closure words.
type (
	DefID int
	FnID  int
)

// A Program is an append-only list of flat defs: ids stay valid while it grows, so
// that words and kernels made before a redefinition stay valid too.
type Program struct {
	Defs  []*Def
	Fns   []Fn
	byKey map[string]DefID // newest def of each key
	ids   map[*core.Def]DefID
	fnOf  map[Fn]FnID
}

// An Fn is the code of a closure: a def of which the first Held arguments are held
// and the others, one at a time, are still to come.
type Fn struct {
	Def  DefID
	Held int
}

// A Def is an erased def. Variables are numbered: the parameters come first, each
// other variable is assigned once on a path, before it is used.
type Def struct {
	ID     DefID
	Key    string
	Name   string // as shown to people; the name of the def around it for a lifted lambda
	Params int
	Vars   []VarInfo
	Body   Code
	Frames []*Frame // every frame that its body can push, by Frame.ID
	Span   syntax.Span
	// Loops: the body has no cut, no fork and no call but tail calls of itself.
	Loops bool
	// Borrows is the set of parameters that the callers stay the owners of; the def is
	// then a variant of another (see borrow.go).
	Borrows uint64

	lends      uint64           // the parameters that a variant can borrow
	variants   map[uint64]DefID // by what they borrow
	unfinished struct {         // what a variant is made of, if there can be one
		vars []VarInfo
		body Code
	}
}

// A VarInfo describes a variable. A Raw variable never owns anything in a heap. A
// Borrowed one does not own its value, which outlives it.
type VarInfo struct {
	Name     string
	Raw      bool
	Borrowed bool
}

// A Var is the number of a variable within its def.
type Var int

// An Atom is a variable, or a constant word when Var is negative. Constant words
// own nothing.
type Atom struct {
	Var  Var
	Word word.Word
}

// Const returns the atom of a constant word.
func Const(w word.Word) Atom { return Atom{-1, w} }

// V returns the atom of a variable.
func V(v Var) Atom { return Atom{Var: v} }

// IsConst reports whether a is a constant.
func (a Atom) IsConst() bool { return a.Var < 0 }

// A Code is one step of a body and what follows it.
type Code interface{ code() }

// A Call is a call of a def with all its arguments, or the application of the
// closure Fn to the one argument in Args when Apply.
type Call struct {
	Def   DefID
	Apply bool
	Fn    Atom
	Args  []Atom
	Bang  bool
	Span  syntax.Span
}

// A Frame is what a cut or a fork pushes: the captured variables in order, then the
// return id. Words is their number, the id included: the words that a level keeps.
// A fork's frame grows by one word a call that has returned (see Fork); Words is its
// size at the first call.
type Frame struct {
	ID    int
	Caps  []Var
	Words int
	Owner string      // the def that the person wrote, which may have been inlined here
	Span  syntax.Span // of the call
}

// The steps. Stack pictures show the lane's stack, growing to the right.
type (
	// Prim computes Dst from raw arguments.
	Prim struct {
		Dst  Var
		Op   Op
		Args []Atom
		Next Code
	}
	// New makes a constructor node of at least one field; it takes over the fields.
	New struct {
		Dst    Var
		Ctor   int
		Name   string
		Fields []Atom
		Next   Code
	}
	// Closure makes a closure that holds Held.
	Closure struct {
		Dst  Var
		Fn   FnID
		Held []Atom
		Next Code
	}
	// Text makes the String of a literal, one SCon node a code point.
	Text struct {
		Dst   Var
		Codes []uint32
		Next  Code
	}
	// Dup gives X one more owner: after it X holds the kept word, to be consumed once
	// more than before.
	Dup struct {
		X    Var
		Next Code
	}
	// Drop gives up X.
	Drop struct {
		X    Var
		Next Code
	}
	// Keep makes Dst an owner of a field of X, which is borrowed.
	Keep struct {
		Dst   Var
		Of    Var
		Field int
		Next  Code
	}
	// If branches on a primitive whose result is a Bool, or, with Op OpIsTrue, on the
	// Bool in Args[0].
	If struct {
		Op   Op
		Args []Atom
		Then Code
		Else Code
	}
	// Match consumes X and binds the fields of its constructor. Arms are in
	// constructor order; Else, if not nil, takes X unconsumed when no arm fits. A match
	// without Else is exhaustive: its last arm needs no test. If it Borrows, X is borrowed:
	// nothing is consumed, and the fields are borrowed too.
	Match struct {
		X       Var
		Borrows bool
		Arms    []Arm
		Else    Code
	}
	// Arm is one constructor of a Match.
	Arm struct {
		Ctor   int
		Name   string
		Fields []Var
		Body   Code
	}
	// Cut makes a call whose result is Dst.
	//
	//	.. | caps.. id |  while the call runs, then the frame is dropped
	Cut struct {
		Dst   Var
		Call  Call
		Frame *Frame
		Next  Code
	}
	// Fork makes two or more calls whose results are Dsts. In sequence, with k calls:
	//
	//	.. | caps.. id1 |            while call 1 runs
	//	.. | caps.. r1 id2 |         while call 2 runs
	//	.. | caps.. r1 .. idk |      while call k runs, then all is dropped
	Fork struct {
		Dsts  []Var
		Calls []Call
		Frame *Frame
		Next  Code
	}
	// Tail makes a call in return position: a jump.
	Tail struct{ Call Call }
	// Return gives X back.
	Return struct{ X Atom }
	// Stop ends the program: the code cannot be reached by a checked program that
	// uses no unsafe def.
	Stop struct{ Why string }
)

func (*Prim) code()    {}
func (*New) code()     {}
func (*Closure) code() {}
func (*Text) code()    {}
func (*Dup) code()     {}
func (*Drop) code()    {}
func (*Keep) code()    {}
func (*If) code()      {}
func (*Match) code()   {}
func (*Cut) code()     {}
func (*Fork) code()    {}
func (*Tail) code()    {}
func (*Return) code()  {}
func (*Stop) code()    {}
