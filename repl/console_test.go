package repl

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// faultyLines is an input that has a fault.
type faultyLines struct{}

func (faultyLines) ReadLine(string, string) (string, error) { panic("no lines here") }
func (faultyLines) Close() error                            { return nil }

// TestFault causes a fault in a command: the session goes on, and what was typed is saved
// so that it can be run again.
func TestFault(t *testing.T) {
	home := xdg.StateHome
	t.Cleanup(func() { xdg.StateHome = home })
	xdg.StateHome = t.TempDir()
	s, err := NewSession(Options{Settings: DefaultSettings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out, errOut strings.Builder
	c := NewConsole(s, &out, &errOut)
	act := func(text string) error { return c.Act(context.Background(), text) }
	if err := act("def twice(x: U32) -> U32:\n  (x * 2 : U32)\n"); err != nil {
		t.Fatal(err)
	}
	s.input = faultyLines{}
	if err := act(":paste"); err == nil {
		t.Fatal("no error")
	}
	if !strings.Contains(errOut.String(), "this is a bug in bend") || !strings.Contains(errOut.String(), "what was typed") {
		t.Errorf("the report is\n%s", errOut.String())
	}
	out.Reset()
	if err := act("twice(21)"); err != nil || out.String() != "42 : U32\n" {
		t.Errorf("after the fault: %q, %v", out.String(), err)
	}
	files, _ := filepath.Glob(filepath.Join(xdg.StateHome, "bend", "fault-*.txt"))
	if len(files) != 1 {
		t.Fatalf("%d files are saved", len(files))
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	typed, report, _ := strings.Cut(string(text), "\n# ")
	if !strings.HasPrefix(typed, "def twice(x: U32)") || !strings.HasSuffix(strings.TrimSpace(typed), ":paste") {
		t.Errorf("saved was\n%s", typed)
	}
	if !strings.Contains(report, "no lines here") || !strings.Contains(report, "ReadLine") {
		t.Errorf("the report says\n%s", report)
	}
}
