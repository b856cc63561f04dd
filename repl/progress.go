package repl

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// What takes longer than progressAfter is shown, and shown anew every progressEvery.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// A progress shows on the last line of a terminal what a session is doing, if that takes
// long, until it is done or something else is written. One that is nil shows nothing.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	work *work // the innermost, nil if there is nothing to do
	bar  *progressbar.ProgressBar
	of   *work // what bar shows
	stop chan struct{}
}

// A work is something that can take long.
type work struct {
	what  string
	start time.Time
	total int // steps, -1 if nobody knows
	done  atomic.Int64
	outer *work
}

// newProgress returns what shows progress on w, nil if w is not a terminal that can.
func newProgress(w io.Writer) *progress {
	if !IsTerminal(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: w}
}

// during begins a work of total steps, -1 if nobody knows how many. It may be a part of
// another. The functions that it returns take one step, and end it.
func (p *progress) during(what string, total int) (step, end func()) {
	if p == nil {
		return func() {}, func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &work{what: what, start: time.Now(), total: total, outer: p.work}
	p.work = w
	if w.outer == nil {
		p.stop = make(chan struct{})
		go p.watch(p.stop)
	}
	return func() { w.done.Add(1) }, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.work = w.outer; p.work == nil {
			p.quiet()
		}
	}
}

// watch shows the work of the moment until stop is closed.
func (p *progress) watch(stop chan struct{}) {
	next := time.NewTimer(progressAfter)
	defer next.Stop()
	for {
		select {
		case <-stop:
			return
		case <-next.C:
			p.mu.Lock()
			if p.stop == stop {
				p.draw()
			}
			p.mu.Unlock()
			next.Reset(progressEvery)
		}
	}
}

func (p *progress) draw() {
	w := p.work
	text := fmt.Sprintf("%s, %.0fs", clip(w.what, max(1, widthOf(p.w)-10)), time.Since(w.start).Seconds()) // the line must not wrap
	if p.of != w {
		p.clear()
		p.of, p.bar = w, newBar(p.w, w, text)
	}
	if w.total > 0 {
		p.bar.Set64(w.done.Load())
	}
	p.bar.Describe(text)
}

func newBar(to io.Writer, w *work, text string) *progressbar.ProgressBar {
	pen, wheel := pens(), 14
	if pen.side == ascii.side {
		wheel = 9
	}
	theme := progressbar.Theme{Saucer: pen.defs[0], SaucerPadding: pen.empty}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(to), progressbar.OptionSetDescription(text), progressbar.OptionSetWidth(30), progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetTheme(theme), progressbar.OptionSpinnerType(wheel), progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
	}
	if w.total > 0 {
		options = append(options, progressbar.OptionShowCount())
	}
	return progressbar.NewOptions(w.total, options...)
}

// quiet shows nothing more of the work that has begun.
func (p *progress) quiet() {
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
	p.clear()
}

func (p *progress) clear() {
	if p.bar != nil {
		io.WriteString(p.w, "\r\x1b[K")
		p.bar, p.of = nil, nil
	}
}

// hush takes the line away for good, for somebody else to write.
func (p *progress) hush() {
	if p != nil {
		p.mu.Lock()
		p.quiet()
		p.mu.Unlock()
	}
}

// A hushing writer takes the line of a progress away before it writes.
type hushing struct {
	io.Writer
	p *progress
}

// Write writes to the writer below.
func (h hushing) Write(b []byte) (int, error) {
	h.p.hush()
	return h.Writer.Write(b)
}
