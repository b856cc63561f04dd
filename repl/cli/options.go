package cli

import (
	"fmt"
	"slices"
	"strings"

	"bend/repl"
)

// An option is one "--name" of a command. Value is the word for its value in the
// help, empty for a switch.
type option struct {
	name  string
	value string
	help  string
	set   func(o *options, value string) error
}

// options is what the command line asks for.
type options struct {
	settings  repl.Settings
	logLevel  string
	logFile   string
	dump      string
	file      string
	color     string
	target    string
	svg, html string
	checkOnly bool
	verdict   bool
	json      bool
	types     bool
	write     bool
	list      bool
	keepGoing bool
	noInit    bool
	help      bool
}

func setting(name string) func(*options, string) error {
	return func(o *options, v string) error { return o.settings.Set(name, v) }
}

// evalOptions are the options of every command that evaluates.
var evalOptions = []option{
	{"gpu", "DEVICE", "where calls marked ! run: auto, on, off, cpu, cuda, metal, c, or a size for the heap", setting("gpu")},
	{"heap", "SIZE", "heap of a kernel, as in 512MB", setting("heap")},
	{"spill", "POLICY", "what a full lane does: half, whole, off, every", setting("spill")},
	{"stack", "SIZE", "stack of the interpreter, as in 256MB", setting("stack")},
	{"lanes", "N", "lanes of the processor (default: one a core)", setting("lanes")},
	{"strict-floats", "WHETHER", "the same bits of F32 on every device: on, or off for a GPU's own functions", setting("strict-floats")},
	{"lane-words", "N", "words of a lane's stack, 64 to 2048", setting("lane-words")},
	colorOption,
	{"log-level", "LEVEL", "write a log: debug, info, warn, error", func(o *options, v string) error {
		switch v {
		case "debug", "info", "warn", "error":
			o.logLevel = v
			return nil
		}
		return fmt.Errorf("expected debug, info, warn or error after --log-level")
	}},
	{"log-file", "FILE", "where the log goes (default: standard error)", func(o *options, v string) error {
		o.logFile = v
		return nil
	}},
	{"dump", "FORM", "print what a program becomes and stop: core, flat", func(o *options, v string) error {
		if v != "core" && v != "flat" {
			return fmt.Errorf("expected core or flat after --dump")
		}
		o.dump = v
		return nil
	}},
}

var (
	checkOnlyOption = option{"check-only", "", "check, run nothing", func(o *options, _ string) error {
		o.checkOnly = true
		return nil
	}}
	verdictOption = option{"verdict", "", "check twice, the second time by definitions alone, run nothing", func(o *options, _ string) error {
		o.verdict = true
		return nil
	}}
	colorOption = option{"color", "WHEN", "colours: auto, always, never", func(o *options, v string) error {
		switch v {
		case "auto", "always", "never":
			o.color = v
			return nil
		}
		return fmt.Errorf("expected auto, always or never after --color")
	}}
	targetOption = option{"target", "TARGET", "language of the kernel: c, cuda, metal, wasm", func(o *options, v string) error {
		if !slices.Contains(repl.KernelTargets, v) {
			return fmt.Errorf("expected c, cuda, metal or wasm after --target")
		}
		o.target = v
		return nil
	}}
	svgOption = option{"svg", "FILE", "draw the stack in the course of the run", func(o *options, v string) error {
		o.svg = v
		return nil
	}}
	htmlOption = option{"html", "FILE", "the same as a page, with a slider and every spill policy", func(o *options, v string) error {
		o.html = v
		return nil
	}}
	jsonOption = option{"json", "", "print JSON", func(o *options, _ string) error {
		o.json = true
		return nil
	}}
	keepGoingOption = option{"keep-going", "", "a script goes on after an error", func(o *options, _ string) error {
		o.keepGoing = true
		return nil
	}}
	noInitOption = option{"no-init", "", "run no init files (bendrc in the user's config folder, .bendrc here)", func(o *options, _ string) error {
		o.noInit = true
		return nil
	}}
	typesOption = option{"types", "", "names and types only", func(o *options, _ string) error {
		o.types = true
		return nil
	}}
	writeOption = option{"w", "", "write the layout back to the files", func(o *options, _ string) error {
		o.write = true
		return nil
	}}
	listOption = option{"l", "", "list the files that are laid out otherwise", func(o *options, _ string) error {
		o.list = true
		return nil
	}}
	fileOption = option{"f", "FILE", "load FILE first", func(o *options, v string) error {
		o.file = v
		return nil
	}}
)

// parse reads the options of one command out of args, up to "--", and returns the
// words that are left. With loose set, options that are not known, and all from
// "--help" on, are left for the program too, once there is a word before them.
func (o *options) parse(args []string, known []option, loose bool) (rest []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(rest, args[i+1:]...), nil
		}
		name, isOption := optionName(arg)
		if !isOption {
			rest = append(rest, arg)
			continue
		}
		if (name == "help" || name == "h") && (!loose || len(rest) == 0) {
			o.help = true
			continue
		}
		name, value, glued := strings.Cut(name, "=")
		opt := find(known, name)
		switch {
		case opt == nil && loose && len(rest) > 0:
			rest = append(rest, arg)
			continue
		case opt == nil:
			return nil, unknownOption(arg, name, known)
		case opt.value == "" && glued:
			return nil, fmt.Errorf("--%s takes no value", name)
		case opt.value != "" && !glued:
			if i++; i == len(args) {
				return nil, fmt.Errorf("expected %s after %s", opt.value, arg)
			}
			value = args[i]
		}
		if err := opt.set(o, value); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// optionName returns what follows the dashes of an option.
func optionName(arg string) (string, bool) {
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		return name, true
	}
	if len(arg) == 2 && arg[0] == '-' && ('a' <= arg[1] && arg[1] <= 'z') {
		return arg[1:], true
	}
	return "", false
}

func find(known []option, name string) *option {
	for i := range known {
		if known[i].name == name {
			return &known[i]
		}
	}
	return nil
}

func unknownOption(arg, name string, known []option) error {
	var names []string
	for _, o := range known {
		names = append(names, o.name)
	}
	if near := repl.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown option %s, did you mean --%s?", arg, near)
	}
	return fmt.Errorf("unknown option %s", arg)
}
