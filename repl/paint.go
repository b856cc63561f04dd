package repl

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// A painter colours text, or does not.
type painter struct{ on bool }

// newPainter returns a painter that colours when w is a terminal and NO_COLOR is not
// set.
func newPainter(w io.Writer) painter { return painter{IsTerminal(w) && os.Getenv("NO_COLOR") == ""} }

func (p painter) with(text string, attrs ...color.Attribute) string {
	if !p.on {
		return text
	}
	c := color.New(attrs...)
	c.EnableColor()
	return c.Sprint(text)
}

func (p painter) bad(text string) string   { return p.with(text, color.FgRed, color.Bold) }
func (p painter) good(text string) string  { return p.with(text, color.FgGreen) }
func (p painter) faint(text string) string { return p.with(text, color.Faint) }
func (p painter) typ(text string) string   { return p.with(text, color.FgCyan) }
func (p painter) name(text string) string  { return p.with(text, color.Bold) }

// IsTerminal reports whether v is a file that is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
