// Package grid runs kernels whose lanes look after themselves (see lane.Grid) on any
// machine that can hold their memory and run a pass of them: a GPU, or threads.
package grid

import (
	"context"
	"fmt"
	"sync"
	"time"

	"bend/gpu/hostmem"
	"bend/jit/lane"
)

// A Machine compiles kernels and has memory to run them in.
type Machine interface {
	// Compile makes a kernel ready to run.
	Compile(ctx context.Context, k *lane.Kernel) (Code, error)
	// Memory returns memory of a number of words; their contents do not matter.
	Memory(words int) (Memory, error)
	Close() error
}

// A Code is a kernel that is ready to run.
type Code interface {
	// Pass runs a pass and waits for its end.
	Pass(m Memory, p Pass) error
	Close() error
}

// A Memory is the memory of a machine. Places in it are word indexes.
type Memory interface {
	// Words returns the memory itself, nil if the host cannot reach it.
	Words() []uint64
	Write(at int, words []uint64) error
	Read(at int, words []uint64) error
	Free() error
}

// A Pass is what lanes do at a time.
type Pass struct {
	Lanes int
	Fuel  int // entries of defs that a lane may make before it stops
	Turn  int // and before it looks what others do
	Stage lane.Stage
}

// Limits describe how a machine is best used.
type Limits struct {
	Info     lane.Info
	Words    int           // most words of a memory
	Turn     int           // see Pass
	PassTime time.Duration // about how long a pass takes
}

// A Device is a machine as a lane device. It runs one call at a time.
type Device struct {
	Limits
	machine Machine

	mu     sync.Mutex
	memory Memory
	words  int             // of memory
	shadow *hostmem.Region // of a memory that the host cannot reach
	holds  *program        // whose static data are in memory
}

// New makes a device of a machine.
func New(m Machine, l Limits) *Device { return &Device{Limits: l, machine: m} }

// Info describes the device.
func (d *Device) Info() lane.Info { return d.Limits.Info }

// Close gives back the memory and closes the machine.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forget()
	return d.machine.Close()
}

// forget gives the memory back.
func (d *Device) forget() {
	if d.memory != nil {
		d.memory.Free()
	}
	if d.shadow != nil {
		d.shadow.Free()
	}
	d.memory, d.shadow, d.holds, d.words = nil, nil, nil, 0
}

// Load compiles a kernel.
func (d *Device) Load(ctx context.Context, k *lane.Kernel) (lane.Program, error) {
	start := time.Now()
	c, err := d.machine.Compile(ctx, k)
	if err != nil {
		return nil, fmt.Errorf("compile the kernel of %s: %w", k.Name, err)
	}
	return &program{dev: d, k: k, code: c, build: time.Since(start), fuel: firstFuel}, nil
}

// A program is a loaded kernel.
type program struct {
	dev   *Device
	k     *lane.Kernel
	code  Code
	build time.Duration
	fuel  int // of a pass
}

// Kernel implements lane.Program.
func (p *program) Kernel() *lane.Kernel { return p.k }

// Close implements lane.Program.
func (p *program) Close() error { return p.code.Close() }

// reserve makes memory of at least n words ready, as many as possible if need be, and
// returns its view from the host.
func (d *Device) reserve(n int) ([]uint64, error) {
	if d.memory == nil || d.words < n {
		d.forget()
		m, err := d.machine.Memory(n)
		if err != nil {
			return nil, err
		}
		d.memory, d.words = m, n
		if m.Words() == nil {
			d.shadow = hostmem.Reserve(n * 8)
		}
	}
	if w := d.memory.Words(); w != nil {
		return w, nil
	}
	if w := d.shadow.Words(); len(w) >= n {
		return w, nil
	}
	return nil, fmt.Errorf("the host has no room for a view of %d words", n)
}

// up copies words from the host's view to the device, down from the device to the view.
func (d *Device) up(view []uint64, from, to int) error {
	if d.shadow == nil || from == to {
		return nil
	}
	return d.memory.Write(from, view[from:to])
}

func (d *Device) down(view []uint64, from, to int) error {
	if d.shadow == nil || from == to {
		return nil
	}
	return d.memory.Read(from, view[from:to])
}
