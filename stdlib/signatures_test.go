package stdlib_test

import (
	"os"
	"strings"
	"testing"

	"bend/interp/base"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// TestSignatures holds the declared types of Base against testdata/signatures.txt, one
// def a line, as the language's own library declares them.
func TestSignatures(t *testing.T) {
	text, err := os.ReadFile("testdata/signatures.txt")
	if err != nil {
		t.Fatal(err)
	}
	book, diags := base.Build()
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	for line := range strings.Lines(string(text)) {
		sig := strings.TrimSpace(line)
		name, rest, _ := strings.Cut(sig, "(")
		d := book.Defs[name]
		if d == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		f, ds := syntax.ParseFile(syntax.NewSource(name, "def signature("+rest+": ?it\n"))
		b := book.Fork()
		if len(ds) == 0 {
			ds = elab.Add(b, &module.Unit{File: f, Aliases: map[string]string{}})
		}
		if len(ds) > 0 {
			t.Errorf("%s: %v", sig, ds[0])
			continue
		}
		want := b.Defs["signature"]
		show := func(d *core.Def) string { return core.Print(d.Type, nil, core.PrintOptions{}) }
		if got := show(d); got != show(want) || d.Templates != want.Templates {
			t.Errorf("%s\n\tis declared as %s\n\twant           %s", name, got, show(want))
		}
	}
}
