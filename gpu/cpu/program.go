package cpu

import (
	"context"
	"sync"
	"time"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"bend/interp/word"
	"bend/jit/lane"
)

// A program is a loaded kernel with its memory, which is used again by each run.
type program struct {
	mu    sync.Mutex
	dev   *Device
	k     *lane.Kernel
	code  wazero.CompiledModule
	mod   api.Module
	run   api.Function
	build time.Duration
	fuel  uint64
}

// Close frees the program's code and memory.
func (p *program) Close() error {
	ctx := context.Background()
	err := p.mod.Close(ctx)
	if e := p.code.Close(ctx); err == nil {
		err = e
	}
	return err
}

// The fuel of a turn follows the time that it takes: a kernel keeps Go's collector
// waiting, and a person who presses Ctrl-C.
const (
	firstFuel = 1 << 18
	mostFuel  = 1 << 26
	turn      = 10 * time.Millisecond
)

// Run implements lane.Program.
func (p *program) Run(ctx context.Context, heap *word.Heap, args []word.Word, o lane.RunOptions) (word.Word, *lane.Report, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.prepare(o)
	if err != nil {
		return 0, r.report, err
	}
	ws := append([]word.Word(nil), args...)
	start := time.Now()
	copied, ok := word.Transfer(r.heap, heap.Mem, ws)
	for _, w := range args {
		heap.Drop(w)
	}
	r.report.Copied = copied
	r.report.Transfer = time.Since(start)
	if !ok {
		return 0, r.report, r.fail(&lane.Error{Code: lane.OutOfHeap})
	}
	copy(r.mem[p.k.Layout.Bank:], ws)
	start = time.Now()
	failed := r.loop(ctx)
	r.report.Run = time.Since(start)
	r.finish()
	if failed != nil {
		return 0, r.report, r.fail(failed)
	}
	start = time.Now()
	result := []word.Word{r.mem[p.k.Layout.Bank]}
	if o.Audit {
		r.report.Left = r.heap.Live(p.k.Layout.Heap) - (&word.Heap{Mem: r.mem}).Reach(result[0])
	}
	copied, ok = word.Transfer(word.Room{Heap: heap}, r.mem, result)
	r.report.Copied += copied
	r.report.Transfer += time.Since(start)
	if !ok {
		return 0, r.report, word.ErrMemory
	}
	return result[0], r.report, nil
}

// A run is the state of one run.
type run struct {
	p      *program
	mem    []uint64
	heap   lane.Heap
	stack  lane.Stack
	report *lane.Report
}

// prepare makes the memory ready: it is not cleared, only its heap is declared empty.
func (p *program) prepare(o lane.RunOptions) (*run, error) {
	words := o.LaneWords
	if words == 0 {
		words = lane.LaneWords
	}
	words = min(max(words, lane.MinLaneWords), lane.LaneWords)
	size := o.HeapBytes
	if size == 0 {
		size = p.dev.heap
	}
	l := p.k.Layout
	end := min(l.Heap*8+size, maxMemory)
	r := &run{p: p, report: &lane.Report{
		Device: "cpu", LaneWords: words, Bottom: lane.ExitWords, Policy: o.Policy,
		HeapSize: end - l.Heap*8, Profiled: p.k.Profile, Build: p.build,
	}}
	mem := p.mod.Memory()
	if have := int(mem.Size()); have < end {
		if _, ok := mem.Grow(uint32((end - have + pageBytes - 1) / pageBytes)); !ok {
			return r, &lane.Error{Code: lane.OutOfHeap, HeapBytes: have}
		}
	}
	bytes, _ := mem.Read(0, mem.Size())
	r.mem = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/8)
	clear(r.mem[:lane.HeadBank])
	clear(r.mem[l.Counts:l.Stack])
	r.heap = lane.Heap{Mem: r.mem}
	r.heap.Reset(l.Heap, end/8)
	r.stack = lane.Stack{Mem: r.mem, Heap: r.heap, Lo: l.Limit - words, Limit: l.Limit, Policy: o.Policy, Returns: p.k.Returns}
	r.stack.Start()
	return r, nil
}

