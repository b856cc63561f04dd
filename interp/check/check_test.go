package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"bend/interp/base"
	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// builtBase is the Base library, checked.
var builtBase = sync.OnceValues(base.Build)

// load checks a text on top of Base.
func load(t *testing.T, name, text string) (*core.Book, []*syntax.Diagnostic) {
	t.Helper()
	b, ds := builtBase()
	if len(ds) > 0 {
		t.Fatalf("Base: %s", ds[0].Error())
	}
	b = b.Fork()
	from := len(b.Events)
	src := syntax.NewSource(name, strings.Replace(text, "import Base", "", 1))
	f, ds := syntax.ParseFile(src)
	if len(ds) == 0 {
		ds = elab.Add(b, &module.Unit{File: f})
	}
	if len(ds) > 0 {
		t.Fatalf("%s: %s: %s", name, ds[0].Span.Text(), ds[0].Error())
	}
	return b, check.Events(b, from)
}

// describe writes a diagnostic as the comments of the test files match it.
func describe(d *syntax.Diagnostic) string {
	return strings.Join(append([]string{d.Code + ": " + d.Error(), d.Hint}, d.Notes...), " | ")
}

func matches(re, text string) bool { return regexp.MustCompile(re).MatchString(text) }

// TestFiles checks testdata/*.bend: a line that ends in "# error: REGEXP" is where
// exactly one error that matches starts, and there are no other errors.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bend")
	if err != nil || len(files) == 0 {
		t.Fatal("no test files", err)
	}
	want := regexp.MustCompile(`# error: (.*)$`)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, ds := load(t, file, string(text))
			at := map[int][]string{}
			for _, d := range ds {
				if !d.Span.Valid() {
					t.Errorf("no place: %s", describe(d))
					continue
				}
				line, _ := d.Span.Src.Line(d.Span.Start)
				at[line] = append(at[line], describe(d))
			}
			for i, line := range strings.Split(string(text), "\n") {
				m := want.FindStringSubmatch(line)
				got := at[i+1]
				switch {
				case m == nil && len(got) > 0:
					t.Errorf("%s:%d: unexpected %s", file, i+1, strings.Join(got, "\n\t"))
				case m != nil && len(got) != 1:
					t.Errorf("%s:%d: %d errors, want one: %s", file, i+1, len(got), m[1])
				case m != nil && !matches(m[1], got[0]):
					t.Errorf("%s:%d: got %s\n\twant %s", file, i+1, got[0], m[1])
				}
			}
		})
	}
}
