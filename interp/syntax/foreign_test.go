package syntax

import (
	"strings"
	"testing"
)

// TestForeign reads what people bring from other languages: the report says what is written
// here instead.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"if a then b else c":          "there is no if",
		"if a { b }":                  "there is no if",
		"x = if a then b":             "there is no if",
		"let x = 3":                   "x = v",
		"let x = 3\nx":                "x = v",
		"const x = 3":                 "x = v",
		"fn x => x":                   "a function is written x => body",
		"f(lambda x: x)":              "a function is written x => body",
		`\x -> x`:                     "a function is x => body",
		"while a: b":                  "there are no loops",
		"for i in xs: i":              "there are no loops",
		"[x for x in xs]":             "there are no loops",
		"data X = A | B":              "type T is Data",
		"class A {}":                  "type T is Data",
		"not True{}":                  "Bool.not",
		"!True{}":                     "Bool.not",
		"2 ** 3":                      "a power is a call",
		"2^3":                         "a power is a call",
		"x := 3":                      "a name is bound by =",
		"// a comment":                "a comment starts with #",
		"1 // a comment":              "a comment starts with #",
		"-- a comment":                "a comment starts with #",
		"-3":                          "no negative literals",
		"f 3":                         "a call has parentheses: f(..)",
		`IO.print "hi"`:               "a call has parentheses: IO.print(..)",
		"Nat.add 1n 2n":               "a call has parentheses: Nat.add(..)",
		"f x":                         "a call is f(x)",
		"(1, 2).0":                    "a pair is taken apart",
		"1, 2":                        "a pair (a, b) or a list [a, b]",
		"[1n] : List<Nat>":            "in braces: {e : T}",
		"return 3":                    "the value of a def is its last line",
		"a == b":                      "U32.is_eq",
		"f(1":                         "",
		"def f(x: U32) -> U32: g x\n": "a call is f(x)",
		"def f(x: U32) -> U32:\n  if x: 1\n  else: 2\n": "there is no if",
		"law a for x: Nat {x == x : Nat}":               "",
	} {
		_, d := ParsePrompt(NewSource("test", text))
		switch {
		case d == nil:
			t.Errorf("%s is accepted", text)
		case !strings.Contains(d.Hint, want) || want == "" && d.Hint != "":
			t.Errorf("%s: hint %q, want %q", text, d.Hint, want)
		}
	}
	for _, text := range []string{"data", "loop(3)", "print(x)", "not", "f(if)", "val", "x = let", "a b = f(x) g(y)\na"} {
		if _, d := ParsePrompt(NewSource("test", text)); d != nil {
			t.Errorf("%s: %v", text, d)
		}
	}
}
