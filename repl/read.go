package repl

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"bend/interp/syntax"
)

// A lineReader gives the lines of what a person types, or of a script.
type lineReader interface {
	// ReadLine shows prompt and indent, where there is somebody to see and to change
	// them, and returns the next line without its end; io.EOF at the end, errInterrupt
	// for Ctrl-C. A line may hold newlines when it was recalled or pasted as a whole.
	ReadLine(prompt, indent string) (string, error)
	Close() error
}

var errInterrupt = errors.New("interrupted")

// The prompts.
const (
	promptFirst = "bend> "
	promptMore  = " ...> "
)

// A block is one thing to do: a command, definitions, a binding or an expression.
type block struct {
	text string
	line int // 1-based line of its start in the input
}

// A blockReader puts lines together to blocks.
type blockReader struct {
	lines  lineReader
	script bool
	n      int // lines read
	ahead  []string
	queue  []block // the other blocks of a text that came as a whole
}

func (r *blockReader) line(prompt, indent string) (string, error) {
	if len(r.ahead) > 0 {
		l := r.ahead[0]
		r.ahead = r.ahead[1:]
		return l, nil
	}
	l, err := r.lines.ReadLine(prompt, indent)
	if err == nil {
		r.n++
	}
	return l, err
}

// next returns the next block. A block of definitions goes on until an empty line, or a
// line in the first column that cannot belong to it; any other one until it is finished.
// An empty line ends an unfinished one too.
func (r *blockReader) next() (block, error) {
	if len(r.queue) > 0 {
		b := r.queue[0]
		r.queue = r.queue[1:]
		return b, nil
	}
	var first string
	for {
		l, err := r.line(promptFirst, "")
		if err != nil {
			return block{}, err
		}
		if first = l; !blank(first) {
			break
		}
	}
	b := block{text: first, line: r.n - len(r.ahead)}
	if strings.Contains(first, "\n") {
		return r.split(b), nil
	}
	if isCommand(first) {
		return b, nil
	}
	defs := isDefinition(first)
	for {
		state := syntax.StateOf(b.text)
		if !defs && state != syntax.More || state == syntax.Bad && !r.script {
			return b, nil // what is wrong by now stays wrong
		}
		l, err := r.line(promptMore, indentAfter(b.text))
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return block{}, err
		}
		if blank(l) {
			if r.script && r.continues() {
				b.text += "\n" + l
				continue
			}
			return b, nil
		}
		if isCommand(l) || state != syntax.More && startsAnew(l) {
			r.ahead = append([]string{l}, r.ahead...)
			return b, nil
		}
		b.text += "\n" + l
	}
}

// indentAfter returns the indentation that the line after text most likely has: that of
// the last one, and two more behind a colon.
func indentAfter(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	code, _, _ := strings.Cut(last, " #")
	code = strings.TrimRight(code, " \t")
	indent := last[:len(last)-len(strings.TrimLeft(last, " "))]
	if strings.HasSuffix(code, ":") {
		indent += "  "
	}
	return indent
}

// startsAnew reports whether a line behind finished definitions is none of theirs: it is
// not indented, and neither a definition nor a case.
func startsAnew(l string) bool {
	c := l[0]
	word := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_\"'([", c) >= 0
	return word && !isDefinition(l) && !strings.HasPrefix(l, "case ")
}

// split queues the blocks of a text that was pasted or recalled, and returns the first.
func (r *blockReader) split(whole block) block {
	sub := &blockReader{lines: newScriptLines(strings.NewReader(whole.text)), script: true}
	for {
		b, err := sub.next()
		if err != nil {
			break
		}
		b.line += whole.line - 1
		r.queue = append(r.queue, b)
	}
	if len(r.queue) == 0 {
		return whole
	}
	first := r.queue[0]
	r.queue = r.queue[1:]
	return first
}

// continues reports whether the next line of a script that is not empty is indented:
// an empty line before such a line does not end a block.
func (r *blockReader) continues() bool {
	for i := 0; ; i++ {
		if i == len(r.ahead) {
			l, err := r.lines.ReadLine(promptMore, "")
			if err != nil {
				return false
			}
			r.n++
			r.ahead = append(r.ahead, l)
		}
		if l := r.ahead[i]; !blank(l) {
			return l[0] == ' ' || l[0] == '\t'
		}
	}
}

// blank reports whether a line holds nothing but space and a comment.
func blank(l string) bool {
	l = strings.TrimSpace(l)
	return l == "" || l[0] == '#'
}

// isCommand reports whether a line is a command: a colon in the first column and a
// word.
func isCommand(l string) bool {
	return len(l) > 1 && l[0] == ':' && (l[1] >= 'a' && l[1] <= 'z' || l[1] >= 'A' && l[1] <= 'Z') || l == ":" || l == "?" || l == ":?"
}

// isDefinition reports whether text starts with a top-level form.
func isDefinition(text string) bool {
	word := strings.TrimLeft(text, " \t")
	if strings.HasPrefix(word, "@unsafe") {
		return true
	}
	for _, w := range []string{"def", "type", "law"} {
		if rest, ok := strings.CutPrefix(word, w); ok && (rest == "" || strings.ContainsAny(rest[:1], " \t")) {
			return true
		}
	}
	return false
}

// scriptLines reads lines from an input that is no terminal.
type scriptLines struct{ r *bufio.Reader }

func newScriptLines(r io.Reader) *scriptLines { return &scriptLines{bufio.NewReader(r)} }

// ReadLine returns the next line; the prompt is not shown.
func (s *scriptLines) ReadLine(string, string) (string, error) {
	l, err := s.r.ReadString('\n')
	if err != nil && l == "" {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r"), nil
}

// Close does nothing.
func (s *scriptLines) Close() error { return nil }
