package repl

import (
	"context"
	"fmt"
	"os"
	"testing"

	"bend/interp/syntax"
)

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

// device is the device that is measured: lanes of the processor, or the card that
// BEND_CARD says there is.
func device() string {
	if os.Getenv("BEND_CARD") != "" {
		return "cuda"
	}
	return "cpu"
}

// BenchmarkBoundary makes 1,000,000 calls at a depth where the lane is just not full,
// just full, and one frame over: the cost of crossing the spill boundary.
func BenchmarkBoundary(b *testing.B) {
	const file = "testdata/programs/loop_at_boundary.bend"
	for _, spill := range []string{"half", "whole"} {
		for _, depth := range []int{2039, 2040, 2041, 2042, 2043} {
			b.Run(fmt.Sprintf("%s/%d", spill, depth), func(b *testing.B) {
				set := DefaultSettings()
				set.GPU = device()
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
