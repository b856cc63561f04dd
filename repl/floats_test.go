package repl

import (
	"context"
	"math"
	"strconv"
	"testing"

	"bend/interp/flat"
	"bend/interp/syntax"
)

// TestOwnFunctions lets devices compute functions of F32 in their own way: the results
// are close to ours, and the calls run there, on Metal too.
func TestOwnFunctions(t *testing.T) {
	if missing != nil {
		t.Log(missing)
		return
	}
	s, err := NewSession(Options{Settings: DefaultSettings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Program("testdata/programs/functions.bend"); err != nil {
		t.Fatal(explain(err))
	}
	at := func(x string) (float64, []string) {
		o, err := s.Do(context.Background(), syntax.NewSource("test", "functions!("+x+")"))
		if err != nil {
			t.Fatal(explain(err))
		}
		f, err := strconv.ParseFloat(s.Show(o.Value.Term, 0), 64)
		if err != nil {
			t.Fatal(err)
		}
		return f, s.lanes.notes
	}
	for _, x := range executors {
		if !x.compiled() {
			continue
		}
		for _, arg := range []string{"0.25", "0.5", "1.2"} {
			x.enter(t, s)
			want, _ := at(arg)
			x.enter(t, s, func(s *Settings) { s.OwnFloats = true })
			got, notes := at(arg)
			if len(notes) > 0 || !(math.Abs(got-want) <= 1e-4*math.Abs(want)) {
				t.Errorf("%s: functions(%s) = %v, want about %v %v", x.name, arg, got, want, notes)
			}
		}
	}
}

// TestRefusedAnew asks a device again for a kernel that another one, or other settings,
// had no text for.
func TestRefusedAnew(t *testing.T) {
	s, err := NewSession(Options{Settings: executors[1].settings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := func() bool {
		o, err := s.Do(context.Background(), syntax.NewSource("test", "U32.add!(1, 2)"))
		if err != nil {
			t.Fatal(explain(err))
		}
		return o.Cost.Launches > 0
	}
	if !run() {
		t.Fatal("the call does not run on lanes")
	}
	for def := range s.prog.Defs {
		s.lanes.host[flat.DefID(def)] = true
	}
	if run() {
		t.Fatal("a call that has no kernel runs on lanes")
	}
	if err := s.Set("strict-floats", "off"); err != nil {
		t.Fatal(err)
	}
	if !run() {
		t.Error("a refusal outlives the settings that it was made under")
	}
}
