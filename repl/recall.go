package repl

import (
	"slices"
	"strings"
	"sync"

	"github.com/chzyer/readline"
)

// A recaller brings back blocks of the history, one by one: those that begin as the line
// does up to the cursor. It listens to the editor, and takes the keys up and down from it.
type recaller struct {
	set   func(line string) // changes the editor's line
	busy  func() bool       // the editor needs these keys itself
	leave func()            // ends a completion

	mu     sync.Mutex
	blocks []string // oldest first, each on one line
	line   []rune   // in the editor
	pos    int      // of the cursor
	typed  []rune   // before the first recall
	prefix string
	shown  []rune // by the last recall, nil when there was none
	at     int    // in blocks: what is shown
}

// OnChange implements readline.Listener.
func (r *recaller) OnChange(line []rune, pos int, _ rune) ([]rune, int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line, r.pos = slices.Clone(line), pos
	return nil, 0, false
}

// key acts on the keys up and down; it reports whether the editor has to act on a key.
func (r *recaller) key(k rune) (rune, bool) {
	if k == readline.CharInterrupt {
		r.leave() // so that the key is about the line
		return k, true
	}
	if k != readline.CharPrev && k != readline.CharNext || r.busy() {
		return k, true
	}
	r.mu.Lock()
	line, found := r.recall(k == readline.CharPrev)
	r.mu.Unlock()
	if found {
		r.set(line)
	}
	return 0, false
}

func (r *recaller) recall(older bool) (string, bool) {
	if r.shown == nil || !slices.Equal(r.shown, r.line) {
		r.typed, r.prefix, r.at = r.line, string(r.line[:r.pos]), len(r.blocks)
	}
	step := 1
	if older {
		step = -1
	}
	for i := r.at + step; i >= 0 && i <= len(r.blocks); i += step {
		text := string(r.typed)
		if i < len(r.blocks) {
			text = r.blocks[i]
		}
		if i < len(r.blocks) && (!strings.HasPrefix(text, r.prefix) || text == string(r.line)) {
			continue
		}
		r.at = i
		r.line = []rune(text)
		r.pos, r.shown = len(r.line), r.line
		return text, true
	}
	return "", false
}

// begin starts a line that holds text already.
func (r *recaller) begin(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line, r.shown = []rune(text), nil
	r.pos = len(r.line)
}

// add makes a block the newest.
func (r *recaller) add(block string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.blocks); n == 0 || r.blocks[n-1] != block {
		r.blocks = append(r.blocks, block)
	}
}
