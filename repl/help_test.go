package repl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
)

// TestHelpRuns runs the examples of all commands and topics: no help is wrong.
func TestHelpRuns(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"words.bend":       "import Base\ndef words(n: Nat) -> Nat: n\n",
		"more.bend":        "import Base\ndef more(n: Nat) -> Nat: n\n",
		"examples/no.bend": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("EDITOR", "true")
	run := func(c *Console, text string) {
		t.Helper()
		c.session.input = newScriptLines(strings.NewReader("def pasted(n: Nat) -> Nat: n\n:end\n"))
		out := c.out.(*bytes.Buffer)
		out.Reset()
		if err := c.Act(context.Background(), text); err != nil && err != errQuit {
			t.Errorf("%s: %v\n%s", text, err, out)
		}
	}
	console := func() *Console {
		t.Helper()
		set := DefaultSettings()
		set.GPU = "cpu"
		s, err := NewSession(Options{Settings: set})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		var out bytes.Buffer
		s.opts.Stdout = &out
		return NewConsole(s, &out, &out)
	}
	c := console()
	for _, topic := range helpTopics {
		for _, e := range topic.examples {
			run(c, e)
		}
	}
	c = console()
	for _, cmd := range commands() {
		if !strings.HasPrefix(cmd.example, ":"+cmd.name) {
			t.Errorf("%q is no example of :%s", cmd.example, cmd.name)
		}
		if cmd.name == "undo" {
			run(c, "x = 1")
		}
		run(c, cmd.example)
		run(c, ":help "+cmd.name)
	}
}

// TestCommandTable compares the table of commands in docs/repl.md with that of the code.
// BEND_UPDATE=1 writes it anew.
func TestCommandTable(t *testing.T) {
	const file, begin, end = "../docs/repl.md", "<!-- the commands, by TestCommandTable -->\n", "<!-- end -->"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), begin)
	was, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the table has no marks")
	}
	w := table.NewWriter()
	w.AppendHeader(table.Row{"command", "what it does", "for example"})
	code := func(text string) string { return "`" + strings.ReplaceAll(strings.TrimSpace(text), "|", "or") + "`" }
	for _, c := range commands() {
		w.AppendRow(table.Row{code(":" + c.name + " " + c.args), c.help, code(c.example)})
	}
	now := "\n" + strings.ReplaceAll(w.RenderMarkdown(), "\\_", "_") + "\n\n"
	if os.Getenv("BEND_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(before+begin+now+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now != was {
		t.Errorf("the table of docs/repl.md is not that of the code (BEND_UPDATE=1 writes it)")
	}
}
