// Package gpu finds the devices that can run kernels, and says why others cannot.
package gpu

import "bend/jit/lane"

// The types of a device; see package lane.
type (
	Device     = lane.Device
	Info       = lane.Info
	Program    = lane.Program
	RunOptions = lane.RunOptions
)
