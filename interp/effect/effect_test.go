package effect_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bend/interp/base"
	"bend/interp/check"
	"bend/interp/effect"
	"bend/interp/elab"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/module"
	"bend/interp/syntax"
	"bend/interp/word"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

var builtBase = sync.OnceValues(base.Build)

// load returns a machine for a program and the word of its main.
func load(t *testing.T, text string) (*eval.Machine, word.Word) {
	t.Helper()
	units, diags := module.NewLoader(".").Text(syntax.NewSource("main.bend", text))
	built, baseDiags := builtBase()
	diags = append(diags, baseDiags...)
	b := built.Fork()
	from := len(b.Events)
	for _, u := range units {
		if !u.Base {
			diags = append(diags, elab.Add(b, u)...)
		}
	}
	if len(diags) == 0 {
		diags = check.Events(b, from)
	}
	for _, d := range diags {
		t.Fatalf("%s:%d: %v", d.Span.Src.Name, d.Span.Start, d)
	}
	prog := flat.NewProgram()
	id, err := flat.Lower(b, prog, "main")
	if err != nil {
		t.Fatal(err)
	}
	m := eval.New(prog, word.NewHeap(0), eval.Options{})
	if prog.Def(id).Params > 0 { // main is an action's function itself
		return m, word.Clo(int(prog.Fn(id, 0)), 0, 0)
	}
	w, err := m.Call(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m, w
}

// TestRun runs the programs of testdata: each archive holds a program, and what it
// prints, beside "code", the exit code, and "error", the error. It reads "stdin".
func TestRun(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test programs", err)
	}
	t.Setenv("BEND_TEST", "some text")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, f := range a.Files {
			want[f.Name] = string(f.Data)
		}
		program, input := want["main.bend"], want["stdin"]
		delete(want, "main.bend")
		delete(want, "stdin")
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Chdir(t.TempDir())
			m, action := load(t, program)
			var out, errOut bytes.Buffer
			lines := strings.Split(input, "\n")
			line := func(string) (string, error) {
				if len(lines) == 1 {
					return "", io.EOF
				}
				l := lines[0]
				lines = lines[1:]
				return l, nil
			}
			res, err := effect.Run(context.Background(), m, action,
				effect.Env{Line: line, Stdout: &out, Stderr: &errOut, Args: []string{"program", "one", "zwei"}})
			got := map[string]string{}
			add := func(name, text string) {
				if text != "" {
					got[name] = text
				}
			}
			add("stdout", out.String())
			add("stderr", errOut.String())
			if res.Died {
				add("code", strings.TrimSpace(string('0'+rune(res.Code)))+"\n")
			}
			if err != nil {
				add("error", err.Error()+"\n")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if err == nil && !res.Died {
				m.Heap().Drop(res.Value)
				if n := m.Heap().Live(); n != 0 {
					t.Errorf("%d words are left in the heap", n)
				}
			}
		})
	}
}

// brokenPipe is an output whose reader has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// fullDisk is an output that fails.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

const printer = `
import Base

def main() -> IO(Unit):
  IO.print("x")
`

func TestOutputErrors(t *testing.T) {
	m, action := load(t, printer)
	res, err := effect.Run(context.Background(), m, action, effect.Env{Stdout: brokenPipe{}, Stderr: io.Discard})
	if err != nil || res.Code != 1 || !res.Died {
		t.Errorf("broken pipe: %+v, %v", res, err)
	}
	m, action = load(t, printer)
	_, err = effect.Run(context.Background(), m, action, effect.Env{Stdout: fullDisk{}, Stderr: io.Discard})
	if err == nil || err.Error() != "cannot write the output: no space" {
		t.Errorf("full disk: %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	for name, body := range map[string]string{
		"sleep":   `IO.sleep(4000000000)`,
		"accept":  `IO.bind(Result<(U32 & String), Listener>, Unit, TCP.listen("127.0.0.1", 0), r => take(r))`,
		"effects": `forever(4294967295n)`,
	} {
		m, action := load(t, `
import Base

def drop(x: Listener & Result<(U32 & String), Socket>) -> IO(Unit):
  match x:
    case (l, s):
      Listener.close(l)

def take(r: Result<(U32 & String), Listener>) -> IO(Unit):
  match r:
    case Done{l}:
      IO.bind(Listener & Result<(U32 & String), Socket>, Unit, TCP.accept(l), x => drop(x))
    case Fail{e}:
      IO.pure(Unit, Unit{})

def forever(n: Nat) -> IO(Unit):
  match n:
    case 0n:
      IO.pure(Unit, Unit{})
    case 1n+p:
      IO.bind(Unit, Unit, IO.write(""), u => forever(p))

def main() -> IO(Unit):
  `+body+"\n")
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err := effect.Run(ctx, m, action, effect.Env{Stdout: io.Discard, Stderr: io.Discard})
		var e *eval.Error
		if !errors.As(err, &e) || e.Kind != eval.Interrupted {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHandles sends in one run and receives in the next.
func TestHandles(t *testing.T) {
	m, action := load(t, `
import Base

def main() -> IO(Chan(U32)):
  do IO<Chan(U32)>:
    +c : Chan(U32) <- Chan.new(U32, 2)
    b : Bool <- Chan.send(U32, c, 7)
    return c
`)
	handles := effect.NewHandles()
	defer handles.Close()
	env := effect.Env{Stdout: io.Discard, Stderr: io.Discard, Handles: handles}
	res, err := effect.Run(context.Background(), m, action, env)
	if err != nil {
		t.Fatal(err)
	}
	if got := handles.Roots(); len(got) != 1 || got[0] != 7 {
		t.Errorf("the channel %d holds %v", res.Value, got)
	}
}

func TestStrings(t *testing.T) {
	h := word.NewHeap(0)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		w := effect.FromString(h, s)
		got, err := effect.ToString(h, w)
		if want := strings.ToValidUTF8(strings.Map(func(r rune) rune { return r }, s), ""); err != nil || got != want {
			t.Errorf("%q becomes %q, %v", s, got, err)
		}
		h.Drop(w)
		if h.Live() != 0 {
			t.Errorf("%d words are left", h.Live())
		}
	})
	_, err := effect.ToString(h, h.New(1, 0xd83d, word.Pak(0)))
	if err == nil || err.Error() != "55357 is not a Unicode scalar value" {
		t.Errorf("a surrogate: %v", err)
	}
	w := effect.FromStrings(h, []string{"a", "", "bc"})
	var got []string
	for _, x := range effect.ToList(h, w) {
		s, _ := effect.ToString(h, x)
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{"a", "", "bc"}, got); diff != "" {
		t.Error(diff)
	}
}
