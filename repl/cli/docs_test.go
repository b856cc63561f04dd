package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bend/repl"
)

// TestDocs runs the transcripts of the README and of docs: fenced blocks that start
// with "$ bend .." (commands) or "bend> .." (a prompt). They run in docs/examples, and
// must come out as they are printed there. A block that is marked "continued" goes on with
// the prompt of the one before. BEND_UPDATE=1 writes them anew.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../README.md")
	for i, f := range files {
		if files[i], err = filepath.Abs(f); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("../../docs/examples")
	ran := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(raw), "```")
		var p *prompt
		for i := 1; i < len(parts); i += 2 {
			head, body, _ := strings.Cut(parts[i], "\n")
			var got string
			switch {
			case strings.HasPrefix(body, "$ bend "):
				got = runCommands(t, body)
			case strings.HasPrefix(body, "bend> "):
				if head != "continued" {
					p = newPrompt(t)
				}
				got = p.run(body)
			default:
				continue
			}
			ran++
			if os.Getenv("BEND_UPDATE") != "" {
				parts[i] = head + "\n" + got
			} else if diff := cmp.Diff(body, got); diff != "" {
				t.Errorf("%s: a transcript (-printed +run)\n%s", filepath.Base(file), diff)
			}
		}
		if text := strings.Join(parts, "```"); text != string(raw) {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran == 0 {
		t.Error("no transcript found")
	}
}

// runCommands runs the "$ bend" lines of a transcript and returns it as it came out.
func runCommands(t *testing.T, body string) string {
	var all bytes.Buffer
	for _, l := range strings.Split(body, "\n") {
		if words, ok := strings.CutPrefix(l, "$ bend "); ok {
			all.WriteString(l + "\n")
			Main(splitWords(words), Streams{strings.NewReader(""), &all, &all})
		}
	}
	return all.String()
}

// splitWords splits at spaces that stand in no quotes, as a shell does.
func splitWords(s string) (words []string) {
	var word strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ' ':
			words = append(words, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	return append(words, word.String())
}

// A prompt runs transcripts.
type prompt struct {
	all   bytes.Buffer
	con   *repl.Console
	steps []string // the lines typed at the prompt of :step that are not read yet
}

// Read gives the next of the steps, which then stands in the transcript.
func (p *prompt) Read(b []byte) (int, error) {
	if len(p.steps) == 0 {
		return 0, io.EOF
	}
	line := p.steps[0] + "\n"
	p.steps = p.steps[1:]
	p.all.WriteString("step> " + line)
	return copy(b, line), nil
}

func newPrompt(t *testing.T) *prompt {
	p := &prompt{}
	settings := repl.DefaultSettings()
	if err := settings.Set("gpu", "cpu"); err != nil {
		t.Fatal(err)
	}
	s, err := repl.NewSession(repl.Options{Settings: settings, Stdin: p, Stdout: &p.all, Stderr: &p.all})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p.con = repl.NewConsole(s, &p.all, &p.all)
	return p
}

// run types what stands behind the prompts of a transcript.
func (p *prompt) run(body string) string {
	p.all.Reset()
	all := &p.all
	lines := strings.Split(body, "\n")
	for i := 0; i < len(lines); i++ {
		first, ok := strings.CutPrefix(lines[i], "bend> ")
		if !ok {
			continue
		}
		all.WriteString(lines[i] + "\n")
		text := first
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ...>") {
			i++
			all.WriteString(lines[i] + "\n")
			text += "\n" + strings.TrimPrefix(strings.TrimPrefix(lines[i], " ...>"), " ")
		}
		p.steps = nil
		for j := i + 1; j < len(lines) && !strings.HasPrefix(lines[j], "bend> "); j++ {
			if step, ok := strings.CutPrefix(lines[j], "step> "); ok {
				p.steps = append(p.steps, step)
			}
		}
		p.con.Act(context.Background(), text)
	}
	return all.String()
}
