package cpu

import "bend/jit/lane"

const (
	mostSamples = 600     // of a run
	mostTraced  = 1 << 14 // entries between two moments
)

// A tracer keeps samples of a lane. It begins with one at every call; when there are too
// many it drops every other one, and takes half as many from then on.
type tracer struct {
	samples []lane.Sample
	stride  int // moments for a sample
	skipped int
}

// sample takes a sample of the lane, if the run is traced and it is time for one.
func (w *worker) sample() {
	t := w.run.trace
	if t == nil {
		return
	}
	if t.skipped++; t.skipped < t.stride {
		return
	}
	t.skipped = 0
	t.samples = append(t.samples, w.stack.Sample(len(w.run.p.k.Owners)))
	if len(t.samples) < mostSamples {
		return
	}
	for i := range mostSamples / 2 {
		t.samples[i] = t.samples[2*i]
	}
	t.samples = t.samples[:mostSamples/2]
	if w.fuel < mostTraced {
		w.fuel *= 2
	} else {
		t.stride = max(1, t.stride) * 2
	}
}
