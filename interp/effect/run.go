// Package effect performs IO: it runs an action, which asks for effects one after
// another, and answers them.
//
// An action is a closure that waits for a continuation. Applied to one it computes
// until it needs an effect, and returns a request: the effect, its arguments, and
// what to go on with. The event loop performs it and applies the continuation to the
// answer, until Emit or Halt comes back. Several computations (see IO.spawn) take
// turns: one goes on until it has to wait, so that all effects of a program are in
// one order. Only what may block the system runs on goroutines of its own; they work
// on Go values, and the loop alone touches the heap and the machine.
package effect

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/word"
)

// An Env is the world that an action meets.
type Env struct {
	// Line returns the next line of the input without its end, io.EOF at the end, and any
	// other error to end the run. Where somebody edits the line, prompt is what stands
	// before it already.
	Line           func(prompt string) (string, error)
	Stdout, Stderr io.Writer
	Eager          bool     // somebody watches the output
	Args           []string // the program as invoked, then its arguments
	// Handles keeps channels and files from one Run to the next; nil for none.
	Handles *Handles
}

// A Result is how an action ended.
type Result struct {
	Value word.Word // of the action, owned by the caller, unless it died
	Code  int       // the code to exit with
	Died  bool      // by IO.die, or because nobody reads its output
}

// ErrDeadlock is the failure of a program of which every computation waits.
var ErrDeadlock = errors.New("deadlock: every computation waits on a channel")

// errGone is met when the reader of the standard output has gone.
var errGone = errors.New("the output was closed")

// patience is the number of effects that a computation may have performed in a row
// while others are ready.
const patience = 1024

// Run runs an action of IO on m and returns when all its computations have ended.
// It takes over the action. After an error the heap holds values that nobody owns.
func Run(ctx context.Context, m *eval.Machine, action word.Word, env Env) (res Result, err error) {
	notePipe()
	l := &loop{
		ctx: ctx, m: m, h: m.Heap(), env: env,
		out:    bufio.NewWriterSize(env.Stdout, 1<<16),
		events: make(chan event),
		quit:   make(chan struct{}),
	}
	l.handles = env.Handles
	if l.handles == nil {
		l.handles = NewHandles()
		defer l.handles.discard(l.h)
	}
	defer close(l.quit)
	defer l.handles.forget(l.h)
	if fault := m.Guard(func() { err = l.run(action) }); fault != nil {
		err = fault
	}
	if ferr := l.flush(); err == nil {
		err = ferr
	}
	switch {
	case errors.Is(err, errGone):
		return Result{Code: 1, Died: true}, nil
	case err != nil:
		return Result{}, err
	}
	return l.res, nil
}

// notePipe makes a write to a closed pipe an error instead of the end of the process.
var notePipe = sync.OnceFunc(func() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
})

// A loop is the state of one Run.
type loop struct {
	ctx     context.Context
	m       *eval.Machine
	h       *word.Heap
	env     Env
	handles *Handles
	out     *bufio.Writer

	ready   []task
	waiting int // computations that wait for a channel
	flying  int // computations that wait for an event
	events  chan event
	quit    chan struct{}
	stopped error      // ends the run
	line    []byte     // what was written since the last end of a line
	reading sync.Mutex // one computation reads a line at a time
	halted  bool
	res     Result
}

// A task is a computation that can go on: by applying k to the answer.
type task struct {
	k, answer word.Word
	main      bool // its result is the result of the run
}

// An event is the end of work that ran aside: finish makes the answer.
type event struct {
	task   task
	finish func() word.Word
}

func (l *loop) run(action word.Word) error {
	emit := l.m.Program().EmitClosure()
	l.ready = append(l.ready, task{action, emit, true})
	for !l.halted {
		if err := l.ctx.Err(); err != nil {
			return l.m.Fail(err)
		}
		l.drain()
		if l.stopped != nil {
			return l.m.Fail(l.stopped)
		}
		if len(l.ready) == 0 {
			if l.flying == 0 {
				break
			}
			if err := l.wait(); err != nil {
				return err
			}
			continue
		}
		t := l.ready[0]
		l.ready = l.ready[1:]
		if err := l.proceed(t); err != nil {
			return err
		}
	}
	if l.waiting > 0 && !l.halted {
		return fmt.Errorf("%w\n%s", ErrDeadlock, l.handles.waiting())
	}
	return nil
}

// wait blocks until work that runs aside ends.
func (l *loop) wait() error {
	if err := l.flush(); err != nil {
		return err
	}
	select {
	case e := <-l.events:
		l.land(e)
		return nil
	case <-l.ctx.Done():
		return l.m.Fail(l.ctx.Err())
	}
}

func (l *loop) land(e event) {
	l.flying--
	e.task.answer = e.finish()
	l.ready = append(l.ready, e.task)
}

// proceed runs one computation until it ends, has to wait, or has had its turn.
func (l *loop) proceed(t task) error {
	for turn := 0; ; turn++ {
		if turn == patience {
			l.ready = append(l.ready, t)
			return nil
		}
		op, err := l.m.Apply(l.ctx, t.k, t.answer)
		if err != nil {
			return err
		}
		fields := make([]word.Word, max(word.Size(op), 2))
		n := word.Size(op)
		ctor := word.Aux(op)
		l.h.Open(op, fields)
		switch ctor {
		case flat.EmitCtor:
			if t.main {
				l.res.Value = fields[0]
			} else {
				l.h.Drop(fields[0])
			}
			return nil
		case flat.HaltCtor:
			return l.halt(fields[0], fields[1])
		}
		t.k = fields[n-1]
		answer, wait, err := l.perform(t, flat.EffectID(fields[0]), fields[1:n-1])
		if err != nil || wait {
			return err
		}
		t.answer = answer
	}
}

// drain takes in what has ended aside, without waiting.
func (l *loop) drain() {
	for {
		select {
		case e := <-l.events:
			l.land(e)
		default:
			return
		}
	}
}

func (l *loop) halt(code, message word.Word) error {
	text, err := l.text(message)
	if err != nil {
		return err
	}
	l.halted = true
	l.res = Result{Code: int(code), Died: true}
	if text == "" {
		return nil
	}
	return l.complain(text)
}

// aside lets work run on its own while t waits; then finish, run by the loop, makes
// the answer. Nothing that work does may touch the heap.
func (l *loop) aside(t task, work func(), finish func() word.Word) {
	l.flying++
	go func() {
		work()
		select {
		case l.events <- event{t, finish}:
		case <-l.quit:
		}
	}()
}

// text returns the text of a String and gives the String up.
func (l *loop) text(w word.Word) (string, error) {
	s, err := ToString(l.h, w)
	l.h.Drop(w)
	if err != nil {
		return "", l.m.Fail(err)
	}
	return s, nil
}

// say writes to the standard output.
func (l *loop) say(parts ...string) error {
	for _, s := range parts {
		if i := strings.LastIndexByte(s, '\n'); i >= 0 {
			l.line = append(l.line[:0], s[i+1:]...)
		} else {
			l.line = append(l.line, s...)
		}
		if _, err := l.out.WriteString(s); err != nil {
			return outputError(err)
		}
	}
	if l.env.Eager {
		return l.flush()
	}
	return nil
}

// complain writes a line to the standard error stream, after what was said before.
func (l *loop) complain(text string) error {
	if err := l.flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(l.env.Stderr, text); err != nil {
		return outputError(err)
	}
	return nil
}

func (l *loop) flush() error {
	if err := l.out.Flush(); err != nil {
		return outputError(err)
	}
	return nil
}

func outputError(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return errGone
	}
	return fmt.Errorf("cannot write the output: %w", err)
}
