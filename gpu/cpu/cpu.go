// Package cpu is the lane device that needs no GPU: kernels are WebAssembly modules
// that run on the host's processor, with the stack, the spills and the limits of a
// lane of any other device. A fault in a kernel stays in the kernel.
package cpu

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"

	"bend/gpu/hostmem"
	"bend/jit/lane"
)

// A Device is the CPU lane device.
type Device struct {
	heap  int
	lanes int
	rt    wazero.Runtime
}

// Describe describes the device without opening it.
func Describe() lane.Info {
	return lane.Info{Name: "cpu", Kind: "lanes on the processor", Lanes: runtime.GOMAXPROCS(0), Memory: hostmem.DefaultHeap(), Usable: true}
}

// MaxLanes is the largest number of lanes that a device can have.
const MaxLanes = 128

// New opens the device. heapBytes is what a run's heap gets when the run does not say;
// 0 stands for a quarter of the machine's memory. lanes is the number of lanes, 0 for
// one a core.
func New(heapBytes, lanes int) (*Device, error) {
	if lanes == 0 {
		lanes = Describe().Lanes
	}
	lanes = min(lanes, MaxLanes)
	if heapBytes == 0 {
		heapBytes = hostmem.DefaultHeap()
	}
	rt, err := newRuntime()
	if err != nil {
		return nil, err
	}
	return &Device{heapBytes, lanes, rt}, nil
}

// Info describes the device.
func (d *Device) Info() lane.Info {
	i := Describe()
	i.Memory, i.Lanes = d.heap, d.lanes
	return i
}

// Close closes the device and its programs.
func (d *Device) Close() error { return d.rt.Close(context.Background()) }

// Load compiles a kernel.
func (d *Device) Load(ctx context.Context, k *lane.Kernel) (lane.Program, error) {
	start := time.Now()
	c, err := compile(ctx, d.rt, k)
	if err != nil {
		return nil, fmt.Errorf("compile the kernel of %s: %w", k.Name, err)
	}
	return &program{dev: d, k: k, code: c, build: time.Since(start)}, nil
}
