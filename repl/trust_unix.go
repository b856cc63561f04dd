//go:build !windows

package repl

import (
	"os"
	"path/filepath"
	"syscall"
)

// untrusted tells why the person may not know what a file does: "" when the file and its
// folder are theirs alone.
func untrusted(name string) string {
	for _, path := range []string{name, filepath.Dir(name)} {
		info, err := os.Stat(path)
		if err != nil {
			return "cannot be looked at"
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Getuid() {
			return "belongs to somebody else, or its folder does"
		}
		if info.Mode().Perm()&0o022 != 0 {
			return "can be changed by others, or its folder can"
		}
	}
	return ""
}
