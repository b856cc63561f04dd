// Package cli is the bend command: its subcommands, options and exit codes.
package cli

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

	"github.com/adrg/xdg"
	"github.com/rs/zerolog"

	"bend/repl"
	"bend/repl/highlight"
)

// Streams are the standard streams of the command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// The exit codes, besides those of a program's own.
const (
	exitOK    = 0
	exitFail  = 1 // a program was rejected, or its run failed
	exitUsage = 2 // the command was wrong
	// exitInterrupt is the code of a process that SIGINT ends, 128 + 2.
	exitInterrupt = 130
)

// A usage is an error in how the command was called.
type usage struct{ error }

func usagef(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

// A subcommand is what the first word of the command line chooses.
type subcommand struct {
	name, args, help string
	options          []option
	run              func(c *cmd, words []string) (int, error)
}

func subcommands() []subcommand {
	return []subcommand{
		{"repl", "[FILE]", "the prompt", append([]option{keepGoingOption, noInitOption}, evalOptions...), (*cmd).repl},
		{"eval", "[-f FILE] EXPR", "evaluate one expression", append([]option{fileOption}, evalOptions...), (*cmd).eval},
		{"check", "FILE..", "check files, run nothing", append([]option{verdictOption}, logOptions()...), (*cmd).check},
		{"fmt", "[FILE..]", "print files in one layout", []option{writeOption, listOption, colorOption}, (*cmd).format},
		{"stack", "FILE EXPR", "what the recursions of EXPR keep on the stack", append([]option{jsonOption, svgOption, htmlOption}, evalOptions...), (*cmd).stack},
		{"kernel", "FILE EXPR", "print the kernel of a call marked !", append([]option{targetOption}, evalOptions...), (*cmd).kernel},
		{"base", "[NAME..]", "print the library, or some of its declarations", []option{typesOption, colorOption}, (*cmd).base},
		{"guide", "[TOPIC]", "the pages of the documentation, or one of them", []option{colorOption}, (*cmd).guide},
		{"devices", "", "where calls marked ! can run", []option{jsonOption}, (*cmd).devices},
		{"help", "[COMMAND]", "this list, or more about a command", nil, (*cmd).about},
		{"version", "", "the version", nil, (*cmd).version},
	}
}

func logOptions() []option {
	return []option{*find(evalOptions, "log-level"), *find(evalOptions, "log-file"), colorOption}
}

// cmd is one call of the command.
type cmd struct {
	Streams
	options
	ctx     context.Context // ends with Ctrl-C
	stop    func()
	log     zerolog.Logger
	logFile *os.File
}

// colour reports whether what is written to w has colours.
func (c *cmd) colour(w io.Writer) bool { return repl.Coloured(w, c.color) }

// code returns Bend as it is shown on the standard output.
func (c *cmd) code(text string) string {
	if c.colour(c.Out) {
		return highlight.Text(text)
	}
	return text
}

// Main runs the command and returns its exit code.
func Main(args []string, st Streams) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c := &cmd{Streams: st, ctx: ctx, stop: stop, log: zerolog.Nop()}
	c.settings = repl.DefaultSettings()
	defer func() {
		if p := recover(); p != nil {
			c.log.Error().Interface("panic", p).Bytes("stack", debug.Stack()).Msg("fault")
			fmt.Fprintf(c.Err, "bend: internal fault: %v (this is a bug in bend; --log-level error tells more)\n", p)
			code = exitFail
		}
		if c.logFile != nil {
			c.logFile.Close()
		}
	}()
	code, err := c.dispatch(args)
	var u usage
	switch {
	case errors.As(err, &u):
		fmt.Fprintf(c.Err, "bend: %v (see bend --help)\n", u.error)
		return exitUsage
	case err != nil:
		repl.WriteError(c.Err, err, c.colour(c.Err))
		if ctx.Err() != nil {
			return exitInterrupt
		}
		return max(code, exitFail)
	}
	return code
}

// dispatch finds the subcommand, or the file to run.
func (c *cmd) dispatch(args []string) (int, error) {
	if i := firstWord(args); i < len(args) {
		for _, sub := range subcommands() {
			if sub.name == args[i] {
				return c.sub(sub, slices.Delete(slices.Clone(args), i, i+1))
			}
		}
	}
	if len(args) > 0 && args[0] == "--version" {
		return c.version(nil)
	}
	words, err := c.parse(args, append([]option{checkOnlyOption, verdictOption}, evalOptions...), true)
	if err != nil {
		return 0, usage{err}
	}
	if c.help {
		c.writeHelp(c.Out)
		return exitOK, nil
	}
	if len(words) == 0 {
		c.writeHelp(c.Err)
		return exitUsage, nil
	}
	if err := misspelt(words[0]); err != nil {
		return 0, err
	}
	return c.file(words)
}

