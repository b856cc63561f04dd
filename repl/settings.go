package repl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bend/gpu/cpu"
	"bend/jit/lane"
)

// Settings are what ":set" and the options of the command change.
type Settings struct {
	GPU       string      // auto, on, off, cpu, cuda or metal
	Heap      int64       // bytes of a kernel's heap, 0 for the device's own choice
	Spill     lane.Policy // what a lane does when its stack is full
	Stack     int64       // bytes of the interpreter's stack
	LaneWords int         // words of a lane's stack
	Lanes     int         // lanes of the processor, 0 for one a core
	OwnFloats bool        // a GPU computes functions of F32 in its own way

	turn int // see lane.RunOptions.Turn
}

// DefaultSettings returns what holds when nothing is said.
func DefaultSettings() Settings {
	return Settings{GPU: "auto", Spill: lane.Half, Stack: 512 << 20, LaneWords: lane.LaneWords}
}

// settingNames are the names that Set knows, in the order they are shown.
var settingNames = []string{"gpu", "heap", "spill", "stack", "lanes", "lane-words", "strict-floats"}

// Set changes one setting.
func (s *Settings) Set(name, value string) error {
	switch name {
	case "gpu":
		switch value {
		case "auto", "on", "off", "cpu", "cuda", "metal", "c":
			s.GPU = value
			return nil
		}
		if n, err := ParseSize(value); err == nil && strings.HasSuffix(strings.ToUpper(value), "B") {
			s.GPU, s.Heap = "on", n
			return nil
		}
		return errors.New("expected auto, on, off, cpu, cuda, metal, c or a size like 4GB for gpu")
	case "heap":
		n, err := ParseSize(value)
		if err != nil {
			return fmt.Errorf("%w for heap", err)
		}
		s.Heap = n
	case "spill":
		p, err := lane.ParsePolicy(value)
		if err != nil {
			return errors.New("expected half, whole, off or every for spill")
		}
		s.Spill = p
	case "stack":
		n, err := ParseSize(value)
		if err != nil {
			return fmt.Errorf("%w for stack", err)
		}
		s.Stack = n
	case "lanes":
		if value == "auto" {
			s.Lanes = 0
			return nil
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > cpu.MaxLanes {
			return fmt.Errorf("expected auto or a number from 1 to %d for lanes", cpu.MaxLanes)
		}
		s.Lanes = n
	case "lane-words":
		n, err := strconv.Atoi(value)
		if err != nil || n < 64 || n > lane.LaneWords {
			return fmt.Errorf("expected a number of words from 64 to %d for lane-words", lane.LaneWords)
		}
		s.LaneWords = n
	case "strict-floats":
		if value != "on" && value != "off" {
			return errors.New("expected on or off for strict-floats")
		}
		s.OwnFloats = value == "off"
	default:
		return unknownSetting(name)
	}
	return nil
}

func unknownSetting(name string) error {
	if near := Nearest(name, settingNames); near != "" {
		return fmt.Errorf("unknown setting %q, did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown setting %q (there are %s)", name, strings.Join(settingNames, ", "))
}

// Get returns the value of a setting as text.
func (s *Settings) Get(name string) string {
	switch name {
	case "gpu":
		return s.GPU
	case "heap":
		if s.Heap == 0 {
			return "auto"
		}
		return FormatSize(s.Heap)
	case "spill":
		return s.Spill.String()
	case "stack":
		return FormatSize(s.Stack)
	case "lanes":
		if s.Lanes == 0 {
			return "auto"
		}
		return strconv.Itoa(s.Lanes)
	case "lane-words":
		return strconv.Itoa(s.LaneWords)
	case "strict-floats":
		if s.OwnFloats {
			return "off"
		}
		return "on"
	}
	return ""
}

// ParseSize reads a number, fractions allowed, directly followed by KB, MB, GB or
// nothing for bytes. A KB is 1,024 bytes.
func ParseSize(text string) (int64, error) {
	num, unit := strings.ToUpper(text), int64(1)
	for _, u := range []struct {
		suffix string
		bytes  int64
	}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}} {
		if n, ok := strings.CutSuffix(num, u.suffix); ok {
			num, unit = n, u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(num, 64)
	size := f * float64(unit)
	if err != nil || !(size >= 1) || size > 1<<50 {
		return 0, errors.New("expected a size like 512MB")
	}
	return int64(size), nil
}

// FormatSize writes a number of bytes as ParseSize reads it.
func FormatSize(n int64) string {
	unit := func(b int64, name string) string {
		return strconv.FormatFloat(float64(n)/float64(b), 'f', -1, 64) + name
	}
	switch {
	case n >= 1<<30 && n%(1<<28) == 0:
		return unit(1<<30, "GB")
	case n >= 1<<20:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/(1<<20)), ".0") + "MB"
	case n >= 1<<10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/(1<<10)), ".0") + "KB"
	}
	return strconv.FormatInt(n, 10)
}
