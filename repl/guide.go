package repl

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/fatih/color"
	"github.com/jedib0t/go-pretty/v6/table"

	"bend/docs"
)

// WriteGuide writes a page of the documentation, or the list of pages when topic is
// empty, for a terminal.
func WriteGuide(w io.Writer, topic string, colour bool) error {
	p := painter{colour}
	var topics []string
	for _, page := range docs.Pages() {
		if page.Topic == topic {
			_, err := io.WriteString(w, p.page(page.Text))
			return err
		}
		topics = append(topics, page.Topic)
	}
	if topic != "" {
		if near := Nearest(topic, topics); near != "" {
			return fmt.Errorf("there is no page %q, did you mean %q?", topic, near)
		}
		return fmt.Errorf("there is no page %q (there are %s)", topic, strings.Join(topics, ", "))
	}
	t := newTable(w)
	for _, page := range docs.Pages() {
		t.AppendRow(table.Row{page.Topic, page.Title})
	}
	t.Render()
	_, err := fmt.Fprintln(w, "\nbend guide TOPIC shows one of them.")
	return err
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	link       = regexp.MustCompile(`\[([^\]\n]*)\]\(([^)\n]*)\)`)
	emphasis   = regexp.MustCompile(`\*([^*\n]+)\*`)
)

// page makes Markdown readable on a terminal: headings stand out, code has its colours,
// and marks that mean nothing to the eye are gone.
func (p painter) page(text string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code, strings.HasPrefix(line, "    "):
			if code {
				line = "    " + line
			}
			b.WriteString(p.code(line))
		case strings.HasPrefix(line, "<!--"):
		case strings.HasPrefix(line, "#"):
			title := strings.TrimSpace(strings.TrimLeft(line, "#"))
			b.WriteString(p.with(title, color.Bold, color.Underline) + "\n")
		default:
			line = link.ReplaceAllString(line, "$1")
			line = emphasis.ReplaceAllString(line, "$1")
			b.WriteString(inlineCode.ReplaceAllStringFunc(line, func(s string) string {
				return p.with(strings.Trim(s, "`"), color.FgCyan)
			}))
		}
	}
	return b.String()
}

func (c *Console) guide(_ context.Context, arg string) error {
	return WriteGuide(c.out, arg, c.paint.on)
}
