package highlight

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"bend/interp/syntax"
)

func tokens(t testing.TB, text string) []chroma.Token {
	t.Helper()
	it, err := Lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		t.Fatal(err)
	}
	return it.Tokens()
}

// TestTokens compares the tokens of testdata: each archive holds a text and its tokens
// but for white space, one a line.
func TestTokens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, tok := range tokens(t, string(a.Files[0].Data)) {
			if tok.Type != chroma.TextWhitespace {
				b.WriteString(tok.Type.String() + " " + tok.Value + "\n")
			}
		}
		if os.Getenv("BEND_UPDATE") != "" {
			a.Files = append(a.Files[:1], txtar.File{Name: "tokens", Data: []byte(b.String())})
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(string(a.Files[1].Data), b.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
	}
}

// whole checks what holds of every text: the tokens are the text, and so is what a
// terminal shows of it.
func whole(t testing.TB, name, text string) {
	t.Helper()
	var b strings.Builder
	for _, tok := range tokens(t, text) {
		b.WriteString(tok.Value)
	}
	if b.String() != text && utf8.ValidString(text) {
		t.Fatalf("%s: the tokens are not the text: %q", name, b.String())
	}
	for _, target := range []string{"c", "wasm"} {
		if shown := sequence.ReplaceAllString(Kernel(text, target), ""); shown != sequence.ReplaceAllString(text, "") {
			t.Fatalf("%s as a kernel for %s: a terminal shows %q", name, target, shown)
		}
	}
	if shown := sequence.ReplaceAllString(Text(text), ""); shown != sequence.ReplaceAllString(text, "") {
		t.Fatalf("%s: a terminal shows %q", name, shown)
	}
}

var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestPrograms goes through all programs of the project: the comments are those that
// the parser finds.
func TestPrograms(t *testing.T) {
	programs := 0
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".bend" || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		programs++
		text := string(data)
		whole(t, path, text)
		f, diags := syntax.ParseFile(syntax.NewSource(path, text))
		if len(diags) > 0 || strings.Contains(text, "\r") {
			return nil
		}
		var want, got []string
		for _, c := range f.Comments {
			want = append(want, c.Text())
		}
		for _, tok := range tokens(t, text) {
			switch tok.Type {
			case chroma.CommentSingle:
				got = append(got, tok.Value)
			case chroma.Other:
				t.Errorf("%s: %q is no token", path, tok.Value)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the comments (-parser +lexer)\n%s", path, diff)
		}
		return nil
	})
	if err != nil || programs < 100 {
		t.Errorf("%d programs, %v", programs, err)
	}
}

func FuzzText(f *testing.F) {
	f.Add("def f(+x: U32) -> U32: # twice\n  (f!(0x1F) * 1.5e3 : F32) ++ \"a\\u{41}\\\"\" 'x' ?hole &2")
	f.Add("\"open\\\n'ab\n\x00\xff \\ é\r\n")
	f.Fuzz(func(t *testing.T, text string) { whole(t, "text", text) })
}
