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
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"bend/interp/flat"
	"bend/jit/lane"
)

// A Device is the CPU lane device.
type Device struct {
	heap    int
	lanes   int
	runtime wazero.Runtime
}

// Describe describes the device without opening it.
func Describe() lane.Info {
	return lane.Info{Name: "cpu", Kind: "lanes on the processor", Lanes: runtime.GOMAXPROCS(0), Memory: defaultHeap(), Usable: true}
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
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().
		WithDebugInfoEnabled(false).WithCoreFeatures(api.CoreFeaturesV2|experimental.CoreFeaturesThreads))
	op := func(_ context.Context, stack []uint64) {
		// Only primitives that cannot fail are left to the host.
		stack[0], _ = flat.Compute(flat.Op(stack[0]), stack[1], stack[2])
	}
	_, err := rt.NewHostModuleBuilder("bend").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(op), []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).
		Export("op").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(refill), []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, []api.ValueType{api.ValueTypeI32}).
		Export("refill").Instantiate(ctx)
	if err != nil {
		rt.Close(ctx)
		return nil, fmt.Errorf("the processor's lanes: %w", err)
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
func (d *Device) Close() error { return d.runtime.Close(context.Background()) }

// Load compiles a kernel.
func (d *Device) Load(ctx context.Context, k *lane.Kernel) (lane.Program, error) {
	start := time.Now()
	code, err := d.runtime.CompileModule(ctx, k.Wasm)
	if err != nil {
		return nil, fmt.Errorf("compile the kernel of %s: %w", k.Name, err)
	}
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(allocate))
	mod, err := d.runtime.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		code.Close(ctx)
		return nil, fmt.Errorf("load the kernel of %s: %w", k.Name, err)
	}
	return &program{dev: d, k: k, code: code, mod: mod, build: time.Since(start)}, nil
}
