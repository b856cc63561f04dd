package flat_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bend/interp/base"
	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/flat"
	"bend/interp/module"
	"bend/interp/syntax"
)

var builtBase = sync.OnceValues(base.Build)

// load checks a text on top of Base.
func load(t *testing.T, text string) *core.Book {
	t.Helper()
	b, diags := builtBase()
	if len(diags) == 0 {
		b = b.Fork()
		l := module.NewLoader(".")
		l.SkipBase = true
		var units []*module.Unit
		units, diags = l.Text(syntax.NewSource("test.bend", text))
		from := len(b.Events)
		for _, u := range units {
			diags = append(diags, elab.Add(b, u)...)
		}
		if len(diags) == 0 {
			diags = check.Events(b, from)
		}
	}
	for _, d := range diags {
		t.Fatal(syntax.Render(d, syntax.RenderOptions{}))
	}
	return b
}

// TestLower lowers the programs of testdata: "prog.bend" is the program, the comment in
// front lists the defs to lower, and "flat" is what they and all that they reach become.
// BEND_UPDATE=1 writes it anew.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 || a.Files[0].Name != "prog.bend" || a.Files[1].Name != "flat" {
				t.Fatal("want the files prog.bend and flat")
			}
			b := load(t, string(a.Files[0].Data))
			p := flat.NewProgram()
			for _, key := range strings.Fields(string(a.Comment)) {
				if _, err := flat.Lower(b, p, key); err != nil {
					t.Fatalf("%s: %v", key, err)
				}
			}
			got := p.Print()
			if os.Getenv("BEND_UPDATE") != "" {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A frame's words are what a level of the recursion keeps.
func TestWordsALevel(t *testing.T) {
	b := load(t, `import Base
def deep(n: Nat) -> U32:
  match n:
    case 0n: 0
    case 1n+p: (deep(p) + 1 : U32)
def join(xs: List<&2, U32>, ys: List<&2, U32>) -> List<&2, U32>:
  match xs:
    case Nil{}: ys
    case Con{h, t}: h <> join(t, ys)
def deep3(n: Nat, +a: U32, +b: U32) -> U32:
  match n:
    case 0n: 0
    case 1n+p: (deep3(p, a, b) + a + b : U32)
def tail(n: Nat, acc: U32) -> U32:
  match n:
    case 0n: acc
    case 1n+p: tail(p, (acc + 1 : U32))
def erased(n: Nat, -q: Nat) -> U32:
  match n:
    case 0n: 0
    case 1n+p: (erased(p, q) + 1 : U32)
def fork(n: Nat, +k: U32) -> U32:
  match n:
    case 0n: 0
    case 1n+(+p):
      a b = fork(p, k) fork(p, k)
      (a + b : U32)
`)
	for key, want := range map[string][]int{
		"deep": {1}, "join": {2}, "deep3": {3}, "tail": nil, "erased": {1}, "fork": {3},
	} {
		p := flat.NewProgram()
		id, err := flat.Lower(b, p, key)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, f := range p.Def(id).Frames {
			got = append(got, f.Words)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: words of its frames (-want +got)\n%s", key, diff)
		}
		if loops := p.Def(id).Loops; loops != (key == "tail") {
			t.Errorf("%s: loops: %v", key, loops)
		}
	}
}
