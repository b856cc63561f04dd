package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A trial is one run of a program: its arguments, and the lines it must print.
type trial struct{ args, want []string }

// trials reads the runs that a program's comments ask for: "#! args: WORDS" starts
// one, "#> LINE" is a line that it prints.
func trials(text string) (ts []trial) {
	for _, l := range strings.Split(text, "\n") {
		if args, ok := strings.CutPrefix(l, "#! args:"); ok {
			ts = append(ts, trial{args: strings.Fields(args)})
		} else if line, ok := strings.CutPrefix(l, "#>"); ok {
			if len(ts) == 0 {
				ts = append(ts, trial{})
			}
			ts[len(ts)-1].want = append(ts[len(ts)-1].want, strings.TrimPrefix(line, " "))
		}
	}
	return ts
}

// configurations are the places where calls marked "!" run in the tests.
var configurations = map[string][]string{
	"interpreter": {"--gpu", "off"},
	"lanes-half":  {"--gpu", "cpu", "--spill", "half"},
	"lanes-whole": {"--gpu", "cpu", "--spill", "whole"},
	"lanes-small": {"--gpu", "cpu", "--lane-words", "64"},
	"lanes-four":  {"--gpu", "cpu", "--lanes", "4"},
}

// TestPrograms runs every program that says what it prints, in every configuration.
func TestPrograms(t *testing.T) {
	// A million levels of anything on a stack of Go's would end the test.
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	configurations := configurations
	if _, err := exec.LookPath("cc"); err == nil {
		if os.Getenv("CFLAGS") == "" {
			t.Setenv("CFLAGS", "-O0") // the compiler takes longer than the programs
		}
		configurations = maps.Clone(configurations)
		configurations["lanes-in-C"] = []string{"--gpu", "c", "--lanes", "3"}
	} else {
		t.Log("no C compiler, so no lanes in C")
	}
	if os.Getenv("BEND_CARD") != "" {
		configurations = map[string][]string{
			"card-half": {"--gpu", "cuda", "--spill", "half"}, "card-whole": {"--gpu", "cuda", "--spill", "whole"},
			"card-small": {"--gpu", "cuda", "--lane-words", "64"}, "card-one": {"--gpu", "cuda", "--lanes", "1"},
		}
	}
	var files []string
	for _, dir := range []string{"../testdata/programs", "../../stdlib/testdata", "../../docs/examples"} {
		fs, err := filepath.Glob(dir + "/*.bend")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, fs...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ts := trials(string(text))
		if len(ts) == 0 {
			continue
		}
		// A program without "!" runs the same way everywhere.
		configs := configurations
		if !bytes.Contains(text, []byte("!(")) {
			configs = map[string][]string{"interpreter": configurations["interpreter"]}
		}
		for name, options := range configs {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				for _, tr := range ts {
					if testing.Short() && len(tr.args) > 0 && tr.args[0] == "1000000" {
						continue
					}
					var out, errOut bytes.Buffer
					args := append(append(append([]string{}, options...), file), tr.args...)
					code := Main(args, Streams{strings.NewReader(""), &out, &errOut})
					got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
					if diff := cmp.Diff(tr.want, got); diff != "" || code != 0 {
						t.Errorf("bend %s: exit code %d (-want +got)\n%s%s", strings.Join(args, " "), code, diff, errOut.String())
					}
				}
			})
		}
	}
}
