package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"

	"bend/interp/syntax"
	"bend/repl"
	"bend/repl/highlight"
)

// file checks a file and runs its main.
func (c *cmd) file(words []string) (int, error) {
	s, err := c.session(words...)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if c.verdict {
		return exitOK, s.Prove(c.Out, words[0], true)
	}
	if err := s.Program(words[0]); err != nil {
		return exitFail, err
	}
	switch {
	case c.dump != "" && s.HasMain():
		return exitOK, s.Dump(c.Out, c.dump, "main")
	case c.dump != "":
		return exitFail, fmt.Errorf("%s has no main to dump", words[0])
	case c.checkOnly || !s.HasMain():
		return exitOK, s.Verdict(c.Out)
	}
	return s.RunMain(c.ctx, c.Out)
}

// loaded opens a session that has loaded a file, unless its name is empty.
func (c *cmd) loaded(file string) (*repl.Session, error) {
	name := file
	if name == "" {
		name = "bend"
	}
	s, err := c.session(name)
	if err != nil || file == "" {
		return s, err
	}
	if err := s.Program(file); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// eval evaluates one expression.
func (c *cmd) eval(words []string) (int, error) {
	text := strings.Join(words, " ")
	if text == "" {
		return 0, usagef("expected an expression after eval")
	}
	s, err := c.loaded(c.options.file)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	src := syntax.NewSource("<expression>", text)
	if c.dump != "" {
		return exitOK, s.DumpExpr(c.Out, c.dump, src)
	}
	o, err := s.Do(c.ctx, src)
	if err != nil {
		return exitFail, err
	}
	if o.Value != nil && !o.Value.Unit {
		fmt.Fprintln(c.Out, s.Show(o.Value.Term, 0))
	}
	return o.Exit, nil
}

// stack shows what the recursions of an expression keep on the stack.
func (c *cmd) stack(words []string) (int, error) {
	if len(words) < 2 {
		return 0, usagef("expected a file and an expression after stack")
	}
	s, err := c.loaded(words[0])
	if err != nil {
		return 0, err
	}
	defer s.Close()
	con := repl.NewConsole(s, c.Out, c.Err)
	if c.svg != "" || c.html != "" {
		return exitOK, con.Draw(c.ctx, strings.Join(words[1:], " "), c.svg, c.html)
	}
	if !c.json {
		return exitOK, con.Stack(c.ctx, strings.Join(words[1:], " "))
	}
	r, err := s.Stack(c.ctx, syntax.NewSource("<expression>", strings.Join(words[1:], " ")))
	if err != nil {
		return exitFail, err
	}
	if err := c.writeJSON(r); err != nil {
		return exitFail, err
	}
	if r.Error != "" {
		return exitFail, nil
	}
	return exitOK, nil
}

// base prints the library, or the declarations that are named.
func (c *cmd) base(words []string) (int, error) {
	s, err := c.session("bend")
	if err != nil {
		return 0, err
	}
	defer s.Close()
	var out strings.Builder
	if len(words) == 0 {
		if err := s.WriteBase(&out, c.types); err != nil {
			return exitFail, err
		}
	}
	for i, name := range words {
		if i > 0 && !c.types {
			fmt.Fprintln(&out)
		}
		if err := s.WriteDeclaration(&out, name, c.types); err != nil {
			return exitFail, err
		}
	}
	_, err = io.WriteString(c.Out, c.code(out.String()))
	return exitOK, err
}

// kernel prints the text of the kernel of a call.
func (c *cmd) kernel(words []string) (int, error) {
	if len(words) < 2 {
		return 0, usagef("expected a file and an expression after kernel")
	}
	s, err := c.loaded(words[0])
	if err != nil {
		return 0, err
	}
	defer s.Close()
	target := c.target
	if target == "" {
		target = "c"
	}
	text, err := s.Kernel(syntax.NewSource("<expression>", strings.Join(words[1:], " ")), target)
	if err != nil {
		return exitFail, err
	}
	if c.colour(c.Out) {
		text = highlight.Kernel(text, target)
	}
	_, err = io.WriteString(c.Out, text)
	return exitOK, err
}

// guide shows a page of the documentation.
func (c *cmd) guide(words []string) (int, error) {
	if len(words) > 1 {
		return 0, usagef("guide takes at most one topic")
	}
	return exitOK, repl.WriteGuide(c.Out, strings.Join(words, ""), c.colour(c.Out))
}

// devices lists where calls marked "!" can run.
func (c *cmd) devices(words []string) (int, error) {
	if len(words) > 0 {
		return 0, usagef("devices takes no word")
	}
	if c.json {
		return exitOK, c.writeJSON(repl.Devices())
	}
	return exitOK, repl.WriteDevices(c.Out)
}

func (c *cmd) writeJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// version says which program this is.
func (c *cmd) version([]string) (int, error) {
	fmt.Fprintf(c.Out, "bend %s (%s/%s)\n", repl.Version, runtime.GOOS, runtime.GOARCH)
	return exitOK, nil
}

// repl opens the prompt, or acts on a script when the input is no terminal.
func (c *cmd) repl(words []string) (int, error) {
	if len(words) > 1 {
		return 0, usagef("repl takes at most one file")
	}
	s, err := c.session("bend")
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if len(words) == 1 {
		if _, err := s.Load(words[0]); err != nil {
			return exitFail, err
		}
	}
	c.stop() // Ctrl-C ends what is being evaluated, not the session
	ctx := context.Background()
	con := repl.NewConsole(s, c.Out, c.Err)
	if repl.IsTerminal(c.In) {
		return exitOK, con.Interactive(ctx)
	}
	return con.Script(ctx, c.In, c.keepGoing), nil
}
