//go:build !windows

package standin

import (
	"errors"
	"testing"

	"bend/gpu/conform"
	"bend/gpu/native"
	"bend/jit/lane"
)

// TestDialects compiles the kernels for CUDA and for Metal as C++ and runs them. What the
// compilers of these devices make of the text is another question, but it has no mistakes
// of ours then.
func TestDialects(t *testing.T) {
	for _, target := range []string{"cuda", "metal"} {
		d, err := Dialect(target, t.TempDir())
		if errors.Is(err, ErrNoCompiler) {
			t.Log(err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Flags = append(d.Flags, "-O0", "-Wall", "-Wextra", "-Wno-unused", "-Wno-type-limits", "-Werror")
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) {
				if target == "metal" {
					lanes = 1
				}
				return native.NewDialect(heapBytes, lanes, d)
			})
		})
	}
}
