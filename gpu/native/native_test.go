//go:build !windows

package native

import (
	"errors"
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
