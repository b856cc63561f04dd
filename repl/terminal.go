package repl

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/chzyer/readline"

	"bend/repl/highlight"
)

// terminalLines is the line editor.
type terminalLines struct {
	tty   *tty
	rl    *readline.Instance
	paste *pasteReader
	hist  *history
	back  *recaller
}

// newTerminalLines opens the line editor on the process's terminal.
func newTerminalLines(hist *history, paint painter, complete func(before string) (candidates []string, replaced int)) (*terminalLines, error) {
	screen, err := openTTY(int(os.Stdin.Fd()))
	if err == nil {
		err = screen.quiet()
	}
	if err != nil {
		return nil, err
	}
	paste := newPasteReader(readline.NewCancelableStdin(os.Stdin))
	back := &recaller{}
	rl, err := readline.NewEx(&readline.Config{
		Prompt:                 promptFirst,
		Stdin:                  paste,
		AutoComplete:           completer(complete),
		Painter:                paint,
		FuncMakeRaw:            screen.edited,
		FuncExitRaw:            screen.quiet,
		Listener:               back,
		FuncFilterInputRune:    back.key,
		HistoryLimit:           historyMax,
		DisableAutoSaveHistory: true,
		InterruptPrompt:        "^C",
		EOFPrompt:              "\n",
	})
	if err != nil {
		screen.restore()
		return nil, err
	}
	back.set = rl.Operation.SetBuffer
	back.leave = func() { rl.Operation.ExitCompleteMode(true) }
	back.busy = func() bool { return rl.Operation.IsSearchMode() || rl.Operation.IsInCompleteSelectMode() }
	for _, b := range hist.blocks {
		rl.SaveHistory(oneLine(b))
		back.add(oneLine(b))
	}
	os.Stdout.WriteString(pasteOn)
	return &terminalLines{screen, rl, paste, hist, back}, nil
}

// ReadLine lets the person edit one line, which holds indent already.
func (t *terminalLines) ReadLine(prompt, indent string) (string, error) {
	if err := t.tty.edited(); err != nil { // before the prompt is there to be answered
		return "", err
	}
	t.rl.SetPrompt(prompt)
	t.back.begin(indent)
	read := t.rl.Readline
	if indent != "" {
		read = func() (string, error) { return t.rl.ReadlineWithDefault(indent) }
	}
	l, err := read()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", errInterrupt
	}
	if err != nil {
		return "", io.EOF
	}
	return t.paste.expand(l), nil
}

// remember puts a whole block into the history, as one entry.
func (t *terminalLines) remember(b string) error {
	t.rl.SaveHistory(oneLine(b))
	t.back.add(oneLine(b))
	return t.hist.add(b)
}

// Close ends the line editor and gives the terminal back.
func (t *terminalLines) Close() error { return errors.Join(t.rl.Close(), t.giveBack()) }

// giveBack makes the terminal what it was.
func (t *terminalLines) giveBack() error {
	os.Stdout.WriteString(pasteOff)
	return t.tty.restore()
}

// lend gives the terminal to somebody else as it was found, while work goes on.
func (t *terminalLines) lend(work func() error) error {
	if err := t.tty.restore(); err != nil {
		return err
	}
	return errors.Join(work(), t.tty.quiet())
}

func oneLine(b string) string { return strings.ReplaceAll(b, "\n", string(newlineRune)) }

// Paint colours a line while it is typed.
func (p painter) Paint(line []rune, _ int) []rune {
	if !p.on || isCommand(string(line)) {
		return line
	}
	return []rune(highlight.Text(string(line)))
}

// completer fits a completion function to the editor.
type completer func(before string) (candidates []string, replaced int)

// Do returns the rests of the candidates for the text before the cursor.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	names, replaced := c(string(line[:pos]))
	var rests [][]rune
	for _, n := range names {
		rests = append(rests, []rune(n)[replaced:])
	}
	return rests, replaced
}
