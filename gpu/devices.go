package gpu

import (
	"fmt"
	"strings"

	"bend/gpu/cpu"
	"bend/gpu/cuda"
	"bend/gpu/metal"
	"bend/gpu/native"
)

// Options are the settings of devices.
type Options struct {
	HeapBytes int    // of a run that asks for none; 0: a quarter of the device's memory
	Lanes     int    // most lanes; 0: one a core, or as many as suit the card
	Cache     string // folder of what is compiled once; "" for none
}

// kinds are the devices in order of preference.
var kinds = []struct {
	name     string
	describe func() Info
	open     func(Options) (Device, error)
	passed   string // why only its name chooses it, if so
}{
	{"cuda", cuda.Describe, func(o Options) (Device, error) {
		return device(cuda.New(cuda.Options{HeapBytes: o.HeapBytes, Lanes: o.Lanes, Cache: o.Cache}))
	}, ""},
	{"metal", metal.Describe, func(o Options) (Device, error) {
		return device(metal.New(metal.Options{HeapBytes: o.HeapBytes}))
	}, "its one lane is slower than the processor's; its name, metal, chooses it"},
	{"cpu", cpu.Describe, func(o Options) (Device, error) { return device(cpu.New(o.HeapBytes, o.Lanes)) }, ""},
	{"c", native.Describe, func(o Options) (Device, error) { return device(native.New(o.HeapBytes, o.Lanes)) }, ""},
}

// device makes sure that there is no device where there is an error.
func device[D Device](d D, err error) (Device, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Devices describes all devices, usable or not, best first.
func Devices() []Info {
	var infos []Info
	for _, k := range kinds {
		infos = append(infos, k.describe())
	}
	return infos
}

// Choose opens the device of the given name. "auto" and "on" take the best that can be
// used. The Device is nil, without an error, for "off".
func Choose(name string, o Options) (Device, error) {
	if name == "off" {
		return nil, nil
	}
	names := []string{"auto", "on", "off"}
	var why []string
	for _, k := range kinds {
		names = append(names, k.name)
		if name != k.name && (name != "auto" && name != "on" || k.passed != "") {
			continue
		}
		info := k.describe()
		if info.Usable {
			d, err := k.open(o)
			if err == nil {
				return d, nil
			}
			info.Why = err.Error()
		}
		why = append(why, fmt.Sprintf("%s (%s): %s", k.name, info.Kind, info.Why))
	}
	if len(why) > 0 {
		return nil, fmt.Errorf("no such device can be used: %s", strings.Join(why, "; "))
	}
	return nil, fmt.Errorf("%q is no device: %s", name, strings.Join(names, ", "))
}

// Passed tells why the devices that are better than the named one are not used.
func Passed(name string) (why []string) {
	for _, k := range kinds {
		if k.name == name {
			break
		}
		info := k.describe()
		if info.Usable {
			info.Why = k.passed
		}
		why = append(why, fmt.Sprintf("not %s: %s", k.name, info.Why))
	}
	return why
}
