package cgen

import (
	"fmt"
	"strings"

	"bend/interp/word"
	"bend/jit/lane"
	"bend/jit/plan"
)

// How long lanes wait, and how soon they look whether others do.
const (
	patience  = 1000 // times that a lane looks for a job before it leaves a pass
	askedTurn = 32   // a turn is shorter by this factor while a lane has nothing to do
)

// defines prints the constants that the texts use, and the tables of frames and forks.
func (p *printer) defines(b *strings.Builder) {
	g := p.Kernel.Grid
	parallel := 0
	if p.Kernel.Parallel {
		parallel = 1
	}
	for _, d := range []struct {
		name  string
		value int
	}{
		{"HEAD_SP", lane.GridSP}, {"HEAD_LIMIT", lane.GridLimit}, {"HEAD_PC", lane.GridPC}, {"HEAD_FUEL", lane.GridFuel},
		{"HEAD_ERROR", lane.GridError}, {"HEAD_DETAIL", lane.GridDetail},
		{"HEAD_BUMP", lane.GridBump}, {"HEAD_END", lane.GridEnd},
		{"HEAD_JOBS", lane.GridJobs}, {"HEAD_DEALT", lane.GridDealt}, {"HEAD_JOINS", lane.GridJoins},
		{"HEAD_SPILLS", lane.GridSpills}, {"HEAD_RESTORES", lane.GridRestores}, {"HEAD_MOVED", lane.GridMoved},
		{"HEAD_BLOCKS", lane.GridBlocks}, {"HEAD_MOST_BLOCKS", lane.GridMostBlocks}, {"HEAD_OUT", lane.GridOut},
		{"HEAD_PEAK", lane.GridPeak}, {"HEAD_DEEP", lane.GridDeep}, {"HEAD_USED", lane.GridUsed}, {"HEAD_FREE", lane.GridFree},
		{"BANK", g.Bank}, {"STACK", g.Stack}, {"OWN", g.Own}, {"SINK", g.Sink}, {"SIZE", g.Size},
		{"STRIDE", g.Stride}, {"STATIC", lane.Static}, {"GRID", g.Control}, {"LANES", g.Lanes},
		{"GRID_STATE", lane.ControlState}, {"GRID_RESULT", lane.ControlResult}, {"GRID_BUMP", lane.ControlBump},
		{"GRID_END", lane.ControlEnd}, {"GRID_SOFT", lane.ControlSoft}, {"GRID_CHUNK", lane.ControlChunk},
		{"GRID_WANT", lane.ControlWant}, {"GRID_QUEUE", lane.ControlQueue}, {"GRID_POLICY", lane.ControlPolicy},
		{"GRID_WORDS", lane.ControlWords}, {"GRID_FREE", lane.ControlFree}, {"GRID_TALLY", lane.ControlTally},
		{"STAGE_BEGIN", int(lane.Begin)}, {"STAGE_TALLY", int(lane.Tally)},
		{"DONE", int(lane.Done)}, {"FAILED", int(lane.Failed)},
		{"EXIT", int(lane.Exit)}, {"JOINED", int(lane.Joined)},
		{"WHOLE", int(lane.Whole)}, {"OFF", int(lane.Off)}, {"EVERY", int(lane.Every)},
		{"EXIT_WORDS", lane.ExitWords}, {"BLOCK_CLASS", lane.BlockClass}, {"CLASSES", lane.Classes},
		{"JOB_ARGS", lane.JobArgs}, {"JOIN_FRAME", lane.JoinFrame},
		{"PARALLEL", parallel}, {"PATIENCE", patience}, {"ASKED_TURN", askedTurn},
		{"ENTRY", p.Kernel.Entry}, {"FUNCTIONS", len(p.Program.Fns)}, {"MISSING", plan.MissingID},
		{"OUT_OF_HEAP", int(lane.OutOfHeap)}, {"COPIES", int(lane.Copies)}, {"NAT_OVERFLOW", int(lane.NatOverflow)},
		{"BAD_CHAR", int(lane.BadChar)}, {"STACK_OVERFLOW", int(lane.Overflow)}, {"TOO_DEEP", int(lane.TooDeep)},
		{"TAG_SHIFT", word.TagShift}, {"SIZE_SHIFT", word.SizeShift}, {"AUX_SHIFT", word.AuxShift}, {"COUNT_SHIFT", word.CountShift},
	} {
		fmt.Fprintf(b, "#define %s %d\n", d.name, d.value)
	}
	for _, d := range []struct {
		name  string
		value uint64
	}{
		{"NAT_MAX", word.NatMax}, {"COUNT_MAX", word.CountMax},
		{"TAG_MASK", lane.TagMask}, {"TAG_TASK", lane.TagTask}, {"TAG_JOIN", lane.TagJoin}, {"HOLE", uint64(lane.Hole)},
	} {
		fmt.Fprintf(b, "#define %s W(%#x)\n", d.name, d.value)
	}
	p.tables(b)
}

// tables prints how large the frames of each id are, and how to deal out the forks among
// them:
//
//	FRAMES     words, pushed words, fork (see bend_frame_fork) for each id
//	FORKS      captures, call, calls, id when dealt out, id of the last call; then for
//	           each call left: entry, number of arguments, arguments
//	CONSTANTS  arguments that are constants
//
// An argument is the place of a capture times 2, or that of a constant times 2 plus 1.
func (p *printer) tables(b *strings.Builder) {
	var frames []int
	forks := []int{0} // 0 is no fork's place
	constants := []word.Word{0}
	at := map[int]int{} // forks by the id of their dealt frame
	for id, r := range p.Kernel.Returns {
		fork := 0
		if f := r.Fork; f != nil && r.Dealt {
			fork = at[id]*2 + 1 // it comes after the one that leads to it
		} else if f != nil {
			at[f.Dealt] = len(forks)
			fork = len(forks) * 2
			forks = append(forks, f.Caps, f.Call, len(f.Calls), f.Dealt, f.After)
			for _, c := range f.Calls[f.Call+1:] {
				forks = append(forks, c.Entry, len(c.Args))
				for _, a := range c.Args {
					if a.Cap >= 0 {
						forks = append(forks, a.Cap*2)
					} else {
						forks = append(forks, len(constants)*2+1)
						constants = append(constants, a.Word)
					}
				}
			}
		}
		frames = append(frames, r.Words, r.Pushed, fork)
	}
	table(b, "u32 FRAMES", frames, func(n int) string { return fmt.Sprint(n) })
	table(b, "u32 FORKS", forks, func(n int) string { return fmt.Sprint(n) })
	table(b, "u64 CONSTANTS", constants, constant)
}

func table[T any](b *strings.Builder, name string, items []T, text func(T) string) {
	fmt.Fprintf(b, "TABLE %s[] = {", name)
	for i, x := range items {
		if i%12 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(b, " %s,", text(x))
	}
	b.WriteString("\n};\n\n")
}
