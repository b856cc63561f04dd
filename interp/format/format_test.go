package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bend/interp/syntax"
)

func format(t testing.TB, name, text string) string {
	t.Helper()
	out, diags := Source(syntax.NewSource(name, text))
	if len(diags) > 0 {
		t.Fatalf("%s: %v", name, diags[0])
	}
	return out
}

// TestLayout formats the archives of testdata: "in" becomes "out". BEND_UPDATE=1 writes
// it anew.
func TestLayout(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := format(t, file, string(a.Files[0].Data))
		if os.Getenv("BEND_UPDATE") != "" {
			a.Files = append(a.Files[:1], txtar.File{Name: "out", Data: []byte(got)})
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
	}
}

// programs calls visit with every Bend program of the project that parses.
func programs(t testing.TB, visit func(path, text string)) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".bend" {
			return err
		}
		text, err := os.ReadFile(path)
		if _, diags := syntax.ParseFile(syntax.NewSource(path, string(text))); len(diags) == 0 {
			n++
			visit(path, string(text))
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d programs, %v", n, err)
	}
}

// TestTwice formats every program of the project twice: the second time changes nothing.
func TestTwice(t *testing.T) {
	programs(t, func(path, text string) {
		once, diags := Source(syntax.NewSource(path, text))
		if len(diags) > 0 {
			t.Errorf("%s: %v", path, diags[0])
			return
		}
		if twice := format(t, path, once); twice != once {
			t.Errorf("%s (-once +twice)\n%s", path, cmp.Diff(once, twice))
		}
	})
}

func TestErrors(t *testing.T) {
	if _, diags := Source(syntax.NewSource("bad", "def f( -> Nat: 1n\n")); len(diags) != 1 || diags[0].Code == "layout" {
		t.Errorf("%v", diags)
	}
}

// FuzzSource formats texts: what parses keeps its tree, and a second time changes nothing.
func FuzzSource(f *testing.F) {
	programs(f, func(_, text string) {
		if len(text) < 2000 {
			f.Add(text)
		}
	})
	f.Fuzz(func(t *testing.T, text string) {
		once, diags := Source(syntax.NewSource("fuzz", text))
		if len(diags) > 0 {
			if diags[0].Code == "layout" {
				t.Errorf("%q changes", text)
			}
			return
		}
		twice, _ := Source(syntax.NewSource("fuzz", once))
		if twice != once {
			t.Errorf("%q\n%s\n%s", text, once, cmp.Diff(once, twice))
		}
		if strings.Contains(once, " \n") && !strings.Contains(text, "\"") {
			t.Errorf("%q: a line ends in a space: %q", text, once)
		}
	})
}
