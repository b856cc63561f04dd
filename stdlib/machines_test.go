package stdlib_test

import (
	"context"
	"strings"
	"testing"

	"bend/gpu/cpu"
	"bend/interp/core"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit"
	"bend/jit/lane"
)

// A machine runs the defs of a checked book in one way.
type machine struct {
	name string
	heap *word.Heap
	run  func(def flat.DefID, args []word.Word) (word.Word, error)
}

// host returns the interpreter.
func host(p *flat.Program) *machine {
	m := &machine{name: "the host", heap: word.NewHeap(1 << 28)}
	interpreter := eval.New(p, m.heap, eval.Options{})
	m.run = func(def flat.DefID, args []word.Word) (word.Word, error) {
		return interpreter.Call(context.Background(), def, args...)
	}
	return m
}

// machines returns the ways in which a program runs: on the host, on a lane, on one so
// small that it spills all the time, and, if it has forks, on lanes that deal all the time. A lane's heap is looked through for
// what was left.
func machines(t *testing.T, p *flat.Program) []*machine {
	t.Helper()
	device := func(lanes int) *cpu.Device {
		dev, err := cpu.New(1<<30, lanes)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		return dev
	}
	onLanes := func(name string, dev *cpu.Device, kernels map[flat.DefID]lane.Program, o lane.RunOptions) *machine {
		m := &machine{name: name, heap: word.NewHeap(1 << 28)}
		o.Audit = true
		m.run = func(def flat.DefID, args []word.Word) (word.Word, error) {
			if kernels[def] == nil {
				k, err := jit.Build(p, def, nil, jit.Options{Lanes: dev.Info().Lanes})
				if err != nil {
					return 0, err
				}
				if kernels[def], err = dev.Load(context.Background(), k); err != nil {
					return 0, err
				}
			}
			w, r, err := kernels[def].Run(context.Background(), m.heap, args, o)
			if err == nil && r.Left != 0 {
				t.Errorf("%s on %s leaves %d words on the lane", p.Def(def).Name, name, r.Left)
			}
			return w, err
		}
		return m
	}
	dev, kernels := device(1), map[flat.DefID]lane.Program{}
	ms := []*machine{
		host(p),
		onLanes("a lane", dev, kernels, lane.RunOptions{}),
		onLanes("a small lane", dev, kernels, lane.RunOptions{LaneWords: 256, Policy: lane.Whole}),
	}
	if forks(p) {
		ms = append(ms, onLanes("four lanes", device(4), map[flat.DefID]lane.Program{}, lane.RunOptions{Turn: 50}))
	}
	return ms
}

// forks tells whether a program has forks, so that several lanes have something to do.
func forks(p *flat.Program) (some bool) {
	for _, d := range p.Defs {
		flat.Walk(d.Body, func(c flat.Code) {
			if _, ok := c.(*flat.Fork); ok {
				some = true
			}
		})
	}
	return some
}

// lower lowers a def of a checked book.
func lower(t *testing.T, b *core.Book, p *flat.Program, key string) flat.DefID {
	t.Helper()
	id, err := flat.Lower(b, p, key)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return id
}

// str puts a string into the heap.
func (m *machine) str(s string) word.Word {
	w := word.Pak(0)
	codes := []rune(s)
	for i := len(codes) - 1; i >= 0; i-- {
		w = m.heap.New(1, word.Word(codes[i]), w)
	}
	return w
}

// text reads a string out of the heap.
func (m *machine) text(w word.Word) string {
	var s strings.Builder
	for word.Boxed(w) {
		cell := m.heap.Node(w)
		s.WriteRune(rune(cell[0]))
		w = cell[1]
	}
	return s.String()
}

// lines runs a def without parameters that gives a list of strings, and makes sure that
// nothing but the list is left in the heap.
func (m *machine) lines(t *testing.T, def flat.DefID) (lines []string) {
	t.Helper()
	all, err := m.run(def, nil)
	if err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	for w := all; word.Boxed(w); {
		cell := m.heap.Node(w)
		lines = append(lines, m.text(cell[0]))
		w = cell[1]
	}
	m.heap.Drop(all)
	if n := m.heap.Live(); n != 0 {
		t.Errorf("%s: %d words are left in the heap", m.name, n)
	}
	return lines
}
