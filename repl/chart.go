package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fatih/color"

	"bend/jit/lane"
)

// The size of a chart, in characters.
const (
	chartWidth  = 60
	chartHeight = 8
)

// A pen is what pictures in text are drawn with.
type pen struct {
	defs               []string // a glyph for each def, which differ without colours too
	empty, limit       string
	top, side, corner  string // of the axes
	floor, spill, back string // on the lower axis: nothing, a spill, a restore
	both               string
}

var (
	boxes = pen{[]string{"█", "▓", "▒", "◆", "●", "▲"}, "░", "┄", "┤", "│", "└", "─", "s", "r", "x"}
	ascii = pen{[]string{"#", "=", "+", "%", "o", "^"}, ".", "-", "+", "|", "+", "-", "s", "r", "x"}
)

// pens returns the pen that suits the locale: boxes, unless it says that there are none.
func pens() pen {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(os.Getenv(name)); v != "" {
			if strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8") {
				return boxes
			}
			return ascii
		}
	}
	return boxes
}

// hues are the colours of defs on a terminal.
var hues = []color.Attribute{color.FgGreen, color.FgYellow, color.FgCyan, color.FgMagenta, color.FgBlue, color.FgRed}

// def returns n glyphs of the def with index k.
func (c *Console) def(k, n int) string {
	glyphs := pens().defs
	return c.paint.with(strings.Repeat(glyphs[k%len(glyphs)], n), hues[k%len(hues)])
}

// bar draws a lane of which some words are full, shared out among the defs as they share
// the whole stack.
func (c *Console) bar(r *StackReport, words int, levels []int) string {
	width := max(10, min(barWidth, widthOf(c.out)-40)) // the rest is for the words behind it
	full := width * min(words, r.LaneWords) / r.LaneWords
	if words > 0 && full == 0 {
		full = 1
	}
	total := 0
	for k, n := range levels {
		total += n * r.Defs[k].Words
	}
	var b strings.Builder
	drawn, sum := 0, 0
	for k, n := range levels {
		if total > 0 {
			sum += n * r.Defs[k].Words
			to := full * sum / total
			b.WriteString(c.def(k, to-drawn))
			drawn = to
		}
	}
	b.WriteString(c.def(0, full-drawn))
	return b.String() + strings.Repeat(pens().empty, width-full)
}

// fullest returns the levels of each def when the lane held most, nil if nobody looked.
func (r *StackReport) fullest() []int {
	var levels []int
	most := -1
	for _, s := range r.Trace {
		if s.Words > most {
			most, levels = s.Words, s.Levels
		}
	}
	return levels
}

