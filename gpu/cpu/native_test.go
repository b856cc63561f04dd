//go:build !windows

package cpu

import (
	"errors"
	"os/exec"
	"testing"

	"bend/interp/word"
	"bend/jit/lane"
)

// newC makes a lab for kernels in C; nil if there is no compiler.
func newC(t *testing.T) *lab {
	dev, err := NewC(256<<20, "-Wall", "-Wextra", "-Wno-unused", "-Wno-type-limits", "-Werror", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover")
	if errors.Is(err, ErrNoCompiler) {
		t.Log(err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return &lab{t, dev, word.NewHeap(0)}
}

// TestC runs recursions on a lane that a C compiler made, with a check for undefined
// behaviour: their values, and where they fill the lane, are the same.
func TestC(t *testing.T) {
	l := newC(t)
	if l == nil {
		return
	}
	b := newBook()
	deep := b.deep()
	for _, tt := range []struct {
		name string
		p    lane.Program
		args []word.Word
		want word.Word
	}{
		{"deep", l.load(b, deep, false), []word.Word{3000}, 3000},
		{"deep3", l.load(b, b.deep3(), false), []word.Word{3000, 2, 3}, 15000},
		{"fib", l.load(b, b.fib(), false), []word.Word{20}, 6765},
		{"pfib", l.load(b, b.pfib(), false), []word.Word{20}, 6765},
		{"pair", l.load(b, b.pair(), false), []word.Word{600, 1, 2}, 600*3 + 600 + 1},
		{"appsum", l.load(b, b.appsum(), false), []word.Word{2048}, 2096135},
	} {
		for _, words := range []int{64, 100, 2048} {
			for _, policy := range []lane.Policy{lane.Half, lane.Whole, lane.Every} {
				got, r, err := l.run(tt.p, lane.RunOptions{Policy: policy, LaneWords: words}, tt.args...)
				if err != nil || got != tt.want {
					t.Errorf("%s on %d words, %v: %d, %v", tt.name, words, policy, got, err)
				} else if words == 64 && tt.name == "deep" && r.Spills == 0 {
					t.Errorf("%s on %d words, %v: no spill", tt.name, words, policy)
				}
			}
		}
	}
	p := l.load(b, deep, false)
	for _, tt := range []struct {
		n    word.Word
		fits bool
	}{{2045, true}, {2046, false}} {
		_, _, err := l.run(p, lane.RunOptions{Policy: lane.Off}, tt.n)
		if tt.fits != (err == nil) || !tt.fits && !errors.Is(err, &lane.Error{Code: lane.Overflow}) {
			t.Errorf("deep %d: %v", tt.n, err)
		}
	}
	if _, _, err := l.run(p, lane.RunOptions{HeapBytes: 64 << 10}, 1e7); !errors.Is(err, &lane.Error{Code: lane.OutOfHeap}) {
		t.Errorf("a full heap: %v", err)
	}
}

// TestDialects compiles the kernels for CUDA and for Metal as C++, behind headers that
// stand in for theirs, and runs them. What the compilers of these devices make of the text
// is another question, but it has no mistakes of ours then.
func TestDialects(t *testing.T) {
	cc, err := exec.LookPath("c++")
	if err != nil {
		t.Log("no C++ compiler was found")
		return
	}
	const tail = "\nextern \"C\" int bend_enter(u64 *m, u32 lane, u32 pc, int fuel) { return bend_run(m, lane, pc, fuel); }\n"
	common := []string{"-std=c++14", "-Wall", "-Wextra", "-Wno-unused", "-Wno-type-limits", "-Werror", "-O0"}
	for _, d := range []dialect{
		{target: "cuda", compiler: cc, suffix: ".cpp", flags: append(common, "-include", "testdata/shim/cuda.h")},
		{target: "metal", compiler: cc, suffix: ".cpp", flags: append(common, "-Wno-attributes", "-isystem", "testdata/shim")},
	} {
		// The entry of the device has the name of the host's: it gets another one.
		d.flags = append(d.flags, "-Dbend_enter=bend_launch")
		d.tail = "#undef bend_enter\n" + tail
		t.Run(d.target, func(t *testing.T) {
			dev, err := newNative(64<<20, d)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			l := &lab{t, dev, word.NewHeap(0)}
			b := newBook()
			for _, tt := range []struct {
				name string
				p    lane.Program
				args []word.Word
				want word.Word
			}{
				{"deep3", l.load(b, b.deep3(), false), []word.Word{3000, 2, 3}, 15000},
				{"pfib", l.load(b, b.pfib(), false), []word.Word{20}, 6765},
				{"appsum", l.load(b, b.appsum(), false), []word.Word{2048}, 2096135},
				{"shared", l.load(b, b.shared(b.sum()), false), []word.Word{7, l.list(30)}, 255*435 + 127*5},
			} {
				if got, _, err := l.run(tt.p, lane.RunOptions{LaneWords: 100}, tt.args...); err != nil || got != tt.want {
					t.Errorf("%s: %d, %v", tt.name, got, err)
				}
			}
		})
	}
}
