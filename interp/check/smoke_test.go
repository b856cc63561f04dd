package check_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

func TestSmoke(t *testing.T) {
	b := core.NewBook()
	order := []string{"logic", "bool", "nat", "word", "u32", "f32", "char", "maybe", "result", "string", "list", "text", "array", "map", "set", "io", "chan", "file", "net", "image", "window", "app"}
	for _, n := range order {
		text, err := os.ReadFile("../../stdlib/" + n + ".bend")
		if err != nil {
			continue
		}
		src := syntax.NewSource(n, string(text))
		f, ds := syntax.ParseFile(src)
		show(ds)
		from := len(b.Events)
		t0 := time.Now()
		ds = elab.Add(b, &module.Unit{File: f, Base: true})
		show(ds)
		t1 := time.Now()
		ds = check.Events(b, from)
		show(ds)
		fmt.Println(n, len(b.Events)-from, t1.Sub(t0), time.Since(t1))
	}
}

func show(ds []*syntax.Diagnostic) {
	for _, d := range ds {
		line := 0
		name := ""
		if d.Span.Src != nil {
			line, _ = d.Span.Src.Line(d.Span.Start)
			name = d.Span.Src.Name
		}
		fmt.Printf("%s:%d: [%s] %s: %s\n   hint %s\n", name, line, d.Code, d.Def, d.Error(), d.Hint)
		for _, c := range d.Context {
			fmt.Printf("      %s : %s\n", c.Name, c.Type)
		}
	}
}
