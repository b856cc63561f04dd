package base

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bend/interp/core"
	"bend/interp/image"
	"bend/interp/syntax"
)

// same compares books, all that they hold.
func same(t *testing.T, what string, got, want *core.Book) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(syntax.Source{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%.2000s", what, diff)
	}
}

func TestLoad(t *testing.T) {
	built, diags := Build()
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	dir := filepath.Join(t.TempDir(), "cache")
	load := func(what string) *core.Book {
		t.Helper()
		b, diags := Load(dir)
		if len(diags) > 0 {
			t.Fatal(diags[0])
		}
		if len(b.Events) != len(built.Events) {
			t.Errorf("%s: %d events, want %d", what, len(b.Events), len(built.Events))
		}
		return b
	}
	load("no cache")
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("%d files in the cache, want one image", len(files))
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	same(t, "good image", load("good image"), built)
	for what, bad := range map[string][]byte{
		"empty": {}, "half": whole[:len(whole)/2], "other key": append([]byte{^whole[0]}, whole[1:]...),
		"flipped": append(append([]byte{}, whole[:len(whole)-9]...), make([]byte, 9)...),
	} {
		if err := os.WriteFile(files[0], bad, 0o644); err != nil {
			t.Fatal(err)
		}
		load(what)
		if now, _ := os.ReadFile(files[0]); !bytes.Equal(now, whole) {
			t.Errorf("%s: the image was not made anew", what)
		}
	}
}

func TestLoadWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if b, diags := Load(filepath.Join(file, "below")); len(diags) > 0 || len(b.Defs) == 0 {
		t.Errorf("%d defs, %v", len(b.Defs), diags)
	}
}

func TestOldImagesGo(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"base-1", "base-2", "base-3", "base-4", "base-5", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, diags := Load(dir); len(diags) > 0 {
		t.Fatal(diags[0])
	}
	images, _ := filepath.Glob(filepath.Join(dir, "base-*"))
	all, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(images) != most || len(all) != most+1 {
		t.Errorf("the folder holds %v", all)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if _, diags := Build(); len(diags) > 0 {
			b.Fatal(diags[0])
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	Load(dir)
	for b.Loop() {
		if _, diags := Load(dir); len(diags) > 0 {
			b.Fatal(diags[0])
		}
	}
}

// FuzzDecode decodes damaged images: a book or ErrCorrupt, never a panic.
func FuzzDecode(f *testing.F) {
	b := core.NewBook()
	src := syntax.NewSource("t.bend", "def one() -> Nat:\n  1n\n")
	b.Defs["one"] = &core.Def{Key: "one", Type: &core.Ref{Key: "Nat"}, Value: &core.Lit{Kind: syntax.Nat, N: 1}, Span: syntax.Span{Src: src, Start: 4, End: 7}}
	b.Events = []core.Event{{Def: b.Defs["one"]}}
	f.Add(image.Encode(b, []*syntax.Source{src}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := image.Decode(data, []*syntax.Source{src}); err != nil && err != image.ErrCorrupt {
			t.Error(err)
		}
	})
}
