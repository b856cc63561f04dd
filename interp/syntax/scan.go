package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reserved words are never names.
var reserved = map[string]bool{
	"def": true, "type": true, "law": true, "match": true, "case": true, "do": true,
	"return": true, "for": true, "exs": true, "where": true, "is": true, "import": true,
	"Type": true, "Data": true, "Kind": true, "Quant": true,
}

// Reserved reports whether word is a reserved word.
func Reserved(word string) bool { return reserved[word] }

// A scanner reads the marks of a source one by one. Spacing changes the meaning of
// several of them, so the parser asks for what it wants at a place instead of being
// given a list of tokens.
type scanner struct {
	src      *Source
	text     string
	pos      int // byte offset of the next character
	end      int // end of the last mark read
	comments []Span
}

// stop is the panic value with which reading ends at an error.
type stop struct{ diag *Diagnostic }

func (s *scanner) span(start int) Span { return Span{s.src, int32(start), int32(s.end)} }

// fail ends reading at offset at: code names the kind, expected what was wanted.
func (s *scanner) fail(at int, code, expected, hint string) {
	d := &Diagnostic{Code: code, Expected: expected, Hint: hint}
	d.Observed, d.Span = s.observed(at)
	panic(stop{d})
}

// failSpan ends reading with a stretch of text as what was observed.
func (s *scanner) failSpan(sp Span, code, expected, hint string) {
	panic(stop{&Diagnostic{Code: code, Expected: expected, Observed: "'" + sp.Text() + "'", Span: sp, Hint: hint}})
}

// failMessage ends reading with a message.
func (s *scanner) failMessage(sp Span, code, message, hint string) {
	panic(stop{&Diagnostic{Code: code, Message: message, Span: sp, Hint: hint}})
}

func (s *scanner) observed(at int) (string, Span) {
	if at >= len(s.text) {
		return "end of input", Span{s.src, int32(len(s.text)), int32(len(s.text))}
	}
	_, n := utf8.DecodeRuneInString(s.text[at:])
	return "'" + s.text[at:at+n] + "'", Span{s.src, int32(at), int32(at + n)}
}

// space skips white space and comments and reports whether a line ended there.
func (s *scanner) space() (newline bool) {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '\n':
			newline = true
			s.pos++
		case ' ', '\t', '\r':
			s.pos++
		case '#':
			start := s.pos
			for s.pos < len(s.text) && s.text[s.pos] != '\n' {
				s.pos++
			}
			end := s.pos
			if s.text[end-1] == '\r' {
				end--
			}
			if n := len(s.comments); n == 0 || int(s.comments[n-1].Start) < start {
				s.comments = append(s.comments, Span{s.src, int32(start), int32(end)})
			}
		default:
			return newline
		}
	}
	return newline
}

// gap skips white space and tells what lies between the last mark and the next one,
// whoever has skipped it.
func (s *scanner) gap() (spaced, newline bool) {
	s.space()
	between := s.text[s.end:s.pos]
	return between != "", strings.Contains(between, "\n")
}

// at returns the byte n places after the next, 0 past the end.
func (s *scanner) at(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

// looking reports whether mark is next.
func (s *scanner) looking(mark string) bool { return strings.HasPrefix(s.text[s.pos:], mark) }

// take reads n bytes as one mark.
func (s *scanner) take(n int) {
	s.pos += n
	s.end = s.pos
}

// accept skips space and reads mark if it is next.
func (s *scanner) accept(mark string) bool {
	s.space()
	if !s.looking(mark) {
		return false
	}
	s.take(len(mark))
	return true
}

// expect skips space and reads mark, or fails.
func (s *scanner) expect(mark, hint string) {
	if !s.accept(mark) {
		s.fail(s.pos, "mark-expected", "'"+mark+"'", hint)
	}
}

// column returns the 1-based column of offset at, in code points.
func (s *scanner) column(at int) int {
	start := strings.LastIndexByte(s.text[:at], '\n') + 1
	return utf8.RuneCountInString(s.text[start:at]) + 1
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) }

// word returns the run of name characters that is next, without reading it.
func (s *scanner) word() string {
	i := s.pos
	for i < len(s.text) && (isWord(s.text[i]) || s.text[i] == '.') {
		i++
	}
	return s.text[s.pos:i]
}

// keyword skips space and reports whether the word w is next; it does not read it.
func (s *scanner) keyword(w string) bool {
	s.space()
	return s.word() == w
}

// acceptWord reads the word w if it is next.
func (s *scanner) acceptWord(w string) bool {
	if !s.keyword(w) {
		return false
	}
	s.take(len(w))
	return true
}

