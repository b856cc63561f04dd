package repl

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"

	"bend/interp/syntax"
	"bend/jit/lane"
)

// A Picture is what a lane's stack held in the course of a run.
type Picture struct {
	Title  string
	Report *StackReport
}

// Picture runs an expression under a spill policy and keeps samples of the stack.
func (s *Session) Picture(ctx context.Context, expr string, policy lane.Policy) (*Picture, error) {
	old := s.settings.Spill
	s.settings.Spill, s.lanes.trace = policy, traceAll
	defer func() { s.settings.Spill, s.lanes.trace = old, traceNone }()
	r, err := s.Stack(ctx, syntax.NewSource("<expression>", expr))
	if err != nil {
		return nil, err
	}
	if len(r.Trace) == 0 {
		return nil, errors.New("there is nothing to draw: no call ran on lanes (see :gpu)")
	}
	return &Picture{fmt.Sprintf("%s, spill %s", expr, policy), r}, nil
}

// The measures of a picture, in the units of SVG.
const (
	pictureWidth  = 960
	pictureHeight = 400
	marginLeft    = 80
	marginTop     = 40
	plotWidth     = 680
	plotHeight    = 290
)

// fills are the colours of defs, which differ in lightness too.
var fills = []string{"#4e79a7", "#f28e2b", "#76b7b2", "#e15759", "#59a14f", "#edc948", "#b07aa1", "#9c755f"}

// An area is a def of a picture: its area, and its line in the legend.
type area struct {
	Name, Kept, Fill, Points string
	Y                        int
}

// A moment is a spill or a restore, at a place on the time axis.
type moment struct{ X float64 }

// A tick is a line of the scale.
type tick struct {
	Y     float64
	Label string
}

// A drawing is a picture as the template for SVG takes it.
type drawing struct {
	Title, Error     string
	Width, Height    int
	Left, Top        int
	Right, Bottom    int
	Areas            []area
	Lane             string // the line of the words on the lane
	Limit            float64
	LimitWords       string
	Ticks            []tick
	Spills, Restores []moment
	Legend           int
	Count            int
}

// drawing lays a picture out.
func (p *Picture) drawing() drawing {
	r := p.Report
	mistake, _, _ := strings.Cut(r.Error, "\n")
	d := drawing{
		Title: p.Title, Error: mistake, Width: pictureWidth, Height: pictureHeight,
		Left: marginLeft, Top: marginTop, Right: marginLeft + plotWidth, Bottom: marginTop + plotHeight,
		LimitWords: comma(r.LaneWords), Legend: marginLeft + plotWidth + 20, Count: len(r.Trace),
	}
	most := r.LaneWords
	for _, s := range r.Trace {
		most = max(most, s.Deep)
	}
	x := func(i int) float64 { return marginLeft + plotWidth*float64(i)/float64(max(1, len(r.Trace)-1)) }
	y := func(words int) float64 { return marginTop + plotHeight*(1-float64(words)/float64(most)) }
	d.Limit = y(r.LaneWords)
	for i := range 5 {
		words := most * i / 4
		d.Ticks = append(d.Ticks, tick{y(words), comma(words)})
	}
	base := make([]int, len(r.Trace)) // words below the area that is drawn
	for i := range base {
		base[i] = lane.ExitWords
	}
	for k, def := range r.Defs {
		var up, down []string
		for i, s := range r.Trace {
			down = append([]string{fmt.Sprintf("%.1f,%.1f", x(i), y(base[i]))}, down...)
			base[i] += s.Levels[k] * def.Words
			up = append(up, fmt.Sprintf("%.1f,%.1f", x(i), y(base[i])))
		}
		d.Areas = append(d.Areas, area{
			Name: fmt.Sprintf("%s, %s a level", def.Name, count(def.Words, "word")), Fill: fills[k%len(fills)],
			Points: strings.Join(append(up, down...), " "), Kept: def.kept(26), Y: marginTop + 24 + 34*k,
		})
	}
	var line []string
	spills, restores := 0, 0
	for i, s := range r.Trace {
		line = append(line, fmt.Sprintf("%.1f,%.1f", x(i), y(s.Words)))
		if s.Spills > spills {
			d.Spills = append(d.Spills, moment{x(i)})
		}
		if s.Restores > restores {
			d.Restores = append(d.Restores, moment{x(i)})
		}
		spills, restores = s.Spills, s.Restores
	}
	d.Lane = strings.Join(line, " ")
	return d
}

//go:embed picture.svg.tmpl
var svgText string

//go:embed picture.html.tmpl
var htmlText string

var pictures = template.Must(template.Must(template.New("page").Parse(htmlText)).New("svg").Parse(svgText))

// WriteSVG draws a picture as SVG.
func (p *Picture) WriteSVG(w io.Writer) error {
	return pictures.ExecuteTemplate(w, "svg", p.drawing())
}

// Draw runs an expression, and draws its stack as SVG to one file, and as a page with a
// picture for each spill policy to another; a name that is empty stands for none.
func (c *Console) Draw(ctx context.Context, expr, svg, html string) error {
	if svg != "" {
		p, err := c.session.Picture(ctx, expr, c.session.settings.Spill)
		if err != nil {
			return err
		}
		if err := writeFile(svg, p.WriteSVG); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "drawn: %s\n", svg)
	}
	if html == "" {
		return nil
	}
	var ps []*Picture
	for _, policy := range []lane.Policy{lane.Half, lane.Whole, lane.Off} {
		p, err := c.session.Picture(ctx, expr, policy)
		if err != nil {
			return err
		}
		ps = append(ps, p)
	}
	if err := writeFile(html, func(w io.Writer) error { return WriteHTML(w, "The stack of "+expr, ps) }); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "drawn: %s\n", html)
	return nil
}

// writeFile makes a file of what write writes.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// WriteHTML draws pictures side by side on one page that needs nothing else, with a slider
// over time.
func WriteHTML(w io.Writer, title string, ps []*Picture) error {
	type sample struct {
		Words    int   `json:"words"`
		Deep     int   `json:"deep"`
		Blocks   int   `json:"blocks"`
		Spills   int   `json:"spills"`
		Restores int   `json:"restores"`
		Levels   []int `json:"levels"`
	}
	type def struct {
		Name  string `json:"name"`
		Words int    `json:"words"`
		Kept  string `json:"kept"`
		Fill  string `json:"fill"`
	}
	type panel struct {
		Drawing drawing
		Samples template.JS
		Defs    []def
		Lane    int // words
	}
	var panels []panel
	for _, p := range ps {
		var all []sample
		for _, s := range p.Report.Trace {
			all = append(all, sample{s.Words, s.Deep, s.Blocks, s.Spills, s.Restores, s.Levels})
		}
		text, err := json.Marshal(all)
		if err != nil {
			return err
		}
		one := panel{Drawing: p.drawing(), Samples: template.JS(text), Lane: p.Report.LaneWords}
		for k, d := range p.Report.Defs {
			one.Defs = append(one.Defs, def{d.Name, d.Words, d.kept(80), fills[k%len(fills)]})
		}
		panels = append(panels, one)
	}
	return pictures.ExecuteTemplate(w, "page", map[string]any{
		"Title": title, "Panels": panels, "PlotLeft": float64(marginLeft) / pictureWidth, "PlotWidth": float64(plotWidth) / pictureWidth,
	})
}
