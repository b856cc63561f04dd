package stdlib_test

import (
	"fmt"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
	"bend/stdlib"
)

// report fails the test with the places and texts of ds.
func report(t *testing.T, ds []*syntax.Diagnostic) {
	t.Helper()
	for i, d := range ds {
		if i == 25 {
			t.Errorf("and %d more", len(ds)-i)
			return
		}
		where := "?"
		if src := d.Span.Src; src != nil {
			line, start := src.Line(d.Span.Start)
			where = fmt.Sprintf("%s:%d:%d", src.Name, line, d.Span.Start-start+1)
		}
		t.Errorf("%s: %s: %s %v %s (%s)", where, d.Def, d.Error(), d.Context, d.Notes, d.Hint)
	}
}

// load elaborates all of Base and, behind it, text.
func load(t *testing.T, text string) *core.Book {
	t.Helper()
	book := core.NewBook()
	l := module.NewLoader(t.TempDir())
	l.SkipBase = true
	units, ds := module.Base(module.BaseSources())
	report(t, ds)
	if text != "" {
		more, ds := l.Text(syntax.NewSource("test.bend", text))
		report(t, ds)
		units = append(units, more...)
	}
	for _, u := range units {
		report(t, elab.Add(book, u))
	}
	return book
}

// TestBaseChecks checks every def of Base, its proofs among them.
func TestBaseChecks(t *testing.T) {
	book := load(t, "")
	if t.Failed() {
		return
	}
	report(t, check.Events(book, 0))
	for key, d := range book.Defs {
		if d.Value != nil && !d.Checked {
			t.Errorf("%s was not checked", key)
		}
	}
}

// TestDocumented makes sure that a comment stands above every declaration.
func TestDocumented(t *testing.T) {
	for _, f := range stdlib.Files() {
		lines := strings.Split(f.Text, "\n")
		for i, line := range lines {
			word, _, _ := strings.Cut(line, " ")
			switch word {
			case "def", "law", "type", "@unsafe":
			default:
				continue
			}
			if i > 0 && lines[i-1] == "@unsafe" {
				continue
			}
			if i == 0 || !strings.HasPrefix(lines[i-1], "# ") {
				t.Errorf("%s:%d: no comment above %q", f.Name, i+1, line)
			}
		}
	}
}
