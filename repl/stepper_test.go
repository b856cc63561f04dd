package repl

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"bend/interp/syntax"
)

// fewSteps has expressions of the benchmark programs whose own take millions of steps.
var fewSteps = map[string]string{
	"nbody":  "hash(run(2n, make(3n, 1)), 0)",
	"kmeans": "hash(run(2n, make(6n, 1), Means{0.2, 0.3, 0.7, 0.2, 0.5, 0.9}))",
}

// TestStepsAgree compares the value of an evaluation by hand with that of the interpreter,
// for the benchmark programs and for generated ones.
func TestStepsAgree(t *testing.T) {
	for _, b := range suite {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			expr := b.expr
			if few := fewSteps[b.name]; few != "" {
				expr = few
			}
			steppedAgrees(t, filepath.Join(benchDir, b.name+".bend"), expr)
		})
	}
	for seed := range uint64(100) {
		path := filepath.Join(t.TempDir(), "p.bend")
		if err := os.WriteFile(path, []byte(generate(largest, seed)), 0o644); err != nil {
			t.Fatal(err)
		}
		if !steppedAgrees(t, path, "main()") {
			t.Fatalf("seed %d:\n%s", seed, generate(largest, seed))
		}
	}
}

// steppedAgrees compares the value of an expression after a program, by hand, with that of
// the interpreter.
func steppedAgrees(t *testing.T, program, expr string) bool {
	t.Helper()
	s, err := NewSession(Options{Settings: executors[0].settings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Load(program); err != nil {
		t.Fatal(explain(err))
	}
	src := syntax.NewSource("test", expr)
	o, err := s.Do(context.Background(), src)
	if err != nil {
		t.Fatal(explain(err))
	}
	m, err := s.Stepper(src)
	if err != nil {
		t.Fatal(explain(err))
	}
	if err := m.End(); err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	got, want := s.Show(m.Frames()[0].Expr, 0), s.Show(o.Value.Term, 0)
	if got != want {
		t.Errorf("%s is %s by hand, want %s", expr, got, want)
	}
	return got == want
}
