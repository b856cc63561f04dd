package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/module"
	"bend/interp/word"
)

// A snapshot is what a session held before a block. It owns the values of its variables
// that may be copied; the others can only be found again. The session lists those that
// are alive, oldest first.
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

// snapshot remembers what the session holds, last in its list.
func (s *Session) snapshot(block string) *snapshot {
	n := &snapshot{block, s.file, s.loader, s.scope, s.ground, s.chunks, s.book, nil}
	for _, v := range s.vars {
		if v.data && !v.gone {
			v.word = s.heap.Keep(v.word)
		}
		n.vars = append(n.vars, *v)
	}
	s.undone = append(s.undone, n)
	return n
}

// values returns the values that a snapshot owns.
func (n *snapshot) values() (ws []word.Word) {
	for _, v := range n.vars {
		if v.data && !v.gone {
			ws = append(ws, v.word)
		}
	}
	return ws
}

// releaseSnapshot gives up the values of the snapshot at index i of the list.
func (s *Session) releaseSnapshot(i int) {
	for _, w := range s.undone[i].values() {
		s.heap.Drop(w)
	}
	s.undone = slices.Delete(s.undone, i, i+1)
}

// changed reports whether the session holds something else than in a snapshot. The value
// of the last expression does not count.
func (s *Session) changed(n *snapshot) bool {
	if s.ground != n.ground || s.book != n.book || s.scope != n.scope {
		return true
	}
	named := func(v *variable) string { return fmt.Sprint(v.name, v.id, v.usedBy) }
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

// restore makes the session hold what it did at the last snapshot, which it takes off the
// list. A variable that can be used once comes back if nobody used it since.
func (s *Session) restore() *snapshot {
	last := len(s.undone) - 1
	n := s.undone[last]
	s.undone = s.undone[:last]
	s.file, s.loader, s.scope, s.ground, s.chunks, s.book = n.file, n.loader, n.scope, n.ground, n.chunks, n.book
	for i := range n.vars {
		v := &n.vars[i]
		if v.data || v.gone || v.usedBy != "" {
			continue
		}
		now := s.variable(v.name)
		switch {
		case now == nil || now.id != v.id || now.gone:
			v.usedBy = strings.TrimSpace(n.block)
		case now.usedBy != "":
			v.usedBy = now.usedBy
		default:
			v.word, now.gone = now.word, true // its value has a new owner
		}
	}
	s.dropVars()
	for i := range n.vars {
		s.vars = append(s.vars, &n.vars[i])
	}
	return n
}

// undoable does a piece of work that a block says, and remembers how to take it back.
func (c *Console) undoable(block string, work func() error) error {
	if c.undoing {
		return work() // as a part of what is remembered already
	}
	s := c.session
	n := s.snapshot(block)
	c.undoing = true
	defer func() { c.undoing = false }()
	done := false
	defer func() {
		switch {
		case !done || !s.changed(n):
			s.releaseSnapshot(len(s.undone) - 1)
		case len(s.undone) > mostUndone:
			s.releaseSnapshot(0)
		}
	}()
	err := work()
	done = err == nil
	return err
}

func (c *Console) undo(context.Context, string) error {
	if len(c.session.undone) == 0 {
		return errors.New("nothing to take back")
	}
	n := c.session.restore()
	defer func() {
		for _, v := range n.vars {
			if v.usedBy != "" && strings.TrimSpace(v.usedBy) == strings.TrimSpace(n.block) {
				fmt.Fprintf(c.out, "%s stays used up: its value is gone\n", v.name)
			}
		}
	}()
	first, _, more := strings.Cut(strings.TrimSpace(n.block), "\n")
	if more {
		first += " .."
	}
	fmt.Fprintf(c.out, "taken back: %s\n", first)
	return nil
}
