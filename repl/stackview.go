package repl

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// barWidth is the width of the picture of a lane, and keptWidth that of the names of what is
// kept, where there is room.
const barWidth, keptWidth = 48, 40

// showStack draws a report.
func (c *Console) showStack(r *StackReport) {
	w := c.out
	if r.Result != "" {
		fmt.Fprintf(w, "%s\n", r.Result)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "%s\n", c.paint.faint(n))
	}
	if len(r.Defs) == 0 {
		fmt.Fprintf(w, "nothing was kept on the stack: every call was a tail call\n")
	} else {
		c.showDefs(w, r)
	}
	c.showLane(w, r)
	if len(r.Trace) > 1 && len(r.Lanes) <= 1 && len(r.Defs) > 0 {
		c.chart(w, r, len(r.Trace))
	}
	if r.Spills > 0 || r.full {
		c.explain(w, r)
	}
}

func (c *Console) showDefs(w io.Writer, r *StackReport) {
	t := newTable(w)
	t.AppendHeader(table.Row{"def", "words a level", "keeps", "deepest level", "fits without a spill"})
	t.SetColumnConfigs(rightAligned(2, 4, 5))
	longest := 0
	for _, d := range r.Defs {
		longest = max(longest, utf8.RuneCountInString(d.Name))
	}
	kept := max(8, min(keptWidth, widthOf(w)-longest-len("   words a level      deepest level   fits without a spill")))
	for _, d := range r.Defs {
		fit, depth := comma(d.Fits), comma(d.Depth)
		if r.LaneWords == 0 {
			fit = "-"
		}
		if d.Depth == uncounted {
			depth = "-"
		}
		t.AppendRow(table.Row{d.Name, d.Words, d.kept(kept), depth, fit})
	}
	t.Render()
}

func (c *Console) showLane(w io.Writer, r *StackReport) {
	if r.LaneWords == 0 {
		fmt.Fprintf(w, "%s: peak %s words\n", r.Device, comma(r.PeakWords))
		return
	}
	fmt.Fprintf(w, "lane  %s  %s of %s words (%s)\n", c.bar(r, r.PeakWords, r.fullest()), comma(r.PeakWords), comma(r.LaneWords), r.Device)
	if n := len(r.Lanes); n > 1 {
		busiest, idlest := r.Lanes[0].Busy, r.Lanes[0].Busy
		for _, l := range r.Lanes {
			busiest, idlest = max(busiest, l.Busy), min(idlest, l.Busy)
		}
		fmt.Fprintf(w, "%d lanes at work: %s dealt at %s", n, count(r.Jobs, "job"), count(r.Joins, "fork"))
		if busiest > 0 { // a device that keeps the time of its lanes
			fmt.Fprintf(w, ", busy for %s to %s", short(idlest), short(busiest))
		}
		fmt.Fprintln(w)
	}
	if r.Shares > 0 {
		fmt.Fprintf(w, "owners of shared values counted: %s\n", count(r.Shares, "time"))
	}
	switch {
	case r.Spills == 0:
		fmt.Fprintf(w, "spill %s: none\n", r.Policy)
	default:
		fmt.Fprintf(w, "spill %s: %s, %s, %s nested at the peak, %s of the heap\n", r.Policy,
			count(r.Spills, "spill"), count(r.Restores, "restore"), count(r.SpillDepth, "block"), FormatSize(int64(r.SpillBytes)))
	}
}

// showFrames draws what ":stack DEF" found.
func (c *Console) showFrames(name string, laneWords int, frames []FrameReport) {
	w := c.out
	if len(frames) == 0 {
		fmt.Fprintf(w, "%s keeps nothing: its calls are tail calls\n", name)
		return
	}
	t := newTable(w)
	t.AppendHeader(table.Row{"waits for", "words", "keeps", "fits", "at"})
	t.SetColumnConfigs(rightAligned(2, 4))
	for _, f := range frames {
		t.AppendRow(table.Row{f.Call, f.Words, strings.Join(f.keeps(), ", "), comma(f.Fits), f.Place})
	}
	t.Render()
	for _, f := range frames {
		fmt.Fprintf(w, "%s  %s\n", f.Place, f.Line)
	}
	fmt.Fprintf(w, "a level fits while 3 + words * levels <= %s\n", comma(laneWords))
}

func newTable(w io.Writer) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	st := table.StyleDefault
	st.Options = table.OptionsNoBordersAndSeparators
	st.Format.Header = text.FormatDefault
	st.Box.PaddingLeft = ""
	st.Box.PaddingRight = "   "
	t.SetStyle(st)
	t.SuppressTrailingSpaces()
	return t
}

func rightAligned(columns ...int) (cs []table.ColumnConfig) {
	for _, n := range columns {
		cs = append(cs, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	return cs
}

func comma(n int) string { return humanize.Comma(int64(n)) }

// count writes a number and what is counted.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
