package lane

import "bend/interp/word"

// Limits of the model.
const (
	LaneWords    = 2048 // words of a lane's stack
	MinLaneWords = 64   // smallest stack that can be asked for
	ExitWords    = 3    // words of an exit frame or a spill frame
	BlockClass   = 11   // size class of a spill block
	BlockWords   = 1 << BlockClass
	ExitID       = 0 // the return id of exit and spill frames
)

// Hole is the first word of the exit frame at the bottom of a job.
const Hole word.Word = 1<<64 - 1

// The words of the header. Addresses in it are byte addresses.
const (
	HeadNull    = iota // location 0 is never handed out
	HeadSP             // the top word of the stack
	HeadPC             // where to enter
	HeadError          // 0, or the Code of the first error
	HeadDetail         // what the error is about
	HeadBump           // first byte of the heap that was never used
	HeadEnd            // end of the heap
	HeadPeak           // highest HeadSP, kept by a profile kernel
	HeadFree           // heads of the free lists, a word a class, 0 for none
	headClasses = 32
	HeadBank    = HeadFree + headClasses // the bank: parameters and results
)

// A Layout says where the parts of a kernel's memory begin, in words. They follow each
// other in this order:
//
//	header | bank | scratch | sink | counts | stack | slack | static data | heap
type Layout struct {
	Bank    int // parameters of an entered def; word 0 also carries results
	Scratch int // the fields of an opened shared node
	Sink    int // what a failed allocation hands out
	Counts  int // profile: for each owner, its frames on the stack and the most so far
	Stack   int // the lowest place where the stack may start
	Limit   int // the end of the stack
	Static  int // tables and the code points of literals
	Heap    int // first word of the heap
}

// NewLayout returns the layout of a kernel with a bank of the given number of words,
// owners of frames, and slack words above the stack, where a frame that does not fit
// is put until it is known where to go with it. Heap is Static as long as there is no
// static data.
func NewLayout(bank, owners, slack int) Layout {
	var l Layout
	l.Bank = HeadBank
	l.Scratch = l.Bank + max(bank, 2)
	l.Sink = l.Scratch + word.MaxFields + 1
	l.Counts = l.Sink + word.MaxFields + 1
	l.Stack = l.Counts + 2*owners
	l.Limit = l.Stack + LaneWords
	l.Static = l.Limit + slack
	l.Heap = l.Static
	return l
}

// A Status says why a kernel came back to the host.
type Status int

// The statuses.
const (
	Fuel Status = iota // the fuel is used up, the stack is over its limit, or an error is set
	Exit               // a return found an exit frame or a spill frame
)
