package grid

import (
	"context"
	"time"
	"unsafe"

	"bend/interp/word"
	"bend/jit/lane"
)

// The fuel of a pass follows the time that it takes.
const (
	firstFuel = 1 << 14
	leastFuel = 1 << 10
	mostFuel  = 1 << 28
)

// mostChunk is how many words of the heap a lane takes at a time.
const mostChunk = 1 << 12

// A run is one run of a program.
type run struct {
	*program
	view   []uint64 // the memory as the host sees it
	lanes  int
	heap   int // the heap's first word
	end    int
	report *lane.Report
}

// Run implements lane.Program.
func (p *program) Run(ctx context.Context, heap *word.Heap, args []word.Word, o lane.RunOptions) (word.Word, *lane.Report, error) {
	d := p.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &run{program: p}
	if err := r.prepare(o); err != nil {
		for _, w := range args {
			heap.Drop(w)
		}
		return 0, r.report, err
	}
	start := time.Now()
	err := r.arguments(heap, args)
	r.report.Transfer = time.Since(start)
	if err == nil {
		begun := time.Now()
		err = r.passes(ctx, o)
		r.report.Run = time.Since(begun)
	}
	var result word.Word
	if err == nil {
		start = time.Now()
		result, err = r.result(heap, o)
		r.report.Transfer += time.Since(start)
	}
	if e, ok := err.(*lane.Error); ok {
		e.LaneWords, e.HeapBytes = r.report.LaneWords, r.report.HeapSize
		return 0, r.report, e
	}
	if err != nil {
		d.forget() // who knows what is in it
		return 0, r.report, &lane.Error{Code: lane.Fault, Why: err.Error(), Cause: err}
	}
	return result, r.report, nil
}

// prepare finds memory and declares its heap empty.
func (r *run) prepare(o lane.RunOptions) error {
	d, g := r.dev, r.k.Grid
	words := o.LaneWords
	if words == 0 {
		words = lane.LaneWords
	}
	words = min(max(words, lane.MinLaneWords), lane.LaneWords)
	size := o.HeapBytes
	if size == 0 {
		size = d.Limits.Info.Memory
	}
	r.lanes = 1
	if r.k.Parallel {
		r.lanes = d.Limits.Info.Lanes
		if o.Lanes > 0 {
			r.lanes = min(r.lanes, o.Lanes)
		}
	}
	r.heap = g.Heap(r.lanes)
	r.end = min(r.heap+size/8, d.Words)
	r.report = &lane.Report{
		Device: d.Limits.Info.Name, LaneWords: words, Bottom: lane.ExitWords, Policy: o.Policy,
		HeapSize: (r.end - r.heap) * 8, Build: r.build,
	}
	for _, o := range r.k.Owners {
		r.report.Levels = append(r.report.Levels, lane.Level{Name: o.Name, Words: o.Words, Fits: lane.Fits(words, o.Words)})
	}
	view, err := d.reserve(r.end)
	if err != nil {
		return &lane.Error{Code: lane.Fault, Why: err.Error(), Cause: err}
	}
	r.view = view
	control := r.control()
	clear(control)
	control[lane.ControlEnd] = uint64(r.end)
	control[lane.ControlSoft] = uint64(r.end - (r.end-r.heap)/8)
	control[lane.ControlChunk] = uint64(min(max((r.end-r.heap)/r.lanes/8, 64), mostChunk))
	control[lane.ControlPolicy] = uint64(o.Policy)
	control[lane.ControlWords] = uint64(words)
	return nil
}

func (r *run) control() []uint64 {
	at := r.k.Grid.Control
	return r.view[at : at+lane.ControlSize]
}

// arguments brings the arguments to the heap and to the bank of the first lane, and the
// static data to their place, if they are not there.
func (r *run) arguments(heap *word.Heap, args []word.Word) error {
	d, g := r.dev, r.k.Grid
	words := append([]word.Word(nil), args...)
	staged := &stage{view: r.view, next: r.heap, end: r.end}
	copied, ok := word.Transfer(staged, heap.Mem, words)
	for _, w := range args {
		heap.Drop(w)
	}
	r.report.Copied = copied
	if !ok {
		return &lane.Error{Code: lane.OutOfHeap}
	}
	if d.holds != r.program {
		data := r.view[lane.Static:]
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*8), r.k.Data)
		if err := d.up(r.view, 0, g.Control); err != nil {
			return err
		}
		d.holds = r.program
	}
	bank := g.Lane(0) + g.Bank*g.Stride
	for i, w := range words {
		r.view[bank+i*g.Stride] = w
	}
	r.control()[lane.ControlBump] = uint64(staged.next)
	for _, part := range [][2]int{
		{g.Control, g.Control + lane.ControlSize}, {bank, bank + len(words)*g.Stride}, {r.heap, staged.next},
	} {
		if err := d.up(r.view, part[0], part[1]); err != nil {
			return err
		}
	}
	return nil
}

