// Package cuda runs kernels on an NVIDIA GPU, by the CUDA driver API and NVRTC, which are
// loaded when they are needed. The names and numbers are those of NVIDIA's documentation
// of both.
package cuda

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"bend/gpu/grid"
	"bend/jit/lane"
)

// Options are the settings of the device.
type Options struct {
	HeapBytes int    // of a run that asks for none; 0: a quarter of the card's memory
	Lanes     int    // most lanes; 0: as many as suit the card
	Cache     string // folder of compiled kernels; "" for none
}

// New opens the first card.
func New(o Options) (*grid.Device, error) {
	c, err := system()
	if err != nil {
		return nil, err
	}
	return open(c, o)
}

func open(c *card, o Options) (*grid.Device, error) {
	info := c.info()
	if o.HeapBytes > 0 {
		info.Memory = o.HeapBytes
	}
	if o.Lanes > 0 {
		info.Lanes = min(info.Lanes, o.Lanes)
	}
	m := &machine{card: c, cache: cache{o.Cache, mostCached}}
	if err := m.do(func() error { return nil }); err != nil {
		return nil, err
	}
	return grid.New(m, grid.Limits{Info: info, Words: c.words(), Turn: 1 << 10, PassTime: 50 * time.Millisecond}), nil
}

// A machine is a card in use.
type machine struct {
	*card
	cache cache

	mu  sync.Mutex
	ctx uintptr // the primary context, 0 when there is none
	age int     // how many contexts were lost
}

// do runs a piece of work in the card's context, which belongs to a thread. An error
// costs the context, and all that is in it, unless it only says that there is no room:
// after most errors a context is of no use.
func (m *machine) do(work func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if m.ctx == 0 {
		if err := m.drv.check("cuDevicePrimaryCtxRetain", m.drv.retain(&m.ctx, m.dev)); err != nil {
			m.ctx = 0
			return err
		}
	}
	err := m.drv.check("cuCtxSetCurrent", m.drv.setCurrent(m.ctx))
	if err == nil {
		err = work()
	}
	var e *Error
	if errors.As(err, &e) && result(e.Code) != outOfMemory && result(e.Code) != outOfResources {
		m.lose()
	}
	return err
}

// lose gives up the context: the next piece of work gets a new one.
func (m *machine) lose() {
	m.drv.reset(m.dev)
	m.drv.release(m.dev)
	m.ctx = 0
	m.age++
}

// lost reports whether a context, and all that was in it, is gone.
func (m *machine) lost(age int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ctx == 0 || age != m.age
}

// Close implements grid.Machine.
func (m *machine) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx == 0 {
		return nil
	}
	m.ctx = 0
	return m.drv.check("cuDevicePrimaryCtxRelease", m.drv.release(m.dev))
}

// Memory implements grid.Machine.
func (m *machine) Memory(words int) (grid.Memory, error) {
	mem := &memory{m: m}
	err := m.do(func() error {
		mem.age = m.age
		return m.drv.check("cuMemAlloc", m.drv.alloc(&mem.at, uintptr(words)*8))
	})
	if err != nil {
		return nil, err
	}
	return mem, nil
}

// A memory is one on the card.
type memory struct {
	m   *machine
	at  uintptr
	age int // of the context it is in
}

var errLost = errors.New("the memory on the card was lost with an earlier error")

// Words implements grid.Memory: the host cannot reach it.
func (mem *memory) Words() []uint64 { return nil }

func (mem *memory) copy(call string, do func() result) error {
	return mem.m.do(func() error {
		if mem.age != mem.m.age {
			return errLost
		}
		return mem.m.drv.check(call, do())
	})
}

// Write implements grid.Memory.
func (mem *memory) Write(at int, words []uint64) error {
	return mem.copy("cuMemcpyHtoD", func() result {
		return mem.m.drv.toDevice(mem.at+uintptr(at)*8, unsafe.Pointer(&words[0]), uintptr(len(words))*8)
	})
}

// Read implements grid.Memory.
func (mem *memory) Read(at int, words []uint64) error {
	return mem.copy("cuMemcpyDtoH", func() result {
		return mem.m.drv.toHost(unsafe.Pointer(&words[0]), mem.at+uintptr(at)*8, uintptr(len(words))*8)
	})
}

