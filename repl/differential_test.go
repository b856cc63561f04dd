package repl

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"bend/gpu/native"
	"bend/gpu/standin"
	"bend/interp/syntax"
	"bend/jit/lane"
)

// An executor is a place where calls marked "!" run.
type executor struct {
	name  string
	gpu   string
	spill lane.Policy
	words int
	lanes int
}

// compiled reports whether a C compiler compiles the kernels.
func (x executor) compiled() bool { return x.gpu != "off" && x.gpu != "cpu" }

func (x executor) settings() Settings {
	set := DefaultSettings()
	set.GPU, set.Spill, set.LaneWords, set.Lanes, set.Heap = x.gpu, x.spill, x.words, x.lanes, 64<<20
	if x.lanes > 1 {
		set.turn = 40 // jobs are dealt out all the time
	}
	return set
}

// The executors that every generated program runs on: the interpreter, and the CPU
// lanes with every policy that never stops a program, on full lanes and on the
// smallest, alone and with others.
var executors = []executor{
	{"interpreter", "off", lane.Half, lane.LaneWords, 1},
	{"one lane", "cpu", lane.Half, lane.LaneWords, 1},
	{"small lane, half", "cpu", lane.Half, 64, 1},
	{"small lane, whole", "cpu", lane.Whole, 64, 1},
	{"a spill at every push", "cpu", lane.Every, lane.LaneWords, 1},
	{"three lanes", "cpu", lane.Half, lane.LaneWords, 3},
	{"three small lanes", "cpu", lane.Half, 64, 3},
	{"a lane in C", "c", lane.Half, lane.LaneWords, 1},
	{"a small lane in C", "c", lane.Half, 64, 1},
	{"three small lanes in C", "c", lane.Half, 64, 3},
	{"CUDA on a stand-in", "cuda", lane.Half, 64, 3},
	{"Metal's text as C++", "metal", lane.Half, 64, 1},
}

// onCard takes the place of all but the interpreter where BEND_CARD says that there is an
// NVIDIA GPU.
var onCard = []executor{
	{"a lane of the card", "cuda", lane.Half, lane.LaneWords, 1},
	{"a small lane of the card", "cuda", lane.Half, 64, 1},
	{"many lanes of the card", "cuda", lane.Half, 64, 256},
}

// metal is how Metal's text is compiled as C++.
var metal native.Dialect

// missing is why no executor compiles kernels, nil if they can.
var missing error

func TestMain(m *testing.M) {
	if os.Getenv("CFLAGS") == "" {
		os.Setenv("CFLAGS", "-O0") // the compiler takes longer than the programs
	}
	if os.Getenv("BEND_CARD") != "" {
		executors = append(executors[:1], onCard...)
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "standin-")
	if err != nil {
		panic(err)
	}
	driver, err := standin.Driver(dir)
	if err == nil {
		os.Setenv("CUDA_HOME", dir)
		os.Setenv("BEND_CUDA_DRIVER", driver)
		metal, err = standin.Dialect("metal", dir)
	}
	missing = err
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// enter makes an executor that of a session.
func (x executor) enter(t *testing.T, s *Session, change ...func(*Settings)) {
	t.Helper()
	s.settings = x.settings()
	for _, f := range change {
		f(&s.settings)
	}
	s.newMachine()
	if x.gpu == "metal" {
		d, err := native.NewDialect(int(s.settings.Heap), x.lanes, metal)
		if err != nil {
			t.Fatal(err)
		}
		s.lanes.close()
		s.lanes.device, s.lanes.opened, s.lanes.asked = d, true, s.settings
	}
}

// runMain runs the main of a session's program on an executor and returns what it
// prints. The heap must be empty again afterwards.
func runMain(t *testing.T, s *Session, x executor) string {
	t.Helper()
	x.enter(t, s)
	var out bytes.Buffer
	if _, err := s.RunMain(context.Background(), &out); err != nil {
		return "error: " + err.Error()
	}
	if n := s.heap.Live(); n != 0 {
		t.Errorf("%s: %d words are left in the heap", x.name, n)
	}
	return out.String()
}

func explain(err error) string {
	rej, ok := err.(*Rejected)
	if !ok {
		return err.Error()
	}
	text := rej.Text
	for _, d := range rej.Diags {
		text += syntax.Render(d, syntax.RenderOptions{})
	}
	return text
}

// batch is the number of generated programs that are checked and compiled as one. A C
// compiler takes long: it gets one batch of ten.
const (
	batch  = 100
	everyC = 10 * batch
)

// TestGeneratedProgramsAgree runs 300 programs that were made at random, or as many as
// BEND_PROGRAMS says, on all executors.
func TestGeneratedProgramsAgree(t *testing.T) {
	n := 300
	if text := os.Getenv("BEND_PROGRAMS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for from := 0; from < n; from += batch {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			var seeds []uint64
			for i := range min(batch, n-from) {
				seeds = append(seeds, uint64(from+i))
			}
			dir := t.TempDir()
			if disagree(t, dir, largest, seeds...) == "" {
				return
			}
			for _, seed := range seeds {
				if why := disagree(t, dir, largest, seed); why != "" {
					t.Errorf("%s", smaller(t, dir, why))
					return
				}
			}
			t.Errorf("the programs of the seeds from %d on disagree together only", from)
		})
	}
}

// disagree runs the program of some seeds on all executors, and tells what is wrong, or
// nothing.
func disagree(t *testing.T, dir string, size int, seeds ...uint64) string {
	text := generate(size, seeds...)
	path := filepath.Join(dir, "p.bend")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(Options{Settings: DefaultSettings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Program(path); err != nil {
		t.Fatalf("%s", explain(err))
	}
	want := runMain(t, s, executors[0])
	for _, x := range executors[1:] {
		if x.compiled() && (seeds[0]%everyC != 0 || missing != nil) {
			continue
		}
		if got := runMain(t, s, x); got != want {
			return fmt.Sprintf("%s gives %q, the interpreter %q\n%s", x.name, got, want, text)
		}
	}
	return ""
}

// smaller looks for the smallest program about which the executors disagree.
func smaller(t *testing.T, dir, why string) string {
	for size := range largest {
		for seed := range uint64(500) {
			if w := disagree(t, dir, size, seed); w != "" {
				return w
			}
		}
	}
	return why
}

func FuzzExecutorsAgree(f *testing.F) {
	f.Add(uint64(1000000))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if why := disagree(t, t.TempDir(), largest, seed); why != "" {
			t.Error(why)
		}
	})
}
