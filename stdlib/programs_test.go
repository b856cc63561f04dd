package stdlib_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/flat"
	"bend/interp/norm"
)

// The programs of testdata print what their "#> " lines say. Those with a def lines
// are computed here in several ways that must agree: by the checker's evaluator, by its
// evaluator without native arithmetic (so by Base's definitions alone), on the host and
// on lanes.

// byDefinition lists the programs that are small enough for unary and bitwise arithmetic.
var byDefinition = map[string]bool{
	"array": true, "array-parts": true, "bool": true, "char": true, "list": true,
	"list-parts": true, "logic": true, "map-parts": true, "maybe": true, "number-parts": true,
	"string": true, "text-parts": true, "word": true,
}

// onlyRun lists the programs that the checker's evaluator does not compute, since they
// use laws without a body, or would take long over.
var onlyRun = map[string]bool{"atomic": true, "f32": true, "image": true, "lanes": true, "long": true, "shared": true}

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bend")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bend")
		t.Run(name, func(t *testing.T) {
			if name != "long" { // it changes what a Go stack may be, before the others run
				t.Parallel()
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, line := range strings.Split(string(text), "\n") {
				if s, ok := strings.CutPrefix(line, "#> "); ok {
					want = append(want, s)
				}
			}
			if len(want) == 0 {
				t.Fatal("the program says nothing about what it prints")
			}
			book := load(t, string(text))
			if t.Failed() {
				return
			}
			report(t, check.Events(book, 0))
			for key, d := range book.Defs {
				if d.Value != nil && !d.Checked {
					t.Errorf("%s was not checked, without an error", key)
				}
			}
			lines := book.Defs["lines"]
			if t.Failed() || lines == nil {
				return
			}
			prog := flat.NewProgram()
			id := lower(t, book, prog, "lines")
			ways := machines(t, prog)
			if name == "long" {
				// What is deep is deep on stacks of our own. One of Go's that grew past
				// this would end the test. On the host, all of testdata is run by the
				// command line's tests, under such a limit too.
				defer debug.SetMaxStack(debug.SetMaxStack(256 << 10))
				ways = ways[1:2]
			}
			for _, m := range ways {
				if diff := cmp.Diff(want, m.lines(t, id)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", m.name, diff)
				}
			}
			if onlyRun[name] {
				return
			}
			if diff := cmp.Diff(quoted(want), normalized(t, book, "lines")); diff != "" {
				t.Errorf("checker (-want +got):\n%s", diff)
			}
			if !byDefinition[name] {
				return
			}
			for key, d := range book.Defs {
				d.Base = key == "U32.show" || key == "Nat.show" // the rest of the time would go there
			}
			if diff := cmp.Diff(quoted(want), normalized(t, book, "lines")); diff != "" {
				t.Errorf("definitions (-want +got):\n%s", diff)
			}
		})
	}
}

// quoted writes strings as the checker prints them.
func quoted(lines []string) (qs []string) {
	for _, s := range lines {
		var codes []uint32
		for _, r := range s {
			codes = append(codes, uint32(r))
		}
		qs = append(qs, core.Print(&core.Str{Codes: codes}, nil, core.PrintOptions{}))
	}
	return qs
}

// normalized evaluates a def to a list of strings, and gives them quoted.
func normalized(t *testing.T, b *core.Book, key string) []string {
	t.Helper()
	m := norm.New(b)
	var lines []string
	err := m.Catch(func() {
		term := m.Quote(0, m.Eval(nil, &core.Ref{Key: key}))
		for {
			c, ok := term.(*core.Ctr)
			if !ok || c.Key != "Con" {
				return
			}
			lines = append(lines, core.Print(c.Args[0], nil, core.PrintOptions{}))
			term = c.Args[1]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
