package effect

import (
	"io"

	"bend/interp/word"
)

// Handles are the channels, files and sockets that values refer to: a handle's word
// is a number. It is not safe for concurrent use.
type Handles struct {
	channels map[word.Word]*channel
	open     map[word.Word]io.Closer // files, sockets and listeners
	next     word.Word               // of channels and of what is open
}

// NewHandles returns an empty set of handles.
func NewHandles() *Handles {
	return &Handles{channels: map[word.Word]*channel{}, open: map[word.Word]io.Closer{}}
}

// Close closes what is still open.
func (h *Handles) Close() {
	for id, c := range h.open {
		c.Close()
		delete(h.open, id)
	}
}

// Roots returns the values that channels hold: they are in use although no variable
// refers to them.
func (h *Handles) Roots() []word.Word {
	var ws []word.Word
	for _, c := range h.channels {
		ws = append(ws, c.values...)
	}
	return ws
}

// forget removes who waits: the run that they were part of has ended.
func (h *Handles) forget(heap *word.Heap) {
	for _, c := range h.channels {
		for _, s := range c.senders {
			heap.Drop(s.value)
		}
		c.senders, c.receivers = nil, nil
	}
}

// discard gives up what channels hold, and closes everything.
func (h *Handles) discard(heap *word.Heap) {
	for id, c := range h.channels {
		for _, w := range c.values {
			heap.Drop(w)
		}
		delete(h.channels, id)
	}
	h.Close()
}

func (h *Handles) addChannel(c *channel) word.Word {
	h.next++
	h.channels[h.next] = c
	return h.next
}

// channel returns the channel of a word. One that is not known, because it was made
// in a run whose handles were not kept, or is closed and empty, counts as closed.
func (h *Handles) channel(w word.Word) *channel {
	if c := h.channels[w]; c != nil {
		return c
	}
	return &channel{closed: true}
}

// add returns the word of a handle that is new.
func (h *Handles) add(c io.Closer) word.Word {
	h.next++
	h.open[h.next] = c
	return h.next
}
