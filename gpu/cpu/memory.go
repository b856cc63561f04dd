package cpu

import "github.com/tetratelabs/wazero/experimental"

// The memory of a kernel.
const (
	pageBytes = 1 << 16
	maxMemory = (1<<16 - 1) * pageBytes // one page less than 32 bits can address
	leastHeap = 16 << 20
)

// defaultHeap returns a quarter of the machine's memory, as far as a kernel can
// address that.
func defaultHeap() int {
	ram := physicalMemory()
	if ram == 0 {
		ram = 4 << 30
	}
	return min(max(ram/4, leastHeap), maxMemory-leastHeap)
}

// A region is a part of the address space that stays where it is as it grows: pages
// take memory when they are touched.
type region struct {
	bytes []byte
	free  func([]byte)
}

func allocate(_, most uint64) experimental.LinearMemory {
	bytes, free := reserve(most)
	return &region{bytes, free}
}

// Reallocate implements experimental.LinearMemory.
func (r *region) Reallocate(size uint64) []byte {
	if size > uint64(len(r.bytes)) {
		return nil
	}
	return r.bytes[:size:size]
}

// Free implements experimental.LinearMemory.
func (r *region) Free() {
	if r.bytes != nil {
		r.free(r.bytes)
		r.bytes = nil
	}
}
