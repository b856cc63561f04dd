package repl

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bend/interp/syntax"
)

// uniform lists programs whose work is the same on all lanes, each with a twin in CUDA: an
// expression, its value, and the twin's arguments for it. The second expression is one for
// a test.
var uniform = []struct {
	name, expr, want string
	args             []string
	short            string
	shortArgs        []string
}{
	{"mandelbrot", "bench!(11n)", "675799546", []string{"11"}, "bench!(4n)", []string{"4"}},
	{"nbody", "bench!(600n)", "3252397783", []string{"600"}, "bench!(2n)", []string{"2"}},
	{"life", "boards!(13n, 0, 200n)", "208282694", []string{"13", "200"}, "boards!(2n, 0, 3n)", []string{"2", "3"}},
	{"merkle", "bench!(20n)", "3392218926", []string{"20"}, "bench!(9n)", []string{"9"}},
}

// twin runs a twin and returns the number that it prints and the milliseconds.
func twin(t testing.TB, bin string, args []string) (string, float64) {
	out, err := exec.Command(bin, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", bin, err)
	}
	words := strings.Fields(string(out))
	if len(words) != 2 {
		t.Fatalf("%s prints %q", bin, out)
	}
	ms, err := strconv.ParseFloat(words[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return words[0], ms
}

// TestTwinsInCUDA compiles the twins in CUDA for threads of the processor: they compute
// what the programs do.
func TestTwinsInCUDA(t *testing.T) {
	cc, err := exec.LookPath("c++")
	if err != nil {
		t.Log("no c++ compiler")
		return
	}
	for _, p := range uniform {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			bin := filepath.Join(t.TempDir(), p.name)
			if out, err := exec.Command(cc, "-std=c++20", "-x", "c++", filepath.Join(benchDir, p.name+".cu"), "-o", bin).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			s, err := NewSession(Options{Settings: executors[0].settings()})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := s.Load(filepath.Join(benchDir, p.name+".bend")); err != nil {
				t.Fatal(explain(err))
			}
			o, err := s.Do(context.Background(), syntax.NewSource("test", p.short))
			if err != nil {
				t.Fatal(explain(err))
			}
			if got, _ := twin(t, bin, p.shortArgs); got != s.Show(o.Value.Term, 0) {
				t.Errorf("the twin prints %s, the program %s", got, s.Show(o.Value.Term, 0))
			}
		})
	}
}

// BenchmarkUniform runs these programs on one lane of the processor and on all of the
// device. Where BEND_TWINS names the folder of the twins, compiled for the card, it tells
// how many times as long as its twin a program takes. Once the kernel is built, a call
// costs what "latency" says.
func BenchmarkUniform(b *testing.B) {
	one := DefaultSettings()
	one.GPU, one.Lanes = "cpu", 1
	all := DefaultSettings()
	all.GPU = device()
	for _, p := range uniform {
		file := filepath.Join(benchDir, p.name+".bend")
		b.Run(p.name+"/one lane", func(b *testing.B) { benchExpr(b, one, file, p.expr, p.want) })
		b.Run(p.name+"/"+device(), func(b *testing.B) {
			benchExpr(b, all, file, p.expr, p.want)
			if twins := os.Getenv("BEND_TWINS"); twins != "" {
				got, ms := twin(b, filepath.Join(twins, p.name), p.args)
				if got != p.want {
					b.Errorf("the twin prints %s", got)
				}
				b.ReportMetric(ms, "twin-ms")
				b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/ms, "twins")
			}
		})
	}
	b.Run("latency/"+device(), func(b *testing.B) { benchExpr(b, all, filepath.Join(benchDir, "fib.bend"), "fib!(1n)", "1") })
}
