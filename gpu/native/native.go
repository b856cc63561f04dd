// Package native runs kernels in C on the processor: they are compiled by the C compiler
// of the machine and loaded as shared libraries. Their text is, but for a prelude, that of
// kernels for a GPU.
package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"bend/gpu/grid"
	"bend/gpu/hostmem"
	"bend/jit/lane"
)

// Describe describes the device of New, if there is a compiler for it.
func Describe() lane.Info {
	return lane.Info{
		Name: "c", Kind: "lanes in C", Lanes: runtime.GOMAXPROCS(0), Memory: hostmem.DefaultHeap(), Usable: true, Target: "c",
	}
}

// ErrNoCompiler is why there is no device.
var ErrNoCompiler = errors.New("no C compiler was found (cc, gcc, clang, or $CC)")

// compiler finds a C compiler.
func compiler() (string, error) {
	for _, name := range []string{os.Getenv("CC"), "cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil && name != "" {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}

// New opens the device. heapBytes is what a run's heap gets when the run does not say, 0
// for a quarter of the machine's memory; lanes is the number of lanes, 0 for one a core.
// flags are further options of the compiler, and so are those of $CFLAGS.
func New(heapBytes, lanes int, flags ...string) (*grid.Device, error) {
	if !loads {
		return nil, errLoad
	}
	cc, err := compiler()
	if err != nil {
		return nil, err
	}
	return NewDialect(heapBytes, lanes, Dialect{
		Target: "c", Compiler: cc, Suffix: ".c", Flags: append([]string{"-std=gnu11"}, flags...),
	})
}

// A Dialect is how the text of a kernel becomes a shared library.
type Dialect struct {
	Target   string // as in lane.Info
	Compiler string
	Suffix   string // of the file
	Flags    []string
	Tail     string // goes behind the text
}

// NewDialect opens a device like that of New for another dialect.
func NewDialect(heapBytes, lanes int, d Dialect) (*grid.Device, error) {
	dir, err := os.MkdirTemp("", "bend-kernels-")
	if err != nil {
		return nil, err
	}
	info := Describe()
	info.Target = d.Target
	if heapBytes > 0 {
		info.Memory = heapBytes
	}
	if lanes > 0 {
		info.Lanes = lanes
	}
	return grid.New(&machine{Dialect: d, dir: dir}, grid.Limits{
		Info: info, Words: 1 << 32, Turn: 1 << 12, PassTime: 10 * time.Millisecond,
	}), nil
}

// A machine compiles to files in a folder of its own.
type machine struct {
	Dialect
	dir string
	mu  sync.Mutex
	n   int // kernels so far
}

// Close implements grid.Machine.
func (m *machine) Close() error { return os.RemoveAll(m.dir) }

// Memory implements grid.Machine.
func (m *machine) Memory(words int) (grid.Memory, error) {
	r := hostmem.Reserve(words * 8)
	if len(r.Bytes) < words*8 {
		r.Free()
		return nil, fmt.Errorf("no room for %d bytes of memory", words*8)
	}
	return memory{r}, nil
}

// A memory is one that the host can reach.
type memory struct{ *hostmem.Region }

func (memory) Write(int, []uint64) error { return nil }
func (memory) Read(int, []uint64) error  { return nil }

func (m memory) Free() error {
	m.Region.Free()
	return nil
}

// Compile implements grid.Machine.
func (m *machine) Compile(ctx context.Context, k *lane.Kernel) (grid.Code, error) {
	m.mu.Lock()
	m.n++
	name := filepath.Join(m.dir, fmt.Sprintf("k%d", m.n))
	m.mu.Unlock()
	if err := os.WriteFile(name+m.Suffix, []byte(k.Text+m.Tail), 0o600); err != nil {
		return nil, err
	}
	args := []string{"-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o", name + ".so", name + m.Suffix, "-lm"}
	args = append(append(args, m.Flags...), strings.Fields(os.Getenv("CFLAGS"))...)
	if out, err := exec.CommandContext(ctx, m.Compiler, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(string(out)))
	}
	return load(name + ".so")
}

// Pass implements grid.Code: each lane is a thread.
func (c *code) Pass(m grid.Memory, p grid.Pass) error {
	at := unsafe.Pointer(unsafe.SliceData(m.Words()))
	var others sync.WaitGroup
	for i := 1; i < p.Lanes; i++ {
		others.Go(func() { c.enter(at, i, p) })
	}
	c.enter(at, 0, p)
	others.Wait()
	return nil
}
