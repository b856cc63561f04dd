package cpu

import (
	"context"
	"time"

	"bend/jit/lane"
)

// A worker is a lane of a run. It is used by one goroutine.
type worker struct {
	run   *run
	index int
	base  int // the lane's first word
	enter entry
	ctx   context.Context // carries the worker to refill
	stack lane.Stack
	fuel  uint64
	fixed bool // whether fuel stays
	jobs  int  // jobs that it ran
	busy  time.Duration
	// refill finds a block of a class when the lane has none.
	refill func(class int) (uint32, bool)
}

// The fuel of a turn follows the time that it takes: a kernel keeps Go's collector
// waiting, and a person who presses Ctrl-C; with several lanes, one that has nothing to
// do waits for the end of a turn of another.
const (
	leastFuel    = 1 << 12
	mostFuel     = 1 << 26
	turn         = 10 * time.Millisecond
	parallelTurn = 60 * time.Microsecond
	askedTurn    = 4 // a turn is shorter by this factor while a lane has nothing to do
)

func (w *worker) bank() int { return w.base + w.run.p.k.Layout.Bank }

// counts returns the place of the profile's counts of an owner.
func (w *worker) counts(owner int) int { return w.base + w.run.p.k.Layout.Counts + 2*owner }

// work runs jobs until the run ends, at first the one that is on the stack, from pc on.
func (w *worker) work(pc int) {
	r := w.run
	for ok := true; ok; {
		if err := w.job(pc); err != nil {
			r.fail(w, err)
			return
		}
		if r.ended.Load() {
			return
		}
		if pc, ok = w.next(); !ok {
			return
		}
	}
}

// next waits for a job and takes it.
func (w *worker) next() (pc int, ok bool) {
	job, ok := w.run.take()
	if !ok {
		return 0, false
	}
	w.jobs++
	return w.stack.Begin(job, w.bank()), true
}

// job enters the kernel until the lane has nothing on its stack any more.
func (w *worker) job(pc int) *lane.Error {
	r, s := w.run, &w.stack
	for {
		status, err := w.turn(pc)
		if err != nil {
			return err
		}
		switch status {
		case lane.Exit:
			if !s.Restore() {
				w.sample()
				pc = int(uint32(r.mem[s.SP-1]))
				continue
			}
			join, place, ok := s.Ended()
			if !ok {
				r.end(r.mem[w.bank()])
				return nil
			}
			if !r.deliver(s, join, place, r.mem[w.bank()]) {
				return nil
			}
			s.Unpark(join)
			w.account(1)
			pc = w.resume(join)
		case lane.Joined:
			owner, join, place := s.Joined()
			w.count(owner, -1)
			gone, err := w.joined(join, place)
			if gone || err != nil {
				return err
			}
			pc = w.resume(join)
		default:
			pc = int(uint32(r.mem[w.base+lane.HeadPC]))
			if err := w.rest(); err != nil {
				return err
			}
		}
	}
}

// joined delivers the result of the lane's own call of a fork that was dealt out. When
// other results are missing the lane parks its frames and is gone.
func (w *worker) joined(join uint32, place int) (gone bool, err *lane.Error) {
	r, s := w.run, &w.stack
	result := r.mem[w.bank()]
	if r.last(s, join, place, result) {
		return false, nil
	}
	w.account(-1)
	if err := s.Park(join); err != nil {
		return false, err
	}
	if !r.deliver(s, join, place, result) {
		return true, nil
	}
	s.Unpark(join)
	w.account(1)
	return false, nil
}

// resume goes on after a fork whose results are all there.
func (w *worker) resume(join uint32) (pc int) {
	pc, owner := w.stack.Resume(join, w.bank())
	w.count(owner, 1)
	return pc
}

// turn enters the kernel once.
func (w *worker) turn(pc int) (lane.Status, *lane.Error) {
	r, s := w.run, &w.stack
	top := s.Top()
	r.mem[w.base+lane.HeadSP] = uint64(s.SP-1) * 8
	r.mem[w.base+lane.HeadLimit] = uint64(top) * 8
	fuel := w.fuel
	if r.asked.Load() && !w.fixed {
		fuel /= askedTurn
	}
	start := time.Now()
	status, err := w.enter(w, pc, fuel)
	if err != nil {
		if e := w.posted(); e != nil {
			return 0, e
		}
		return 0, &lane.Error{Code: lane.Fault, Why: err.Error(), Cause: err}
	}
	took := time.Since(start)
	w.busy += took
	if e := w.posted(); e != nil {
		return 0, e
	}
	s.SP = int(uint32(r.mem[w.base+lane.HeadSP]))/8 + 1
	w.peak()
	if status != lane.Fuel {
		return status, nil
	}
	if s.SP-1 > top {
		if e := s.Overflow(); e != nil {
			if e.Code == lane.Overflow || e.Code == lane.TooDeep {
				e.Def = r.p.k.Owners[s.Frame().Owner].Name
			}
			return 0, e
		}
		r.mem[w.base+lane.HeadPeak] = 0
		w.sample()
		return status, nil
	}
	w.sample()
	w.refuel(took * time.Duration(w.fuel/fuel))
	return status, nil
}

// rest is what a lane does between two turns.
func (w *worker) rest() *lane.Error {
	r := w.run
	if err := r.ctx.Err(); err != nil {
		return &lane.Error{Code: lane.Interrupted, Cause: err}
	}
	if len(r.lanes) == 1 {
		return nil
	}
	r.begin()
	for r.wanted.Load() > 0 {
		jobs, err := w.stack.Deal()
		if len(jobs) == 0 || err != nil {
			return err
		}
		r.deal(jobs)
	}
	return r.pause()
}

// refuel fits the fuel to the time that a turn took.
func (w *worker) refuel(took time.Duration) {
	if w.fixed {
		return
	}
	want := turn
	if len(w.run.lanes) > 1 {
		want = parallelTurn
	}
	switch {
	case took < want/2:
		w.fuel = min(w.fuel*2, mostFuel)
	case took > want*2:
		w.fuel = max(w.fuel/2, leastFuel)
	}
}

// posted returns the error that the kernel posted, if any.
func (w *worker) posted() *lane.Error {
	mem := w.run.mem[w.base:]
	code := lane.Code(mem[lane.HeadError])
	if code == 0 {
		return nil
	}
	e := &lane.Error{Code: code, Detail: mem[lane.HeadDetail]}
	if code == lane.Stopped {
		e.Why = w.run.p.k.Stops[e.Detail]
	}
	return e
}

// peak takes the highest place of the stack since the last turn into account.
func (w *worker) peak() {
	if top := int(w.run.mem[w.base+lane.HeadPeak]); top > 0 {
		w.stack.Note(top/8 + 1)
	}
}

// account takes the frames of the lane into the profile's counts, or out of them.
func (w *worker) account(sign int) {
	if !w.run.p.k.Profile {
		return
	}
	for owner, n := range w.stack.Levels(len(w.run.p.k.Owners)) {
		w.count(owner, sign*n)
	}
}

// count adds to the frames of an owner on the lane.
func (w *worker) count(owner, n int) {
	if !w.run.p.k.Profile {
		return
	}
	now, most := &w.run.mem[w.counts(owner)], &w.run.mem[w.counts(owner)+1]
	*now = uint64(uint32(int(uint32(*now)) + n))
	*most = max(*most, *now)
}
