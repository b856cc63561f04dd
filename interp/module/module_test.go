package module

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestLoad loads the archives of testdata. The first file is the entry; "want" lists the
// units in load order, as "file: namespace" and what its aliases mean, or the errors as
// "code: text"; it is the last file, and BEND_UPDATE=1 writes it anew.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				path := filepath.Join(dir, f.Name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			l := NewLoader(".")
			l.SkipBase = true
			units, diags := l.File(filepath.Join(dir, a.Files[0].Name))
			var b strings.Builder
			for _, d := range diags {
				fmt.Fprintf(&b, "%s: %s\n", d.Code, strings.ReplaceAll(d.Error(), dir+"/", ""))
			}
			if len(diags) == 0 {
				for _, u := range units {
					rel, _ := filepath.Rel(dir, u.Path)
					fmt.Fprintf(&b, "%s: %q %v\n", filepath.ToSlash(rel), u.Namespace, u.Aliases)
				}
				fmt.Fprintf(&b, "Base: %v\n", l.UsesBase())
			}
			if os.Getenv("BEND_UPDATE") != "" {
				a.Files[len(a.Files)-1].Data = []byte(b.String())
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, b.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBase(t *testing.T) {
	if units, diags := Base(BaseSources()); len(diags) > 0 || len(units) == 0 || !units[0].Base {
		t.Errorf("Base: %d units, %v", len(units), diags)
	}
}
