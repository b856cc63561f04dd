package syntax

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// golden runs the archives that match pattern: each file NAME in them is a text, and the
// file "NAME: out" behind it what run makes of it. BEND_UPDATE=1 writes these anew.
func golden(t *testing.T, pattern string, run func(t *testing.T, name, text string) string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made := &txtar.Archive{Comment: a.Comment}
		for i, f := range a.Files {
			name, isOut := strings.CutSuffix(f.Name, ": out")
			if isOut {
				continue
			}
			want := ""
			if i+1 < len(a.Files) && a.Files[i+1].Name == name+": out" {
				want = string(a.Files[i+1].Data)
			}
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				got := strings.TrimRight(run(t, name, string(f.Data)), "\n") + "\n"
				made.Files = append(made.Files, f, txtar.File{Name: name + ": out", Data: []byte(got)})
				if diff := cmp.Diff(want, got); diff != "" && os.Getenv("BEND_UPDATE") == "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
		if os.Getenv("BEND_UPDATE") != "" {
			if err := os.WriteFile(file, txtar.Format(made), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTerms parses terms and bodies, and dumps their trees.
func TestTerms(t *testing.T) {
	golden(t, "testdata/terms/*.txtar", func(t *testing.T, _, text string) string {
		src := NewSource("term", strings.TrimSuffix(text, "\n"))
		e, d := ParseExpr(src)
		if d != nil {
			return Render(d, RenderOptions{})
		}
		checkSpans(t, src, reflect.ValueOf(e), whole(src))
		return dump(e)
	})
}

// TestFiles parses whole files.
func TestFiles(t *testing.T) {
	golden(t, "testdata/files/*.txtar", func(t *testing.T, name, text string) string {
		src := NewSource(name, text)
		f, ds := ParseFile(src)
		if len(ds) > 0 {
			var b strings.Builder
			for _, d := range ds {
				b.WriteString(d.Code + "\n" + strings.TrimRight(Render(d, RenderOptions{}), "\n") + "\n")
			}
			return b.String()
		}
		checkSpans(t, src, reflect.ValueOf(f), whole(src))
		var b strings.Builder
		for _, im := range f.Imports {
			b.WriteString(dump(im) + "\n")
		}
		for _, top := range f.Tops {
			b.WriteString(dump(top) + "\n")
		}
		return b.String()
	})
}

// programs calls visit with every Bend program of the project.
func programs(t testing.TB, visit func(path, text string)) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".bend" {
			return err
		}
		text, err := os.ReadFile(path)
		n++
		visit(path, string(text))
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d programs, %v", n, err)
	}
}

// TestSpans checks the spans of every program of the project.
func TestSpans(t *testing.T) {
	programs(t, func(path, text string) {
		src := NewSource(path, text)
		f, _ := ParseFile(src)
		checkSpans(t, src, reflect.ValueOf(f), whole(src))
	})
}

func TestStateOf(t *testing.T) {
	for text, want := range map[string]State{
		"1 + 2":                             Complete,
		"":                                  More,
		"# a comment":                       More,
		"f(1,":                              More,
		"[1, 2":                             More,
		"\"open":                            More,
		"{a == b":                           More,
		"def f(x: Nat) -> Nat:":             More,
		"def f(x: Nat) -> Nat:\n  match x:": Complete, /* a match without cases */
		"def f(x: Nat) -> Nat:\n  match x:\n    case 0n:": More,
		"def f(x: Nat) -> Nat:\n  x":                      Complete,
		"type T is Data: A{}":                             Complete,
		"x =":                                             More,
		"x = 3":                                           Complete,
		"1 +":                                             More,
		"do IO<Unit>:":                                    More,
		"let x = 3":                                       Bad,
		")":                                               Bad,
		"f(]":                                             Bad,
		"1 2 3)":                                          Bad,
	} {
		if got := StateOf(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestParsePrompt(t *testing.T) {
	for text, want := range map[string]string{
		"x = 3":              "(PromptBinding Name=x Value=(Number Value=3))",
		"+x : U32 = 3":       "",
		"l : String <- IO":   "",
		"x + 1":              "",
		"def f() -> Nat: 1n": "",
	} {
		p, d := ParsePrompt(NewSource("prompt", text))
		if d != nil {
			t.Errorf("%s: %v", text, d)
			continue
		}
		set := 0
		for _, there := range []bool{p.File != nil, p.Bind != nil, p.Expr != nil} {
			if there {
				set++
			}
		}
		if set != 1 {
			t.Errorf("%s: %d fields are set", text, set)
		}
		if want != "" && dump(p.Bind) != want {
			t.Errorf("%s: %s, want %s", text, dump(p.Bind), want)
		}
	}
	if p, _ := ParsePrompt(NewSource("prompt", "l : String <- IO")); !p.Bind.Effect || p.Bind.Type == nil {
		t.Errorf("an effect's binding: %s", dump(p.Bind))
	}
	if p, _ := ParsePrompt(NewSource("prompt", "+x : U32 = 3")); p.Bind.Mark != Reusable || p.Bind.Effect {
		t.Errorf("a typed binding: %s", dump(p.Bind))
	}
}

// TestLong parses what is long, and what is deep, without running out of Go's stack.
func TestLong(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"list":   "[" + strings.Repeat("1, ", n) + "1]",
		"cons":   strings.Repeat("1 <> ", n) + "[]",
		"sum":    "(1" + strings.Repeat(" + 1", n) + " : U32)",
		"arrows": strings.Repeat("Nat -> ", n/10) + "Nat",
		"succ":   strings.Repeat("1n+", n/10) + "0n",
		"lets":   strings.Repeat("x = y\n", n) + "x",
		"deep":   strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000),
	} {
		if _, d := ParseExpr(NewSource(name, text)); d != nil {
			t.Errorf("%s: %v", name, d)
		}
	}
	if _, d := ParseExpr(NewSource("too deep", strings.Repeat("(", 10_000_000))); d == nil {
		t.Error("ten million open parentheses are accepted")
	}
}

func TestRender(t *testing.T) {
	src := NewSource("a.bend", "def f(x: Nat) -> Nat:\n\tx(\n")
	_, ds := ParseFile(src)
	if len(ds) != 1 {
		t.Fatalf("%d reports", len(ds))
	}
	plain, colour := Render(ds[0], RenderOptions{}), Render(ds[0], RenderOptions{Color: true})
	if strings.Contains(plain, "\x1b") || !strings.Contains(colour, "\x1b[") {
		t.Errorf("colours: %q, %q", plain, colour)
	}
	stripped := colour
	for {
		i := strings.Index(stripped, "\x1b[")
		if i < 0 {
			break
		}
		j := i + strings.IndexByte(stripped[i:], 'm')
		stripped = stripped[:i] + stripped[j+1:]
	}
	if diff := cmp.Diff(plain, stripped); diff != "" {
		t.Errorf("colour changes the text (-plain +colour)\n%s", diff)
	}
}

// TestRenderWidth shows lines of 200 characters in narrow places: nothing is wider, and what
// is marked stands above its marks.
func TestRenderWidth(t *testing.T) {
	for at := range 195 {
		line := strings.Repeat("x", at) + "HERE" + strings.Repeat("y", 196-at)
		src := NewSource("a", strings.Repeat("a", 200)+"\n"+line+"\nshort\n")
		d := &Diagnostic{Message: "m", Span: Span{src, int32(201 + at), int32(205 + at)}}
		for _, columns := range []int{30, 80} {
			text := Render(d, RenderOptions{Width: columns})
			var marked, marks string
			for l := range strings.Lines(text) {
				l = strings.TrimRight(l, "\n")
				if n := utf8.RuneCountInString(l); n > columns {
					t.Fatalf("%d: %d columns of %d\n%s", at, n, columns, text)
				}
				if strings.HasPrefix(l, "2>| ") {
					marked = l
				} else if strings.Contains(l, "^") {
					marks = l
				}
			}
			i := strings.Index(marks, "^^^^")
			if r := []rune(marked); i < 0 || string(r[i:i+4]) != "HERE" {
				t.Fatalf("%d of %d:\n%s", at, columns, text)
			}
		}
	}
}

func TestLine(t *testing.T) {
	s := NewSource("s", "a\n\nbc")
	for off, want := range map[int32][2]int32{0: {1, 0}, 1: {1, 0}, 2: {2, 2}, 3: {3, 3}, 5: {3, 3}} {
		if line, start := s.Line(off); line != int(want[0]) || start != want[1] {
			t.Errorf("offset %d: line %d from %d, want %v", off, line, start, want)
		}
	}
}

// FuzzScan reads texts as literals and names, the parts that are scanned character by
// character.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"42", "3n", "1.5e-3", "'a'", `"a\u{1f600}"`, "List.map", "3n+x", "1e5", "'''", `"open`, "4294967296", "a..b", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, `"` + text + `"`, "'" + text + "'", "[" + text + "]"} {
			parseAll(t, text)
		}
	})
}

// FuzzParse parses texts as files, terms and lines of the prompt.
func FuzzParse(f *testing.F) {
	programs(f, func(_, text string) {
		if len(text) < 2000 {
			f.Add(text)
		}
	})
	f.Fuzz(func(t *testing.T, text string) { parseAll(t, text) })
}

// parseAll parses a text in every way and checks what must hold of any text.
func parseAll(t *testing.T, text string) {
	src := NewSource("fuzz", text)
	report := func(ds ...*Diagnostic) {
		for _, d := range ds {
			if d == nil {
				continue
			}
			if d.Code == "" || Render(d, RenderOptions{}) == "" {
				t.Errorf("%q: an empty report %v", text, d)
			}
			checkSpans(t, src, reflect.ValueOf(d.Span), whole(src))
		}
	}
	file, ds := ParseFile(src)
	checkSpans(t, src, reflect.ValueOf(file), whole(src))
	report(ds...)
	e, d := ParseExpr(src)
	if d == nil {
		checkSpans(t, src, reflect.ValueOf(e), whole(src))
	}
	report(d)
	_, d = ParsePrompt(src)
	report(d)
	StateOf(text)
}
