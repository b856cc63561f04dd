// Package hostmem knows the memory of this machine, and reserves parts of the address
// space that stay where they are and take memory as they are touched.
package hostmem

import "unsafe"

const (
	least = 16 << 20
	most  = 4<<30 - 1<<16 // bytes: what a lane on the processor can address
)

// DefaultHeap returns the bytes of heap of a run that asks for none: a quarter of the
// machine's memory, within what a kernel can address.
func DefaultHeap() int {
	ram := physical()
	if ram == 0 {
		ram = 4 << 30
	}
	return min(max(ram/4, least), most-least)
}

// A Region is a part of the address space, not moved by Go.
type Region struct {
	Bytes []byte
	free  func([]byte)
}

// Reserve reserves size bytes, or less where there is not that much: none rather than little.
func Reserve(size int) *Region {
	bytes, free := reserve(size)
	return &Region{bytes, free}
}

// Free gives the region back.
func (r *Region) Free() {
	if r.Bytes != nil {
		r.free(r.Bytes)
		r.Bytes = nil
	}
}

// Words returns the region as words.
func (r *Region) Words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(r.Bytes))), len(r.Bytes)/8)
}
