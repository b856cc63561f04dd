package cpu

import "bend/jit/lane"

// The pool of a run's heap.
const (
	chunkWords = 1 << 12 // words that a lane gets at a time
	listBlocks = 64      // blocks that it gets from a free list
	firstSoft  = 1 << 20 // words that the pool hands out before the lanes' lists are looked at
)

// refill finds a block of a class for a lane that has none, and 0, false when there is
// none in the heap. The lane is out of its kernel, or in a call of it to the host.
func (r *run) refill(w *worker, class int) (uint32, bool) {
	if len(r.lanes) == 1 {
		mine := w.stack.Heap
		mine.Refill = nil
		if loc, ok := mine.Split(class); ok {
			return loc, true
		}
		if !r.merge(mine) {
			return 0, false
		}
		if loc, ok := mine.Alloc(1 << class); ok {
			return loc, true
		}
		return mine.Split(class)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leave()
	defer func() { r.out-- }()
	if loc, ok := r.give(w, class, r.soft); ok {
		return loc, true
	}
	if r.begun.Load() && !r.ended.Load() {
		r.collect()
		first, _ := r.pool.Rest()
		if 4*r.pool.Unused() < first-r.heap {
			r.soft = first + (first - r.heap) // few are unused: let the heap grow to twice as much
		}
		if loc, ok := r.give(w, class, r.soft); ok {
			return loc, true
		}
	}
	_, end := r.pool.Rest()
	if loc, ok := r.give(w, class, end); ok || !r.merge(r.pool) {
		return loc, ok
	}
	return r.give(w, class, end)
}

// The heap is merged as long as enough of it is free, and not forever: a run whose free
// words lie scattered would do nothing else.
const (
	mergeShare = 16 // one word of so many has to be free
	mostMerges = 64
)

// merge makes large blocks of the small ones of a heap, if that is worth while.
func (r *run) merge(h lane.Heap) bool {
	if r.merges == mostMerges || h.Unused() < r.report.HeapSize/8/mergeShare {
		return false
	}
	r.merges++
	h.Merge(r.heap, r.heap+r.report.HeapSize/8)
	return true
}

// give gives a lane words or blocks of the pool, as long as its rest begins below soft,
// and a block of the class from them; mu is held.
func (r *run) give(w *worker, class, soft int) (uint32, bool) {
	mine := w.stack.Heap
	if first, end := r.pool.Rest(); first+1<<class <= min(soft, end) {
		mine.Scrap()
		next := min(first+max(chunkWords, 1<<class), end)
		r.pool.SetRest(next, end)
		mine.SetRest(first, next)
		mine.Refill = nil
		return mine.Alloc(1 << class)
	}
	if loc, ok := r.pool.Take(class, listBlocks, mine); ok {
		return loc, true
	}
	if loc, ok := mine.Split(class); ok {
		return loc, true
	}
	return r.pool.Split(class)
}

// collect moves what is on the lanes' free lists to the pool; mu is held, and the
// calling lane has left.
func (r *run) collect() {
	r.pausing.Store(true)
	for r.out < len(r.lanes) && !r.ended.Load() {
		r.change.Wait()
	}
	if !r.ended.Load() {
		for _, w := range r.lanes {
			r.pool.Absorb(w.stack.Heap)
		}
	}
	r.pausing.Store(false)
	r.change.Broadcast()
}

// taken returns the number of words of the heap that were ever handed out.
func (r *run) taken() int {
	if !r.begun.Load() {
		first, _ := r.lanes[0].stack.Heap.Rest()
		return first - r.heap
	}
	first, _ := r.pool.Rest()
	return first - r.heap
}

// used returns the number of words in blocks in use. It walks the free lists.
func (r *run) used() int {
	n := r.report.HeapSize/8 - r.pool.Unused()
	for _, w := range r.lanes {
		n -= w.stack.Heap.Unused()
	}
	return n
}
