package metal

import (
	"testing"

	"bend/gpu/conform"
	"bend/jit/lane"
)

// TestGPU tests the machine's GPU, if it has one.
func TestGPU(t *testing.T) {
	if info := Describe(); !info.Usable {
		t.Log(info.Why)
		return
	}
	conform.Test(t, func(heapBytes, _ int) (lane.Device, error) { return New(Options{HeapBytes: heapBytes}) })
}
