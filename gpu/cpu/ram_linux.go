package cpu

import "golang.org/x/sys/unix"

func physicalMemory() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int(info.Totalram) * int(info.Unit)
}
