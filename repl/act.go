package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bend/interp/syntax"
	"bend/jit/lane"
)

// act does what a block says.
func (c *Console) act(ctx context.Context, b block) error {
	if line := strings.TrimSpace(b.text); isCommand(line) {
		cmd, arg, err := parseCommand(line)
		if err != nil {
			return err
		}
		if !cmd.changes {
			return cmd.run(c, ctx, arg)
		}
		return c.undoable(b.text, func() error { return cmd.run(c, ctx, arg) })
	}
	var o *Outcome
	err := c.undoable(b.text, func() (err error) {
		o, err = c.evaluate(ctx, syntax.NewSource(c.input, b.text))
		return err
	})
	if err != nil {
		err = c.advise(strings.TrimSpace(b.text), err)
	}
	if err == nil && o.Died {
		return died{o.Exit}
	}
	return err
}

// advise adds to the error of a line what somebody who does not know the prompt may need.
func (c *Console) advise(line string, err error) error {
	if word := strings.TrimSuffix(line, "()"); isCommandName(word) && !c.session.IsDef(word) {
		return fmt.Errorf("a command starts with a colon: :%s", word)
	}
	for _, d := range diagnostics(err) {
		if d.Code == "unknown-name" && d.Hint == "" {
			d.Hint = fmt.Sprintf(":search %s looks for it in names, types and comments", strings.ToLower(d.Observed))
		}
	}
	return err
}

// evaluate does what a text that is no command says, and shows the outcome.
func (c *Console) evaluate(ctx context.Context, src *syntax.Source) (*Outcome, error) {
	o, err := c.session.Do(ctx, src)
	if err != nil {
		return nil, err
	}
	c.showDefined(o)
	if o.Value != nil {
		c.showValue(o)
	}
	return o, nil
}

// showDefined tells what a text declared, and what it leaves to do.
func (c *Console) showDefined(o *Outcome) {
	for _, d := range o.Defined {
		what := "defined"
		if d.Replaced {
			what = "replaced"
		}
		fmt.Fprintf(c.out, "%s %s\n", what, c.paint.name(d.Name))
	}
	if len(o.Defined) > 0 {
		c.listing(func(w io.Writer) int { return c.session.Goals(w, o.Defined...) })
	}
	if len(o.Rechecked) > 0 {
		fmt.Fprintf(c.out, "checked again: %s\n", strings.Join(o.Rechecked, ", "))
	}
}

// promptElems is the number of elements of a list or text that the prompt shows.
const promptElems = 200

func (c *Console) showValue(o *Outcome) {
	if o.Value.Unit {
		return
	}
	name := ""
	if o.Bound != "" {
		name = c.paint.name(o.Bound) + " = "
	}
	fmt.Fprintf(c.out, "%s%s : %s\n", name, c.session.Show(o.Value.Term, promptElems), c.paint.code(c.session.Show(o.Value.Type, 0)))
}

func (c *Console) load(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected a file after :load, as in :load words.bend")
	}
	names, err := c.session.Load(arg)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "loaded %s: %s\n", arg, count(names, "declaration"))
	return nil
}

func (c *Console) reload(context.Context, string) error {
	names, err := c.session.Reload()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "reloaded %s: %s\n", c.session.File(), count(names, "declaration"))
	return nil
}

func (c *Console) typeOf(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected an expression after :type, as in :type [1, 2]")
	}
	ty, err := c.session.TypeOf(c.source(arg))
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s : %s\n", arg, c.paint.code(c.session.Show(ty, 0)))
	return nil
}

func (c *Console) info(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected a name after :info, as in :info List.length")
	}
	var text strings.Builder
	for _, types := range []bool{false, true} {
		if err := c.session.WriteDeclaration(&text, arg, types); err != nil {
			return err
		}
	}
	_, err := io.WriteString(c.out, c.paint.code(text.String()))
	return err
}

func (c *Console) gpu(_ context.Context, arg string) error {
	if arg != "" {
		device, size, hasSize := strings.Cut(arg, " ")
		if err := c.session.Set("gpu", device); err != nil {
			return err
		}
		if hasSize {
			if err := c.session.Set("heap", strings.TrimSpace(size)); err != nil {
				return err
			}
		}
	}
	name, err := c.session.DeviceName()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "gpu %s: calls marked ! run on %s\n", c.session.settings.GPU, name)
	if arg == "" {
		return WriteDevices(c.out)
	}
	return nil
}

func (c *Console) set(_ context.Context, arg string) error {
	name, value, ok := strings.Cut(arg, " ")
	if ok {
		if err := c.session.Set(name, strings.TrimSpace(value)); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s = %s\n", name, c.session.settings.Get(name))
		return nil
	}
	for _, n := range settingNames {
		if name == "" || name == n {
			fmt.Fprintf(c.out, "%-10s = %s\n", n, c.session.settings.Get(n))
			if name == n {
				return nil
			}
		}
	}
	if name != "" {
		return unknownSetting(name)
	}
	return nil
}

