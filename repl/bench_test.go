package repl

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bend/interp/syntax"
)

// The benchmark programs of docs/bench and their twins in C and Python: the twins are
// whole processes, the Bend programs one expression in a session that has loaded the
// file.
var twins = []struct {
	name string
	args []string
	expr string // "%" stands for the mark of the lanes
	want string
}{
	{"fib", []string{"32"}, "fib%(32n)", "2178309"},
	{"lists", []string{"100000", "20"}, "rounds%(20n, 100000n, 0)", "2907128384"},
}

func BenchmarkTwins(b *testing.B) {
	dir := filepath.Join("..", "docs", "bench")
	for _, tw := range twins {
		b.Run(tw.name+"/c", func(b *testing.B) {
			bin := filepath.Join(b.TempDir(), tw.name)
			if out, err := exec.Command("cc", "-O2", "-o", bin, filepath.Join(dir, tw.name+".c")).CombinedOutput(); err != nil {
				b.Skipf("no C compiler: %v %s", err, out)
			}
			process(b, tw.want, bin, tw.args...)
		})
		b.Run(tw.name+"/python3", func(b *testing.B) {
			if _, err := exec.LookPath("python3"); err != nil {
				b.Skip("no python3")
			}
			process(b, tw.want, "python3", append([]string{filepath.Join(dir, tw.name+".py")}, tw.args...)...)
		})
		for _, gpu := range []string{"off", "cpu"} {
			name := map[string]string{"off": "host", "cpu": "lanes"}[gpu]
			b.Run(tw.name+"/"+name, func(b *testing.B) {
				set := DefaultSettings()
				set.GPU = gpu
				benchExpr(b, set, filepath.Join(dir, tw.name+".bend"), strings.Replace(tw.expr, "%", "!", 1), tw.want)
			})
		}
	}
}

func process(b *testing.B, want, name string, args ...string) {
	for b.Loop() {
		out, err := exec.Command(name, args...).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			b.Fatalf("got %q, %v, want %q", got, err, want)
		}
	}
}

// benchExpr evaluates expr in a session that has loaded file, once before the clock
// starts, so that a kernel is built.
func benchExpr(b *testing.B, set Settings, file, expr, want string) {
	s, err := NewSession(Options{Settings: set})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Load(file); err != nil {
		b.Fatal(explain(err))
	}
	eval := func() {
		o, err := s.Do(context.Background(), syntax.NewSource("bench", expr))
		if err != nil {
			b.Fatal(explain(err))
		}
		if got := s.Show(o.Value.Term, 0); got != want {
			b.Fatalf("got %s, want %s", got, want)
		}
	}
	eval()
	for b.Loop() {
		eval()
	}
}

// BenchmarkBoundary makes 1,000,000 calls at a depth where the lane is just not full,
// just full, and one frame over: the cost of crossing the spill boundary.
func BenchmarkBoundary(b *testing.B) {
	const file = "testdata/programs/loop_at_boundary.bend"
	for _, spill := range []string{"half", "whole"} {
		for _, depth := range []int{2039, 2040, 2041, 2042, 2043} {
			b.Run(fmt.Sprintf("%s/%d", spill, depth), func(b *testing.B) {
				set := DefaultSettings()
				set.GPU = "cpu"
				if err := set.Set("spill", spill); err != nil {
					b.Fatal(err)
				}
				times := 1_000_000
				if spill == "whole" {
					times = 100_000 // a call that crosses the boundary moves the whole stack
				}
				benchExpr(b, set, file, fmt.Sprintf("descend!(%dn, %dn)", depth, times), fmt.Sprint(depth+times))
			})
		}
	}
}
