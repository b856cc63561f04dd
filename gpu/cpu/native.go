//go:build !windows

package cpu

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"bend/jit/lane"
)

// compiler finds a C compiler.
func compiler() (string, error) {
	for _, name := range []string{os.Getenv("CC"), "cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil && name != "" {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}

// NewC opens a device that is like New's, but for its kernels: they are printed in C, in
// the dialect of the GPUs, and compiled by the C compiler of the machine. It has one lane.
// flags are further options of the compiler, and so are those of $CFLAGS.
func NewC(heapBytes int, flags ...string) (*Device, error) {
	cc, err := compiler()
	if err != nil {
		return nil, err
	}
	return newNative(heapBytes, dialect{target: "c", compiler: cc, suffix: ".c", flags: append([]string{"-std=gnu11"}, flags...)})
}

// A dialect is how the text of a kernel becomes a shared library.
type dialect struct {
	target   string // as in lane.Info
	compiler string
	suffix   string // of the file
	flags    []string
	tail     string // goes behind the text
}

func newNative(heapBytes int, d dialect) (*Device, error) {
	dir, err := os.MkdirTemp("", "bend-kernels-")
	if err != nil {
		return nil, err
	}
	info := DescribeC()
	info.Target = d.target
	if heapBytes == 0 {
		heapBytes = info.Memory
	}
	n := 0
	return &Device{
		heap: heapBytes, lanes: 1, info: info,
		compile: func(ctx context.Context, k *lane.Kernel) (code, error) {
			n++
			return d.compile(ctx, filepath.Join(dir, fmt.Sprintf("k%d", n)), k)
		},
		close: func() error { return os.RemoveAll(dir) },
	}, nil
}

// A nativeCode is a kernel in a shared library.
type nativeCode struct {
	library, enter uintptr
	mem            *region
	data           []byte
}

func (d dialect) compile(ctx context.Context, name string, k *lane.Kernel) (code, error) {
	if err := os.WriteFile(name+d.suffix, []byte(k.Text+d.tail), 0o600); err != nil {
		return nil, err
	}
	args := []string{"-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o", name + ".so", name + d.suffix, "-lm"}
	args = append(append(args, d.flags...), strings.Fields(os.Getenv("CFLAGS"))...)
	if out, err := exec.CommandContext(ctx, d.compiler, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(string(out)))
	}
	lib, err := purego.Dlopen(name+".so", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	enter, err := purego.Dlsym(lib, "bend_enter")
	if err != nil {
		purego.Dlclose(lib)
		return nil, err
	}
	mem := allocate(0, maxMemory).(*region)
	return &nativeCode{lib, enter, mem, k.Data}, nil
}

func (c *nativeCode) memory(size int) ([]byte, bool) {
	if size > len(c.mem.bytes) {
		return nil, false
	}
	copy(c.mem.bytes[lane.Static*8:], c.data)
	return c.mem.bytes, true
}

func (c *nativeCode) entry() entry {
	mem := uintptr(unsafe.Pointer(unsafe.SliceData(c.mem.bytes)))
	return func(w *worker, pc int, fuel uint64) (lane.Status, error) {
		status, _, _ := purego.SyscallN(c.enter, mem, uintptr(w.base), uintptr(pc), uintptr(fuel))
		return lane.Status(int32(status)), nil
	}
}

func (c *nativeCode) close() error {
	c.mem.Free()
	return purego.Dlclose(c.library)
}
