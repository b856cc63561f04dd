package lane

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// A Code is what went wrong on a lane. Codes up to 9 are those of the language's own
// runtime.
type Code int

// The codes.
const (
	Fault       Code = 2  // a fault of the kernel
	OutOfHeap   Code = 3  // the heap is full
	Missing     Code = 4  // a closure the kernel does not hold
	NatOverflow Code = 5  // a Nat past 2^48-1
	TooDeep     Code = 7  // a frame that fits no lane
	Copies      Code = 9  // more than 2^24-1 owners
	Overflow    Code = 10 // the stack is full and spilling is off
	Stopped     Code = 11 // a Stop was reached; Detail is its index
	BadChar     Code = 12 // no Unicode scalar value; Detail is the number
	Interrupted Code = 13
)

// An Error is an error of a run on a lane.
type Error struct {
	Code      Code
	Lane      int // on which it happened
	LaneWords int
	Def       string // whose frame did not fit
	Words     int    // of that frame
	Depth     int    // levels of Def on the stack, this one included
	Fits      int    // levels of Def that an empty lane holds
	HeapBytes int    // the heap's size
	SpillHeld int    // bytes of it held by spill blocks
	Detail    uint64
	Why       string // of a Stopped or a Fault
	Cause     error
}

func (e *Error) Error() string {
	switch e.Code {
	case OutOfHeap:
		s := fmt.Sprintf("out of memory: the kernel's heap of %s is full", size(e.HeapBytes))
		if e.SpillHeld > 0 {
			s += fmt.Sprintf(" (%s of it spill blocks)", size(e.SpillHeld))
		}
		return s + fmt.Sprintf(": give it more, as in --heap %[1]s or :set heap %[1]s", flagSize(2*e.HeapBytes))
	case Missing:
		return "a function the device does not hold"
	case NatOverflow:
		return "a Nat past the largest immediate 2^48-1"
	case TooDeep:
		return fmt.Sprintf("a frame of %s fits no lane of %d: %s keeps too much across one call", words(e.Words), e.LaneWords, e.Def)
	case Copies:
		return "a value has more than 2^24-1 live copies: keep fewer alive at once"
	case Overflow:
		return fmt.Sprintf("stack overflow on lane %d: frame of %s does not fit (%d)", e.Lane, words(e.Words), e.LaneWords)
	case Stopped:
		return e.Why
	case BadChar:
		return fmt.Sprintf("%d is not a Unicode scalar value", e.Detail)
	case Interrupted:
		return "interrupted"
	}
	if e.Why != "" {
		return "fault in a kernel: " + e.Why
	}
	return "fault in a kernel"
}

// Note explains an error further, or is empty.
func (e *Error) Note() string {
	if e.Code != Overflow {
		return ""
	}
	s := fmt.Sprintf("%s keeps %s a level: %s fit, ", e.Def, words(e.Words), levels(e.Fits))
	if e.Depth == e.Fits+1 {
		return s + fmt.Sprintf("level %d does not", e.Depth)
	}
	return s + fmt.Sprintf("above other frames level %d does not", e.Depth)
}

// Unwrap returns what caused the error, if anything.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

func words(n int) string  { return plural(n, "word") }
func levels(n int) string { return plural(n, "level") }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size writes a number of bytes for people, flagSize as the --heap flag takes it.
func size(n int) string { return humanize.IBytes(uint64(n)) }

func flagSize(n int) string {
	const mib = 1 << 20
	n = max(n, mib)
	if n%(1<<30) == 0 {
		return fmt.Sprintf("%dGB", n>>30)
	}
	return fmt.Sprintf("%dMB", (n+mib-1)/mib)
}
