//go:build linux || darwin

package hostmem

import "golang.org/x/sys/unix"

// MostView is the most bytes that are worth reserving for a view of other memory.
const MostView = 1 << 46

// reserve reserves address space without memory behind it.
func reserve(size int) ([]byte, func([]byte)) {
	for {
		b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		if err == nil {
			hugePages(b)
			return b, func(b []byte) { unix.Munmap(b) }
		}
		if size /= 2; size < least {
			return nil, func([]byte) {}
		}
	}
}
