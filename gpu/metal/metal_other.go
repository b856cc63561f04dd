//go:build !darwin

package metal

import (
	"errors"

	"bend/gpu/grid"
	"bend/jit/lane"
)

var errNoMetal = errors.New("there is no Metal outside macOS")

// A gpu is never there.
type gpu struct{}

func (gpu) info() lane.Info { return lane.Info{} }

func system() (gpu, error) { return gpu{}, errNoMetal }

// New opens the GPU.
func New(Options) (*grid.Device, error) { return nil, errNoMetal }
