package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/module"
	"bend/interp/syntax"
)

// budgeted checks a text on top of Base and gives up after some evaluation.
func budgeted(text string) (*core.Book, []*syntax.Diagnostic) {
	b, _ := builtBase()
	b = b.Fork()
	from := len(b.Events)
	file, ds := syntax.ParseFile(syntax.NewSource("fuzz.bend", text))
	if len(ds) == 0 {
		ds = elab.Add(b, &module.Unit{File: file})
	}
	if len(ds) > 0 {
		return b, ds
	}
	asked := 0
	return b, check.EventsUntil(b, from, func() bool {
		asked++
		return asked > 20
	}, func() {})
}

// An endless computation in a type ends with an error when the budget is spent.
func TestBudget(t *testing.T) {
	for name, text := range map[string]string{
		"loop": `
@unsafe
def loop(n: Nat) -> Nat: loop(n)
def f() -> {loop(0n) == 1n : Nat}: {==}
`,
		"grows": `
@unsafe
def up(n: Nat) -> Nat: 1n+up(1n+n)
@unsafe
def up2(n: Nat) -> Nat: 1n+up2(n)
def f() -> {up(0n) == up2(0n) : Nat}: {==}
`,
		"type": `
@unsafe
def T(n: Nat) -> Type: T(1n+n)
def f(x: T(0n)) -> Nat: x
`,
		"report": `
@unsafe
def up(n: Nat) -> Nat: 1n+up(1n+n)
def f() -> {up(0n) == True{} : Bool}: {==}
def g() -> {Some{up(0n)} == None{} : Maybe<Nat>}: {==}
`,
		"long": `
def count(n: Nat, acc: Nat) -> Nat:
  match n:
    case 0n: acc
    case 1n+p: count(p, 1n+acc)
def f() -> {count(4000000000n, 0n) == 4000000000n : Nat}: {==}
`,
	} {
		t.Run(name, func(t *testing.T) {
			_, ds := budgeted(text)
			if len(ds) == 0 {
				t.Error("accepted")
			}
		})
	}
}

// FuzzCheck: whatever a text is, it is refused or all of it is checked, and nothing
// runs on without end.
func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob("../../repl/testdata/lang/*/*.bend")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if i%7 == 0 && len(text) < 2000 {
			f.Add(strings.Replace(string(text), "import Base", "", 1))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, ds := budgeted(text)
		if len(ds) > 0 {
			for _, d := range ds {
				syntax.Render(d, syntax.RenderOptions{})
			}
			return
		}
		for _, ev := range b.Events {
			if ev.Def != nil && ev.Def.Value != nil && !ev.Def.Checked {
				t.Errorf("%s was accepted unchecked", ev.Def.Key)
			}
		}
	})
}
