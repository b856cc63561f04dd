// Package cpu is the lane device that needs no GPU: kernels are WebAssembly modules
// that run on the host's processor, with the stack, the spills and the limits of a
// lane of any other device. A fault in a kernel stays in the kernel.
package cpu

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"bend/jit/lane"
)

// A Device is the CPU lane device.
type Device struct {
	heap    int
	lanes   int
	info    lane.Info
	compile func(context.Context, *lane.Kernel) (code, error)
	close   func() error
}

// A code is a compiled kernel with its memory.
type code interface {
	// memory returns the memory, at least size bytes of it, and false if there is not
	// that much. It stays where it is.
	memory(size int) ([]byte, bool)
	// entry returns the kernel for one lane at a time.
	entry() entry
	close() error
}

// An entry enters a kernel on a lane at segment pc.
type entry func(w *worker, pc int, fuel uint64) (lane.Status, error)

// Describe describes the device without opening it.
func Describe() lane.Info {
	return lane.Info{Name: "cpu", Kind: "lanes on the processor", Lanes: runtime.GOMAXPROCS(0), Memory: defaultHeap(), Usable: true}
}

// DescribeC describes the device of NewC, if there is a compiler for it.
func DescribeC() lane.Info {
	i := Describe()
	i.Name, i.Kind, i.Lanes, i.Target = "c", "a lane in C", 1, "c"
	return i
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
		heapBytes = defaultHeap()
	}
	rt, err := newRuntime()
	if err != nil {
		return nil, err
	}
	return &Device{
		heap: heapBytes, lanes: lanes, info: Describe(),
		compile: func(ctx context.Context, k *lane.Kernel) (code, error) { return compileWasm(ctx, rt, k) },
		close:   func() error { return rt.Close(context.Background()) },
	}, nil
}

// Info describes the device.
func (d *Device) Info() lane.Info {
	i := d.info
	i.Memory, i.Lanes = d.heap, d.lanes
	return i
}

// Close closes the device and its programs.
func (d *Device) Close() error { return d.close() }

// ErrNoCompiler is why there is no device for kernels in C.
var ErrNoCompiler = errors.New("no C compiler was found (cc, gcc, clang, or $CC)")

// Load compiles a kernel.
func (d *Device) Load(ctx context.Context, k *lane.Kernel) (lane.Program, error) {
	start := time.Now()
	c, err := d.compile(ctx, k)
	if err != nil {
		return nil, fmt.Errorf("compile the kernel of %s: %w", k.Name, err)
	}
	return &program{dev: d, k: k, code: c, build: time.Since(start)}, nil
}
