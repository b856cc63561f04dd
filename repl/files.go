package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/zerolog"

	"bend/interp/syntax"
)

func (c *Console) cd(_ context.Context, arg string) error {
	if arg == "" {
		arg = "."
	}
	if err := os.Chdir(arg); err != nil {
		return fmt.Errorf("cannot change to %s: %w", arg, errors.Unwrap(err))
	}
	dir, err := os.Getwd()
	if err == nil {
		fmt.Fprintln(c.out, dir)
	}
	return err
}

func (c *Console) save(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected a file after :save, as in :save mine.bend")
	}
	var text strings.Builder
	if err := c.session.Save(&text); err != nil {
		return err
	}
	f, err := os.OpenFile(arg, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("there is a file %s already", arg)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(text.String()); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "saved %s\n", arg)
	return nil
}

// edit opens the editor on what was typed last, or on a file, which is loaded then.
func (c *Console) edit(ctx context.Context, arg string) error {
	if arg != "" {
		if err := c.editor(arg); err != nil {
			return err
		}
		return c.load(ctx, arg)
	}
	dir, err := os.MkdirTemp("", "bend-edit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "typed.bend")
	last := ""
	for _, b := range c.past {
		if !isCommand(b) {
			last = b
		}
	}
	if err := os.WriteFile(file, []byte(last+"\n"), 0o600); err != nil {
		return err
	}
	if err := c.editor(file); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return c.all(ctx, string(text))
}

// add takes the declarations of a file as if they were typed.
func (c *Console) add(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected a file after :add, as in :add more.bend")
	}
	text, err := os.ReadFile(arg)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", arg, errors.Unwrap(err))
	}
	src := syntax.NewSource(arg, string(text))
	file, diags := syntax.ParseFile(src)
	if len(diags) > 0 {
		return rejected(diags)
	}
	o := &Outcome{}
	if err := c.session.define(src, file, o); err != nil {
		return err
	}
	c.showDefined(o)
	return nil
}

// pasted takes lines up to ":end" or the end of the input as one text.
func (c *Console) pasted(ctx context.Context, _ string) error {
	var text strings.Builder
	for {
		l, err := c.session.input.ReadLine(promptMore, "")
		if errors.Is(err, errInterrupt) {
			return errors.New("nothing was taken")
		}
		if err != nil || strings.TrimSpace(l) == ":end" {
			break
		}
		text.WriteString(l + "\n")
	}
	return c.all(ctx, text.String())
}

// all acts on the blocks of a text, up to the first error.
func (c *Console) all(ctx context.Context, text string) error {
	r := &blockReader{lines: newScriptLines(strings.NewReader(text)), script: true}
	for {
		b, err := r.next()
		if err != nil {
			return nil
		}
		c.past = append(c.past, b.text)
		if err := c.act(ctx, b); err != nil {
			return err
		}
	}
}

// editor lets the person edit a file.
func (c *Console) editor(file string) error {
	name := os.Getenv("VISUAL")
	if name == "" {
		name = os.Getenv("EDITOR")
	}
	if name == "" {
		return errors.New("no editor is set: give its name in $EDITOR")
	}
	words := append(strings.Fields(name), file)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	run := cmd.Run
	if lines, ok := c.session.input.(*terminalLines); ok {
		run = func() error { return lines.lend(cmd.Run) }
	}
	if err := run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// shown is the number of blocks that ":history" shows when it is not told.
const shown = 20

func (c *Console) history(_ context.Context, arg string) error {
	n := shown
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return fmt.Errorf("expected a number after :history, as in :history 50")
		}
	}
	from := max(0, len(c.past)-n)
	for i, b := range c.past[from:] {
		lines := strings.Split(strings.TrimSpace(b), "\n")
		fmt.Fprintf(c.out, "%4d  %s\n", from+i+1, strings.Join(lines, "\n      "))
	}
	c.none(len(c.past), "nothing was typed before")
	return nil
}

// logs shows or sets what is logged.
func (c *Console) logs(_ context.Context, arg string) error {
	s := c.session
	if arg == "" {
		level := s.log.GetLevel().String()
		if s.log.GetLevel() == zerolog.Disabled {
			level = "off"
		}
		fmt.Fprintf(c.out, "log = %s\n", level)
		return nil
	}
	level, err := zerolog.ParseLevel(arg)
	if arg == "off" {
		level, err = zerolog.Disabled, nil
	}
	if err != nil || !slices.Contains(logLevels, arg) {
		return fmt.Errorf("expected one of %s after :log", strings.Join(logLevels, ", "))
	}
	if s.opts.Log.GetLevel() == zerolog.Disabled {
		s.opts.Log = zerolog.New(zerolog.ConsoleWriter{Out: c.err, NoColor: !c.errPnt.on}).With().Timestamp().Logger()
	}
	s.log = s.opts.Log.Level(level)
	fmt.Fprintf(c.out, "log = %s\n", arg)
	return nil
}

// logLevels are the levels of the log.
var logLevels = []string{"debug", "info", "warn", "error", "off"}

func (c *Console) devices(context.Context, string) error { return WriteDevices(c.out) }
