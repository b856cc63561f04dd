package eval

import (
	"errors"
	"fmt"
)

// A Kind tells why a run failed.
type Kind int

// The kinds of failure.
const (
	TooDeep     Kind = iota // the stack is full
	Memory                  // the heap is full
	Copies                  // too many owners of one value
	Nat                     // a Nat past the largest
	Char                    // no Unicode scalar value
	Interrupted             // the context ended
	Stopped                 // code that must not be reached was
	TooWide                 // a def that needs more registers than there are
	Device                  // the error of Options.Bang
)

// An Error is the failure of a run.
type Error struct {
	Kind  Kind
	Def   string // the def that failed; for TooDeep the one that holds most levels
	Depth int    // its levels, for TooDeep
	Words int    // words that each of them keeps
	Limit int    // words of the stack, for TooDeep
	Why   string
	Err   error // the cause, if there is one
}

// Error returns the failure on one line.
func (e *Error) Error() string {
	switch e.Kind {
	case TooDeep:
		return fmt.Sprintf("the interpreter's stack is full: %q is %d levels deep at %d %s a level (limit %d words; :set stack SIZE)",
			e.Def, e.Depth, e.Words, plural(e.Words, "word", "words"), e.Limit)
	case Interrupted:
		return "interrupted"
	case TooWide:
		return fmt.Sprintf("%q needs more than %d values at once", e.Def, maxLocals)
	case Memory:
		return "out of memory: the interpreter's heap is full"
	}
	if e.Err != nil {
		return e.Err.Error()
	}
	return e.Why
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ErrDeclined is returned by an Options.Bang that leaves the call to the interpreter.
var ErrDeclined = errors.New("run it here")
