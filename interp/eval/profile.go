package eval

import (
	"cmp"
	"slices"

	"bend/interp/flat"
)

// A Report is what a profiling machine counted in its last run.
type Report struct {
	Defs      []DefReport // that pushed frames, deepest first
	PeakWords int         // most words on the stack, the bottom words included
}

// A DefReport describes the frames of one size of a def that a person wrote.
type DefReport struct {
	Name   string
	Words  int // that a frame keeps
	Depth  int // most frames at once
	Pushes int
}

// A frameKind is the def and the size of a frame.
type frameKind struct {
	name  string
	words int
}

// A profile is the counters of one kind of frames.
type profile struct {
	frameKind
	levels, deepest, n int
}

func (m *Machine) startProfile() {
	m.peak = bottomWords
	for i := range m.prof {
		m.prof[i] = profile{frameKind: m.prof[i].frameKind}
	}
}

// profileOf returns the index of the counters of a frame's kind.
func (m *Machine) profileOf(f *flat.Frame) int32 {
	k := frameKind{f.Owner, f.Words}
	i, ok := m.profOf[k]
	if !ok {
		i = int32(len(m.prof))
		m.prof = append(m.prof, profile{frameKind: k})
		m.profOf[k] = i
	}
	return i
}

// Report returns the counts of the last run; the machine must have been made with
// Options.Profile.
func (m *Machine) Report() Report {
	r := Report{PeakWords: m.peak}
	for _, p := range m.prof {
		if p.n > 0 {
			r.Defs = append(r.Defs, DefReport{p.name, p.words, p.deepest, p.n})
		}
	}
	slices.SortStableFunc(r.Defs, func(a, b DefReport) int { return cmp.Compare(b.Depth, a.Depth) })
	return r
}
