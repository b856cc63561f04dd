package stdlib_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bend/interp/base"
)

// outside are the folders, besides testdata, of the programs that name what needs the
// outside world.
var outside = []string{"../interp/effect/testdata", "../repl/testdata/script"}

// aName is a name in a program, with its namespaces; a word in front of a dot that is none
// makes it another name.
var aName = regexp.MustCompile(`[A-Z][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*`)

// TestNamed makes sure that the programs of testdata call every def that the language's
// own library declares, and every type and constructor, by its name; actions may be called by
// those that test actions.
func TestNamed(t *testing.T) {
	named := func(dirs ...string) map[string]bool {
		names := map[string]bool{}
		for _, dir := range dirs {
			files, err := filepath.Glob(dir + "/*")
			if err != nil || len(files) == 0 {
				t.Fatalf("no programs in %s: %v", dir, err)
			}
			for _, f := range files {
				if ext := filepath.Ext(f); ext != ".bend" && ext != ".txtar" {
					continue
				}
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(text)) {
					if strings.HasPrefix(strings.TrimSpace(line), "#") {
						continue
					}
					for _, name := range aName.FindAllString(line, -1) {
						names[name] = true
					}
				}
			}
		}
		return names
	}
	here, there := named("testdata"), named(append(outside, "testdata")...)
	text, err := os.ReadFile("testdata/signatures.txt")
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, "(")
		names := here
		if strings.Contains(rest, "-> IO(") {
			names = there
		}
		if !names[name] {
			missing = append(missing, name)
		}
	}
	book, diags := base.Build()
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	for key, d := range book.Types {
		if d.Base && !there[key] {
			missing = append(missing, key)
		}
	}
	for key, c := range book.Ctors {
		if c.Data.Base && !there[key] {
			missing = append(missing, key+"{}")
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no program of the tests names %s", strings.Join(missing, ", "))
	}
}