// chart draws the words in frames over the course of a run, up to a sample: each def with
// its glyph, the lane's limit as a line, spills and restores on the lower axis.
func (c *Console) chart(w io.Writer, r *StackReport, upTo int) {
	p := pens()
	width := max(10, min(chartWidth, widthOf(w)-13)) // what is left of it is the scale
	most := 1
	for _, s := range r.Trace {
		most = max(most, s.Deep)
	}
	columns := make([]*lane.Sample, width)
	events := make([]string, width)
	for j := range columns {
		events[j] = p.floor
		from, to := j*len(r.Trace)/width, max((j+1)*len(r.Trace)/width, j*len(r.Trace)/width+1)
		for i := from; i < to && i < upTo; i++ {
			s := &r.Trace[i]
			if columns[j] == nil || s.Deep > columns[j].Deep {
				columns[j] = s
			}
			spilled, restored := i > 0 && s.Spills > r.Trace[i-1].Spills, i > 0 && s.Restores > r.Trace[i-1].Restores
			switch {
			case spilled && (events[j] == p.floor || events[j] == p.spill):
				events[j] = p.spill
			case restored && (events[j] == p.floor || events[j] == p.back):
				events[j] = p.back
			case spilled || restored:
				events[j] = p.both
			}
		}
	}
	limitRow := -1
	if most > r.LaneWords {
		limitRow = chartHeight - 1 - r.LaneWords*chartHeight/most
	}
	for row := range chartHeight {
		label, axis := "", p.side
		switch row {
		case limitRow:
			label, axis = comma(r.LaneWords), p.top
		case 0:
			label, axis = comma(most), p.top
		}
		fmt.Fprintf(w, "%9s %s", label, axis)
		var line strings.Builder
		at := most * (2*(chartHeight-row) - 1) / (2 * chartHeight) // words in the middle of the row
		for _, s := range columns {
			line.WriteString(c.cell(r, s, at, row == limitRow))
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintf(w, "%9s %s%s\n", "", p.corner, strings.Join(events, ""))
	var legend []string
	for k, d := range r.Defs {
		legend = append(legend, c.def(k, 1)+" "+d.Name)
	}
	if r.Spills > 0 {
		legend = append(legend, fmt.Sprintf("%s spill, %s restore, %s both", p.spill, p.back, p.both))
	}
	if limitRow >= 0 {
		legend = append(legend, strings.Repeat(p.limit, 2)+" the lane's limit")
	}
	fmt.Fprintf(w, "%10s %s\n", "", strings.Join(legend, "   "))
}

// cell is what stands in a column of a chart at a height.
func (c *Console) cell(r *StackReport, s *lane.Sample, at int, limit bool) string {
	if s != nil {
		sum := lane.ExitWords
		for k, n := range s.Levels {
			sum += n * r.Defs[k].Words
			if sum > at {
				return c.def(k, 1)
			}
		}
	}
	if limit {
		return pens().limit
	}
	return " "
}

// explain says in words why a run needed more than the lane has, and what needs less.
func (c *Console) explain(w io.Writer, r *StackReport) {
	worst := -1
	for k, d := range r.Defs {
		if d.Depth > 1 && (worst < 0 || d.Depth*d.Words > r.Defs[worst].Depth*r.Defs[worst].Words) {
			worst = k
		}
	}
	if worst < 0 {
		return
	}
	name := r.Defs[worst].Name
	f := c.session.widest(name)
	if f == nil {
		return
	}
	kept := "the return id"
	if len(f.Values) > 0 {
		kept = strings.Join(f.Values, ", ") + " and the return id"
	}
	fmt.Fprintln(w, wrapped(w, fmt.Sprintf("why: each level of %s keeps %s, %s, until %s is back (%s)", name, count(f.Words, "word"), kept, f.Call, f.Place)))
	fmt.Fprintln(w, wrapped(w, "a call that is the last thing its def does keeps nothing: hand the result so far along as an argument, "+
		"and do what is left to do before the call (:guide recursion-limits)"))
}

// watchTime is about how long an animation takes, in steps of watchStep.
const (
	watchTime = 6 * time.Second
	watchStep = 60 * time.Millisecond
)

// Watch runs an expression, and draws its stack again and again as it was in the course of
// the run; where nobody can see a picture move, it draws the last one.
func (c *Console) Watch(ctx context.Context, expr string) error {
	pic, err := c.session.Picture(ctx, expr, c.session.settings.Spill)
	if err != nil {
		return err
	}
	r := pic.Report
	last := len(r.Trace) - 1
	if IsTerminal(c.out) && os.Getenv("TERM") != "dumb" {
		frames := int(watchTime / watchStep)
		for i := 0; i < frames && ctx.Err() == nil; i++ {
			lines := c.moment(r, last*i/frames)
			select {
			case <-ctx.Done():
			case <-time.After(watchStep):
			}
			fmt.Fprintf(c.out, "\x1b[%dA\x1b[J", lines)
		}
	}
	c.moment(r, last)
	if r.Error != "" {
		return errors.New(r.Error)
	}
	return ctx.Err()
}

// moment draws the stack as it was at a sample, and returns the number of lines.
func (c *Console) moment(r *StackReport, i int) int {
	s := r.Trace[i]
	var b strings.Builder
	fmt.Fprintf(&b, "lane  %s  %s of %s words\n", c.bar(r, s.Words, s.Levels), comma(s.Words), comma(r.LaneWords))
	fmt.Fprintf(&b, "heap  %s, %s and %s so far\n", count(s.Blocks, "block"), count(s.Spills, "spill"), count(s.Restores, "restore"))
	c.chart(&b, r, i+1)
	io.WriteString(c.out, b.String())
	return strings.Count(b.String(), "\n")
}
