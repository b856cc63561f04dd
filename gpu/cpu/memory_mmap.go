//go:build linux || darwin

package cpu

import "golang.org/x/sys/unix"

// reserve reserves address space without memory behind it.
func reserve(size uint64) ([]byte, func([]byte)) {
	for ; size >= leastHeap; size /= 2 {
		b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		if err == nil {
			hugePages(b)
			return b, func(b []byte) { unix.Munmap(b) }
		}
	}
	return nil, func([]byte) {}
}