// misspelt returns the error of a word that is no file and looks like a subcommand.
func misspelt(word string) error {
	if _, err := os.Stat(word); err == nil || filepath.Base(word) != word || filepath.Ext(word) != "" {
		return nil
	}
	var names []string
	for _, s := range subcommands() {
		names = append(names, s.name)
	}
	if near := repl.Nearest(word, names); near != "" {
		return usagef("there is no command or file %s, did you mean %s?", word, near)
	}
	return nil
}

// firstWord returns the index of the first argument that is neither an option nor the
// value of one, len(args) if there is none.
func firstWord(args []string) int {
	for i := 0; i < len(args); i++ {
		name, isOption := optionName(args[i])
		if !isOption {
			return i
		}
		if name == "" {
			break // "--": what follows is a file
		}
		if o := find(evalOptions, name); o != nil && o.value != "" || name == fileOption.name || name == targetOption.name || name == svgOption.name || name == htmlOption.name {
			i++
		}
	}
	return len(args)
}

func (c *cmd) sub(sub subcommand, args []string) (int, error) {
	words, err := c.parse(args, sub.options, false)
	if err != nil {
		return 0, usage{err}
	}
	if c.help {
		c.writeUsage(sub)
		return exitOK, nil
	}
	return sub.run(c, words)
}

// about shows the help, of a subcommand if one is named.
func (c *cmd) about(words []string) (int, error) {
	if len(words) == 0 {
		c.writeHelp(c.Out)
		return exitOK, nil
	}
	for _, s := range subcommands() {
		if s.name == words[0] {
			c.writeUsage(s)
			return exitOK, nil
		}
	}
	return 0, usagef("there is no command %s", words[0])
}

func (c *cmd) writeUsage(s subcommand) {
	fmt.Fprintf(c.Out, "usage: bend %s %s\n\n%s\n", s.name, s.args, s.help)
	writeOptions(c.Out, s.options)
}

func (c *cmd) writeHelp(w io.Writer) {
	fmt.Fprint(w, "usage: bend FILE [ARG..]             check a file and run it\n")
	for _, s := range subcommands() {
		fmt.Fprintf(w, "       bend %-24s %s\n", s.name+" "+s.args, s.help)
	}
	writeOptions(w, append([]option{checkOnlyOption, verdictOption}, evalOptions...))
	fmt.Fprint(w, "\nOptions may stand anywhere before `--`; the other words are the program's.\n")
}

func writeOptions(w io.Writer, options []option) {
	if len(options) > 0 {
		fmt.Fprint(w, "\noptions:\n")
	}
	for _, o := range options {
		dashes := "--"
		if len(o.name) == 1 {
			dashes = "-"
		}
		fmt.Fprintf(w, "  %-20s %s\n", dashes+o.name+" "+o.value, o.help)
	}
}

// openLog starts the log that the options ask for.
func (c *cmd) openLog() error {
	if c.logLevel == "" && c.options.logFile == "" {
		return nil
	}
	level, err := zerolog.ParseLevel(c.logLevel)
	if err != nil || c.logLevel == "" {
		level = zerolog.InfoLevel
	}
	var w io.Writer = zerolog.ConsoleWriter{Out: c.Err, NoColor: !c.colour(c.Err)}
	if name := c.options.logFile; name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return usagef("cannot open the log: %w", err)
		}
		c.logFile = f
		w = f
	}
	c.log = zerolog.New(w).Level(level).With().Timestamp().Logger()
	return nil
}

// session opens a session with the options of the command line.
func (c *cmd) session(args ...string) (*repl.Session, error) {
	if err := c.openLog(); err != nil {
		return nil, err
	}
	s, err := repl.NewSession(repl.Options{
		Settings: c.settings, Color: c.color, Log: c.log, Stdin: c.In, Stdout: c.Out, Stderr: c.Err, Args: args,
		Cache: filepath.Join(xdg.CacheHome, "bend"), NoInit: c.noInit, Progress: repl.IsTerminal(c.Out),
	})
	if err == nil {
		s.Use(c.ctx)
	}
	return s, err
}
