package repl

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

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
}

// runText runs a program's text on one executor and returns what main prints. The
// heap must be empty again afterwards.
func runText(t *testing.T, path string, i int) string {
	t.Helper()
	x := executors[i]
	s, err := NewSession(Options{Settings: x.settings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Program(path); err != nil {
		t.Fatalf("%s", explain(err))
	}
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

func TestGeneratedProgramsAgree(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 10
	}
	dir := t.TempDir()
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { agree(t, dir, uint64(seed)) })
	}
}

func agree(t *testing.T, dir string, seed uint64) {
	text := generate(seed)
	path := filepath.Join(dir, fmt.Sprintf("p%d.bend", seed))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	want := runText(t, path, 0)
	for i := 1; i < len(executors); i++ {
		if got := runText(t, path, i); got != want {
			t.Errorf("%s gives %q, the interpreter %q", executors[i].name, got, want)
		}
	}
	if t.Failed() {
		t.Logf("the program:\n%s", text)
	}
}

func FuzzExecutorsAgree(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, t.TempDir(), seed) })
}
