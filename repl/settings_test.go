package repl

import (
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "4096": 4096, "1KB": 1 << 10, "64MB": 64 << 20, "0.5GB": 512 << 20, "2gb": 2 << 30,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1MB", "0", "nanMB", "1TB", "1e99GB"} {
		if n, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, n)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{
		5: "5", 1 << 10: "1KB", 1536: "1.5KB", 64 << 20: "64MB", 1 << 30: "1GB", 5 << 28: "1.25GB",
	} {
		if got := FormatSize(n); got != want {
			t.Errorf("FormatSize(%d) = %q, want %q", n, got, want)
		}
		if back, err := ParseSize(want); err != nil || back != n {
			t.Errorf("ParseSize(%q) = %d, %v", want, back, err)
		}
	}
}

func TestSettings(t *testing.T) {
	tests := []struct {
		name, value string
		shown       string
		err         string
	}{
		{"gpu", "cpu", "cpu", ""},
		{"gpu", "512MB", "on", ""},
		{"gpu", "512", "", "expected auto, on, off, cpu, cuda, metal, c or a size like 4GB for gpu"},
		{"gpu", "tpu", "", "expected auto, on, off, cpu, cuda, metal, c or a size like 4GB for gpu"},
		{"heap", "1GB", "1GB", ""},
		{"heap", "much", "", "expected a size like 512MB for heap"},
		{"spill", "whole", "whole", ""},
		{"spill", "some", "", "expected half, whole, off or every for spill"},
		{"lane-words", "64", "64", ""},
		{"lane-words", "63", "", "expected a number of words from 64 to 2048 for lane-words"},
		{"lane-word", "64", "", `unknown setting "lane-word", did you mean "lane-words"?`},
		{"colour-of-bike", "red", "", `unknown setting "colour-of-bike" (there are gpu, heap, spill, stack, lanes, lane-words, strict-floats)`},
		{"lanes", "3", "3", ""},
		{"lanes", "auto", "auto", ""},
		{"lanes", "0", "", "expected auto or a number from 1 to 128 for lanes"},
	}
	for _, tt := range tests {
		s := DefaultSettings()
		err := s.Set(tt.name, tt.value)
		switch {
		case tt.err == "" && err != nil, tt.err != "" && (err == nil || err.Error() != tt.err):
			t.Errorf("Set(%q, %q): %v, want %q", tt.name, tt.value, err, tt.err)
		case tt.err == "" && s.Get(tt.name) != tt.shown:
			t.Errorf("Get(%q) = %q, want %q", tt.name, s.Get(tt.name), tt.shown)
		}
	}
}

func TestParseCommand(t *testing.T) {
	tests := []struct{ line, name, arg, err string }{
		{":help", "help", "", ""},
		{":h stack", "help", "stack", ""},
		{":sta  deep(3n) ", "stack", "deep(3n)", ""},
		{":load a.bend", "load", "a.bend", ""},
		{":re", "", "", ":re could be :reload or :reset"},
		{":t [1, 2]", "type", "[1, 2]", ""},
		{":lod x", "", "", "unknown command :lod, did you mean :load?"},
		{":frobnicate", "", "", "unknown command :frobnicate (see :help)"},
		{":", "", "", `expected a command after ":" (see :help)`},
	}
	for _, tt := range tests {
		cmd, arg, err := parseCommand(tt.line)
		if err != nil {
			if err.Error() != tt.err {
				t.Errorf("%q: error %q, want %q", tt.line, err, tt.err)
			}
			continue
		}
		if tt.err != "" || cmd.name != tt.name || arg != tt.arg {
			t.Errorf("%q: command %q %q, want %q %q %q", tt.line, cmd.name, arg, tt.name, tt.arg, tt.err)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"help", "load", "reload", "stack"}
	for text, want := range map[string]string{"hlep": "help", "laod": "load", "stakc": "stack", "zzzzzz": ""} {
		if got := Nearest(text, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", text, got, want)
		}
	}
}
