package repl

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fatih/color"
	"github.com/jedib0t/go-pretty/v6/table"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/step"
	"bend/interp/syntax"
)

// promptStep is the prompt between two steps.
const promptStep = "step> "

// shownFrames is how many of the calls that wait are shown.
const shownFrames = 8

// stepHelp tells what can be typed between two steps.
const stepHelp = `between two steps:
  next     one step; a call is made as a whole
  next N   N of them
  into     one step; a call is entered
  out      up to the return of the call on top
  run DEF  up to the next call of DEF; without DEF to the end
  back     what the last of these did is taken back
  quit
an empty line does the same again, and the first letter of each is enough`

// stepper walks through an evaluation by hand.
func (c *Console) stepper(ctx context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected an expression after :step, as in :step Nat.add(2n, 3n)")
	}
	s := c.session
	m, err := s.Stepper(c.source(arg))
	if err != nil {
		return err
	}
	m.Stop = func() bool { return ctx.Err() != nil }
	fmt.Fprintln(c.out, "next, into, out, run DEF, back, quit; help tells more")
	words := []string{"next"}
	for c.showStep(m); !m.Done(); {
		line, err := s.readLine(promptStep)
		if err != nil {
			return nil
		}
		if typed := strings.Fields(line); len(typed) > 0 {
			words = typed
		}
		switch err := c.stepCommand(m, words); {
		case ctx.Err() != nil:
			return errInterrupt
		case errors.Is(err, errQuit):
			return nil
		case err != nil:
			fmt.Fprintln(c.out, err)
		default:
			c.showStep(m)
		}
	}
	return nil
}

// Stepper returns a machine that evaluates an expression by hand.
func (s *Session) Stepper(src *syntax.Source) (*step.Machine, error) {
	c, err := s.checkText(src)
	if err != nil {
		return nil, err
	}
	var env []core.Term
	m := norm.New(s.book)
	for i, v := range s.vars {
		var t core.Term
		if c.used[i] {
			if !v.data || v.val == nil {
				return nil, fmt.Errorf("%s can be used once: give its value in the expression", v.name)
			}
			if err := m.Catch(func() { t = m.Quote(0, v.val) }); err != nil {
				return nil, err
			}
		}
		env = append(env, t)
	}
	return step.New(s.book, c.term, env), nil
}

// stepCommand does what was typed between two steps. What it has to say instead is its
// error.
func (c *Console) stepCommand(m *step.Machine, words []string) error {
	name, arg := strings.TrimPrefix(words[0], ":"), ""
	if len(words) > 1 {
		arg = words[1]
	}
	_, end := c.session.progress.during("running", -1)
	defer end()
	is := func(long string) bool { return name != "" && strings.HasPrefix(long, name) }
	switch {
	case is("next"):
		n := 1
		if arg != "" {
			var err error
			if n, err = strconv.Atoi(arg); err != nil || n < 1 {
				return errors.New("expected a number after next")
			}
		}
		for range n {
			if m.Done() {
				break
			}
			if err := m.Over(); err != nil {
				return err
			}
		}
		return nil
	case is("into"):
		return m.Into()
	case is("out"):
		return m.Out()
	case is("run"):
		if arg == "" {
			return m.End()
		}
		d := c.session.defOf(arg)
		if d == nil {
			return fmt.Errorf("no def is named %s", arg)
		}
		return m.To(d.Key)
	case is("back"):
		if !m.Back() {
			return errors.New("this is the beginning")
		}
		return nil
	case is("quit"):
		return errQuit
	}
	return errors.New(stepHelp)
}

// showStep shows the calls that wait, oldest first, and the expression on top with what is
// evaluated next in brackets.
func (c *Console) showStep(m *step.Machine) {
	frames := m.Frames()
	top := frames[len(frames)-1]
	mark := &core.Hole{Name: "here"}
	if len(frames) > 1 {
		t := newTable(c.out)
		t.SetColumnConfigs(rightAligned(2))
		waiting := frames[:len(frames)-1]
		if n := len(waiting) - shownFrames; n > 0 {
			waiting = waiting[n:]
			fmt.Fprintf(c.out, "  %s more\n", count(n, "call"))
		}
		for _, f := range waiting {
			keeps := ""
			if n := c.stepWords(f.Def); n > 0 {
				keeps = count(n, "word")
			}
			t.AppendRow(table.Row{"  " + c.stepName(f.Def), keeps, clip(c.stepText(f.With(mark), mark, "[..]"), 60)})
		}
		t.Render()
	}
	text := c.stepText(top.Expr, nil, "")
	if redex, around := m.Next(); redex != nil {
		text = c.stepText(around(mark), mark, c.paint.with("["+c.stepText(redex, nil, "")+"]", color.Bold))
	}
	name := c.stepName(top.Def)
	if m.Done() {
		name = "the value"
	}
	fmt.Fprintf(c.out, "%s %s\n", c.paint.faint(fmt.Sprintf("%d %s:", m.Steps, name)), text)
}

func (c *Console) stepName(key string) string {
	if key == "" {
		return "the expression"
	}
	return c.session.showKey(key)
}

// stepText prints a term in source form, with a text in place of the mark.
func (c *Console) stepText(t core.Term, mark *core.Hole, inPlace string) string {
	text := c.session.Show(t, promptElems)
	if mark == nil {
		return text
	}
	return strings.Replace(text, "?"+mark.Name, inPlace, 1)
}

// stepWords is the number of words of the largest frame of a def, 0 where it is not known.
func (c *Console) stepWords(key string) int {
	if key == "" {
		return 0
	}
	if f := c.session.widest(c.session.showKey(key)); f != nil {
		return f.Words
	}
	return 0
}
