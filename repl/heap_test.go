package repl

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestHeapAfterFailure gives lines that do not end well to a session that has values: what
// they worked on is freed, and the values are those that they were.
func TestHeapAfterFailure(t *testing.T) {
	const before = `@unsafe
def spin(+n: Nat, xs: List<&2, Nat>) -> Nat:
  spin(1n+n, Con{n, xs})

def spill(f: U32 -> U32, xs: List<&2, Nat>) -> Nat:
  match xs:
    case Nil{}: ?TODO
    case Con{x, rest}: 1n+spill(f, rest)

def die(xs: List<&2, Nat>) -> IO(Nat):
  +n = List.length(&2, Nat, xs)
  IO.bind(Unit, Nat, IO.print(Nat.show(n)), _ => IO.die(Nat, 3, Nat.show(n)))

xs = [3n, 4n]
add = U32.add(1)
chan <- Chan.new(List<&2, Nat>, 2)
Chan.send(List<&2, Nat>, chan, Con{9n, xs})
lost = Con{8n, xs}
`
	lines := []string{
		"spill(add, xs)", // a hole is reached
		"[spin(1n, xs)]", // interrupted
		"die(Con{1n, xs})",
		":stack spill(add, xs)",
	}
	for _, device := range []string{"off", "cpu"} {
		t.Run(device, func(t *testing.T) {
			set := DefaultSettings()
			set.GPU = device
			s, err := NewSession(Options{Settings: set, Stdout: io.Discard, Stderr: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var out, errOut strings.Builder
			c := NewConsole(s, &out, &errOut)
			if code := c.Script(context.Background(), strings.NewReader(before), false); code != 0 {
				t.Fatal(errOut.String())
			}
			held := func(when string) int {
				s.sweep()
				live, owned := s.heap.Live(), s.heap.Reach(s.roots()...)
				if live != owned {
					t.Errorf("%s: %d words are live, %d are owned", when, live, owned)
				}
				return live
			}
			held("at first")
			round := map[string]int{}
			for _, l := range slices.Concat(lines, lines) {
				ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
				err := c.Act(ctx, l)
				cancel()
				if err == nil && !strings.HasPrefix(l, ":") {
					t.Errorf("%s is no failure", l)
				}
				n := held("after " + l)
				if before, again := round[l]; again && n != before {
					t.Errorf("after %s: %d words, %d after it was run before", l, n, before)
				}
				round[l] = n
			}
			out.Reset()
			const after = "Chan.recv(List<&2, Nat>, chan)\n(xs, lost)\n:undo\n:undo\n(xs, add(2))\n"
			if code := c.Script(context.Background(), strings.NewReader(after), false); code != 0 {
				t.Fatal(errOut.String())
			}
			const want = `Some{[9n, 3n, 4n]} : Maybe<&1, List<&2, Nat>>
([3n, 4n], [8n, 3n, 4n]) : Sigma<&1, &1, List<&2, Nat>, _ => List<&2, Nat>>
taken back: lost = Con{8n, xs}
taken back: chan <- Chan.new(List<&2, Nat>, 2)
([3n, 4n], 3) : Sigma<&1, &1, List<&2, Nat>, _ => U32>
`
			if out.String() != want {
				t.Errorf("afterwards:\n%s", out.String())
			}
			held("at last")
		})
	}
}

// TestHeapOwned gives a session lines of many kinds in any order: after each all that is in
// the heap is owned by what the session holds, or is swept before the next run.
func TestHeapOwned(t *testing.T) {
	lines := []string{
		"1", "x = [1n, 2n]", "y = (x, x)", "x", "it", "[it]", "f = U32.add(1)", "f(2)", "g = List.append(&2, Nat, x)", "g([3n])",
		"add(x, x)", "add!(x, x)", "lost(x)", "lost!(x)", "die(x)", "z <- IO.pure(List<&2, Nat>, x)", "c <- Chan.new(List<&2, Nat>, 1)",
		"Chan.send(List<&2, Nat>, c, x)", "Chan.recv(List<&2, Nat>, c)", "h = n => add(n, [0n])", "h : List<&2, Nat> -> List<&2, Nat> = n => add(n, [0n])",
		"h(x)", ":undo", ":undo", ":time add(x, x)", ":stack add(x, x)", ":stack lost(x)", ":time lost(x)", "nothing", "a = [0 : U32 ^ 3n]", "a[0]", "b = a",
		"def k(n: Nat) -> Nat: n\n", "Nat", "p = Some{x}", "p", ":reset", "w = {==}", "x = Maybe<Nat>",
	}
	const defs = `import Base

def add(xs: List<&2, Nat>, ys: List<&2, Nat>) -> List<&2, Nat>:
  match xs:
    case Nil{}: ys
    case Con{x, rest}: Con{x, add(rest, ys)}

def lost(xs: List<&2, Nat>) -> List<&2, Nat>:
  match xs:
    case Nil{}: [Nat.pow(2n, 60n)]
    case Con{x, rest}: Con{x, lost(rest)}

def die(xs: List<&2, Nat>) -> IO(Nat):
  IO.bind(Unit, Nat, IO.print(Nat.show(List.length(&2, Nat, xs))), _ => IO.die(Nat, 3, "dead"))
`
	file := filepath.Join(t.TempDir(), "defs.bend")
	if err := os.WriteFile(file, []byte(defs), 0o644); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	s, err := NewSession(Options{Settings: executors[1].settings(), Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := NewConsole(s, io.Discard, io.Discard)
	done := map[string]bool{}
	for range 2000 {
		l := lines[random.IntN(len(lines))]
		if s.File() == "" {
			l = ":load " + file
		}
		done[l] = c.Act(context.Background(), l) == nil || done[l]
		if live, owned := s.heap.Live(), s.heap.Reach(s.roots()...); live != owned && !s.unswept {
			t.Fatalf("after %s: %d words are live, %d are owned", l, live, owned)
		}
	}
	for _, l := range lines {
		if ok := done[l]; ok == slices.Contains([]string{"lost(x)", "lost!(x)", "die(x)", ":time lost(x)", ":stack lost(x)", "nothing", "w = {==}", "h = n => add(n, [0n])"}, l) {
			t.Errorf("%s: succeeds is %v", l, ok)
		}
	}
}
