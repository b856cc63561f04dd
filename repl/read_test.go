package repl

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlocks(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"lines", "1\n\n2\n", []string{"1", "2"}},
		{"comment", "# nothing\n1\n", []string{"1"}},
		{"open bracket", "[1,\n2]\n3\n", []string{"[1,\n2]", "3"}},
		{"def up to an empty line", "def f() -> U32:\n  1\n\nf()\n", []string{"def f() -> U32:\n  1", "f()"}},
		{"def up to a command", "def f() -> U32:\n  1\n:type f\n", []string{"def f() -> U32:\n  1", ":type f"}},
		{"empty line inside", "def f(n: Nat) -> U32:\n  match n:\n\n    case 0n: 1\n    case 1n+p: 2\n\n1", []string{"def f(n: Nat) -> U32:\n  match n:\n\n    case 0n: 1\n    case 1n+p: 2", "1"}},
		{"def up to an expression", "def f() -> U32:\n  1\nf()\n", []string{"def f() -> U32:\n  1", "f()"}},
		{"wrong def up to an expression", "def f x = x\nf(3)\n\n1\n", []string{"def f x = x", "f(3)", "1"}},
		{"defs in one block", "def f() -> U32:\n  1\ndef g() -> U32:\n  f()\n\n1\n", []string{"def f() -> U32:\n  1\ndef g() -> U32:\n  f()", "1"}},
		{"cases in the first column", "def f(n: Nat) -> U32:\n  match n:\ncase 0n: 1\ncase 1n+p: 2\n", []string{"def f(n: Nat) -> U32:\n  match n:\ncase 0n: 1\ncase 1n+p: 2"}},
		{"body in the first column", "def f() -> U32:\n1\n2\n", []string{"def f() -> U32:\n1", "2"}},
		{"carriage returns", "1\r\n2\r\n", []string{"1", "2"}},
		{"no end of line", "1", []string{"1"}},
		{"command", ":help\n", []string{":help"}},
		{"unfinished up to a command", "1 +\n:help\n", []string{"1 +", ":help"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &blockReader{lines: newScriptLines(strings.NewReader(tt.in)), script: true}
			var got []string
			for {
				b, err := r.next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, b.text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("blocks (-want +got)\n%s", diff)
			}
		})
	}
}

func TestBlockLine(t *testing.T) {
	r := &blockReader{lines: newScriptLines(strings.NewReader("\n\n1\n# c\ndef f() -> U32:\n  1\n\n\n2\n")), script: true}
	for _, want := range []int{3, 5, 9} {
		b, err := r.next()
		if err != nil || b.line != want {
			t.Errorf("block %q starts at line %d (%v), want %d", b.text, b.line, err, want)
		}
	}
}

func TestPastedBlocks(t *testing.T) {
	r := &blockReader{lines: &pastedLines{"1\ndef f() -> U32:\n\n  2\n\n\nf()"}}
	for _, want := range []block{{"1", 1}, {"def f() -> U32:\n\n  2", 2}, {"f()", 7}} {
		got, err := r.next()
		if err != nil || got != want {
			t.Errorf("block %+v, %v, want %+v", got, err, want)
		}
	}
}

// pastedLines gives a text as one line.
type pastedLines struct{ text string }

func (p *pastedLines) ReadLine(string, string) (string, error) { return p.text, nil }
func (p *pastedLines) Close() error                            { return nil }

// pieces gives a reader's bytes in the given pieces.
type pieces struct{ left []string }

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.left[0])
	p.left = p.left[1:]
	return n, nil
}

func (p *pieces) Close() error { return nil }

func TestPaste(t *testing.T) {
	block := "def f() -> U32:\n\n  1"
	tests := []struct {
		name string
		in   []string
		keys string // what the editor gets
		want string // what it means
	}{
		{"typed", []string{"ab", "c"}, "abc", "abc"},
		{"one line", []string{"\x1b[200~1 + 2\x1b[201~\r"}, "1 + 2\r", "1 + 2\r"},
		{"block", []string{"\x1b[200~" + block + "\n\x1b[201~"}, "[paste 1: 3 lines]\r", block + "\r"},
		{"carriage returns", []string{"\x1b[200~a\rb\x1b[201~"}, "[paste 1: 2 lines]\r", "a\nb\r"},
		{"split marks", []string{"\x1b[20", "0~a\n", "b\x1b", "[201~"}, "[paste 1: 2 lines]\r", "a\nb\r"},
		{"transcript", []string{"\x1b[200~bend> 1\n1 : U32\nbend> def f() -> U32:\n ...>   2\n ...> \x1b[201~"}, "[paste 1: 3 lines]\r", "1\ndef f() -> U32:\n  2\r"},
		{"keys", []string{"\x1b[1~\x1b[1;5C\x1b[A"}, "\x01\x1bf\x1b[A", "\x01\x1bf\x1b[A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPasteReader(&pieces{tt.in})
			keys, err := io.ReadAll(p)
			if err != nil {
				t.Fatal(err)
			}
			if string(keys) != tt.keys {
				t.Errorf("keys %q, want %q", keys, tt.keys)
			}
			if got := p.expand(string(keys)); got != tt.want {
				t.Errorf("means %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	h := loadHistory(path)
	blocks := []string{"1", "def f() -> U32:\n  1", "\"a\\nb\""}
	for _, b := range blocks {
		if err := h.add(b); err != nil {
			t.Fatal(err)
		}
		if err := h.add(b); err != nil { // the same again is not kept
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(blocks, loadHistory(path).blocks); diff != "" {
		t.Errorf("history (-want +got)\n%s", diff)
	}
	for i := range historyMax {
		if err := h.add(strings.Repeat("x", i%7+1)); err != nil {
			t.Fatal(err)
		}
	}
	loadHistory(path)
	if n := len(loadHistory(path).blocks); n != historyMax {
		t.Errorf("%d blocks kept, want %d", n, historyMax)
	}
}
