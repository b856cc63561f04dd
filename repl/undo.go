package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/module"
)

// A snapshot is what a session held before a block. It owns the values of its variables
// that may be copied; the others can only be found again.
type snapshot struct {
	block  string // what was typed then
	file   string
	loader *module.Loader
	scope  *module.Unit
	ground *core.Book
	chunks []*chunk
	book   *core.Book
	vars   []variable
}

// mostUndone is how many blocks can be taken back.
const mostUndone = 100

func (s *Session) snapshot(block string) *snapshot {
	n := &snapshot{block, s.file, s.loader, s.scope, s.ground, s.chunks, s.book, nil}
	for _, v := range s.vars {
		if v.data && !v.gone {
			v.word = s.heap.Keep(v.word)
		}
		n.vars = append(n.vars, *v)
	}
	return n
}

// release gives up the values that a snapshot owns.
func (s *Session) releaseSnapshot(n *snapshot) {
	for _, v := range n.vars {
		if v.data && !v.gone {
			s.heap.Drop(v.word)
		}
	}
}

// changed reports whether the session holds something else than in a snapshot. The value
// of the last expression does not count.
func (s *Session) changed(n *snapshot) bool {
	if s.ground != n.ground || s.book != n.book || s.scope != n.scope {
		return true
	}
	named := func(v *variable) string { return fmt.Sprint(v.name, v.word, v.usedBy) }
	var now, then []string
	for _, v := range s.vars {
		if v.name != "it" {
			now = append(now, named(v))
		}
	}
	for i := range n.vars {
		if n.vars[i].name != "it" {
			then = append(then, named(&n.vars[i]))
		}
	}
	return !slices.Equal(now, then)
}

// restore makes the session hold what it did. A variable that can be used once comes back
// if nobody used it since.
func (s *Session) restore(n *snapshot) {
	s.file, s.loader, s.scope, s.ground, s.chunks, s.book = n.file, n.loader, n.scope, n.ground, n.chunks, n.book
	for i := range n.vars {
		v := &n.vars[i]
		if v.data || v.gone || v.usedBy != "" {
			continue
		}
		now := s.variable(v.name)
		switch {
		case now == nil || now.word != v.word || now.data || now.gone:
			v.usedBy = strings.TrimSpace(n.block)
		case now.usedBy != "":
			v.usedBy = now.usedBy
		default:
			now.gone = true // its value has a new owner
		}
	}
	s.dropVars()
	for i := range n.vars {
		s.vars = append(s.vars, &n.vars[i])
	}
}

// undoable does a piece of work that a block says, and remembers how to take it back.
func (c *Console) undoable(block string, work func() error) error {
	if c.undoing {
		return work() // as a part of what is remembered already
	}
	n := c.session.snapshot(block)
	c.undoing = true
	defer func() { c.undoing = false }()
	err := work()
	if err != nil || !c.session.changed(n) {
		c.session.releaseSnapshot(n)
		return err
	}
	c.undone = append(c.undone, n)
	if len(c.undone) > mostUndone {
		c.session.releaseSnapshot(c.undone[0])
		c.undone = c.undone[1:]
	}
	return nil
}

func (c *Console) undo(context.Context, string) error {
	if len(c.undone) == 0 {
		return errors.New("nothing to take back")
	}
	n := c.undone[len(c.undone)-1]
	c.undone = c.undone[:len(c.undone)-1]
	c.session.restore(n)
	first, _, more := strings.Cut(strings.TrimSpace(n.block), "\n")
	if more {
		first += " .."
	}
	fmt.Fprintf(c.out, "taken back: %s\n", first)
	return nil
}
