//go:build !windows

package native

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"bend/gpu/grid"
)

const loads = true

var errLoad error

// A code is a kernel in a shared library.
type code struct{ library, entry uintptr }

func load(file string) (*code, error) {
	lib, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	entry, err := purego.Dlsym(lib, "bend_enter")
	if err != nil {
		purego.Dlclose(lib)
		return nil, err
	}
	return &code{lib, entry}, nil
}

func (c *code) enter(memory unsafe.Pointer, index int, p grid.Pass) {
	purego.SyscallN(c.entry, uintptr(memory), uintptr(index), uintptr(p.Fuel), uintptr(p.Turn), uintptr(p.Stage))
}

// Close implements grid.Code.
func (c *code) Close() error { return purego.Dlclose(c.library) }
