package cpu

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"bend/interp/word"
	"bend/jit/lane"
)

// A program is a loaded kernel with its memory, which is used again by each run.
type program struct {
	mu    sync.Mutex
	dev   *Device
	k     *lane.Kernel
	code  *code
	build time.Duration
	fuel  uint64
	last  *run // the lanes of the last run, which the next one takes over
}

// Kernel implements lane.Program.
func (p *program) Kernel() *lane.Kernel { return p.k }

// Close frees the program's code and memory.
func (p *program) Close() error {
	return p.code.close()
}

// Run implements lane.Program.
func (p *program) Run(ctx context.Context, heap *word.Heap, args []word.Word, o lane.RunOptions) (word.Word, *lane.Report, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.prepare(ctx, o)
	if err != nil {
		return 0, r.report, err
	}
	first := r.lanes[0]
	ws := r.mem[first.bank() : first.bank()+len(args)]
	copy(ws, args)
	start := time.Now()
	copied, ok := word.Transfer(first.stack.Heap, heap.Mem, ws)
	for _, w := range args {
		heap.Drop(w)
	}
	r.report.Copied = copied
	begun := time.Now()
	r.report.Transfer = begun.Sub(start)
	if !ok {
		return 0, r.report, r.complete(&lane.Error{Code: lane.OutOfHeap})
	}
	first.stack.Start()
	first.work(p.k.Entry)
	r.started.Wait()
	r.report.Run = time.Since(start)
	if !first.fixed {
		p.fuel = first.fuel
	}
	r.finish()
	if r.err != nil {
		return 0, r.report, r.complete(r.err)
	}
	result := []word.Word{r.result}
	if o.Audit {
		r.report.Left = r.used() - (&word.Heap{Mem: r.mem}).Reach(r.result)
	}
	copied, ok = word.Transfer(word.Room{Heap: heap}, r.mem, result)
	r.report.Copied += copied
	r.report.Transfer += time.Since(start)
	if !ok {
		return 0, r.report, word.ErrMemory
	}
	return result[0], r.report, nil
}

// prepare makes the memory ready: it is not cleared, only its heap is declared empty.
func (p *program) prepare(ctx context.Context, o lane.RunOptions) (*run, error) {
	words := o.LaneWords
	if words == 0 {
		words = lane.LaneWords
	}
	words = min(max(words, lane.MinLaneWords), lane.LaneWords)
	size := o.HeapBytes
	if size == 0 {
		size = p.dev.heap
	}
	lanes := 1
	if p.k.Parallel {
		lanes = p.dev.lanes
		if o.Lanes > 0 {
			lanes = min(lanes, o.Lanes)
		}
	}
	if o.Trace {
		lanes = 1
	}
	l := p.k.Layout
	r := p.last
	if r == nil || len(r.lanes) != lanes {
		r = newRun(p, lanes)
		p.last = r
	}
	r.reset(ctx)
	r.trace = nil
	if o.Trace {
		r.trace = &tracer{}
	}
	r.heap = l.Heap(lanes + 1) // the last lane's header is that of the pool
	end := min(r.heap*8+size, maxMemory)
	r.report = &lane.Report{
		Device: "cpu", LaneWords: words, Bottom: lane.ExitWords, Policy: o.Policy,
		HeapSize: end - r.heap*8, Profiled: p.k.Profile, Build: p.build,
	}
	bytes, ok := p.code.memory(end)
	if !ok {
		return r, &lane.Error{Code: lane.OutOfHeap, HeapBytes: r.report.HeapSize}
	}
	r.mem = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/8)
	for _, w := range r.lanes {
		w.jobs, w.busy = 0, 0
		w.fuel, w.fixed = max(p.fuel, leastFuel), o.Turn > 0
		if w.fixed {
			w.fuel = uint64(o.Turn)
		}
		if o.Trace {
			w.fuel, w.fixed = 1, true
		}
		clear(r.mem[w.base : w.base+lane.HeadBank])
		clear(r.mem[w.base+l.Counts : w.base+l.Stack])
		w.stack = lane.Stack{
			Mem: r.mem, Heap: lane.Heap{Mem: r.mem, Base: w.base, Refill: w.refill},
			Lo: w.base + l.Limit - words, Limit: w.base + l.Limit, Policy: o.Policy, Returns: p.k.Returns,
		}
	}
	r.pool = lane.Heap{Mem: r.mem, Base: l.Lane(lanes)}
	r.pool.Reset(end/8, end/8)
	r.lanes[0].stack.Heap.SetRest(r.heap, end/8)
	return r, nil
}

// finish fills in the report.
func (r *run) finish() {
	rep, k := r.report, r.p.k
	rep.Jobs, rep.Joins = r.dealt, r.joins
	most := make([]int, len(k.Owners))
	for i, w := range r.lanes {
		s := &w.stack
		w.peak()
		rep.PeakWords = max(rep.PeakWords, s.PeakWords)
		rep.PeakDeep = max(rep.PeakDeep, s.PeakDeep)
		rep.Spills += s.Spills
		rep.Restores += s.Restores
		rep.Moved += s.Moved
		rep.Shares += int(uint32(r.mem[w.base+lane.HeadShares]))
		rep.Blocks = max(rep.Blocks, s.MostBlocks)
		if i == 0 || w.jobs > 0 {
			rep.Lanes = append(rep.Lanes, lane.Lane{Jobs: w.jobs, Busy: w.busy, PeakWords: s.PeakWords})
		}
		for o := range most {
			most[o] = max(most[o], int(uint32(r.mem[w.counts(o)+1])))
		}
	}
	rep.BlockBytes = rep.Blocks * lane.BlockWords * 8
	rep.HeapBytes = r.taken() * 8
	var shown []int
	for i, o := range k.Owners {
		if k.Profile && most[i] == 0 {
			continue
		}
		shown = append(shown, i)
		rep.Levels = append(rep.Levels, lane.Level{Name: o.Name, Words: o.Words, Depth: most[i], Fits: lane.Fits(rep.LaneWords, o.Words)})
	}
	if r.trace == nil {
		return
	}
	rep.Trace = r.trace.samples
	for i := range rep.Trace {
		all := rep.Trace[i].Levels
		rep.Trace[i].Levels = nil
		for _, owner := range shown {
			rep.Trace[i].Levels = append(rep.Trace[i].Levels, all[owner])
		}
	}
}

// complete completes an error.
func (r *run) complete(e *lane.Error) error {
	e.LaneWords = r.report.LaneWords
	e.HeapBytes = r.report.HeapSize
	if e.Code == lane.OutOfHeap {
		e.SpillHeld = 0
		for _, w := range r.lanes {
			e.SpillHeld += w.stack.Blocks * lane.BlockWords * 8
		}
	}
	return e
}
