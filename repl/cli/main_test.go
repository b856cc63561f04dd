package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
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
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			return nil
		},
	})
}
