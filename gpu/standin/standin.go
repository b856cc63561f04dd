// Package standin makes, for tests, what a machine without a GPU lacks: headers that turn
// kernels for CUDA and Metal into C++, and a driver whose card is threads.
package standin

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"bend/gpu/native"
)

//go:embed text
var texts embed.FS

// ErrNoCompiler is why there are no stand-ins.
var ErrNoCompiler = errors.New("no C and C++ compilers were found (cc, c++)")

// headers writes the headers to a folder.
func headers(dir string) error {
	for _, name := range []string{"cuda.h", "clang.h", "metal_stdlib"} {
		b, err := texts.ReadFile("text/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// The entry of a kernel has the name of the host's: it gets another one.
const tail = `
#undef bend_enter
extern "C" void bend_enter(u64 *m, u32 index, int fuel, int turn, u32 stage) { bend_pass(m, index, fuel, turn, stage); }
`

// Dialect compiles the text for a target, "cuda" or "metal", as C++, with headers that it
// puts in dir.
func Dialect(target, dir string) (native.Dialect, error) {
	cc, err := exec.LookPath("c++")
	if err != nil {
		return native.Dialect{}, ErrNoCompiler
	}
	if err := headers(dir); err != nil {
		return native.Dialect{}, err
	}
	flags := []string{"-std=c++14", "-Dbend_enter=bend_launch"}
	if target == "cuda" {
		flags = append(flags, "-include", filepath.Join(dir, "cuda.h"))
	} else {
		flags = append(flags, "-Wno-attributes", "-Wno-unknown-pragmas", "-isystem", dir)
	}
	return native.Dialect{Target: target, Compiler: cc, Suffix: ".cpp", Flags: flags, Tail: tail}, nil
}

// Driver builds the driver in dir, which is then a home of CUDA, and returns its file. If
// the environment names a clang in STANDIN_CLANG, each kernel that is compiled must compile
// to PTX for cards too, without arrays of a lane's own.
func Driver(dir string) (string, error) {
	for _, name := range []string{"cc", "c++"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", ErrNoCompiler
		}
	}
	if err := headers(dir); err != nil {
		return "", err
	}
	source, err := texts.ReadFile("text/driver.c")
	if err != nil {
		return "", err
	}
	c := filepath.Join(dir, "driver.c")
	if err := os.WriteFile(c, source, 0o600); err != nil {
		return "", err
	}
	lib := filepath.Join(dir, "lib64")
	if err := os.MkdirAll(lib, 0o700); err != nil {
		return "", err
	}
	driver := filepath.Join(lib, "libcuda.so.1")
	define := func(name, file string) string { return fmt.Sprintf("-D%s=%q", name, filepath.Join(dir, file)) }
	if out, err := exec.Command("cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
		define("SHIM", "cuda.h"), define("CLANG", "clang.h"), "-o", driver, c, "-lpthread", "-ldl").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return driver, os.Symlink("libcuda.so.1", filepath.Join(lib, "libnvrtc.so.13"))
}
