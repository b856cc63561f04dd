package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"bend/gpu"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit"
	"bend/jit/cgen"
	"bend/jit/lane"
)

// lanes is where calls marked "!" run: the device, the kernels that are loaded on it,
// and what the runs of the current evaluation told.
type lanes struct {
	cache   string   // the folder of compiled kernels
	asked   Settings // when the device was opened
	device  gpu.Device
	opened  bool
	kernels map[kernelKey]gpu.Program
	host    map[flat.DefID]bool // roots that cannot run on lanes

	profile bool // count frames, and collect reports
	trace   tracing
	reports []*lane.Report
	cost    Cost
	notes   []string
}

// A tracing says which runs keep samples of the stack: those that are traced run on one
// lane.
type tracing int

const (
	traceNone  tracing = iota
	traceAlone         // those that would run on one lane anyway
	traceAll
)

// A kernelKey tells kernels apart.
type kernelKey struct {
	root    flat.DefID
	fns     string // the closures that it must be able to apply
	profile bool
}

func newLanes(cache string) *lanes {
	return &lanes{cache: cache, kernels: map[kernelKey]gpu.Program{}, host: map[flat.DefID]bool{}}
}

// open finds the device when it is needed first. It is nil when the interpreter runs
// the marked calls.
func (l *lanes) open(s Settings) (gpu.Device, error) {
	if l.opened && l.asked.GPU == s.GPU && l.asked.Lanes == s.Lanes && l.asked.OwnFloats == s.OwnFloats {
		return l.device, nil
	}
	l.close()
	d, err := gpu.Choose(s.GPU, gpu.Options{Lanes: s.Lanes, Cache: l.cache})
	if err != nil {
		return nil, err
	}
	l.asked, l.device, l.opened = s, d, true
	return d, nil
}

// close unloads all kernels, forgets what cannot be one and gives the device back.
func (l *lanes) close() {
	for key, p := range l.kernels {
		p.Close()
		delete(l.kernels, key)
	}
	if l.device != nil {
		l.device.Close()
	}
	clear(l.host)
	l.device, l.opened = nil, false
}

// begin starts the account of one run.
func (l *lanes) begin() { l.cost, l.notes = Cost{}, nil }

// deepest returns the report of the call that kept most, nil if none was made.
func (l *lanes) deepest() *lane.Report {
	var best *lane.Report
	for _, r := range l.reports {
		if best == nil || r.PeakDeep > best.PeakDeep || r.PeakDeep == best.PeakDeep && r.PeakWords > best.PeakWords {
			best = r
		}
	}
	return best
}

// DeviceName tells where calls marked "!" run, and why not on a device that is better.
func (s *Session) DeviceName() (string, error) {
	d, err := s.lanes.open(s.settings)
	if err != nil {
		return "", err
	}
	if d == nil {
		return "the interpreter", nil
	}
	name := fmt.Sprintf("%s (%s)", d.Info().Name, d.Info().Kind)
	if s.settings.GPU != "on" && s.settings.GPU != "auto" {
		return name, nil
	}
	return strings.Join(append([]string{name}, gpu.Passed(d.Info().Name)...), "; "), nil
}

// launch runs a call marked "!" on the device. A call that cannot run there is left to
// the interpreter.
func (s *Session) launch(ctx context.Context, def flat.DefID, args []word.Word) (word.Word, error) {
	l := s.lanes
	dev, err := l.open(s.settings)
	if err != nil {
		return 0, err
	}
	if dev == nil || l.host[def] {
		return 0, eval.ErrDeclined
	}
	start := time.Now()
	p, err := s.kernel(ctx, dev, def, args)
	if err != nil {
		if ctx.Err() != nil {
			return 0, err
		}
		name := s.prog.Def(def).Name
		l.host[def] = true
		l.notes = append(l.notes, fmt.Sprintf("%s! ran on the interpreter: %v", name, err))
		s.log.Warn().Str("def", name).Err(err).Msg("not on lanes")
		return 0, eval.ErrDeclined
	}
	build := time.Since(start)
	w, rep, err := p.Run(ctx, s.heap, args, gpu.RunOptions{
		Policy: s.settings.Spill, HeapBytes: int(s.settings.Heap), LaneWords: s.settings.LaneWords,
		Turn: s.settings.turn, Trace: l.trace == traceAll || l.trace == traceAlone && !p.Kernel().Parallel,
	})
	for _, n := range p.Kernel().Notes {
		if !slices.Contains(l.notes, n) {
			l.notes = append(l.notes, n)
			s.log.Info().Str("def", s.prog.Def(def).Name).Msg(n)
		}
	}
	l.cost.Launches++
	l.cost.Build += build
	if rep != nil {
		l.cost.Transfer += rep.Transfer
		l.cost.Lanes += rep.Run
		l.cost.LaneHeapBytes = max(l.cost.LaneHeapBytes, rep.HeapBytes)
		if l.profile {
			l.reports = append(l.reports, rep)
		}
		s.log.Debug().Str("def", s.prog.Def(def).Name).Str("device", rep.Device).Int("spills", rep.Spills).
			Int("lanes", len(rep.Lanes)).Int("jobs", rep.Jobs).
			Dur("build", build).Dur("run", rep.Run).Msg("launched")
	}
	return w, err
}

// kernel returns the loaded kernel for a call, built on first use.
func (s *Session) kernel(ctx context.Context, dev gpu.Device, def flat.DefID, args []word.Word) (gpu.Program, error) {
	fns := jit.ClosuresIn(s.heap, args)
	key := kernelKey{def, fmt.Sprint(fns), s.lanes.profile}
	if p := s.lanes.kernels[key]; p != nil {
		return p, nil
	}
	_, end := s.progress.during("building a kernel for "+s.showKey(s.prog.Def(def).Name), -1)
	defer end()
	k, err := jit.Build(s.prog, def, fns, jit.Options{Profile: s.lanes.profile, Lanes: dev.Info().Lanes, Target: cgen.Target(dev.Info().Target), OwnFunctions: s.settings.OwnFloats})
	if err != nil {
		return nil, err
	}
	p, err := dev.Load(ctx, k)
	if err != nil {
		return nil, err
	}
	s.lanes.kernels[key] = p
	return p, nil
}

// A DeviceInfo describes a device for "bend devices --json".
type DeviceInfo struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Lanes  int    `json:"lanes"`
	Memory int64  `json:"memory"`
	Usable bool   `json:"usable"`
	Why    string `json:"why,omitempty"`
}

// Devices describes every kind of device, usable or not.
func Devices() (out []DeviceInfo) {
	for _, i := range gpu.Devices() {
		out = append(out, DeviceInfo{i.Name, i.Kind, i.Lanes, int64(i.Memory), i.Usable, i.Why})
	}
	return out
}

// WriteDevices writes the devices as a table.
func WriteDevices(w io.Writer) error {
	t := newTable(w)
	t.AppendHeader(table.Row{"device", "lanes", "memory", "state"})
	t.SetColumnConfigs(rightAligned(2, 3))
	for _, d := range Devices() {
		state, lanes, memory := "usable", comma(d.Lanes), FormatSize(d.Memory)
		if !d.Usable {
			state, lanes, memory = "not usable: "+strings.TrimSuffix(d.Why, "."), "-", "-"
		}
		t.AppendRow(table.Row{d.Kind, lanes, memory, state})
	}
	t.Render()
	return nil
}

// laneNote returns what a lane's error says beyond its first line.
func laneNote(err error) string {
	var e *lane.Error
	if errors.As(err, &e) {
		return e.Note()
	}
	return ""
}
