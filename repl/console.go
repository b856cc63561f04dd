package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"bend/interp/syntax"
)

// A Console is a session with somebody, or a script, on the other side: it reads
// blocks, acts on them and shows what came of it.
type Console struct {
	session *Session
	out     io.Writer
	err     io.Writer
	paint   painter
	errPnt  painter
	input   string   // the name of the input in reports
	block   string   // what is being done, behind as many newlines as it has lines before it
	past    []string // what was typed
	undoing bool
}

// NewConsole returns a console that shows results on out and errors on errOut.
func NewConsole(s *Session, out, errOut io.Writer) *Console {
	return &Console{session: s, out: out, err: errOut, paint: painter{Coloured(out, s.opts.Color)}, errPnt: painter{Coloured(errOut, s.opts.Color)}, input: "<prompt>"}
}

// errQuit ends the console.
var errQuit = errors.New("quit")

// Interactive runs the prompt on the process's terminal until the person leaves.
func (c *Console) Interactive(ctx context.Context) error {
	lines, err := newTerminalLines(loadHistory(historyPath()), c.paint, c.complete)
	if err != nil {
		return err
	}
	defer lines.Close()
	defer handleSignals(lines)()
	fmt.Fprintf(c.out, "bend %s, :help for help\n", Version)
	c.session.input = lines
	if !c.session.opts.NoInit {
		c.runInits(ctx, lines)
	}
	c.past = slices.Clip(lines.hist.blocks)
	r := &blockReader{lines: lines}
	for {
		b, err := r.next()
		switch {
		case errors.Is(err, errInterrupt):
			continue
		case err != nil:
			return nil
		}
		if err := lines.remember(b.text); err != nil {
			c.session.log.Warn().Err(err).Msg("history not saved")
		}
		if err := c.guarded(ctx, b); errors.Is(err, errQuit) {
			return nil
		}
	}
}

// handleSignals keeps Ctrl-C, at a moment when nothing is evaluated, from ending the process,
// and gives the terminal back when somebody else ends it. It returns what undoes this.
func handleSignals(lines *terminalLines) (undo func()) {
	ctrlC, end := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ctrlC, os.Interrupt)
	signal.Notify(end, syscall.SIGTERM)
	go func() {
		if _, ok := <-end; ok {
			lines.giveBack()
			os.Exit(128 + int(syscall.SIGTERM))
		}
	}()
	return func() {
		signal.Stop(ctrlC)
		signal.Stop(end)
		close(end)
	}
}

// A died is the error of a block that called IO.die, which has told its reason itself.
type died struct{ code int }

func (d died) Error() string { return fmt.Sprintf("the program ended with exit code %d", d.code) }

// Script acts on every block of in. It stops at the first error, unless keepGoing.
// It returns the exit code: 0 if all went well, that of the IO.die that ended the script,
// or 1.
func (c *Console) Script(ctx context.Context, in io.Reader, keepGoing bool) (code int) {
	c.input = "<stdin>"
	lines := newScriptLines(in)
	c.session.input = lines
	r := &blockReader{lines: lines, script: true}
	for {
		b, err := r.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.fail(err)
				return 1
			}
			return code
		}
		b.text = strings.Repeat("\n", b.line-1) + b.text
		err = c.guarded(ctx, b)
		dead := died{}
		switch {
		case errors.Is(err, errQuit):
			return code
		case errors.As(err, &dead) && !keepGoing:
			return dead.code
		case err != nil:
			code = 1
			if !keepGoing {
				return code
			}
		}
	}
}

// guarded acts on one block; Ctrl-C stops it. A fault of this program is reported and
// does not end the session.
func (c *Console) guarded(ctx context.Context, b block) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	c.session.Use(ctx)
	c.block = b.text
	defer func() { c.past = append(c.past, b.text) }()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal fault: %v (this is a bug in bend)", p)
			stack := debug.Stack()
			c.session.log.Error().Interface("panic", p).Bytes("stack", stack).Msg("fault")
			c.fail(err)
			c.saveFault(b.text, p, stack)
		}
	}()
	err = c.act(ctx, b)
	if dead := (died{}); err != nil && !errors.Is(err, errQuit) && !errors.As(err, &dead) {
		c.fail(err)
	}
	return err
}

// saveFault writes what was typed up to a fault, and where it was, to a file that a script
// can be made of: what is not typed is a comment.
func (c *Console) saveFault(last string, fault any, stack []byte) {
	dir := filepath.Dir(historyPath())
	err := os.MkdirAll(dir, 0o700)
	var f *os.File
	if err == nil {
		f, err = os.CreateTemp(dir, "fault-*.txt")
	}
	if err == nil {
		defer f.Close()
		text := fmt.Sprintf("bend %s: %v\n%s", Version, fault, stack)
		_, err = fmt.Fprintf(f, "%s\n\n# %s\n", strings.Join(append(slices.Clip(c.past), last), "\n\n"), strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n# "))
	}
	if err != nil {
		c.fail(fmt.Errorf("what was typed could not be saved: %w", err))
		return
	}
	fmt.Fprintf(c.err, "what was typed, and where it went wrong, is in %s\n", f.Name())
}

// fail shows an error.
func (c *Console) fail(err error) { WriteError(c.err, err, c.errPnt.on) }

// WriteError shows an error of a session: reports with excerpts, or a line that starts
// with "bend:".
func WriteError(w io.Writer, err error, colour bool) {
	if rej := (*Rejected)(nil); errors.As(err, &rej) {
		if rej.Verdict {
			fmt.Fprintln(w, "SOME PROOFS FAIL")
		}
		for _, d := range rej.Diags {
			io.WriteString(w, strings.TrimRight(syntax.Render(d, syntax.RenderOptions{Color: colour, Width: widthOf(w)}), "\n")+"\n")
		}
		if rej.Text != "" {
			fmt.Fprintln(w, rej.Text)
		}
		return
	}
	if d := (*syntax.Diagnostic)(nil); errors.As(err, &d) {
		io.WriteString(w, strings.TrimRight(syntax.Render(d, syntax.RenderOptions{Color: colour, Width: widthOf(w)}), "\n")+"\n")
		return
	}
	fmt.Fprintf(w, "bend: %v\n", err)
	if note := laneNote(err); note != "" {
		fmt.Fprintln(w, note)
	}
}

// source returns the source that the argument of a command is. Reports show it in its
// place in the block.
func (c *Console) source(arg string) *syntax.Source {
	from := max(0, strings.LastIndex(c.block, arg))
	src := syntax.NewSource(c.input, arg)
	if text := c.block[:min(from+len(arg), len(c.block))]; strings.HasSuffix(text, arg) {
		src.Text, src.From = text, from
	}
	return src
}

// Act does what one block says, and shows the outcome or the error, which it returns.
func (c *Console) Act(ctx context.Context, text string) error {
	return c.guarded(ctx, block{text: text, line: 1})
}
