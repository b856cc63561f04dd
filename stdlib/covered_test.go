package stdlib_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"bend/interp/core"
)

// TestCovered makes sure that the programs of the tests reach every def, law and type of
// Base, if only through others. What draws and plays is refused, and no program does it.
func TestCovered(t *testing.T) {
	var texts []string
	for _, pattern := range []string{"testdata/*.bend", "../interp/effect/testdata/*.bend", "../interp/effect/testdata/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs at %s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if a := txtar.Parse(text); len(a.Files) > 0 {
				text = a.Files[0].Data
			}
			texts = append(texts, string(text))
		}
	}
	reached := map[string]bool{}
	for _, text := range texts {
		if strings.Contains(text, "import ./") {
			continue
		}
		book := load(t, text)
		var todo []string
		reach := func(key string) {
			if !reached[key] {
				reached[key] = true
				todo = append(todo, key)
			}
		}
		all := func(ts ...core.Term) {
			for _, x := range ts {
				if x != nil {
					core.Mentions(x, reach)
				}
			}
		}
		for _, d := range book.Defs {
			if !d.Base {
				all(d.Value, d.Type)
			}
		}
		for len(todo) > 0 {
			key := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if d := book.Defs[key]; d != nil {
				all(d.Value, d.Type)
				if run := key + ".run"; book.Defs[run] != nil {
					reach(run)
				}
			}
		}
	}
	var missing []string
	for key, d := range load(t, "").Defs {
		refused := strings.HasPrefix(key, "Window") || strings.HasPrefix(key, "Audio.") || strings.HasPrefix(key, "App.")
		if d.Base && !reached[key] && !refused {
			missing = append(missing, key)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no program of the tests reaches %s", strings.Join(missing, ", "))
	}
}
