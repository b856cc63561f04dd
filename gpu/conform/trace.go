package conform

import (
	"testing"

	"bend/jit/lane"
)

// Trace looks at the samples of runs short and long: they go up to the peak and down
// again, and there are enough and not too many.
func Trace(t *testing.T, open Opener) {
	l := newLab(t, open, 2)
	b := newBook()
	p := l.load(b, b.deep(), true)
	for _, n := range []uint64{10, 3000, 200000} {
		for _, policy := range []lane.Policy{lane.Half, lane.Whole} {
			_, r, err := l.run(p, lane.RunOptions{Trace: true, Policy: policy}, n)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Trace) < 10 || len(r.Trace) > 600 || len(r.Trace[0].Levels) != len(r.Levels) {
				t.Fatalf("%d levels, %v: %d samples of %d defs", n, policy, len(r.Trace), len(r.Levels))
			}
			top := 0
			for i, s := range r.Trace {
				if s.Words > lane.LaneWords || s.Deep < s.Words || s.Levels[0]+lane.ExitWords != s.Deep {
					t.Fatalf("%d levels, %v: sample %d is %+v", n, policy, i, s)
				}
				top = max(top, s.Deep)
			}
			if top*10 < int(n)*9 {
				t.Errorf("%d levels, %v: the highest sample has %d words", n, policy, top)
			}
			if last := r.Trace[len(r.Trace)-1]; n == 200000 && last.Restores == 0 {
				t.Errorf("%d levels, %v: at the end %+v", n, policy, last)
			}
		}
	}
}
