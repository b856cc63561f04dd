package hostmem

import "golang.org/x/sys/unix"

func physical() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int(info.Totalram) * int(info.Unit)
}

// hugePages asks for large pages: a heap is touched from one end to the other, and a
// fault for every 4 KiB takes longer than filling them. It is a wish only.
func hugePages(b []byte) { unix.Madvise(b, unix.MADV_HUGEPAGE) }
