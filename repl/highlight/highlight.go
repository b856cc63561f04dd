// Package highlight colours the text of Bend programs: Lexer takes it apart into tokens
// for any formatter of chroma, and Text writes it with the colours of a terminal.
package highlight

import (
	"strings"

	"github.com/alecthomas/chroma/v2"

	"bend/interp/syntax"
)

// Lexer is a lexer for Bend. No text is an error: what a program must not hold, such as
// an open string, is coloured up to the end of its line.
var Lexer chroma.Lexer = chroma.MustNewLexer(&chroma.Config{
	Name:      "Bend",
	Aliases:   []string{"bend"},
	Filenames: []string{"*.bend"},
	MimeTypes: []string{"text/x-bend"},
}, rules)

// escape is an escape sequence in a text or a character.
const escape = `\\(?:u\{[0-9a-fA-F]*\}?|[^\n])`

func rules() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `[ \t\r\n]+`, Type: chroma.TextWhitespace},
		{Pattern: `#[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `"`, Type: chroma.LiteralStringDouble, Mutator: chroma.Push("string")},
		{Pattern: `'(?:` + escape + `|[^\\\n])'`, Type: chroma.LiteralStringChar},
		{Pattern: `@unsafe\b`, Type: chroma.KeywordPseudo},
		{Pattern: `0x[0-9a-fA-F]+`, Type: chroma.LiteralNumberHex},
		{Pattern: `[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?`, Type: chroma.LiteralNumberFloat},
		{Pattern: `[0-9]+n?`, Type: chroma.LiteralNumberInteger},
		{Pattern: `&[0-9]+`, Type: chroma.KeywordConstant},
		{Pattern: `[A-Za-z_][A-Za-z0-9_.]*`, Type: chroma.EmitterFunc(word)},
		{Pattern: `!(?=\()`, Type: chroma.NameDecorator},
		{Pattern: `\?[A-Za-z_][A-Za-z0-9_]*`, Type: chroma.GenericEmph},
		{Pattern: `->|=>|<-|<>|\+\+|==|!=|<=|>=|&&|\|\||<<|>>`, Type: chroma.Operator},
		{Pattern: `[-+*/%<>=&|^!~@:?.$\\]`, Type: chroma.Operator},
		{Pattern: `[(){}\[\],;]`, Type: chroma.Punctuation},
		{Pattern: `[^\n]`, Type: chroma.Other},
	}, "string": {
		{Pattern: `"`, Type: chroma.LiteralStringDouble, Mutator: chroma.Pop(1)},
		{Pattern: escape, Type: chroma.LiteralStringEscape},
		{Pattern: `[^"\\\n]+`, Type: chroma.LiteralStringDouble},
		{Pattern: `\\`, Type: chroma.LiteralStringDouble},
		{Pattern: `\n`, Type: chroma.TextWhitespace, Mutator: chroma.Pop(1)},
	}}
}

// word tells what kind of word one is: the case of its last part's first letter says
// whether it names a type or a constructor, or a def.
func word(groups []string, _ *chroma.LexerState) chroma.Iterator {
	text := groups[0]
	kind := chroma.Name
	last := text[strings.LastIndexByte(text, '.')+1:]
	switch {
	case text == "Type" || text == "Data" || text == "Kind" || text == "Quant":
		kind = chroma.KeywordType
	case text == "as" || syntax.Reserved(text):
		kind = chroma.Keyword
	case last != "" && last[0] >= 'A' && last[0] <= 'Z':
		kind = chroma.NameClass
	case strings.Contains(text, "."):
		kind = chroma.NameFunction
	}
	return chroma.Literator(chroma.Token{Type: kind, Value: text})
}
