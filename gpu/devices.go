package gpu

import (
	"fmt"
	"strings"

	"bend/gpu/cpu"
	"bend/gpu/native"
)

// Options are the settings of devices.
type Options struct {
	HeapBytes int // of a run that asks for none; 0: a quarter of the machine's memory
	Lanes     int // of the processor; 0: one a core
}

// kinds are the devices in order of preference.
var kinds = []struct {
	info Info
	open func(Options) (Device, error) // nil when the device is not usable
}{
	{info: Info{Name: "cuda", Kind: "NVIDIA GPU", Why: "not part of this build yet: NVIDIA GPUs are not driven"}},
	{info: Info{Name: "metal", Kind: "Apple GPU", Why: "not part of this build yet: Apple GPUs are not driven"}},
	{info: cpu.Describe(), open: func(o Options) (Device, error) { return cpu.New(o.HeapBytes, o.Lanes) }},
	{info: native.Describe(), open: func(o Options) (Device, error) { return native.New(o.HeapBytes, o.Lanes) }},
}

// Devices describes all devices, usable or not, best first.
func Devices() []Info {
	var infos []Info
	for _, k := range kinds {
		infos = append(infos, k.info)
	}
	return infos
}

// Choose opens the device of the given name. "auto" and "on" take the best usable
// one. The Device is nil, without an error, for "off".
func Choose(name string, o Options) (Device, error) {
	if name == "off" {
		return nil, nil
	}
	names := []string{"auto", "on", "off"}
	var why []string
	for _, k := range kinds {
		names = append(names, k.info.Name)
		if name != k.info.Name && name != "auto" && name != "on" {
			continue
		}
		if k.open != nil {
			return k.open(o)
		}
		why = append(why, fmt.Sprintf("%s (%s): %s", k.info.Name, k.info.Kind, k.info.Why))
	}
	if len(why) > 0 {
		return nil, fmt.Errorf("no such device can be used: %s", strings.Join(why, "; "))
	}
	return nil, fmt.Errorf("%q is no device: %s", name, strings.Join(names, ", "))
}