// loop enters the kernel until the job is done.
func (r *run) loop(ctx context.Context) *lane.Error {
	p := r.p
	if p.fuel == 0 {
		p.fuel = firstFuel
	}
	pc := uint64(p.k.Entry)
	for {
		var frame [2]uint64
		r.mem[lane.HeadSP] = uint64(r.stack.SP-1) * 8
		frame[0], frame[1] = pc, p.fuel
		start := time.Now()
		if err := p.run.CallWithStack(ctx, frame[:]); err != nil {
			if e := r.posted(); e != nil {
				return e
			}
			return &lane.Error{Code: lane.Fault, Why: err.Error(), Cause: err}
		}
		if e := r.posted(); e != nil {
			return e
		}
		r.stack.SP = int(uint32(r.mem[lane.HeadSP]))/8 + 1
		r.peak()
		if lane.Status(frame[0]) == lane.Exit {
			if r.stack.Restore() {
				return nil
			}
			pc = r.mem[r.stack.SP-1]
			continue
		}
		pc = uint64(uint32(r.mem[lane.HeadPC]))
		if r.stack.SP > r.stack.Limit {
			if e := r.stack.Overflow(); e != nil {
				return e
			}
			r.mem[lane.HeadPeak] = 0
		} else {
			p.refuel(time.Since(start))
		}
		if err := ctx.Err(); err != nil {
			return &lane.Error{Code: lane.Interrupted, Cause: err}
		}
	}
}

// refuel fits the fuel to the time that a turn took.
func (p *program) refuel(took time.Duration) {
	switch {
	case took < turn/2:
		p.fuel = min(p.fuel*2, mostFuel)
	case took > turn*2:
		p.fuel = max(p.fuel/2, 1024)
	}
}

// posted returns the error that the kernel posted, if any.
func (r *run) posted() *lane.Error {
	code := lane.Code(r.mem[lane.HeadError])
	if code == 0 {
		return nil
	}
	e := &lane.Error{Code: code, Detail: r.mem[lane.HeadDetail]}
	if code == lane.Stopped {
		e.Why = r.p.k.Stops[e.Detail]
	}
	return e
}

// peak takes the highest place of the stack since the last turn into account.
func (r *run) peak() {
	if top := int(r.mem[lane.HeadPeak]); top > 0 {
		r.stack.Note(top/8 + 1)
	}
}

// finish fills in the report.
func (r *run) finish() {
	rep, s, k := r.report, &r.stack, r.p.k
	r.peak()
	rep.PeakWords, rep.PeakDeep = s.PeakWords, s.PeakDeep
	rep.Spills, rep.Restores, rep.Moved = s.Spills, s.Restores, s.Moved
	rep.Blocks, rep.BlockBytes = s.MostBlocks, s.MostBlocks*lane.BlockWords*8
	rep.HeapBytes = r.heap.Used(k.Layout.Heap) * 8
	for i, o := range k.Owners {
		most := int(uint32(r.mem[k.Layout.Counts+2*i+1]))
		if k.Profile && most == 0 {
			continue
		}
		rep.Levels = append(rep.Levels, lane.Level{Name: o.Name, Words: o.Words, Depth: most, Fits: lane.Fits(rep.LaneWords, o.Words)})
	}
}

// fail completes an error.
func (r *run) fail(e *lane.Error) error {
	e.LaneWords = r.report.LaneWords
	e.HeapBytes = r.report.HeapSize
	if e.Code == lane.OutOfHeap {
		e.SpillHeld = r.stack.Blocks * lane.BlockWords * 8
	}
	if e.Code == lane.Overflow || e.Code == lane.TooDeep {
		id := r.mem[r.stack.SP-1]
		e.Def = r.p.k.Owners[r.p.k.Returns[id].Owner].Name
	}
	return e
}
