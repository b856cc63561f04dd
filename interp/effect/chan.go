package effect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bend/interp/flat"
	"bend/interp/word"
)

// A channel is first in, first out, for values and for those who wait. At most one of
// senders and receivers is not empty.
type channel struct {
	room      int
	values    []word.Word
	senders   []sender
	receivers []task
	closed    bool
}

// A sender waits until its value is taken.
type sender struct {
	task  task
	value word.Word
}

// channel performs an effect on channels. A channel word is its number.
func (l *loop) channel(t task, id flat.EffectID, args []word.Word) (answer word.Word, wait bool) {
	if id == flat.EffChanNew {
		return l.handles.addChannel(&channel{room: int(args[0])}), false
	}
	c := l.handles.channel(args[0])
	switch id {
	case flat.EffChanSend:
		return l.send(t, c, args[1])
	case flat.EffChanRecv:
		answer, wait = l.receive(t, c)
		l.handles.tidy(args[0])
		return answer, wait
	}
	c.closed = true
	for _, r := range c.receivers {
		l.wake(r, None)
	}
	for _, s := range c.senders {
		l.h.Drop(s.value)
		l.wake(s.task, False)
	}
	c.receivers, c.senders = nil, nil
	l.handles.tidy(args[0])
	return Unit, false
}

// tidy forgets a channel that is closed and empty, which a program may make any
// number of.
func (h *Handles) tidy(w word.Word) {
	if c := h.channels[w]; c != nil && c.closed && len(c.values) == 0 {
		delete(h.channels, w)
	}
}

// waiting tells who waits, and for what: a line a channel.
func (h *Handles) waiting() string {
	var lines []string
	for _, id := range slices.Sorted(maps.Keys(h.channels)) {
		c := h.channels[id]
		var who []string
		main, sends, receives := "", len(c.senders), len(c.receivers)
		for _, s := range c.senders {
			if s.task.main {
				main, sends = "main sends", sends-1
			}
		}
		for _, r := range c.receivers {
			if r.main {
				main, receives = "main receives", receives-1
			}
		}
		if main != "" {
			who = append(who, main)
		}
		if sends > 0 {
			who = append(who, fmt.Sprintf("%d spawned send", sends))
		}
		if receives > 0 {
			who = append(who, fmt.Sprintf("%d spawned receive", receives))
		}
		if who != nil {
			lines = append(lines, fmt.Sprintf("channel %d (room %d): %s", id, c.room, strings.Join(who, ", ")))
		}
	}
	return strings.Join(lines, "\n")
}

// wake lets a computation that waited for a channel go on.
func (l *loop) wake(t task, answer word.Word) {
	l.waiting--
	t.answer = answer
	l.ready = append(l.ready, t)
}

func (l *loop) send(t task, c *channel, value word.Word) (answer word.Word, wait bool) {
	switch {
	case c.closed:
		l.h.Drop(value)
		return False, false
	case len(c.receivers) > 0:
		r := c.receivers[0]
		c.receivers = c.receivers[1:]
		l.wake(r, Some(l.h, value))
		return True, false
	case len(c.values) < c.room:
		c.values = append(c.values, value)
		return True, false
	}
	c.senders = append(c.senders, sender{t, value})
	l.waiting++
	return 0, true
}

func (l *loop) receive(t task, c *channel) (answer word.Word, wait bool) {
	if len(c.senders) > 0 {
		s := c.senders[0]
		c.senders = c.senders[1:]
		c.values = append(c.values, s.value)
		l.wake(s.task, True)
	}
	switch {
	case len(c.values) > 0:
		value := c.values[0]
		c.values = c.values[1:]
		return Some(l.h, value), false
	case c.closed:
		return None, false
	}
	c.receivers = append(c.receivers, t)
	l.waiting++
	return 0, true
}
