package cpu

// NewC would open a device for kernels in C, which are not loaded on Windows.
func NewC(heapBytes int, flags ...string) (*Device, error) { return nil, ErrNoCompiler }
