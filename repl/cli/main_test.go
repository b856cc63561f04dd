package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bend/gpu/standin"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bend": func() { os.Exit(Main(os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})) },
	})
}

// TestScripts runs the scripts of the command: each holds its files, its commands and
// what they print. BEND_UPDATE=1 writes the outputs anew.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       os.Getenv("BEND_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "standin" {
				return false, fmt.Errorf("no condition %q", name)
			}
			return card() != "", nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("STANDIN", card())
			return nil
		},
	})
}

// card is a home of CUDA with a stand-in for a card; "" where none can be built.
var card = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "standin-")
	if err != nil {
		return ""
	}
	if _, err := standin.Driver(dir); err != nil {
		return ""
	}
	return dir
})

// exits is the script command "exits CODE PROGRAM ARG..", which runs a program that must
// end with the given exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG..")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	exit := (*exec.ExitError)(nil)
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