// A stage is where arguments wait for the copy to the device: the heap's first words.
type stage struct {
	view      []uint64
	next, end int
}

func (s *stage) Words() []word.Word { return s.view }

func (s *stage) Alloc(n int) (uint32, bool) {
	at := s.next
	if at+1<<word.Class(n) > s.end {
		return 0, false
	}
	s.next += 1 << word.Class(n)
	return uint32(at), true
}

// passes runs passes until there is a result.
func (r *run) passes(ctx context.Context, o lane.RunOptions) error {
	d, g := r.dev, r.k.Grid
	pass := Pass{Lanes: r.lanes, Turn: d.Turn, Stage: lane.Begin}
	if o.Turn > 0 {
		pass.Turn = o.Turn
	}
	for {
		if err := ctx.Err(); err != nil {
			return &lane.Error{Code: lane.Interrupted, Cause: err}
		}
		pass.Fuel = r.fuel
		start := time.Now()
		if err := r.code.Pass(d.memory, pass); err != nil {
			return err
		}
		took := time.Since(start)
		if err := d.down(r.view, g.Control, g.Control+lane.ControlSize); err != nil {
			return err
		}
		switch state := r.control()[lane.ControlState]; lane.State(uint32(state)) {
		case lane.Done:
			return r.tally(pass)
		case lane.Failed:
			return r.failed(int(state >> 32))
		}
		pass.Stage = lane.Go
		switch {
		case took < d.PassTime/2:
			r.fuel = min(r.fuel*2, mostFuel)
		case took > d.PassTime*2:
			r.fuel = max(r.fuel/2, leastFuel)
		}
	}
}

// tally has the lanes tell what they did.
func (r *run) tally(pass Pass) error {
	d, g, rep := r.dev, r.k.Grid, r.report
	pass.Stage = lane.Tally
	if err := r.code.Pass(d.memory, pass); err != nil {
		return err
	}
	if err := d.down(r.view, g.Control, g.Control+lane.ControlSize); err != nil {
		return err
	}
	sum := func(i int) int { return int(r.control()[lane.ControlTally+i]) }
	rep.Jobs, rep.Joins = sum(lane.GridDealt), sum(lane.GridJoins)
	rep.Spills, rep.Restores, rep.Moved = sum(lane.GridSpills), sum(lane.GridRestores), sum(lane.GridMoved)
	rep.Blocks, rep.PeakWords, rep.PeakDeep = sum(lane.GridMostBlocks), sum(lane.GridPeak), sum(lane.GridDeep)
	rep.BlockBytes = rep.Blocks * lane.BlockWords * 8
	rep.HeapBytes = (int(r.control()[lane.ControlBump]) - r.heap) * 8
	rep.Lanes = make([]lane.Lane, sum(lane.GridUsed))
	return nil
}

// failed describes the error of a lane.
func (r *run) failed(index int) error {
	g, at := r.k.Grid, r.k.Grid.Lane(index)
	if err := r.dev.down(r.view, at, at+g.Own*g.Stride); err != nil {
		return err
	}
	head := func(i int) uint64 { return r.view[at+i*g.Stride] }
	e := &lane.Error{Code: lane.Code(head(lane.GridError)), Detail: head(lane.GridDetail)}
	switch e.Code {
	case lane.Stopped:
		e.Why = r.k.Stops[e.Detail]
	case lane.OutOfHeap:
		e.SpillHeld = int(head(lane.GridBlocks)) * lane.BlockWords * 8
	case lane.Overflow, lane.TooDeep:
		// The stack as the model knows it, side by side.
		height := int(head(lane.GridSP)) + 1
		s := lane.Stack{Policy: r.report.Policy, Returns: r.k.Returns, Limit: r.report.LaneWords, SP: height}
		for i := range height {
			s.Mem = append(s.Mem, head(g.Stack+i))
		}
		e = s.Overflow()
		e.Def = r.k.Owners[s.Frame().Owner].Name
	}
	e.Lane = index
	return e
}
