package effect

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"bend/interp/word"
)

// process performs Process.run: program, arguments, input, most output, timeout.
func (l *loop) process(t task, args []word.Word) error {
	h := l.h
	program, err := l.text(args[0])
	if err != nil {
		return err
	}
	var argv []string
	for _, w := range ToList(h, args[1]) {
		s, err := ToString(h, w)
		if err != nil {
			return l.m.Fail(err)
		}
		argv = append(argv, s)
	}
	h.Drop(args[1])
	input, err := l.text(args[2])
	if err != nil {
		return err
	}
	p := &process{program: program, argv: argv, input: input,
		most: int(args[3]), timeout: time.Duration(args[4]) * time.Millisecond}
	l.aside(t, func() { p.run(l.ctx) }, func() word.Word {
		return result(h, p.err, func() word.Word {
			out := Pair(h, FromString(h, p.stdout.buf.String()), FromString(h, p.stderr.buf.String()))
			return Pair(h, word.Word(p.status), out)
		})
	})
	return nil
}

// A process is a program that was run, without a shell.
type process struct {
	program, input string
	argv           []string
	most           int
	timeout        time.Duration

	stdout, stderr capped
	status         uint32
	err            error
}

// capped collects output; it fails once two that share left have had too much. The buffer
// is not embedded: its ReadFrom would go around Write.
type capped struct {
	buf  bytes.Buffer
	left *budget
}

func (c *capped) Write(b []byte) (int, error) {
	if !c.left.take(len(b)) {
		return 0, syscall.EFBIG
	}
	return c.buf.Write(b)
}

func (p *process) run(ctx context.Context) {
	for _, s := range append([]string{p.program}, p.argv...) {
		if strings.ContainsRune(s, 0) {
			p.err = syscall.EINVAL
		}
	}
	if p.most == 0 || p.timeout == 0 || p.err != nil {
		p.err = syscall.EINVAL
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	left := &budget{left: p.most, over: cancel}
	p.stdout.left, p.stderr.left = left, left
	cmd := exec.CommandContext(ctx, p.program, p.argv...)
	cmd.Stdin = strings.NewReader(p.input)
	cmd.Stdout, cmd.Stderr = &p.stdout, &p.stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case left.exceeded():
		p.err = syscall.EFBIG
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		p.err = syscall.ETIMEDOUT
	case errors.Is(err, exec.ErrNotFound):
		p.err = syscall.ENOENT
	case errors.As(err, &exit):
		p.status = statusOf(exit)
	case err != nil && cmd.ProcessState != nil && cmd.ProcessState.Success():
		// It ended well without reading all its input.
	default:
		p.err = err
	}
}

// statusOf returns the exit status, 128 + the signal for a process that a signal ended.
func statusOf(e *exec.ExitError) uint32 {
	if ws, ok := e.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + uint32(ws.Signal())
	}
	return uint32(e.ExitCode())
}
