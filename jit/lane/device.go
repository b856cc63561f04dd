package lane

import (
	"context"

	"bend/interp/word"
)

// A Device runs kernels on lanes.
type Device interface {
	Info() Info
	// Load makes a kernel ready to run.
	Load(ctx context.Context, k *Kernel) (Program, error)
	Close() error
}

// An Info describes a device.
type Info struct {
	Name   string // as it is asked for: cpu, cuda, metal
	Kind   string // what it is, for people
	Lanes  int
	Memory int // bytes of heap that a run gets when it asks for none
	Usable bool
	Target string // language of its kernels, as in jit.Options
	Why    string // why it is not usable
}

// A Program is a kernel that a device has loaded. It runs one call at a time.
type Program interface {
	// Run calls the kernel's root with args, which it takes over from heap, and
	// returns the result in heap. The report is there after an error too; the error of
	// a run is an *Error.
	Run(ctx context.Context, heap *word.Heap, args []word.Word, o RunOptions) (word.Word, *Report, error)
	// Kernel returns the kernel.
	Kernel() *Kernel
	Close() error
}

// RunOptions are the settings of one run. The zero value is the default.
type RunOptions struct {
	Policy    Policy
	HeapBytes int  // 0: the device's Memory
	LaneWords int  // 0: 2,048
	Lanes     int  // most lanes; 0: all that the device has
	Turn      int  // entries of defs in a turn of a kernel; 0: as many as take little time
	Trace     bool // keep samples of the stack, see Report.Trace; on one lane
	Audit     bool // look for what was left in the heap, see Report.Left
}
