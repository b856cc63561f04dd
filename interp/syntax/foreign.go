package syntax

import (
	"regexp"
	"strings"
)

// foreignWords are words of other languages that people begin a term with, and what takes
// their place here.
var foreignWords = map[string]string{}

func init() {
	for hint, words := range map[string]string{
		"there is no if: match on the Bool, or take Bool.pick(A, b, x, y)": "if unless",
		"a name is bound without a word: write x = v":                      "let const var val mut",
		"a function is written x => body":                                  "fn fun func function lambda",
		"there are no loops: a def calls itself":                           "for while loop until foreach",
		"a type is declared by type T is Data: A{} B{x: U32}":              "data enum struct class record union",
		"a match takes a value apart: match x: case A{}: ..":               "switch when",
		"negation is Bool.not(b)":                                          "not",
		"a file is taken by import ./file.bend as Name":                    "use include require from",
		"a module is a file: import ./file.bend as Name":                   "module namespace package",
	} {
		for _, w := range strings.Fields(words) {
			foreignWords[w] = hint
		}
	}
}

// foreignMarks are marks of other languages at which reading ends.
var foreignMarks = []struct{ mark, hint string }{
	{"//", "a comment starts with #"},
	{"/*", "a comment starts with #"},
	{"--", "a comment starts with #"},
	{":=", "a name is bound by ="},
	{"**", "a power is a call, such as U32.pow(a, b), F32.pow(a, b)"},
	{"^", "a power is a call, such as U32.pow(a, b), F32.pow(a, b)"},
	{"!", "negation is Bool.not(b); the ! of a call stands behind the name of its def: f!(x)"},
}

// starters are the words that terms begin with.
var starters = regexp.MustCompile(`(?:^|[=:>(,]) *([A-Za-z_]+)`)

// apart is a let that takes a pair apart, at the end of a text.
var apart = regexp.MustCompile(`(?:^|\n) *\([A-Za-z0-9_+, ]*\) *=[^=\n]*\s*$`)

// equation is what begins a def in languages of equations.
var equation = regexp.MustCompile(`^ *[a-z][A-Za-z0-9_]*\([A-Za-z0-9_, ]*\) *=[^=>]`)

// foreignHint says what takes the place of what somebody has brought from another language:
// of a word that a term of the line begins with, or of what stands at offset at, where
// reading ended.
func foreignHint(text string, at int) string {
	line := strings.LastIndexByte(text[:at], '\n') + 1
	for _, word := range starters.FindAllStringSubmatch(text[line:at], -1) {
		if hint := foreignWords[word[1]]; hint != "" {
			return hint
		}
	}
	if at == len(text) && apart.MatchString(text) {
		return "what the names are for has to follow; at the prompt a pair is kept whole, p = .., and taken apart in a def"
	}
	if equation.MatchString(text[line:at]) {
		return "a def is written def f(x: T) -> U: .., over a line of its own"
	}
	for _, m := range foreignMarks {
		// The first half of a mark may be one of our own.
		if strings.HasPrefix(text[at:], m.mark) || len(m.mark) == 2 && at > 0 && strings.HasPrefix(text[at-1:], m.mark) {
			return m.hint
		}
	}
	return ""
}
