package highlight

import "github.com/alecthomas/chroma/v2"

// c is a lexer for the C of kernels, in every dialect.
var c = chroma.MustNewLexer(&chroma.Config{Name: "kernel in C"}, func() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `#[a-z]+`, Type: chroma.KeywordPseudo},
		{Pattern: `"[^"\n]*"|<[a-z_]+(?:\.h)?>`, Type: chroma.LiteralStringDouble},
		{Pattern: `0x[0-9a-fA-F]+[uUlL]*`, Type: chroma.LiteralNumberHex},
		{Pattern: `[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?)?[uUlLf]*`, Type: chroma.LiteralNumberInteger},
		{Pattern: chroma.Words(`\b`, `\b`, "break", "case", "continue", "constant", "default", "define", "device", "do", "else",
			"extern", "for", "if", "inline", "kernel", "namespace", "return", "static", "struct", "switch", "typedef", "using",
			"volatile", "while"), Type: chroma.Keyword},
		{Pattern: chroma.Words(`\b`, `\b`, "bool", "const", "double", "f32", "f64", "float", "i64", "int", "long", "uint", "ulong",
			"u32", "u64", "unsigned", "void"), Type: chroma.KeywordType},
		{Pattern: `[A-Za-z_][A-Za-z0-9_]*(?=\()`, Type: chroma.NameFunction},
		{Pattern: `[A-Za-z_][A-Za-z0-9_]*`, Type: chroma.Name},
		{Pattern: `[^\sA-Za-z0-9_]`, Type: chroma.Punctuation},
	}}
})

// wat is a lexer for WebAssembly as text.
var wat = chroma.MustNewLexer(&chroma.Config{Name: "kernel in WebAssembly"}, func() chroma.Rules {
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `;;[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `"[^"\n]*"`, Type: chroma.LiteralStringDouble},
		{Pattern: `(?<=\()[a-z]+`, Type: chroma.Keyword},
		{Pattern: `[if](?:32|64)\b(?!\.)`, Type: chroma.KeywordType},
		{Pattern: `-?(?:0x)?[0-9][0-9a-fA-F.]*\b`, Type: chroma.LiteralNumberInteger},
		{Pattern: `\$[^\s()]+`, Type: chroma.NameFunction},
		{Pattern: chroma.Words(`\b`, `\b`, "block", "br", "br_if", "br_table", "call", "else", "end", "if", "loop", "return"), Type: chroma.Keyword},
		{Pattern: `[^\s()]+|[()]`, Type: chroma.Name},
	}}
})

// Kernel returns the text of a kernel for a target ("wasm", or any dialect of C) with the
// colours of a terminal, as Text does for Bend.
func Kernel(text, target string) string {
	if target == "wasm" {
		return paint(wat, text)
	}
	return paint(c, text)
}
