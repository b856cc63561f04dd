package cuda

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCompilers orders what may be NVRTC.
func TestCompilers(t *testing.T) {
	files := []string{
		"/home/me/.venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
		"/home/me/.venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.8",
		"/opt/mine/lib64/libnvrtc.so.11.8.89",
		"/usr/local/cuda/lib64/libnvrtc.so.13",
		"/usr/local/cuda-12.9/lib64/libnvrtc.so.12.9.86",
		"/usr/lib/x86_64-linux-gnu/libnvrtc.so.11.2",
	}
	s := search{
		goos: "linux",
		env: func(name string) string {
			return map[string]string{"VIRTUAL_ENV": "/home/me/.venv", "CUDA_HOME": "/opt/mine"}[name]
		},
		glob: func(pattern string) (found []string) {
			for _, f := range files {
				if ok, err := filepath.Match(pattern, f); ok && err == nil {
					found = append(found, f)
				}
			}
			return found
		},
	}
	for _, tt := range []struct {
		driver int
		want   []string
	}{
		{13, []string{files[3], files[4], files[0], files[2], files[5], "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11", "libnvrtc.so.11.2", "libnvrtc.so"}},
		{12, []string{files[4], files[0], files[2], files[5], files[3], "libnvrtc.so.12", "libnvrtc.so.11", "libnvrtc.so.11.2", "libnvrtc.so"}},
	} {
		if got := s.compilers(tt.driver); !slices.Equal(got, tt.want) {
			t.Errorf("driver %d:\n%s", tt.driver, strings.Join(got, "\n"))
		}
	}
	if got := s.drivers(); got[0] != "libcuda.so.1" {
		t.Errorf("%q", got)
	}
}

// TestWindowsNames reads the versions in the names of Windows.
func TestWindowsNames(t *testing.T) {
	s := search{goos: "windows", env: func(name string) string {
		return map[string]string{"CUDA_PATH": "C"}[name]
	}, glob: func(pattern string) []string {
		if filepath.Dir(pattern) != filepath.Join("C", "bin") {
			return nil
		}
		return []string{"nvrtc64_112_0.dll", "nvrtc64_130_0.dll", "nvrtc64_120_0.dll"}
	}}
	want := []string{"nvrtc64_120_0.dll", "nvrtc64_112_0.dll", "nvrtc64_130_0.dll"}
	if got := s.compilers(12); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := s.drivers(); !slices.Equal(got, []string{"nvcuda.dll"}) {
		t.Errorf("%q", got)
	}
}
