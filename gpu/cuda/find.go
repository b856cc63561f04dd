package cuda

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"
)

// A search knows where libraries may be.
type search struct {
	goos string
	env  func(string) string
	glob func(pattern string) []string
}

// folders lists where CUDA's own libraries may be: where the environment says, in an
// environment of Python, where the toolkit and the system put them, in a user's Python.
func (s search) folders() (dirs []string) {
	add := func(root string, subs ...string) {
		if root == "" {
			return
		}
		for _, sub := range subs {
			dirs = append(dirs, filepath.Join(root, filepath.FromSlash(sub)))
		}
	}
	toolkit := []string{"lib64", "lib", "targets/*/lib", "compat"}
	packages := []string{"nvidia/cu[0-9]*/lib", "nvidia/cuda_nvrtc/lib"}
	if s.goos == "windows" {
		toolkit = []string{"bin/x64", "bin"}
		packages = []string{"nvidia/cu[0-9]*/bin/x86_64", "nvidia/cu[0-9]*/bin", "nvidia/cuda_nvrtc/bin"}
	}
	python := func(root string, subs ...string) {
		for _, sub := range subs {
			for _, p := range packages {
				add(root, sub+"/"+p)
			}
		}
	}
	add(s.env("CUDA_HOME"), toolkit...)
	add(s.env("CUDA_PATH"), toolkit...)
	if s.goos == "windows" {
		python(s.env("VIRTUAL_ENV"), "Lib/site-packages")
		python(s.env("CONDA_PREFIX"), "Lib/site-packages")
		add(s.env("CONDA_PREFIX"), "Library/bin")
		add(s.env("ProgramFiles"), "NVIDIA GPU Computing Toolkit/CUDA/v*/bin/x64", "NVIDIA GPU Computing Toolkit/CUDA/v*/bin")
		python(s.env("APPDATA"), "Python/Python*/site-packages")
		python(s.env("LOCALAPPDATA"), "Programs/Python/Python*/Lib/site-packages")
		return dirs
	}
	python(s.env("VIRTUAL_ENV"), "lib/python*/site-packages")
	python(s.env("CONDA_PREFIX"), "lib/python*/site-packages")
	add(s.env("CONDA_PREFIX"), "lib")
	for _, root := range []string{"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda"} {
		add(root, toolkit...)
	}
	add("/", "usr/lib/*-linux-gnu", "usr/lib64", "usr/lib", "usr/lib/wsl/lib")
	if home := s.env("HOME"); home != "" {
		python(home, ".local/lib/python*/site-packages")
	}
	python("/usr", "lib/python3*/site-packages", "lib/python3*/dist-packages", "local/lib/python3*/site-packages", "local/lib/python3*/dist-packages")
	return dirs
}

// drivers lists the names of the driver's library, best first. It comes with the driver,
// so that the system's own search finds it, but for a package that keeps old drivers
// going. BEND_CUDA_DRIVER names another.
func (s search) drivers() []string {
	if file := s.env("BEND_CUDA_DRIVER"); file != "" {
		return []string{file}
	}
	if s.goos == "windows" {
		return []string{"nvcuda.dll"}
	}
	names := []string{"libcuda.so.1"}
	for _, dir := range s.folders() {
		names = append(names, s.glob(filepath.Join(dir, "libcuda.so.1"))...)
	}
	return names
}

var digits = regexp.MustCompile(`\d+`)

// compilers lists the files that may be NVRTC, newest first, but such as are newer than
// the driver, of the given major version, last: it may not take what they make.
func (s search) compilers(driver int) []string {
	pattern := "libnvrtc.so*"
	if s.goos == "windows" {
		pattern = "nvrtc64_*_0.dll"
	}
	var files []string
	for _, dir := range s.folders() {
		files = append(files, s.glob(filepath.Join(dir, pattern))...)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.Contains(filepath.Base(f), "builtins") })
	slices.SortStableFunc(files, func(a, b string) int {
		va, vb := s.version(a), s.version(b)
		if (va[0] > driver) != (vb[0] > driver) {
			return cmp.Compare(va[0], vb[0])
		}
		return slices.Compare(vb, va)
	})
	if s.goos != "windows" {
		for v := min(driver, 14); v >= 11; v-- { // where only the loader knows
			files = append(files, fmt.Sprintf("libnvrtc.so.%d", v))
		}
		files = append(files, "libnvrtc.so.11.2", "libnvrtc.so")
	}
	return files
}

// version reads the version in a file's name; that of Windows has it in one number.
func (s search) version(file string) []int {
	v := []int{0}
	name := filepath.Base(file)
	if s.goos == "windows" {
		name = strings.TrimPrefix(name, "nvrtc64_")
		if n, err := strconv.Atoi(digits.FindString(name)); err == nil {
			v = []int{n / 10, n % 10}
		}
		return v
	}
	for i, d := range digits.FindAllString(name, -1) {
		n, _ := strconv.Atoi(d)
		if i == 0 {
			v[0] = n
		} else {
			v = append(v, n)
		}
	}
	return v
}

func systemSearch(env func(string) string) search {
	return search{runtime.GOOS, env, func(pattern string) []string {
		files, _ := filepath.Glob(pattern)
		return files
	}}
}

// load opens the first of the libraries that can be opened and has all functions, and
// returns its name. The error is that of the last, or that of the first that was there.
func load(names []string, functions map[string]any) (string, error) {
	var last error
	for _, name := range names {
		lib, err := openLibrary(name)
		if err == nil {
			err = bind(lib, functions)
		}
		if err == nil {
			return name, nil
		}
		last = err
	}
	return "", last
}

func bind(lib uintptr, functions map[string]any) error {
	at := map[string]uintptr{}
	for name := range functions {
		p, err := symbol(lib, name)
		if err != nil {
			return err
		}
		at[name] = p
	}
	for name, f := range functions {
		purego.RegisterFunc(f, at[name])
	}
	return nil
}
