package repl

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"bend/interp/syntax"
)

// suite lists the benchmark programs of docs/bench: the arguments of a full run and, for
// a short one, an expression with its value. A twin of a program has its name and another
// ending, takes the same arguments, and prints the same number.
var suite = []struct {
	name string
	args []string
	expr string // "!" is the mark of the lanes
	want string
}{
	{"fib", []string{"36"}, "fib!(20n)", "6765"},
	{"lists", []string{"100000", "60"}, "rounds!(2n, 1000n, 0)", "744361960"},
	{"pow2", nil, "bench!(6n)", "2016"},
	{"bitonic", nil, "bench!(5n)", "4152274553"},
	{"queens", nil, "bench!(6n)", "4"},
	{"mandelbrot", nil, "bench!(4n)", "39982"},
	{"nbody", nil, "bench!(2n)", "2140795237"},
	{"life", nil, "bench!(20n)", "2856061583"},
	{"merkle", nil, "bench!(4n)", "3719394636"},
	{"matrix", nil, "bench!(3n)", "8415335"},
	{"kmeans", nil, "bench!(2n)", "1099504824"},
	{"radix", nil, "bench!(6n)", "32950134"},
	{"edit", nil, "bench!(30n)", "3"},
}

const benchDir = "../docs/bench"

// TestSuite runs the benchmark programs on few data, on the host, on one lane and on
// several.
func TestSuite(t *testing.T) {
	for _, b := range suite {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			for _, x := range executors {
				if x.compiled() && missing != nil {
					t.Log(missing)
					continue
				}
				s, err := NewSession(Options{Settings: DefaultSettings()})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				x.enter(t, s)
				if _, err := s.Load(filepath.Join(benchDir, b.name+".bend")); err != nil {
					t.Fatal(explain(err))
				}
				o, err := s.Do(context.Background(), syntax.NewSource("bench", b.expr))
				if err != nil {
					t.Fatalf("%s: %s", x.name, explain(err))
				}
				if got := s.Show(o.Value.Term, 0); got != b.want {
					t.Errorf("%s: got %s, want %s", x.name, got, b.want)
				}
				if x.gpu != "off" {
					continue
				}
				for _, target := range KernelTargets {
					text, err := s.Kernel(syntax.NewSource("bench", b.expr), target)
					if err != nil || strings.Count(text, "\n") < 200 {
						t.Errorf("the kernel in %s: %v\n%s", target, err, text)
					}
				}
			}
		})
	}
}

// BenchmarkSuite times the programs and their twins as whole processes, start included:
// the best of three runs each. It checks that all print the same, and prints the table of
// docs/performance.md; with BEND_UPDATE=1 it writes it there.
func BenchmarkSuite(b *testing.B) {
	dir := b.TempDir()
	bend := filepath.Join(dir, "bend")
	if out, err := exec.Command("go", "build", "-o", bend, "bend").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	cores := fmt.Sprint(runtime.GOMAXPROCS(0))
	columns := []string{"C", "one lane", cores + " lanes", "interpreter", "node", "python3"}
	t := table.NewWriter()
	t.AppendHeader(table.Row{"milliseconds", columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], "lane/C", "lane/lanes"})
	ratios := 0.0
	for _, p := range suite {
		file := func(ext string) string { return filepath.Join(benchDir, p.name+"."+ext) }
		bin := filepath.Join(dir, p.name)
		if out, err := exec.Command("cc", "-O2", "-o", bin, file("c"), "-lm").CombinedOutput(); err != nil {
			b.Fatalf("cc: %v\n%s", err, out)
		}
		commands := map[string][]string{
			"C":           {bin},
			"one lane":    {bend, "--gpu", "cpu", "--lanes", "1", file("bend")},
			columns[2]:    {bend, "--gpu", "cpu", "--lanes", cores, file("bend")},
			"interpreter": {bend, "--gpu", "off", file("bend")},
			"node":        {"node", file("js")},
			"python3":     {"python3", file("py")},
		}
		row := table.Row{p.name}
		took := map[string]time.Duration{}
		want := ""
		for _, c := range columns {
			cmd := commands[c]
			if c == "node" || c == "python3" {
				_, err := os.Stat(cmd[1])
				if _, missing := exec.LookPath(cmd[0]); err != nil || missing != nil {
					row = append(row, "")
					continue
				}
			}
			out, best := fastest(b, append(cmd, p.args...))
			if want == "" {
				want = out
			}
			if out != want {
				b.Fatalf("%s prints %s on %s, not %s", p.name, out, c, want)
			}
			took[c] = best
			row = append(row, fmt.Sprintf("%.0f", best.Seconds()*1000))
		}
		ratio := took["one lane"].Seconds() / took["C"].Seconds()
		ratios += math.Log(ratio)
		t.AppendRow(append(row, fmt.Sprintf("%.1f", ratio), fmt.Sprintf("%.1f", took["one lane"].Seconds()/took[columns[2]].Seconds())))
	}
	mean := math.Exp(ratios / float64(len(suite)))
	text := t.RenderMarkdown() + fmt.Sprintf("\n\nA lane takes %.1f times as long as C, in the geometric mean.\n", mean)
	fmt.Print("\n" + text)
	if os.Getenv("BEND_UPDATE") != "" {
		replaceTable(b, "../docs/performance.md", text)
	}
}

// fastest runs a command three times and returns what it prints and the shortest time.
func fastest(b *testing.B, cmd []string) (out string, best time.Duration) {
	for range 3 {
		start := time.Now()
		text, err := exec.Command(cmd[0], cmd[1:]...).Output()
		took := time.Since(start)
		if err != nil {
			b.Fatalf("%s: %v", strings.Join(cmd, " "), err)
		}
		out = strings.TrimSpace(string(text))
		if best == 0 || took < best {
			best = took
		}
	}
	return out, best
}

// replaceTable puts a text between the marks of a page.
func replaceTable(b *testing.B, file, text string) {
	page, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	from, to := []byte("<!-- suite -->\n"), []byte("<!-- end -->")
	i, j := bytes.Index(page, from), bytes.Index(page, to)
	if i < 0 || j < i {
		b.Fatalf("%s has no place for the table", file)
	}
	page = append(page[:i+len(from):i+len(from)], append([]byte("\n"+text+"\n"), page[j:]...)...)
	if err := os.WriteFile(file, page, 0o644); err != nil {
		b.Fatal(err)
	}
}
