package cpu

import (
	"testing"

	"bend/gpu/conform"
	"bend/jit/lane"
)

func open(heapBytes, lanes int) (lane.Device, error) { return New(heapBytes, lanes) }

func TestConform(t *testing.T)    { conform.Test(t, open) }
func TestPrimitives(t *testing.T) { conform.Primitives(t, open) }

// TestFragments: the pool makes large blocks of small ones.
func TestFragments(t *testing.T) { conform.Fragments(t, open) }

func TestTrace(t *testing.T) { conform.Trace(t, open) }
