package lane

import "bend/interp/word"

// Limits of the model.
const (
	LaneWords    = 2048 // words of a lane's stack
	MinLaneWords = 64   // smallest stack that can be asked for
	ExitWords    = 3    // words of an exit frame or a spill frame
	BlockClass   = 11   // size class of a spill block
	BlockWords   = 1 << BlockClass
	ExitID       = 0  // the return id of exit and spill frames
	Classes      = 32 // size classes of blocks
)

// Hole is the first word of the exit frame at the bottom of a run's first job.
const Hole word.Word = 1<<64 - 1

// The words of a lane's header. Addresses in it are byte addresses.
const (
	HeadSP     = iota               // the top word of the stack
	HeadLimit                       // the highest place of a top word that does not overflow
	HeadPC                          // where to enter
	HeadError                       // 0, or the Code of the lane's first error
	HeadDetail                      // what the error is about
	HeadBump                        // first byte of the lane's part of the heap that was never used
	HeadEnd                         // end of that part
	HeadStatus                      // why the kernel left, where it cannot return that
	HeadShares                      // changes of share counts, kept by a profile kernel
	HeadPeak                        // highest HeadSP, kept by a profile kernel
	HeadFree                        // heads of the free lists, a word a class, 0 for none
	HeadBank   = HeadFree + Classes // the bank: parameters and results
)

// A Layout says where the parts of a kernel's memory begin, in words. The memory is
//
//	null | static data | lane 0 | lane 1 | .. | heap
//
// where word 0 is never handed out, and a lane is
//
//	header | bank | scratch | sink | counts | stack | slack
//
// at offsets from the lane's first word.
type Layout struct {
	Bank    int // parameters of an entered def; word 0 also carries results
	Scratch int // the fields of an opened shared node
	Sink    int // what a failed allocation hands out
	Counts  int // profile: for each owner, its frames on the stack and the most so far
	Stack   int // the lowest place where the stack may start
	Limit   int // the end of the stack
	Slack   int // words above the stack
	Size    int // words of a lane
	Lanes   int // from the memory's start: the first lane
}

// Static is where the static data begin: tables and the code points of literals.
const Static = 1

// NewLayout returns the layout of a kernel with a bank of the given number of words,
// owners of frames, and slack words above the stack, where a frame that does not fit
// is put until it is known where to go with it. Lanes is left open: it depends on the
// static data.
func NewLayout(bank, owners, slack int) Layout {
	var l Layout
	l.Bank = HeadBank
	l.Scratch = l.Bank + max(bank, 2)
	l.Sink = l.Scratch + word.MaxFields + 1
	l.Counts = l.Sink + word.MaxFields + 1
	l.Stack = l.Counts + 2*owners
	l.Limit = l.Stack + LaneWords
	l.Slack = slack
	l.Size = roundUp(l.Limit+slack, lineWords)
	return l
}

// lineWords keeps two lanes from writing to one cache line.
const lineWords = 16

// Lane returns the first word of a lane.
func (l Layout) Lane(i int) int { return l.Lanes + i*l.Size }

// Heap returns the first word of the heap behind the given number of lanes.
func (l Layout) Heap(lanes int) int { return l.Lane(lanes) }

// A Status says why a kernel came back to the host.
type Status int

// The statuses.
const (
	Fuel   Status = iota // the fuel is used up, the stack is over its limit, or an error is set
	Exit                 // a return found an exit frame or a spill frame
	Joined               // a return found the frame of a fork that was dealt out, see Join
)
