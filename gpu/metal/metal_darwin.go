package metal

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/ebitengine/purego/objc"

	"bend/gpu/grid"
	"bend/jit/lane"
)

// New opens the GPU.
func New(o Options) (*grid.Device, error) {
	g, err := system()
	if err != nil {
		return nil, err
	}
	info := g.info()
	if o.HeapBytes > 0 {
		info.Memory = o.HeapBytes
	}
	m := &machine{gpu: g}
	if m.queue = g.send(g.dev, "newCommandQueue"); m.queue == 0 {
		return nil, fmt.Errorf("%s gives no command queue", g.name)
	}
	return grid.New(m, grid.Limits{Info: info, Words: g.mostWords(), Turn: 1 << 10, PassTime: 20 * time.Millisecond}), nil
}

// A machine is a GPU in use.
type machine struct {
	*gpu
	queue objc.ID
}

// Close implements grid.Machine.
func (m *machine) Close() error {
	m.send(m.queue, "release")
	return nil
}

// Memory implements grid.Machine: a buffer that the host and the GPU share.
func (m *machine) Memory(words int) (grid.Memory, error) {
	b := m.send(m.dev, "newBufferWithLength:options:", uint(words)*8, uint(storageShared))
	if b == 0 {
		return nil, fmt.Errorf("%s has no room for a buffer of %d bytes: a smaller heap (--heap) may help", m.name, words*8)
	}
	return &memory{m, b, unsafe.Slice((*uint64)(m.contents(b)), words)}, nil
}

// A memory is a shared buffer.
type memory struct {
	m      *machine
	buffer objc.ID
	view   []uint64
}

// Words implements grid.Memory.
func (mem *memory) Words() []uint64 { return mem.view }

// Write implements grid.Memory: what is shared needs no copy.
func (mem *memory) Write(int, []uint64) error { return nil }

// Read implements grid.Memory.
func (mem *memory) Read(int, []uint64) error { return nil }

// Free implements grid.Memory.
func (mem *memory) Free() error {
	mem.m.send(mem.buffer, "release")
	return nil
}

// Compile implements grid.Machine. macOS keeps what it compiled in a cache of its own.
func (m *machine) Compile(_ context.Context, k *lane.Kernel) (grid.Code, error) {
	c := &code{m: m}
	return c, m.pooled(func() error {
		o := m.create("MTLCompileOptions")
		defer m.send(o, "release")
		if m.has(o, "setMathMode:") {
			m.send(o, "setMathMode:", mathSafe)
			m.send(o, "setMathFloatingPointFunctions:", functionsPrecise)
		} else {
			m.send(o, "setFastMathEnabled:", false)
		}
		var e objc.ID
		lib := m.send(m.dev, "newLibraryWithSource:options:error:", m.text(k.Text), o, &e)
		if lib == 0 {
			return m.err(e, "the Metal compiler failed and does not say why")
		}
		defer m.send(lib, "release")
		f := m.send(lib, "newFunctionWithName:", m.text("bend_enter"))
		if f == 0 {
			return fmt.Errorf("the compiled kernel has no function bend_enter")
		}
		defer m.send(f, "release")
		c.pipeline = m.send(m.dev, "newComputePipelineStateWithFunction:error:", f, &e)
		if c.pipeline == 0 {
			return m.err(e, "no pipeline could be made of the kernel")
		}
		return nil
	})
}

// A code is a kernel as a pipeline.
type code struct {
	m        *machine
	pipeline objc.ID
}

// The launch of a pass, as the kernel takes it.
type launch struct {
	count      uint32
	fuel, turn int32
	stage      uint32
}

// Pass implements grid.Code.
func (c *code) Pass(to grid.Memory, p grid.Pass) error {
	m := c.m
	return m.pooled(func() error {
		l := &launch{uint32(p.Lanes), int32(p.Fuel), int32(p.Turn), uint32(p.Stage)}
		cmd := m.send(m.queue, "commandBuffer")
		if cmd == 0 {
			return fmt.Errorf("%s gives no command buffer", m.name)
		}
		e := m.send(cmd, "computeCommandEncoder")
		m.send(e, "setComputePipelineState:", c.pipeline)
		m.send(e, "setBuffer:offset:atIndex:", to.(*memory).buffer, uint(0), uint(0))
		m.send(e, "setBytes:length:atIndex:", unsafe.Pointer(l), uint(unsafe.Sizeof(*l)), uint(1))
		m.send(e, "dispatchThreadgroups:threadsPerThreadgroup:", size{uint(p.Lanes), 1, 1}, size{1, 1, 1})
		m.send(e, "endEncoding")
		m.send(cmd, "commit")
		m.send(cmd, "waitUntilCompleted")
		if status := m.number(cmd, "status"); status != statusCompleted {
			return m.err(m.send(cmd, "error"), fmt.Sprintf("the pass ended with status %d", status))
		}
		return nil
	})
}

// Close implements grid.Code.
func (c *code) Close() error {
	c.m.send(c.pipeline, "release")
	return nil
}
