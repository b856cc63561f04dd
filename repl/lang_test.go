package repl

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// The programs of testdata/lang hold the rules of the language, a folder a section of
// its reference. Each says in comments what becomes of it:
//
//	#> LINE                  a line that running it prints on standard output
//	#! LINE                  a line of the refusal that is no report
//	# error: CODE REGEXP     an error starts on this line; REGEXP matches its text
//	# error above: ..        the same for the line above
//	# error below: ..        the same for the line below
//	# error nowhere: ..      an error without a place
//
// There are no other errors. A value that main gives is the same by the evaluator of the
// checker, unless floats are in it, which do not compute there. A program of several files is an archive, whose first file
// is the entry. A program with calls marked "!" runs on the interpreter and on lanes.

// expectation reads "# error: CODE REGEXP".
var expectation = regexp.MustCompile(`# error( above| below| nowhere)?: (\S+) ?(.*)$`)

// A wanted is an error that a program says it has.
type wanted struct {
	file string // base name, "" for an error without a place
	line int
	code string
	text string
}

// expected reads what a file of a program says of the program.
func expected(name, text string) (prints, refusal []string, errs []wanted) {
	for i, l := range strings.Split(text, "\n") {
		if s, ok := strings.CutPrefix(l, "#>"); ok {
			prints = append(prints, strings.TrimPrefix(s, " "))
		}
		if s, ok := strings.CutPrefix(l, "#! "); ok {
			refusal = append(refusal, s)
		}
		m := expectation.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		w := wanted{filepath.Base(name), i + 1, m[2], m[3]}
		switch m[1] {
		case " above":
			w.line--
		case " below":
			w.line++
		case " nowhere":
			w.file, w.line = "", 0
		}
		errs = append(errs, w)
	}
	return prints, refusal, errs
}

func TestLanguage(t *testing.T) {
	const root = "testdata/lang"
	programs := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		programs++
		name := strings.TrimPrefix(path, root+"/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(path) == ".txtar" {
				testArchive(t, txtar.Parse(text))
			} else {
				prints, refusal, errs := expected(path, string(text))
				testProgram(t, path, strings.Contains(string(text), "!("), prints, refusal, errs)
			}
		})
		return nil
	})
	if err != nil || programs == 0 {
		t.Fatal("no programs: ", err)
	}
}

// testArchive tests a program of several files.
func testArchive(t *testing.T, a *txtar.Archive) {
	dir := t.TempDir()
	var prints, refusal []string
	var errs []wanted
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		p, r, e := expected(f.Name, string(f.Data))
		prints, refusal, errs = append(prints, p...), append(refusal, r...), append(errs, e...)
	}
	testProgram(t, filepath.Join(dir, filepath.FromSlash(a.Files[0].Name)), false, prints, refusal, errs)
}

