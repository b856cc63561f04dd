// Package conform tests that a device keeps to the model of package lane.
package conform

import (
	"context"
	"slices"
	"testing"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit"
	"bend/jit/cgen"
	"bend/jit/lane"
)

// An Opener opens the device under test, with a heap for runs that ask for none and a
// number of lanes.
type Opener func(heapBytes, lanes int) (lane.Device, error)

// Test tests a device, by all tests or by those that are named.
func Test(t *testing.T, open Opener, names ...string) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, Opener)
	}{
		{"boundary", boundary}, {"small lanes", smallLanes}, {"errors", errorsOfRuns}, {"heap use", heapUse},
		{"hot boundary", hotBoundary}, {"closures", closures}, {"sharing", sharing}, {"match", match}, {"mutual", mutual},
		{"parallel", parallel}, {"parallel build", parallelBuild}, {"parallel errors", parallelErrors}, {"primitives", prims},
	} {
		if names != nil && !slices.Contains(names, tt.name) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open) })
	}
}

// A lab runs kernels on one device.
type lab struct {
	t    testing.TB
	dev  lane.Device
	heap *word.Heap
}

func newLab(t testing.TB, open Opener, lanes int) *lab {
	dev, err := open(256<<20, lanes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return &lab{t, dev, word.NewHeap(0)}
}

// build builds the kernel of a def and of the closures that it may be given.
func (l *lab) build(b book, root flat.DefID, profile bool, fns ...flat.FnID) (*lane.Kernel, error) {
	info := l.dev.Info()
	return jit.Build(b.Program, root, fns, jit.Options{Profile: profile, Lanes: info.Lanes, Target: cgen.Target(info.Target)})
}

func (l *lab) load(b book, root flat.DefID, profile bool, fns ...flat.FnID) lane.Program {
	l.t.Helper()
	k, err := l.build(b, root, profile, fns...)
	if err != nil {
		l.t.Fatal(err)
	}
	p, err := l.dev.Load(context.Background(), k)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { p.Close() })
	return p
}

// profiles returns whether to test kernels with a profile beside those without.
func (l *lab) profiles() []bool {
	if l.dev.Info().Target != "" {
		return []bool{false}
	}
	return []bool{false, true}
}

// run runs p, audited; the error is left to the caller.
func (l *lab) run(p lane.Program, o lane.RunOptions, args ...word.Word) (word.Word, *lane.Report, error) {
	l.t.Helper()
	o.Audit = true
	w, r, err := p.Run(context.Background(), l.heap, args, o)
	if err == nil && r.Left != 0 {
		l.t.Errorf("%d words were left in the heap", r.Left)
	}
	return w, r, err
}

// Deep returns a kernel of deep(n) = n is 0: 0; else deep(n-1) + 1, whose frames are a
// word.
func Deep(t testing.TB, target cgen.Target) *lane.Kernel {
	t.Helper()
	b := newBook()
	k, err := jit.Build(b.Program, b.deep(), nil, jit.Options{Lanes: 1, Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return k
}
