package stdlib_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/norm"
	"bend/interp/word"
)

// The programs of testdata print what their "#> " lines say. Those with a def lines
// are computed here in three ways that must agree: by the checker's evaluator, by its
// evaluator without native arithmetic (so by Base's definitions alone), and by the
// interpreter.

// byDefinition lists the programs that are small enough for unary and bitwise arithmetic.
var byDefinition = map[string]bool{
	"array": true, "bool": true, "char": true, "list": true, "maybe": true,
	"small": true, "string": true, "word": true,
}

// onlyRun lists the programs that the checker's evaluator does not compute, since they
// use laws without a body, or would take long over.
var onlyRun = map[string]bool{"atomic": true, "f32": true, "lanes": true, "long": true, "rest": true}

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bend")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bend")
		t.Run(name, func(t *testing.T) {
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
			if diff := cmp.Diff(want, interpreted(t, book)); diff != "" {
				t.Errorf("interpreter (-want +got):\n%s", diff)
			}
			if onlyRun[name] {
				return
			}
			if diff := cmp.Diff(want, normalized(t, book)); diff != "" {
				t.Errorf("checker (-want +got):\n%s", diff)
			}
			if !byDefinition[name] {
				return
			}
			for _, d := range book.Defs {
				d.Base = false
			}
			if diff := cmp.Diff(want, normalized(t, book)); diff != "" {
				t.Errorf("definitions (-want +got):\n%s", diff)
			}
		})
	}
}

// normalized evaluates the def lines to strings.
func normalized(t *testing.T, b *core.Book) []string {
	t.Helper()
	m := norm.New(b)
	var lines []string
	err := m.Catch(func() {
		term := m.Quote(0, m.Eval(nil, &core.Ref{Key: "lines"}))
		for {
			c, ok := term.(*core.Ctr)
			if !ok || c.Key != "Con" {
				return
			}
			quoted := core.Print(c.Args[0], nil, core.PrintOptions{})
			lines = append(lines, strings.Trim(quoted, `"`))
			term = c.Args[1]
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// interpreted runs the def lines and reads the strings out of the heap.
func interpreted(t *testing.T, b *core.Book) []string {
	t.Helper()
	p := flat.NewProgram()
	id, err := flat.Lower(b, p, "lines")
	if err != nil {
		t.Fatal(err)
	}
	heap := word.NewHeap(1 << 24)
	w, err := eval.New(p, heap, eval.Options{}).Call(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for word.Boxed(w) {
		list := heap.Node(w)
		var s strings.Builder
		for c := list[0]; word.Boxed(c); {
			cell := heap.Node(c)
			s.WriteRune(rune(cell[0]))
			c = cell[1]
		}
		lines = append(lines, s.String())
		w = list[1]
	}
	return lines
}
