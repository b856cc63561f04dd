package cuda

import (
	"fmt"
	"unsafe"
)

// A result is a CUresult.
type result int32

// The results and attributes that we know by number, as cuda.h has them.
const (
	outOfMemory        result = 2
	noDevice           result = 100
	deviceUnavailable  result = 46
	noBinary           result = 209
	unsupportedPTX     result = 222
	outOfResources     result = 701
	launchTimeout      result = 702
	driverMismatch     result = 803
	compatNotSupported result = 804

	attrProcessors = 16
	attrMajor      = 75
	attrMinor      = 76

	funcLocalBytes = 3
	funcRegisters  = 4
)

// A driver is the part of the CUDA driver API that we use.
type driver struct {
	init         func(flags uint32) result
	version      func(v *int32) result
	count        func(n *int32) result
	get          func(dev *int32, i int32) result
	name         func(name *byte, n int32, dev int32) result
	attribute    func(v *int32, attr, dev int32) result
	totalMem     func(n *uintptr, dev int32) result
	retain       func(ctx *uintptr, dev int32) result
	release      func(dev int32) result
	reset        func(dev int32) result
	setCurrent   func(ctx uintptr) result
	alloc        func(p *uintptr, n uintptr) result
	free         func(p uintptr) result
	toDevice     func(to uintptr, from unsafe.Pointer, n uintptr) result
	toHost       func(to unsafe.Pointer, from, n uintptr) result
	load         func(module *uintptr, image unsafe.Pointer) result
	unload       func(module uintptr) result
	function     func(f *uintptr, module uintptr, name string) result
	funcAttr     func(v *int32, attr int32, f uintptr) result
	launch       func(f uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, params, extra unsafe.Pointer) result
	synchronize  func() result
	errorName    func(r result, text **byte) result
	errorMessage func(r result, text **byte) result
}

func (d *driver) functions() map[string]any {
	return map[string]any{
		"cuInit": &d.init, "cuDriverGetVersion": &d.version,
		"cuDeviceGetCount": &d.count, "cuDeviceGet": &d.get, "cuDeviceGetName": &d.name,
		"cuDeviceGetAttribute": &d.attribute, "cuDeviceTotalMem_v2": &d.totalMem,
		"cuDevicePrimaryCtxRetain": &d.retain, "cuDevicePrimaryCtxRelease_v2": &d.release,
		"cuDevicePrimaryCtxReset_v2": &d.reset, "cuCtxSetCurrent": &d.setCurrent,
		"cuMemAlloc_v2": &d.alloc, "cuMemFree_v2": &d.free,
		"cuMemcpyHtoD_v2": &d.toDevice, "cuMemcpyDtoH_v2": &d.toHost,
		"cuModuleLoadData": &d.load, "cuModuleUnload": &d.unload, "cuModuleGetFunction": &d.function,
		"cuFuncGetAttribute": &d.funcAttr, "cuLaunchKernel": &d.launch, "cuCtxSynchronize": &d.synchronize,
		"cuGetErrorName": &d.errorName, "cuGetErrorString": &d.errorMessage,
	}
}

// An Error is a call of the driver that failed.
type Error struct {
	Call string // what was called
	Code int    // a CUresult
	Name string // of the code, as cuda.h has it
	Text string // what it means, and what may help
}

func (e *Error) Error() string { return fmt.Sprintf("%s failed: %s (%s)", e.Call, e.Text, e.Name) }

// helps says what a person can do about a result.
var helps = map[result]string{
	outOfMemory:        "a smaller heap (--heap) or fewer programs on the card may help",
	noDevice:           "no NVIDIA GPU was found",
	deviceUnavailable:  "another process may have the card for itself",
	noBinary:           "the card and the compiler do not fit together",
	unsupportedPTX:     "NVRTC is newer than the driver: update the driver",
	launchTimeout:      "the system's watchdog ended the pass, as it does on a card that drives a screen",
	driverMismatch:     "the driver was updated while it ran: restart the machine",
	compatNotSupported: "the compatibility package does not fit this card: remove it or update the driver",
}

// check turns a result into an error.
func (d *driver) check(call string, r result) error {
	if r == 0 {
		return nil
	}
	e := &Error{Call: call, Code: int(r), Name: fmt.Sprintf("CUresult %d", r), Text: "error"}
	var name, text *byte
	if d.errorName(r, &name) == 0 && name != nil {
		e.Name = cString(name)
	}
	if d.errorMessage(r, &text) == 0 && text != nil {
		e.Text = cString(text)
	}
	if help := helps[r]; help != "" {
		e.Text += ": " + help
	}
	return e
}

// cString copies a C string.
func cString(p *byte) string {
	var b []byte
	for ; *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		b = append(b, *p)
	}
	return string(b)
}

// cStringIn is the C string that a buffer begins with.
func cStringIn(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
