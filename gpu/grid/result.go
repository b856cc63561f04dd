package grid

import (
	"bend/interp/word"
	"bend/jit/lane"
)

// pageWords is how many words of a device's memory are fetched at a time.
const pageWords = 1 << 12

// result brings the result home.
func (r *run) result(heap *word.Heap, o lane.RunOptions) (word.Word, error) {
	w := r.control()[lane.ControlResult]
	if err := r.fetch(w); err != nil {
		return 0, err
	}
	if o.Audit {
		left, err := r.left(w)
		if err != nil {
			return 0, err
		}
		r.report.Left = left
	}
	result := []word.Word{w}
	copied, ok := word.Transfer(word.Room{Heap: heap}, r.view, result)
	r.report.Copied += copied
	if !ok {
		return 0, word.ErrMemory
	}
	return result[0], nil
}

// A fetcher brings the pages of a value from the device, each once.
type fetcher struct {
	*run
	have []bool // pages
}

// node makes n words at a place visible to the host.
func (f *fetcher) node(at, n int) error {
	for page := at / pageWords; page <= (at+n-1)/pageWords; page++ {
		if f.have[page] {
			continue
		}
		f.have[page] = true
		if err := f.dev.down(f.view, max(page*pageWords, f.heap), min((page+1)*pageWords, f.end)); err != nil {
			return err
		}
	}
	return nil
}

// fetch makes all that a value holds visible to the host.
func (r *run) fetch(w word.Word) error {
	if r.dev.shadow == nil || !word.Boxed(w) {
		return nil
	}
	f := &fetcher{r, make([]bool, r.end/pageWords+1)}
	seen := map[uint32]bool{} // cells of shared nodes
	for todo := []word.Word{w}; len(todo) > 0; {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at := word.Loc(w)
		if word.Shared(w) {
			if seen[at] {
				continue
			}
			seen[at] = true
			if err := f.node(int(at), 1); err != nil {
				return err
			}
			at = uint32(r.view[at] >> word.CountShift)
		}
		n := word.Size(w)
		if err := f.node(int(at), n); err != nil {
			return err
		}
		for _, x := range r.view[at : int(at)+n] {
			if word.Boxed(x) {
				todo = append(todo, x)
			}
		}
	}
	return nil
}

// left counts the words that are in use and do not belong to the result: those that were
// handed out and are on no free list. It looks at the whole heap.
func (r *run) left(result word.Word) (int, error) {
	g := r.k.Grid
	bump := int(r.control()[lane.ControlBump])
	if err := r.dev.down(r.view, g.Lanes, bump); err != nil {
		return 0, err
	}
	used := bump - r.heap
	list := func(at uint64, class int) {
		for at := uint32(at); at != 0; at = uint32(r.view[at]) {
			used -= 1 << class
		}
	}
	for class := range lane.Classes {
		for i := range r.lanes {
			list(r.view[g.Lane(i)+(lane.GridFree+class)*g.Stride], class)
		}
		for at := uint32(r.control()[lane.ControlFree+class]); at != 0; at = uint32(r.view[at] >> 32) {
			list(uint64(at), class)
		}
	}
	for i := range r.lanes {
		head := r.view[g.Lane(i):]
		used -= int(head[lane.GridEnd*g.Stride] - head[lane.GridBump*g.Stride])
	}
	return used - (&word.Heap{Mem: r.view}).Reach(result), nil
}
