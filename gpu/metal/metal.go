// Package metal runs kernels on an Apple GPU, by the Metal framework of macOS, which is
// loaded when it is needed. The names and numbers are those of Apple's documentation of
// Metal. A kernel has one lane there: the Metal Shading Language has no atomic operations
// on 64 bits, which lanes share their work with.
package metal

import "bend/jit/lane"

// Options are the settings of the device.
type Options struct {
	HeapBytes int // of a run that asks for none; 0: a quarter of the GPU's memory
}

// Describe describes the device of New, or why there is none.
func Describe() lane.Info {
	g, err := system()
	if err != nil {
		return lane.Info{Name: "metal", Kind: "Apple GPU", Why: err.Error()}
	}
	return g.info()
}
