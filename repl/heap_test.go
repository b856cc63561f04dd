package repl

import (
	"context"
	"io"
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
