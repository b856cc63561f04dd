package syntax

import (
	"sort"
	"strings"
)

// A Source is one text with a name: a file, a block typed at the prompt, or a
// topic of the embedded Base library.
type Source struct {
	Name string // as shown to people: a path, "<prompt>", "Base"
	Text string
	From int // the offset where what is read begins: what is before it only shows in excerpts

	lines []int32 // byte offset of the start of each line, made on first use
}

// NewSource returns a source with the given display name and text.
func NewSource(name, text string) *Source { return &Source{Name: name, Text: text} }

// A Span is a half-open range of bytes of one source. The zero Span means
// "nowhere": its Src is nil.
type Span struct {
	Src        *Source
	Start, End int32
}

// Text returns the source text that the span covers.
func (s Span) Text() string {
	if s.Src == nil {
		return ""
	}
	return s.Src.Text[s.Start:s.End]
}

// To returns the span from the start of s to the end of t.
func (s Span) To(t Span) Span {
	if s.Src == nil {
		return t
	}
	if t.Src == nil {
		return s
	}
	return Span{s.Src, s.Start, t.End}
}

// Valid reports whether the span denotes a place.
func (s Span) Valid() bool { return s.Src != nil }

// Line returns the 1-based line of byte offset off and that line's start offset.
func (s *Source) Line(off int32) (line int, start int32) {
	s.index()
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > off }) - 1
	return i + 1, s.lines[i]
}

// Lines returns the number of lines.
func (s *Source) Lines() int {
	s.index()
	return len(s.lines)
}

// LineText returns the text of the 1-based line n without its line end.
func (s *Source) LineText(n int) string {
	s.index()
	start := s.lines[n-1]
	end := int32(len(s.Text))
	if n < len(s.lines) {
		end = s.lines[n] - 1
	}
	return strings.TrimSuffix(s.Text[start:end], "\r")
}

func (s *Source) index() {
	if s.lines != nil {
		return
	}
	s.lines = append(s.lines, 0)
	for i := 0; i < len(s.Text); i++ {
		if s.Text[i] == '\n' {
			s.lines = append(s.lines, int32(i+1))
		}
	}
}
