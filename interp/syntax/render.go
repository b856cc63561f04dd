package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// RenderOptions shape a rendered diagnostic.
type RenderOptions struct{ Color bool }

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
			excerpt(&b, d.Span, func(s string) string { return style(styleBad, s) })
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

// excerpt writes the line where sp starts, underlined, between its neighbours.
func excerpt(b *strings.Builder, sp Span, style func(string) string) {
	line, start := sp.Src.Line(sp.Start)
	first, last := max(line-1, 1), min(line+1, sp.Src.Lines())
	width := len(fmt.Sprint(last))
	for n := first; n <= last; n++ {
		text := sp.Src.LineText(n)
		if n != line {
			fmt.Fprintf(b, "%*d | %s\n", width, n, text)
			continue
		}
		fmt.Fprintf(b, "%*d>| %s\n", width, n, text)
		from := min(int(sp.Start-start), len(text))
		to := min(int(sp.End-start), len(text))
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, text[:from])
		carets := max(1, utf8.RuneCountInString(text[from:max(from, to)]))
		fmt.Fprintf(b, "%s  | %s%s\n", strings.Repeat(" ", width), pad, style(strings.Repeat("^", carets)))
	}
}
