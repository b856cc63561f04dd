//go:build !linux && !darwin

package repl

import "github.com/chzyer/readline"

// A tty is the terminal of the prompt. Here it is quiet as it was found.
type tty struct{ readline.RawMode }

func openTTY(int) (*tty, error) { return &tty{}, nil }

func (t *tty) edited() error  { return t.Enter() }
func (t *tty) quiet() error   { return t.Exit() }
func (t *tty) restore() error { return t.Exit() }
