//go:build !windows

package cuda

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"bend/gpu/conform"
	"bend/gpu/standin"
	"bend/interp/word"
	"bend/jit/cgen"
	"bend/jit/lane"
)

// A fake is a stand-in for the driver, and ways to make it behave badly.
type fake struct {
	search
	set  func(what string, value int32)
	fail func(call string, code, after, times int32)
	live func() int32
}

// newFake builds a stand-in; nil where there is no compiler.
func newFake(t *testing.T) *fake {
	dir := t.TempDir()
	file, err := standin.Driver(dir)
	if errors.Is(err, standin.ErrNoCompiler) {
		t.Log(err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"CUDA_HOME": dir, "BEND_CUDA_DRIVER": file}
	f := &fake{search: systemSearch(func(name string) string { return env[name] })}
	lib, err := openLibrary(file)
	if err != nil {
		t.Fatal(err)
	}
	purego.RegisterLibFunc(&f.set, lib, "standin_set")
	purego.RegisterLibFunc(&f.fail, lib, "standin_fail")
	purego.RegisterLibFunc(&f.live, lib, "standin_live")
	return f
}

func (f *fake) open(t *testing.T, o Options) lane.Device {
	t.Helper()
	c, err := probe(f.search)
	if err != nil {
		t.Fatal(err)
	}
	d, err := open(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestConform runs the tests of every device on a stand-in, through all of the host's
// side. Kernels are kept in a cache, as they are for a person.
func TestConform(t *testing.T) {
	f := newFake(t)
	if f == nil {
		return
	}
	dir := t.TempDir()
	conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) {
		c, err := probe(f.search)
		if err != nil {
			return nil, err
		}
		return open(c, Options{HeapBytes: heapBytes, Lanes: lanes, Cache: dir})
	})
	if n := f.live(); n != 0 {
		t.Errorf("%d things were left on the card", n)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 20 {
		t.Errorf("%d kernels in the cache, %v", len(files), err)
	}
}

// TestCard runs the same tests on a real card, where BEND_CARD says that there is one.
func TestCard(t *testing.T) {
	if os.Getenv("BEND_CARD") == "" {
		t.Log("BEND_CARD is not set")
		return
	}
	dir := t.TempDir()
	conform.Test(t, func(heapBytes, lanes int) (lane.Device, error) {
		c, err := probe(systemSearch(os.Getenv))
		if err != nil {
			return nil, err
		}
		return open(c, Options{HeapBytes: heapBytes, Lanes: lanes, Cache: dir})
	})
}

// TestFaults makes calls of the driver fail. Each failure is a clear error, and the device
// goes on working afterwards.
func TestFaults(t *testing.T) {
	f := newFake(t)
	if f == nil {
		return
	}
	const lost, full = 719, 2
	for _, tt := range []struct {
		call        string
		code, after int32
		want        string // in the error; "" for none
		load        bool   // fails when the kernel is loaded, not when it runs
	}{
		{"cuMemAlloc", full, 0, "cuMemAlloc failed: out of memory: a smaller heap", false},
		{"cuMemcpyHtoD", 1, 0, "cuMemcpyHtoD failed", false},
		{"cuMemcpyHtoD", 1, 2, "cuMemcpyHtoD failed", false},
		{"cuMemcpyDtoH", lost, 0, "cuMemcpyDtoH failed: unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)", false},
		{"cuLaunchKernel", 701, 0, "cuLaunchKernel failed", false},
		{"cuLaunchKernel", lost, 1, "cuLaunchKernel failed: unspecified", false},
		{"cuCtxSynchronize", lost, 0, "cuCtxSynchronize failed: unspecified", false},
		{"cuCtxSynchronize", 702, 0, "watchdog", false},
		{"cuCtxSetCurrent", 201, 0, "cuCtxSetCurrent failed", false},
		{"cuModuleLoadData", 209, 0, "cuModuleLoadData failed", true},
		{"cuModuleLoadData", 222, 0, "NVRTC is newer than the driver", true},
		{"cuModuleGetFunction", 500, 0, "cuModuleGetFunction failed", true},
		{"nvrtcCreateProgram", 1, 0, "nvrtcCreateProgram failed", true},
		{"nvrtcCompileProgram", 6, 0, "asked for", true},
		{"nvrtcGetCUBIN", 1, 0, "nvrtcGetCUBIN failed", true},
	} {
		t.Run(tt.call, func(t *testing.T) {
			defer f.fail("", 0, 0, 0)
			d := f.open(t, Options{HeapBytes: 1 << 20, Lanes: 4})
			k := conform.Deep(t, cgen.CUDA)
			if tt.load {
				f.fail(tt.call, tt.code, tt.after, 1)
			}
			p, err := d.Load(context.Background(), k)
			if tt.load {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want %q", err, tt.want)
				}
				if p, err = d.Load(context.Background(), k); err != nil {
					t.Fatal(err)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			h := word.NewHeap(0)
			if !tt.load {
				f.fail(tt.call, tt.code, tt.after, 1)
				_, _, err := p.Run(context.Background(), h, []word.Word{3000}, lane.RunOptions{})
				var e *lane.Error
				if !errors.As(err, &e) || e.Code != lane.Fault || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want %q", err, tt.want)
				}
			}
			for range 2 {
				if w, _, err := p.Run(context.Background(), h, []word.Word{3000}, lane.RunOptions{}); err != nil || w != 3000 {
					t.Fatalf("after the fault: %d, %v", w, err)
				}
			}
			if err := errors.Join(p.Close(), d.Close()); err != nil {
				t.Error(err)
			}
			if n := f.live(); n != 0 {
				t.Errorf("%d things were left on the card", n)
			}
		})
	}
}

// TestLost takes the card away for good, and then gives it back.
func TestLost(t *testing.T) {
	f := newFake(t)
	if f == nil {
		return
	}
	d := f.open(t, Options{HeapBytes: 1 << 20, Lanes: 4})
	defer d.Close()
	p, err := d.Load(context.Background(), conform.Deep(t, cgen.CUDA))
	if err != nil {
		t.Fatal(err)
	}
	run := func() error {
		_, _, err := p.Run(context.Background(), word.NewHeap(0), []word.Word{10}, lane.RunOptions{})
		return err
	}
	f.fail("cuCtxSynchronize", 719, 0, 1)
	if err := run(); err == nil {
		t.Fatal("no error")
	}
	f.fail("cuDevicePrimaryCtxRetain", 46, 0, 2)
	for range 2 {
		if err := run(); err == nil || !strings.Contains(err.Error(), "another process may have the card") {
			t.Fatalf("got %v", err)
		}
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
}

// TestProbe tells what is missing.
func TestProbe(t *testing.T) {
	f := newFake(t)
	if f == nil {
		return
	}
	with := func(name, value string) search {
		s := f.search
		s.env = func(n string) string {
			if n == name {
				return value
			}
			return f.env(n)
		}
		return s
	}
	mac := f.search
	mac.goos = "darwin"
	for _, tt := range []struct {
		name  string
		s     search
		set   string
		value int32
		reset int32
		call  string
		code  int32
		want  string
	}{
		{name: "mac", s: mac, want: "no CUDA on macOS"},
		{name: "no driver", s: with("BEND_CUDA_DRIVER", "/nowhere/libcuda.so.1"), want: "install the driver of your card"},
		{name: "no nvrtc", s: with("CUDA_HOME", "/nowhere"), want: "set CUDA_HOME"},
		{name: "no card", s: f.search, set: "devices", value: 0, reset: 1, want: "no NVIDIA GPU was found"},
		{name: "old card", s: f.search, set: "capability", value: 61, reset: 90, want: "compute capability 6.1, and 7.0 is needed"},
		{name: "unknown to the compiler", s: f.search, set: "capability", value: 72, reset: 90, want: "does not know compute capability 7.2"},
		{name: "broken driver", s: f.search, call: "cuInit", code: 803, want: "restart the machine"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.set != "" {
				f.set(tt.set, tt.value)
				defer f.set(tt.set, tt.reset)
			}
			f.fail(tt.call, tt.code, 0, 1)
			defer f.fail("", 0, 0, 0)
			if _, err := probe(tt.s); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}

	// A card that is newer than the compiler gets PTX of the newest that it knows.
	f.set("capability", 103)
	defer f.set("capability", 90)
	c, err := probe(f.search)
	if err != nil || c.arch != "compute_90" {
		t.Errorf("%+v, %v", c, err)
	}
	d, err := open(c, Options{HeapBytes: 1 << 20, Lanes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p, err := d.Load(context.Background(), conform.Deep(t, cgen.CUDA))
	if err != nil {
		t.Fatal(err)
	}
	if w, _, err := p.Run(context.Background(), word.NewHeap(0), []word.Word{10}, lane.RunOptions{}); err != nil || w != 10 {
		t.Errorf("%d, %v", w, err)
	}
}