// name reads a name; what says what it is the name of.
func (s *scanner) name(what string) Name {
	s.space()
	w := s.word()
	if w == "" || !isLetter(w[0]) {
		s.fail(s.pos, "name-expected", what, "")
	}
	start := s.pos
	s.take(len(w))
	sp := s.span(start)
	if reserved[w] {
		s.failSpan(sp, "keyword-as-name", what, "'"+w+"' is a reserved word: choose another name")
	}
	checkDots(s, sp, w)
	return Name{sp, w}
}

func checkDots(s *scanner, sp Span, w string) {
	for part := range strings.SplitSeq(w, ".") {
		if part == "" || isDigit(part[0]) {
			s.failSpan(sp, "bad-name", "words joined by dots", "each part of a name starts with a letter or '_'")
		}
	}
}

// number reads a number literal; a digit is next.
func (s *scanner) number() *Number {
	start := s.pos
	digits := s.digits()
	n := &Number{Kind: U32}
	switch {
	case s.at(0) == 'n':
		s.take(1)
		n.Kind = Nat
	case s.at(0) == '.' && isDigit(s.at(1)):
		s.pos++
		s.digits()
		if c := s.at(0); c == 'e' || c == 'E' {
			i := 1
			if c := s.at(1); c == '+' || c == '-' {
				i = 2
			}
			if isDigit(s.at(i)) {
				s.pos += i
				s.digits()
			}
		}
		n.Kind = F32
	}
	s.end = s.pos
	n.Span = s.span(start)
	if c := s.at(0); isWord(c) || c == '.' {
		s.fail(s.pos, "glued-number", "the end of the number", "put a space after a number; write 1.0e5 for 1e5, and 1.0 for 1.")
	}
	switch n.Kind {
	case F32:
		f, err := strconv.ParseFloat(n.Text(), 32)
		if err != nil || math.IsInf(f, 0) {
			s.failSpan(n.Span, "float-range", "a finite F32", "the largest F32 is about 3.4e38")
		}
		n.Value = uint64(math.Float32bits(float32(f)))
	default:
		v, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || v > math.MaxUint32 {
			kind := map[NumKind]string{U32: "a U32", Nat: "a Nat literal"}[n.Kind]
			s.failSpan(n.Span, "number-range", kind+" up to 4294967295", "")
		}
		n.Value = v
	}
	return n
}

func (s *scanner) digits() string {
	start := s.pos
	for isDigit(s.at(0)) {
		s.pos++
	}
	return s.text[start:s.pos]
}

// char reads 'c'.
func (s *scanner) char() *CharLit {
	start := s.pos
	s.take(1)
	if s.pos >= len(s.text) {
		s.fail(s.pos, "char-expected", "a character", "")
	}
	c := s.code()
	if s.at(0) != '\'' {
		s.fail(s.pos, "unclosed-char", "a closing '", "a Char is one character; a String is written with double quotes")
	}
	s.take(1)
	return &CharLit{s.span(start), c}
}

// str reads "...".
func (s *scanner) str() *StringLit {
	start := s.pos
	s.take(1)
	var codes []uint32
	for s.at(0) != '"' {
		if s.pos >= len(s.text) {
			s.fail(s.pos, "unclosed-string", "a closing quote", fmt.Sprintf("the string starts on line %d", s.line(start)))
		}
		codes = append(codes, s.code())
	}
	s.take(1)
	return &StringLit{s.span(start), codes}
}

func (s *scanner) line(at int) int {
	n, _ := s.src.Line(int32(at))
	return n
}

// code reads one code point or escape of a literal.
func (s *scanner) code() uint32 {
	if s.at(0) != '\\' {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		s.pos += n
		return uint32(r)
	}
	start := s.pos
	s.pos += 2
	if s.pos > len(s.text) {
		s.pos = len(s.text)
		s.fail(s.pos, "char-expected", "an escape", "")
	}
	switch s.text[s.pos-1] {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '0':
		return 0
	case '\\', '\'', '"':
		return uint32(s.text[s.pos-1])
	case 'u':
		if s.at(0) != '{' {
			break
		}
		rest := s.text[s.pos+1:]
		end := strings.IndexByte(rest, '}')
		if end < 1 || end > 8 {
			break
		}
		v, err := strconv.ParseUint(rest[:end], 16, 32)
		if err != nil {
			break
		}
		s.pos += end + 2
		return uint32(v)
	}
	s.pos = start
	s.fail(start, "bad-escape", `an escape: \n \t \r \0 \\ \' \" or \u{hex}`, `write \\ for a backslash`)
	return 0
}
