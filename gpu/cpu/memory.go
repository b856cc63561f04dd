package cpu

import (
	"github.com/tetratelabs/wazero/experimental"

	"bend/gpu/hostmem"
)

// The memory of a kernel.
const (
	pageBytes = 1 << 16
	maxMemory = (1<<16 - 1) * pageBytes // one page less than 32 bits can address
)

// A linear is a WebAssembly memory that stays where it is as it grows.
type linear struct{ *hostmem.Region }

func allocate(_, most uint64) experimental.LinearMemory {
	return linear{hostmem.Reserve(int(most))}
}

// Reallocate implements experimental.LinearMemory.
func (l linear) Reallocate(size uint64) []byte {
	if size > uint64(len(l.Bytes)) {
		return nil
	}
	return l.Bytes[:size:size]
}