// testProgram loads and runs the program at path and compares what becomes of it with
// what it says.
func testProgram(t *testing.T, path string, lanes bool, prints, refusal []string, errs []wanted) {
	if len(prints)+len(refusal)+len(errs) == 0 {
		t.Fatal("the program does not say what becomes of it")
	}
	devices := []string{"off"}
	if lanes {
		devices = append(devices, "cpu")
	}
	for _, device := range devices {
		set := DefaultSettings()
		set.GPU, set.Heap = device, 64<<20
		var out bytes.Buffer
		s, err := NewSession(Options{Settings: set, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		err = s.Program(path)
		switch {
		case err != nil:
		case s.HasMain():
			_, err = s.RunMain(context.Background(), &out)
		default:
			err = s.Verdict(&out)
		}
		compareErrors(t, err, refusal, errs)
		var got []string
		if out.Len() > 0 {
			got = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		}
		if diff := cmp.Diff(prints, got); diff != "" {
			t.Errorf("on %s (-want +got):\n%s", device, diff)
		}
		if err == nil && s.HasMain() && device == "off" {
			compareNormal(t, s, out.String())
		}
		if n := s.heap.Live(); n != 0 && err == nil {
			t.Errorf("on %s: %d words are left in the heap", device, n)
		}
	}
}

// compareNormal compares what main printed with its normal form.
func compareNormal(t *testing.T, s *Session, printed string) {
	d := s.ground.Defs["main"]
	m := norm.New(s.ground)
	var normal string
	if err := m.Catch(func() {
		if formOf(m, m.Eval(nil, d.Type)).action == nil {
			normal = core.Print(m.Quote(0, m.Eval(nil, d.Value)), nil, core.PrintOptions{}) + "\n"
		}
	}); err != nil {
		t.Fatal(err)
	}
	if normal != "" && normal != printed && !strings.Contains(normal, "F32.") {
		t.Errorf("main prints %sits normal form is %s", printed, normal)
	}
}

// compareErrors compares the error that ended a program with what the program says.
func compareErrors(t *testing.T, err error, refusal []string, errs []wanted) {
	if err == nil {
		if len(refusal)+len(errs) > 0 {
			t.Error("the program is accepted")
		}
		return
	}
	rej := &Rejected{Text: err.Error()}
	errors.As(err, &rej)
	var text []string
	if rej.Text != "" {
		text = strings.Split(rej.Text, "\n")
	}
	if diff := cmp.Diff(refusal, text); diff != "" {
		t.Errorf("refusal (-want +got):\n%s", diff)
	}
	for _, d := range rej.Diags {
		i := slices.IndexFunc(errs, func(w wanted) bool { return w.fits(t, d) })
		if i < 0 {
			t.Errorf("unexpected %s: %s\n%s", d.Code, d.Error(), syntax.Render(d, syntax.RenderOptions{}))
			continue
		}
		errs = slices.Delete(slices.Clone(errs), i, i+1)
	}
	for _, w := range errs {
		t.Errorf("no error at %s:%d: %s %s", w.file, w.line, w.code, w.text)
	}
}

// fits reports whether d is the error w.
func (w wanted) fits(t *testing.T, d *syntax.Diagnostic) bool {
	file, line := "", 0
	if d.Span.Valid() {
		file = filepath.Base(d.Span.Src.Name)
		line, _ = d.Span.Src.Line(d.Span.Start)
	}
	re, err := regexp.Compile(w.text)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(append([]string{d.Error(), d.Hint}, d.Notes...), " | ")
	return w.file == file && w.line == line && w.code == d.Code && re.MatchString(text)
}

// TestNesting runs programs that nest deeply, and refuses one that nests too deeply.
func TestNesting(t *testing.T) {
	const n = 10_000
	nested := func(n int, open, inner, end string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n) + "\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"parentheses":  {"def main() -> U32: " + nested(n, "(", "1", ")"), "1"},
		"successors":   {"def main() -> Nat: " + nested(n, "1n+(", "0n", ")"), "10000n"},
		"calls":        {"def main() -> Nat: " + nested(n, "Nat.add(1n, ", "0n", ")"), "10000n"},
		"operators":    {"def main() -> U32: (" + nested(n, "1 + ", "1 : U32)", ""), "10001"},
		"constructors": {"type W is Data: E{} W{a: W, b: W}\ndef main() -> W: " + nested(n, "W{", "E{}", ", E{}}"), nested(n, "W{", "E{}", ", E{}}")},
		"lets":         {"def f(x: U32) -> U32:\n" + nested(n, "  x = U32.inc(x)\n", "  x", "") + "def main() -> U32: f(1)\n", "10001"},
		"arrows":       {"def main() -> Type: " + nested(n, "Nat -> ", "Nat", ""), nested(n, "@_:Nat -> ", "Nat", "")},
		"too deep":     {"def main() -> U32: " + nested(60_000, "(", "1", ")"), "too-deep"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "deep.bend")
			if err := os.WriteFile(path, []byte("import Base\n"+c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := NewSession(Options{Settings: DefaultSettings()})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var out bytes.Buffer
			if err = s.Program(path); err == nil {
				_, err = s.RunMain(context.Background(), &out)
			}
			got := strings.TrimSpace(out.String())
			if rej := (*Rejected)(nil); errors.As(err, &rej) && len(rej.Diags) == 1 {
				got = rej.Diags[0].Code
			} else if err != nil {
				t.Fatal(err)
			}
			if got != strings.TrimSpace(c.want) {
				t.Errorf("got %.100s, want %.100s", got, c.want)
			}
		})
	}
}

// TestInterruptedCheck gives up the check of a type that computes without end.
func TestInterruptedCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endless.bend")
	text := "import Base\n@unsafe\ndef loop(n: Nat) -> Nat: loop(n)\ndef f() -> {loop(0n) == 1n : Nat}: {==}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(Options{Settings: DefaultSettings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	s.Use(ctx)
	cancel()
	rej := (*Rejected)(nil)
	if err := s.Program(path); !errors.As(err, &rej) || len(rej.Diags) != 1 || rej.Diags[0].Code != "interrupted" {
		t.Errorf("got %v", err)
	}
	s.Use(context.Background())
	if _, err := s.Do(context.Background(), syntax.NewSource("<prompt>", "1 + 2")); err != nil {
		t.Error(err)
	}
}