func (c *Console) time(ctx context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected an expression after :time, as in :time U32.add(1, 2)")
	}
	var o *Outcome
	start := time.Now()
	heap, err := c.session.measure(func() (err error) {
		o, err = c.evaluate(ctx, c.source(arg))
		return err
	})
	if err != nil {
		return err
	}
	total := time.Since(start)
	t := o.Cost
	parts := []string{"check " + short(t.Check), "compile " + short(t.Compile)}
	memory := sized(heap)
	if t.Launches > 0 {
		parts = append(parts, "build "+short(t.Build), "transfer "+short(t.Transfer), "lanes "+short(t.Lanes))
		memory += ", on lanes " + sized(t.LaneHeapBytes)
	}
	parts = append(parts, "run "+short(t.Run))
	fmt.Fprintf(c.out, "%s (%s), heap %s\n", short(total), strings.Join(parts, ", "), memory)
	return nil
}

// sized writes a number of bytes.
func sized(n int) string {
	if n < 1<<10 {
		return count(n, "byte")
	}
	return FormatSize(int64(n))
}

// short writes a duration with three digits.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(10 * time.Nanosecond).String()
}

func (c *Console) stack(ctx context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("expected an expression or the name of a def after :stack, as in :stack Nat.add")
	}
	form, rest, _ := strings.Cut(arg, " ")
	rest = strings.TrimSpace(rest)
	switch form {
	case "--svg", "--html":
		file, expr, ok := strings.Cut(rest, " ")
		if !ok {
			return fmt.Errorf("expected a file and an expression, as in :stack %s stack.%s f!(3n)", form, strings.TrimPrefix(form, "--"))
		}
		if form == "--svg" {
			return c.Draw(ctx, expr, file, "")
		}
		return c.Draw(ctx, expr, "", file)
	case "--watch":
		if rest == "" {
			return fmt.Errorf("expected an expression, as in :stack --watch f!(3n)")
		}
		return c.Watch(ctx, rest)
	}
	if names := strings.Fields(arg); len(names) == 2 && c.session.IsDef(names[0]) && c.session.IsDef(names[1]) {
		return c.compare(names[0], names[1])
	}
	return c.Stack(ctx, arg)
}

// Stack shows the frames of a def, or runs an expression and shows what was kept on
// the stack. It fails if the run did.
func (c *Console) Stack(ctx context.Context, arg string) error {
	if c.session.IsDef(arg) {
		frames, err := c.session.Frames(arg)
		if err != nil {
			return err
		}
		c.showFrames(arg, c.session.settings.LaneWords, frames)
		return nil
	}
	c.session.lanes.trace = traceAlone
	r, err := c.session.Stack(ctx, c.source(arg))
	c.session.lanes.trace = traceNone
	if err != nil {
		return err
	}
	c.showStack(r)
	if r.Error != "" {
		return errors.New(r.Error)
	}
	return nil
}

// compare shows what two defs keep, and says which keeps less.
func (c *Console) compare(one, two string) error {
	var most [2]int
	for i, name := range []string{one, two} {
		frames, err := c.session.Frames(name)
		if err != nil {
			return err
		}
		c.showFrames(name, c.session.settings.LaneWords, frames)
		for _, f := range frames {
			most[i] = max(most[i], f.Words)
		}
		fmt.Fprintln(c.out)
	}
	level := func(i int, name string) string {
		if most[i] == 0 {
			return name + " keeps nothing a level, however deep it goes"
		}
		return fmt.Sprintf("%s keeps up to %s a level: %s levels fit", name, count(most[i], "word"), comma(fits(c.session.settings.LaneWords, lane.ExitWords, most[i])))
	}
	fmt.Fprintf(c.out, "%s; %s\n", level(0, one), level(1, two))
	return nil
}

func (c *Console) kernel(_ context.Context, arg string) error {
	target, expr, _ := strings.Cut(arg, " ")
	if !slices.Contains(KernelTargets, target) {
		target, expr = "c", arg
	}
	if strings.TrimSpace(expr) == "" {
		return fmt.Errorf("expected an expression after :kernel, as in :kernel cuda f!(3)")
	}
	text, err := c.session.Kernel(c.source(expr), target)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.out, c.paint.kernel(text, target))
	return err
}

func (c *Console) reset(context.Context, string) error {
	c.session.Reset()
	fmt.Fprintln(c.out, "all that was typed and loaded is forgotten")
	return nil
}

func (c *Console) quit(context.Context, string) error { return errQuit }
