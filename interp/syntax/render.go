package syntax

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// RenderOptions shape a rendered diagnostic. Width is the columns that an excerpt may take, 0
// for any.
type RenderOptions struct {
	Color bool
	Width int
}

const (
	styleBad  = "\x1b[1;31m"
	styleHint = "\x1b[36m"
	styleOff  = "\x1b[0m"
)

// Render returns the report of d: what was expected and observed, the context, and
// the place with an excerpt.
func Render(d *Diagnostic, opts RenderOptions) string {
	style := func(code, s string) string {
		if !opts.Color {
			return s
		}
		return code + s + styleOff
	}
	var b strings.Builder
	b.WriteString(style(styleBad, "Error:") + "\n")
	if d.Message != "" {
		fmt.Fprintf(&b, "- message  : %s\n", d.Message)
	} else {
		fmt.Fprintf(&b, "- expected : %s\n- observed : %s\n", d.Expected, d.Observed)
	}
	if len(d.Context) > 0 {
		b.WriteString("Context:\n")
		width := 0
		for _, c := range d.Context {
			width = max(width, utf8.RuneCountInString(c.Name))
		}
		for _, c := range d.Context {
			fmt.Fprintf(&b, "- %s%s : %s\n", c.Name, strings.Repeat(" ", width-utf8.RuneCountInString(c.Name)), c.Type)
		}
	}
	if d.Def != "" || d.Span.Valid() {
		b.WriteString("Location:")
		if d.Def != "" {
			b.WriteString(" " + d.Def)
		}
		if d.Span.Valid() {
			b.WriteString(place(d))
			b.WriteString("\n")
			excerpt(&b, d.Span, opts.Width, func(s string) string { return style(styleBad, s) })
		} else {
			b.WriteString("\n")
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "Note: %s\n", n)
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "%s %s\n", style(styleHint, "Hint:"), d.Hint)
	}
	return b.String()
}

// place returns the file, line and column of d, in parentheses behind a def's name.
func place(d *Diagnostic) string {
	src := d.Span.Src
	if src.Name == "" {
		return ""
	}
	line, start := src.Line(d.Span.Start)
	at := fmt.Sprintf("%s:%d:%d", src.Name, line, utf8.RuneCountInString(src.Text[start:d.Span.Start])+1)
	if d.Def != "" {
		return " (" + at + ")"
	}
	return " " + at
}

// excerpt writes the line where sp starts, underlined, between its neighbours. Where lines
// are wider than allowed it writes the part of them in which sp starts.
func excerpt(b *strings.Builder, sp Span, columns int, style func(string) string) {
	line, start := sp.Src.Line(sp.Start)
	first, last := max(line-1, 1), min(line+1, sp.Src.Lines())
	gutter := len(fmt.Sprint(last))
	marked := sp.Src.LineText(line)
	from := min(int(sp.Start-start), len(marked))
	to := max(from, min(int(sp.End-start), len(marked)))
	at, carets := utf8.RuneCountInString(marked[:from]), max(1, utf8.RuneCountInString(marked[from:to]))
	cut := window{columns: math.MaxInt}
	if columns > 0 {
		cut.columns = max(20, columns-gutter-4)
		if at+min(carets, cut.columns/2) >= cut.columns {
			cut.left = at - cut.columns/3
		}
	}
	for n := first; n <= last; n++ {
		text := cut.of(sp.Src.LineText(n))
		if n != line {
			fmt.Fprintf(b, "%*d | %s\n", gutter, n, text)
			continue
		}
		fmt.Fprintf(b, "%*d>| %s\n", gutter, n, text)
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, string([]rune(marked)[cut.left:at]))
		carets = min(carets, cut.columns-(at-cut.left))
		fmt.Fprintf(b, "%s | %s%s\n", strings.Repeat(" ", gutter), pad, style(strings.Repeat("^", carets)))
	}
}

// A window is the part of lines that is shown: some columns behind the first ones.
type window struct{ left, columns int }

func (w window) of(line string) string {
	r := []rune(line)
	if w.left == 0 && len(r) <= w.columns {
		return line
	}
	r = r[min(w.left, len(r)):]
	if w.left > 0 && len(r) > 0 {
		r[0] = '…'
	}
	if len(r) > w.columns {
		r = append(r[:w.columns-1], '…')
	}
	return string(r)
}
