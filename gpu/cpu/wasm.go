package cpu

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"bend/interp/flat"
	"bend/jit/lane"
)

// newRuntime makes what compiles and runs WebAssembly, with the functions of the host
// that kernels call.
func newRuntime() (wazero.Runtime, error) {
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
	return rt, nil
}

// A code is a compiled kernel with its memory.
type code struct {
	compiled wazero.CompiledModule
	mod      api.Module
}

func compile(ctx context.Context, rt wazero.Runtime, k *lane.Kernel) (*code, error) {
	compiled, err := rt.CompileModule(ctx, k.Wasm)
	if err != nil {
		return nil, err
	}
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(allocate))
	mod, err := rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		compiled.Close(ctx)
		return nil, err
	}
	return &code{compiled, mod}, nil
}

// memory returns the memory, at least size bytes of it, and false if there is not that
// much. It stays where it is.
func (c *code) memory(size int) ([]byte, bool) {
	mem := c.mod.Memory()
	if have := int(mem.Size()); have < size {
		if _, ok := mem.Grow(uint32((size - have + pageBytes - 1) / pageBytes)); !ok {
			return nil, false
		}
	}
	return mem.Read(0, mem.Size())
}

// An entry enters a kernel on a lane at segment pc.
type entry func(w *worker, pc int, fuel uint64) (lane.Status, error)

// entry returns the kernel for one lane at a time.
func (c *code) entry() entry {
	f := c.mod.ExportedFunction("run")
	return func(w *worker, pc int, fuel uint64) (lane.Status, error) {
		frame := [3]uint64{uint64(w.base) * 8, uint64(pc), fuel}
		err := f.CallWithStack(w.ctx, frame[:])
		return lane.Status(frame[0]), err
	}
}

func (c *code) close() error {
	ctx := context.Background()
	err := c.mod.Close(ctx)
	if e := c.compiled.Close(ctx); err == nil {
		err = e
	}
	return err
}

// A workerKey is the key of the worker in the context of a kernel.
type workerKey struct{}

// refill is what a kernel calls: (lane, class) -> address, 0 for none.
func refill(ctx context.Context, stack []uint64) {
	loc, _ := ctx.Value(workerKey{}).(*worker).refill(int(uint32(stack[1])))
	stack[0] = uint64(loc) * 8
}
