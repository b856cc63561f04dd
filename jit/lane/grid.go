package lane

// A Grid is the layout, in words, of the memory of a kernel whose lanes look after
// themselves: they spill, restore, deal out and take jobs on the device, and the host only
// starts passes (see package cgen). The memory is
//
//	null | static data | control | lanes | heap
//
// where the lanes come in groups of Stride, and a group is
//
//	header, bank, stack, slack of each, word by word | scratch, sink of each
//
// so that word i of what comes first lies at Lane(n) + i*Stride.
type Grid struct {
	Control int // what all lanes share
	Lanes   int // the first lane
	Stride  int
	Bank    int // offset of the bank
	Stack   int // offset of the stack
	Own     int // words of a lane that lie Stride apart
	Sink    int // offset of the sink from the scratch
	Size    int // words of a lane
}

// The words of a lane's header in a Grid. Places are word indexes; those on the stack
// count from its bottom.
const (
	GridSP         = iota // the top word of the stack
	GridLimit             // the highest place of a top word that does not overflow
	GridPC                // where to enter, 0 when the lane has no job
	GridFuel              // what is left of a turn's fuel
	GridError             // 0, or the Code of the lane's first error
	GridDetail            // what the error is about
	GridBump              // the lane's next word that was never used
	GridEnd               // the end of those
	GridJobs              // jobs that the lane ran
	GridDealt             // jobs that it dealt out
	GridJoins             // forks that they were of
	GridSpills            // spills
	GridRestores          // restores
	GridMoved             // words that they moved
	GridBlocks            // blocks that hold frames of the lane's job
	GridMostBlocks        // most of them at once
	GridOut               // words of frames in them
	GridPeak              // most words on the stack at once
	GridDeep              // most words of frames at once, those in blocks included
	GridUsed              // 1 for a lane that ran a job
	GridFree              // heads of the free lists, a word a class, 0 for none
	gridBank       = GridFree + Classes
)

// The words of a Grid's control block.
const (
	ControlState  = iota // 0 while the run goes on, a State at its end; the failed lane in the upper half
	ControlResult        // the result
	ControlBump          // the heap's next word that no lane has
	ControlEnd           // the end of the heap
	ControlSoft          // from which ControlBump on lanes share their free blocks
	ControlChunk         // words that a lane takes at a time
	ControlWant          // lanes that wait, less jobs that wait
	ControlQueue         // jobs that wait
	ControlPolicy        // the Policy
	ControlWords         // words of a stack
	ControlFree          // lists of free lists, a word a class
	// ControlTally is where the lanes add up the words of their headers at the end.
	ControlTally = ControlFree + Classes
	ControlSize  = ControlTally + gridBank
)

// A State is how a run on a Grid ended.
type State uint32

// The states.
const (
	Running State = iota
	Done
	Failed
)

// A Stage says which pass of a run it is.
type Stage int

// The stages.
const (
	Begin Stage = iota // of a run
	Go                 // on
	Tally              // the lanes add up what they did; the run has ended
)

// NewGrid returns the layout for lanes in groups of stride, with a bank and slack as in
// the layout l, behind n words of static data.
func NewGrid(l Layout, stride, n int) Grid {
	g := Grid{Control: Static + n, Stride: stride, Bank: gridBank}
	g.Lanes = roundUp(g.Control+ControlSize, max(stride, lineWords))
	g.Stack = g.Bank + l.Scratch - l.Bank
	g.Own = g.Stack + LaneWords + l.Slack
	g.Sink = l.Sink - l.Scratch
	g.Size = roundUp(g.Own+g.Sink+l.Counts-l.Sink, lineWords)
	return g
}

// Lane returns the first word of a lane.
func (g Grid) Lane(i int) int {
	return g.Lanes + i/g.Stride*(g.Stride*g.Size) + i%g.Stride
}

// Heap returns the first word of the heap behind the given number of lanes.
func (g Grid) Heap(lanes int) int {
	return g.Lanes + roundUp(lanes, g.Stride)*g.Size
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