// Free implements grid.Memory.
func (mem *memory) Free() error {
	if mem.m.lost(mem.age) {
		return nil
	}
	return mem.copy("cuMemFree", func() result { return mem.m.drv.free(mem.at) })
}

// Compile implements grid.Machine.
func (m *machine) Compile(ctx context.Context, k *lane.Kernel) (grid.Code, error) {
	name := key(append(options(m.arch), m.rtc.name(), k.Text)...)
	if image := m.cache.get(name); image != nil {
		c := &code{m: m, image: image}
		if err := m.do(c.load); err == nil {
			return c, nil
		}
		m.cache.drop(name)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	image, _, err := m.rtc.build(k.Text, strings.Map(fileName, k.Name), m.arch)
	if err != nil {
		return nil, err
	}
	c := &code{m: m, image: image}
	if err := m.do(c.load); err != nil {
		return nil, err
	}
	m.cache.put(name, image)
	return c, nil
}

func fileName(r rune) rune {
	if r == '/' || r == '\\' || r < ' ' || r > '~' {
		return '_'
	}
	return r
}

// A code is a kernel as an image, and as the function that it is in a context.
type code struct {
	m        *machine
	image    []byte
	module   uintptr // 0 when it is not loaded
	function uintptr
	age      int // of the context it is loaded in
}

// load makes the function ready in the present context.
func (c *code) load() error {
	d := c.m.drv
	if c.module != 0 && c.age == c.m.age {
		return nil
	}
	c.module = 0
	image := append(c.image, 0) // PTX ends in a zero
	var module uintptr
	if err := d.check("cuModuleLoadData", d.load(&module, unsafe.Pointer(&image[0]))); err != nil {
		return err
	}
	if err := d.check("cuModuleGetFunction", d.function(&c.function, module, "bend_enter")); err != nil {
		d.unload(module)
		return err
	}
	c.module, c.age = module, c.m.age
	return nil
}

// The parameters of a launch, as the kernel takes them.
type params struct {
	memory     uint64
	count      uint32
	fuel, turn int32
	stage      uint32
}

// Pass implements grid.Code.
func (c *code) Pass(to grid.Memory, p grid.Pass) error {
	mem := to.(*memory)
	return c.m.do(func() error {
		if mem.age != c.m.age {
			return errLost
		}
		if err := c.load(); err != nil {
			return err
		}
		v := &params{uint64(mem.at), uint32(p.Lanes), int32(p.Fuel), int32(p.Turn), uint32(p.Stage)}
		list := &[...]unsafe.Pointer{
			unsafe.Pointer(&v.memory), unsafe.Pointer(&v.count), unsafe.Pointer(&v.fuel), unsafe.Pointer(&v.turn), unsafe.Pointer(&v.stage),
		}
		d := c.m.drv
		blocks := (p.Lanes + blockLanes - 1) / blockLanes
		r := d.launch(c.function, uint32(blocks), 1, 1, uint32(min(p.Lanes, blockLanes)), 1, 1, 0, 0, unsafe.Pointer(list), nil)
		runtime.KeepAlive(v)
		if err := d.check("cuLaunchKernel", r); err != nil {
			return err
		}
		return d.check("cuCtxSynchronize", d.synchronize())
	})
}

// Use returns the registers of a lane and the bytes of its local memory, which a kernel
// should not need.
func (c *code) Use() (registers, local int, err error) {
	err = c.m.do(func() error {
		if err := c.load(); err != nil {
			return err
		}
		var r, l int32
		if err := c.m.drv.check("cuFuncGetAttribute", c.m.drv.funcAttr(&r, funcRegisters, c.function)); err != nil {
			return err
		}
		registers = int(r)
		err := c.m.drv.check("cuFuncGetAttribute", c.m.drv.funcAttr(&l, funcLocalBytes, c.function))
		local = int(l)
		return err
	})
	return registers, local, err
}

// Close implements grid.Code.
func (c *code) Close() error {
	module := c.module
	c.module = 0
	if module == 0 || c.m.lost(c.age) {
		return nil
	}
	return c.m.do(func() error { return c.m.drv.check("cuModuleUnload", c.m.drv.unload(module)) })
}
