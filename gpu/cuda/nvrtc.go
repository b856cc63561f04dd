package cuda

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// A compiler is the part of NVRTC that we use.
type compiler struct {
	version   func(major, minor *int32) int32
	errorText func(code int32) string
	archs     func(list *int32) int32
	archCount func(n *int32) int32
	create    func(prog *uintptr, src, name string, headers int32, texts, names unsafe.Pointer) int32
	compile   func(prog uintptr, n int32, options unsafe.Pointer) int32
	logSize   func(prog uintptr, n *uintptr) int32
	log       func(prog uintptr, log *byte) int32
	cubinSize func(prog uintptr, n *uintptr) int32
	cubin     func(prog uintptr, image *byte) int32
	ptxSize   func(prog uintptr, n *uintptr) int32
	ptx       func(prog uintptr, image *byte) int32
	destroy   func(prog *uintptr) int32
}

func (c *compiler) functions() map[string]any {
	return map[string]any{
		"nvrtcVersion": &c.version, "nvrtcGetErrorString": &c.errorText,
		"nvrtcGetSupportedArchs": &c.archs, "nvrtcGetNumSupportedArchs": &c.archCount,
		"nvrtcCreateProgram": &c.create, "nvrtcCompileProgram": &c.compile,
		"nvrtcGetProgramLogSize": &c.logSize, "nvrtcGetProgramLog": &c.log,
		"nvrtcGetCUBINSize": &c.cubinSize, "nvrtcGetCUBIN": &c.cubin,
		"nvrtcGetPTXSize": &c.ptxSize, "nvrtcGetPTX": &c.ptx, "nvrtcDestroyProgram": &c.destroy,
	}
}

func (c *compiler) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf("%s failed: %s", call, c.errorText(code))
}

// name returns the version, as in "12.9".
func (c *compiler) name() string {
	var major, minor int32
	if c.version(&major, &minor) != 0 {
		return "?"
	}
	return fmt.Sprintf("%d.%d", major, minor)
}

// target returns the architecture to compile for: the card's own, or, for a card that is
// newer than the compiler, the newest that it knows, whose PTX the driver compiles.
func (c *compiler) target(capability int32) (string, error) {
	var n int32
	if err := c.check("nvrtcGetNumSupportedArchs", c.archCount(&n)); err != nil {
		return "", err
	}
	list := make([]int32, max(n, 1))
	if err := c.check("nvrtcGetSupportedArchs", c.archs(&list[0])); err != nil {
		return "", err
	}
	list = list[:n]
	if slices.Contains(list, capability) {
		return fmt.Sprintf("sm_%d", capability), nil
	}
	list = slices.DeleteFunc(list, func(a int32) bool { return a > capability })
	if len(list) == 0 {
		return "", fmt.Errorf("NVRTC %s does not know compute capability %d.%d: an older CUDA toolkit may", c.name(), capability/10, capability%10)
	}
	return fmt.Sprintf("compute_%d", slices.Max(list)), nil
}

// options are those of a kernel: operations are not fused, and give the bits that IEEE
// 754 says.
func options(arch string) []string {
	return []string{"--gpu-architecture=" + arch, "--std=c++14", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true", "-w"}
}

// build compiles a text to an image that cuModuleLoadData takes, and returns what the
// compiler has to say.
func (c *compiler) build(text, name, arch string, more ...string) (image []byte, log string, err error) {
	var prog uintptr
	if err := c.check("nvrtcCreateProgram", c.create(&prog, text, name+".cu", 0, nil, nil)); err != nil {
		return nil, "", err
	}
	defer c.destroy(&prog)
	var args []*byte
	for _, o := range append(options(arch), more...) {
		args = append(args, unsafe.StringData(o+"\x00"))
	}
	code := c.compile(prog, int32(len(args)), unsafe.Pointer(&args[0]))
	runtime.KeepAlive(args)
	said, _ := fetch(c, "nvrtcGetProgramLog", prog, c.logSize, c.log)
	log = strings.TrimSpace(cStringIn(said))
	if err := c.check("nvrtcCompileProgram", code); err != nil {
		return nil, log, fmt.Errorf("%w\n%s", err, log)
	}
	if strings.HasPrefix(arch, "compute_") {
		image, err = fetch(c, "nvrtcGetPTX", prog, c.ptxSize, c.ptx)
	} else {
		image, err = fetch(c, "nvrtcGetCUBIN", prog, c.cubinSize, c.cubin)
	}
	return image, log, err
}

// A Compiler is NVRTC without a card.
type Compiler struct {
	rtc  compiler
	File string // where it was found
}

// FindCompiler finds NVRTC.
func FindCompiler() (*Compiler, error) {
	c := &Compiler{}
	var err error
	c.File, err = load(systemSearch(os.Getenv).compilers(newestDriver), c.rtc.functions())
	return c, err
}

// newestDriver is a major version that every NVRTC is old enough for.
const newestDriver = 99

// Version returns the compiler's version, as in "12.9".
func (c *Compiler) Version() string { return c.rtc.name() }

// Compile compiles the text of a kernel for an architecture, as in "sm_90". The log tells
// how many registers a lane takes, and what it keeps in memory for want of them.
func (c *Compiler) Compile(text, arch string) (image []byte, log string, err error) {
	return c.rtc.build(text, "kernel", arch, "--ptxas-options=-v")
}

// fetch gets something of a program that has a size.
func fetch(c *compiler, call string, prog uintptr, size func(uintptr, *uintptr) int32, get func(uintptr, *byte) int32) ([]byte, error) {
	var n uintptr
	if err := c.check(call+"Size", size(prog, &n)); err != nil {
		return nil, err
	}
	b := make([]byte, n+1)
	if err := c.check(call, get(prog, &b[0])); err != nil {
		return nil, err
	}
	return b[:n], nil
}
