package repl

import (
	"io"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"bend/repl/highlight"
)

// A painter colours text, or does not.
type painter struct{ on bool }

// Coloured reports whether what is written to w has colours: always, never or, with
// auto or nothing said, when w is a terminal that can and NO_COLOR is not set.
func Coloured(w io.Writer, when string) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func (p painter) with(text string, attrs ...color.Attribute) string {
	if !p.on {
		return text
	}
	c := color.New(attrs...)
	c.EnableColor()
	return c.Sprint(text)
}

// code returns Bend with its colours.
func (p painter) code(text string) string {
	if !p.on {
		return text
	}
	return highlight.Text(text)
}

// kernel returns the text of a kernel with its colours.
func (p painter) kernel(text, target string) string {
	if !p.on {
		return text
	}
	return highlight.Kernel(text, target)
}

func (p painter) bad(text string) string   { return p.with(text, color.FgRed, color.Bold) }
func (p painter) good(text string) string  { return p.with(text, color.FgGreen) }
func (p painter) faint(text string) string { return p.with(text, color.Faint) }
func (p painter) name(text string) string  { return p.with(text, color.Bold) }

// plainWidth is how wide lines may be where no terminal says it.
const plainWidth = 120

// widthOf returns the columns of what is written to.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok && IsTerminal(w) {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return plainWidth
}

// wrapped breaks a line of words where it is wider than what it is written to.
func wrapped(w io.Writer, line string) string {
	lines := strings.Split(text.WrapSoft(line, min(104, widthOf(w))), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// IsTerminal reports whether v is a file that is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
