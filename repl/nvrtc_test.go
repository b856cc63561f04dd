package repl

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"bend/gpu/cuda"
	"bend/interp/syntax"
)

// nvrtc is NVIDIA's own compiler, and noNVRTC is why there is none. It is looked for
// before its stand-in takes its place.
var nvrtc, noNVRTC = cuda.FindCompiler()

var (
	inMemory = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	used     = regexp.MustCompile(`Used (\d+) registers`)
)

func figure(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// TestSuiteCompilesWithNVRTC compiles the kernels of the benchmark programs to machine
// code where NVRTC is found. With -v it logs the figures of docs/performance.md.
func TestSuiteCompilesWithNVRTC(t *testing.T) {
	if noNVRTC != nil {
		t.Logf("no NVRTC: %v", noNVRTC)
		return
	}
	w := table.NewWriter()
	w.AppendHeader(table.Row{"kernel", "architecture", "registers", "stack, bytes", "spilled, bytes", "compiled in, s"})
	type program struct{ name, file, expr string }
	programs := []program{{"functions of F32", "testdata/programs/functions.bend", "functions!(1.5)"}}
	for _, b := range suite {
		programs = append(programs, program{b.name, filepath.Join(benchDir, b.name+".bend"), b.expr})
	}
	for _, b := range programs {
		s, err := NewSession(Options{Settings: DefaultSettings()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Load(b.file); err != nil {
			t.Fatal(explain(err))
		}
		text, err := s.Kernel(syntax.NewSource("bench", b.expr), "cuda")
		if err != nil {
			t.Fatal(explain(err))
		}
		for _, arch := range []string{"sm_80", "sm_90"} {
			start := time.Now()
			image, log, err := nvrtc.Compile(text, arch)
			if err != nil {
				t.Errorf("%s: %v", b.name, err)
				continue
			}
			took := time.Since(start)
			if len(image) == 0 {
				t.Errorf("%s for %s: no image", b.name, arch)
			}
			// The log has a line for each function that is not part of its callers.
			frame, spilled, registers := 0, 0, 0
			for _, m := range inMemory.FindAllStringSubmatch(log, -1) {
				frame += figure(m[1])
				spilled += figure(m[2]) + figure(m[3])
			}
			if m := used.FindStringSubmatch(log); m != nil {
				registers = figure(m[1])
			}
			if registers == 0 || !inMemory.MatchString(log) {
				t.Errorf("%s for %s: the log says nothing of registers: %s", b.name, arch, log)
			}
			if frame > 0 || spilled > 0 {
				t.Errorf("%s for %s: %d bytes of stack, %d bytes spilled", b.name, arch, frame, spilled)
			}
			w.AppendRow(table.Row{b.name, arch, registers, frame, spilled, fmt.Sprintf("%.1f", took.Seconds())})
		}
	}
	t.Logf("NVRTC %s\n%s", nvrtc.Version(), w.RenderMarkdown())
}
