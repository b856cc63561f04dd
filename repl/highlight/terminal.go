package highlight

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/fatih/color"
)

// colours are those of the kinds of tokens on a terminal. They are of the sixteen that
// every terminal has, and that people choose to suit their background.
var colours = func() map[chroma.TokenType]*color.Color {
	m := map[chroma.TokenType]*color.Color{}
	for attr, kinds := range map[color.Attribute][]chroma.TokenType{
		color.FgHiBlack: {chroma.CommentSingle},
		color.FgGreen:   {chroma.LiteralStringDouble, chroma.LiteralStringChar},
		color.FgHiGreen: {chroma.LiteralStringEscape},
		color.FgYellow:  {chroma.LiteralNumberHex, chroma.LiteralNumberFloat, chroma.LiteralNumberInteger, chroma.KeywordConstant},
		color.FgMagenta: {chroma.Keyword, chroma.KeywordPseudo},
		color.FgCyan:    {chroma.KeywordType, chroma.NameClass},
		color.FgBlue:    {chroma.NameFunction},
		color.FgHiRed:   {chroma.NameDecorator, chroma.GenericEmph},
	} {
		c := color.New(attr)
		c.EnableColor()
		for _, k := range kinds {
			m[k] = c
		}
	}
	return m
}()

// Text returns a text in Bend with the colours of a terminal. The visible characters stay
// the same, and no colour goes on past the end of a line.
func Text(text string) string { return paint(Lexer, text) }

func paint(l chroma.Lexer, text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	it, err := l.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return text
	}
	var b strings.Builder
	for t := it(); t != chroma.EOF; t = it() {
		if c := colours[t.Type]; c != nil {
			b.WriteString(c.Sprint(t.Value))
		} else {
			b.WriteString(t.Value)
		}
	}
	return b.String()
}
