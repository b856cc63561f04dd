//go:build !windows

package native

import (
	"errors"
	"os/exec"
	"testing"

	"bend/gpu/conform"
	"bend/jit/lane"
)

var warnings = []string{"-Wall", "-Wextra", "-Wno-unused", "-Wno-type-limits", "-Werror"}

// TestC tests lanes that a C compiler made, with a check for undefined behaviour: the
// compiler takes longer than the programs, so that it does not optimize those.
func TestC(t *testing.T) {
	if _, err := compiler(); errors.Is(err, ErrNoCompiler) {
		t.Log(err)
		return
	}
	t.Parallel()
	flags := append([]string{"-O0", "-fsanitize=undefined", "-fno-sanitize-recover"}, warnings...)
	conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) { return New(heapBytes, lanes, flags...) })
}

// TestOptimized tests some of the lanes as they are compiled for use.
func TestOptimized(t *testing.T) {
	if _, err := compiler(); errors.Is(err, ErrNoCompiler) {
		t.Log(err)
		return
	}
	t.Parallel()
	conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) { return New(heapBytes, lanes) }, "sharing", "primitives", "parallel errors")
}

// TestDialects compiles the kernels for CUDA and for Metal as C++, behind headers that
// stand in for theirs, and runs them. What the compilers of these devices make of the text
// is another question, but it has no mistakes of ours then.
func TestDialects(t *testing.T) {
	cc, err := exec.LookPath("c++")
	if err != nil {
		t.Log("no C++ compiler was found")
		return
	}
	// The entry of the device has the name of the host's: it gets another one.
	const tail = `
#undef bend_enter
extern "C" void bend_enter(u64 *m, u32 index, int fuel, int turn, u32 stage) { bend_pass(m, index, fuel, turn, stage); }
`
	common := append([]string{"-std=c++14", "-O0", "-Dbend_enter=bend_launch"}, warnings...)
	for _, d := range []dialect{
		{target: "cuda", flags: append(common, "-include", "testdata/shim/cuda.h")},
		{target: "metal", flags: append(common, "-Wno-attributes", "-isystem", "testdata/shim")},
	} {
		d.compiler, d.suffix, d.tail = cc, ".cpp", tail
		t.Run(d.target, func(t *testing.T) {
			t.Parallel()
			conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) {
				if d.target == "metal" {
					lanes = 1
				}
				return open(heapBytes, lanes, d)
			})
		})
	}
}
