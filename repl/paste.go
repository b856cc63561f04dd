package repl

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// newlineRune stands for a newline inside a line of the editor: a block that was
// recalled or pasted is one line there.
const newlineRune = '⏎'

// Sequences that a terminal sends, and their switches.
const (
	pasteOn    = "\x1b[?2004h"
	pasteOff   = "\x1b[?2004l"
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// keyMap turns keys that the line editor does not know into those that it does.
var keyMap = map[string]string{
	"\x1b[1~":   "\x01",  // Home
	"\x1b[7~":   "\x01",  //
	"\x1b[4~":   "\x05",  // End
	"\x1b[8~":   "\x05",  //
	"\x1b[1;5C": "\x1bf", // Ctrl-Right
	"\x1b[1;5D": "\x1bb", // Ctrl-Left
	"\x1b[1;3C": "\x1bf", // Alt-Right
	"\x1b[1;3D": "\x1bb", // Alt-Left
}

// A pasteReader stands between the terminal and the line editor. Text between the
// terminal's paste marks becomes one line: a short one is typed in as it is; one of
// several lines is kept aside, and a short token for it is entered in its place.
// Marks may be split between two reads.
type pasteReader struct {
	src  io.ReadCloser
	out  []byte // ready for the editor
	held []byte // an escape sequence that is not finished
	in   bool   // between the marks
	text []byte // pasted so far

	mu     sync.Mutex
	pastes map[string]string // by token
}

func newPasteReader(src io.ReadCloser) *pasteReader {
	return &pasteReader{src: src, pastes: map[string]string{}}
}

// Read gives the editor its next bytes.
func (p *pasteReader) Read(b []byte) (int, error) {
	for len(p.out) == 0 {
		var buf [4096]byte
		n, err := p.src.Read(buf[:])
		p.feed(buf[:n])
		if err != nil {
			p.out = append(p.out, p.held...)
			p.held = nil
			if len(p.out) == 0 {
				return 0, err
			}
			break
		}
	}
	n := copy(b, p.out)
	p.out = p.out[n:]
	return n, nil
}

// Close closes the terminal's side.
func (p *pasteReader) Close() error { return p.src.Close() }

func (p *pasteReader) feed(in []byte) {
	data := append(p.held, in...)
	p.held = nil
	for i := 0; i < len(data); {
		if data[i] != 0x1b {
			p.put(data[i : i+1])
			i++
			continue
		}
		n, whole := escapeLen(data[i:])
		if last := n == len(data)-i; last && (!whole || p.in && n == 1) {
			p.held = append([]byte(nil), data[i:]...)
			return
		}
		seq := string(data[i : i+n])
		i += n
		switch {
		case seq == pasteStart:
			p.in = true
		case seq == pasteEnd:
			p.in = false
			p.pasted()
		case p.in:
			p.put([]byte(seq))
		default:
			if to, ok := keyMap[seq]; ok {
				seq = to
			}
			p.put([]byte(seq))
		}
	}
}

// escapeLen returns the length of the escape sequence that b starts with, and whether
// all of it is there.
func escapeLen(b []byte) (n int, whole bool) {
	if len(b) < 2 || b[1] != '[' {
		return min(len(b), 1), true
	}
	for i := 2; i < len(b); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return i + 1, true
		}
	}
	return len(b), false
}

func (p *pasteReader) put(b []byte) {
	if p.in {
		p.text = append(p.text, b...)
	} else {
		p.out = append(p.out, b...)
	}
}

// pasted hands over what stood between the marks.
func (p *pasteReader) pasted() {
	text := strings.ReplaceAll(strings.ReplaceAll(string(p.text), "\r\n", "\n"), "\r", "\n")
	p.text = nil
	text = strings.TrimRight(stripPrompts(text), "\n")
	if !strings.Contains(text, "\n") && len(text) < 500 {
		p.out = append(p.out, text...)
		return
	}
	p.mu.Lock()
	token := fmt.Sprintf("[paste %d: %d lines]", len(p.pastes)+1, strings.Count(text, "\n")+1)
	p.pastes[token] = text
	p.mu.Unlock()
	p.out = append(p.out, token+"\r"...)
}

// expand puts pasted texts and newlines back into a line of the editor.
func (p *pasteReader) expand(line string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for token, text := range p.pastes {
		if strings.TrimLeft(line, " ") == token {
			line = token // it has an indentation of its own
		}
		line = strings.ReplaceAll(line, token, text)
	}
	return strings.ReplaceAll(line, string(newlineRune), "\n")
}

// stripPrompts makes of a pasted transcript what was typed: when its first line
// starts with a prompt, lines without one are results and go.
func stripPrompts(text string) string {
	if !strings.HasPrefix(text, promptFirst) {
		return text
	}
	var kept []string
	for _, l := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(l, promptFirst); ok {
			kept = append(kept, rest)
		} else if rest, ok := strings.CutPrefix(l, promptMore); ok {
			kept = append(kept, rest)
		} else if l == strings.TrimSpace(promptMore) {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "\n")
}
