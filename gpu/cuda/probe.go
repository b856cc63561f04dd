package cuda

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"bend/gpu/hostmem"
	"bend/jit/lane"
)

// How a card is used.
const (
	leastCapability = 70 // lanes of a group must be able to wait for each other
	blockLanes      = 128
	lanesPerCore    = 128 // of a multiprocessor
	spared          = 512 << 20
)

// A card is a device of CUDA and what is needed to use it.
type card struct {
	drv        *driver
	rtc        *compiler
	dev        int32
	name       string
	capability int32
	processors int32
	memory     int // bytes
	arch       string
	compiler   string // file of NVRTC
}

// probe finds the first card. The error tells what is missing and how to get it.
func probe(s search) (*card, error) {
	if s.goos == "darwin" {
		return nil, errors.New("there is no CUDA on macOS")
	}
	c := &card{drv: &driver{}, rtc: &compiler{}}
	if _, err := load(s.drivers(), c.drv.functions()); err != nil {
		return nil, fmt.Errorf("the library of the NVIDIA driver (%s) was not found: install the driver of your card", s.drivers()[0])
	}
	if err := c.look(); err != nil {
		return nil, err
	}
	if c.capability < leastCapability {
		return nil, fmt.Errorf("%s has compute capability %d.%d, and 7.0 is needed", c.name, c.capability/10, c.capability%10)
	}
	var version int32
	if err := c.drv.check("cuDriverGetVersion", c.drv.version(&version)); err != nil {
		return nil, err
	}
	file, err := load(s.compilers(int(version/1000)), c.rtc.functions())
	if err != nil {
		return nil, fmt.Errorf("NVRTC, the compiler of CUDA, was not found: install the CUDA toolkit %d or Python's package nvidia-cuda-nvrtc, or set CUDA_HOME to where it is", version/1000)
	}
	c.compiler = file
	c.arch, err = c.rtc.target(c.capability)
	return c, err
}

// look reads what the driver tells of the card.
func (c *card) look() error {
	d := c.drv
	var count, minor int32
	var memory uintptr
	name := make([]byte, 256)
	for _, s := range []struct {
		call string
		do   func() result
	}{
		{"cuInit", func() result { return d.init(0) }},
		{"cuDeviceGetCount", func() result {
			r := d.count(&count)
			if r == 0 && count == 0 {
				return noDevice
			}
			return r
		}},
		{"cuDeviceGet", func() result { return d.get(&c.dev, 0) }},
		{"cuDeviceGetName", func() result { return d.name(&name[0], int32(len(name)), c.dev) }},
		{"cuDeviceGetAttribute", func() result { return d.attribute(&c.capability, attrMajor, c.dev) }},
		{"cuDeviceGetAttribute", func() result { return d.attribute(&minor, attrMinor, c.dev) }},
		{"cuDeviceGetAttribute", func() result { return d.attribute(&c.processors, attrProcessors, c.dev) }},
		{"cuDeviceTotalMem", func() result { return d.totalMem(&memory, c.dev) }},
	} {
		if err := d.check(s.call, s.do()); err != nil {
			return err
		}
	}
	c.name, c.memory = cStringIn(name), int(memory)
	c.capability = c.capability*10 + minor
	return nil
}

// words is the number of words that memory on the card may have: what places can name,
// and what the host has a view for.
func (c *card) words() int {
	return max(min((c.memory-spared)/8, 1<<32, hostmem.MostView/8), 0)
}

func (c *card) info() lane.Info {
	return lane.Info{
		Name: "cuda", Kind: c.name, Lanes: int(c.processors) * lanesPerCore,
		Memory: min(c.memory/4, c.words()*8), Usable: true, Target: "cuda",
	}
}

// system is the machine's first card; the libraries are loaded once.
var system = sync.OnceValues(func() (*card, error) { return probe(systemSearch(os.Getenv)) })

// Describe describes the device of New, or why there is none.
func Describe() lane.Info {
	c, err := system()
	if err != nil {
		return lane.Info{Name: "cuda", Kind: "NVIDIA GPU", Why: err.Error()}
	}
	return c.info()
}

// About tells what of the machine is used, for a person.
func About() string {
	c, err := system()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s (compute capability %d.%d), NVRTC %s (%s), kernels for %s on %s/%s",
		c.name, c.capability/10, c.capability%10, c.rtc.name(), c.compiler, c.arch, runtime.GOOS, runtime.GOARCH)
}
