package cpu

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"bend/interp/word"
	"bend/jit/lane"
)

// A run is what the lanes of one run share.
//
// The first lane begins alone. When its first turn ends and the job does not, the others
// begin too, and wait for jobs; lanes that see one waiting deal calls of their forks out
// at the end of a turn.
//
// Each lane allocates from words and free lists of its own; when it runs out it gets
// more from the pool. When the pool has none either, all lanes stop at the end of their
// turns while what is on their free lists goes to the pool.
type run struct {
	p      *program
	ctx    context.Context
	mem    []uint64
	heap   int // the heap's first word
	report *lane.Report
	lanes  []*worker

	started sync.WaitGroup // lanes but for the first
	begun   atomic.Bool    // whether the others were started
	wanted  atomic.Int32   // lanes that wait, less jobs that wait
	asked   atomic.Bool    // whether a lane waits
	queued  atomic.Int32   // jobs that wait
	ended   atomic.Bool
	pausing atomic.Bool

	mu     sync.Mutex
	change *sync.Cond
	queue  []uint32 // jobs, oldest first
	idle   int      // lanes that wait for a job
	out    int      // lanes out of their kernels until change, idle ones included
	pool   lane.Heap
	soft   int     // the place where the pool's rest is thought worth saving
	dealt  int     // jobs
	merges int     // passes over the heap that made large blocks of small ones
	joins  int     // forks they are of
	trace  *tracer // nil for none
	result word.Word
	err    *lane.Error
}

// newRun makes lanes for the runs of a program.
func newRun(p *program, lanes int) *run {
	r := &run{p: p}
	r.change = sync.NewCond(&r.mu)
	for i := range lanes {
		w := &worker{run: r, index: i, base: p.k.Layout.Lane(i), enter: p.code.entry()}
		w.refill = func(class int) (uint32, bool) { return r.refill(w, class) }
		r.lanes = append(r.lanes, w)
	}
	return r
}

// reset makes a run ready to begin; its lanes are at rest.
func (r *run) reset(ctx context.Context) {
	if r.ctx != ctx || r.lanes[0].ctx == nil {
		for _, w := range r.lanes {
			w.ctx = context.WithValue(ctx, workerKey{}, w)
		}
	}
	r.ctx = ctx
	r.begun.Store(false)
	r.wanted.Store(0)
	r.asked.Store(false)
	r.queued.Store(0)
	r.ended.Store(false)
	r.queue, r.idle, r.out, r.soft = r.queue[:0], 0, 0, 0
	r.dealt, r.joins, r.merges = 0, 0, 0
	r.result, r.err = 0, nil
}

// begin starts the other lanes, if they were not. The first lane calls it.
func (r *run) begin() {
	if r.begun.Swap(true) {
		return
	}
	first := r.lanes[0].stack.Heap
	from, end := first.Rest()
	mine := min(from+chunkWords, end)
	first.SetRest(from, mine)
	r.pool.SetRest(mine, end)
	r.soft = mine + firstSoft
	for _, w := range r.lanes[1:] {
		r.started.Add(1)
		go func() {
			defer r.started.Done()
			if pc, ok := w.next(); ok {
				w.work(pc)
			}
		}()
	}
}

// want tells how many jobs the lanes wait for; mu is held.
func (r *run) want() {
	r.wanted.Store(int32(r.idle - len(r.queue)))
	r.asked.Store(r.idle > 0)
	r.queued.Store(int32(len(r.queue)))
}

// patience is how long a lane looks for a job before it sleeps: waking up takes about as
// long as the smallest job that is worth dealing out.
const patience = 50 * time.Microsecond

// look waits for a job without sleeping, for a while.
func (r *run) look() {
	for start := time.Now(); time.Since(start) < patience; {
		if r.queued.Load() > 0 || r.ended.Load() || r.pausing.Load() {
			return
		}
		runtime.Gosched()
	}
}

// leave counts a lane as out of its kernel, and waits until no pause is on; mu is held.
func (r *run) leave() {
	r.out++
	r.change.Broadcast()
	for r.pausing.Load() {
		r.change.Wait()
	}
}

// take waits for a job; ok is false when the run is over.
func (r *run) take() (job uint32, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle++
	r.leave()
	r.want()
	r.mu.Unlock()
	r.look()
	r.mu.Lock()
	for len(r.queue) == 0 && !r.ended.Load() || r.pausing.Load() {
		if r.idle == len(r.lanes) && len(r.queue) == 0 && !r.pausing.Load() {
			r.stop(&lane.Error{Code: lane.Fault, Why: "no lane has a job, and there is no result"})
			break
		}
		r.change.Wait()
	}
	if r.ended.Load() {
		return 0, false // the lane stays out
	}
	r.idle--
	r.out--
	job, r.queue = r.queue[0], r.queue[1:]
	r.want()
	return job, true
}

// deal puts jobs of one fork into the queue.
func (r *run) deal(jobs []uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = append(r.queue, jobs...)
	r.dealt += len(jobs)
	r.joins++
	r.want()
	r.change.Broadcast()
}

// deliver puts a result into a join and reports whether it was the last that the join
// waited for: the lane that brought it goes on from there.
func (r *run) deliver(s *lane.Stack, join uint32, place int, result word.Word) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.Deliver(join, place, result)
}

// last is like deliver, but delivers nothing unless it is the last result.
func (r *run) last(s *lane.Stack, join uint32, place int, result word.Word) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.Missing(join) == 1 && s.Deliver(join, place, result)
}

// pause waits while another lane collects, and returns an error when the run is over.
func (r *run) pause() *lane.Error {
	if r.pausing.Load() {
		r.mu.Lock()
		r.leave()
		r.out--
		r.mu.Unlock()
	}
	if r.ended.Load() {
		return errEnded
	}
	return nil
}

// errEnded stops a lane whose run has ended on another.
var errEnded = &lane.Error{Code: lane.Interrupted}

// end ends the run with a result.
func (r *run) end(result word.Word) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result = result
	r.stop(nil)
}

// fail ends the run with an error of a lane, unless it has ended.
func (r *run) fail(w *worker, err *lane.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended.Load() {
		err.Lane = w.index
		r.stop(err)
	}
	r.out++ // the lane will not enter its kernel again
	r.change.Broadcast()
}

// stop ends the run; mu is held.
func (r *run) stop(err *lane.Error) {
	r.err = err
	r.ended.Store(true)
	r.change.Broadcast()
}
