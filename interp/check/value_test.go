package check_test

import (
	"testing"

	"bend/interp/core"
	"bend/interp/norm"
)

// TestValues checks the normal forms of defs that have passed.
func TestValues(t *testing.T) {
	for _, tc := range []struct{ typ, body, want string }{
		{"U32", "(3 * 4 + 1 : U32)", "13"},
		{"U32", "U32.div(7, 0)", "0"},
		{"U32", "U32.mod(7, 0)", "7"},
		{"U32", "(0 - 1 : U32)", "4294967295"},
		{"U32", "U32.mul_hi(4294967295, 4294967295)", "4294967294"},
		{"U32", "U32.shln(1, 31n)", "2147483648"},
		{"U32", "U32.shln(1, 32n)", "0"},
		{"F32", "2.0", "2.0"},
		{"F32", "F32.add(1.0, 2.0)", "F32.add(1.0, 2.0)"},
		{"Nat", "Nat.sub(2n, 5n)", "0n"},
		{"Nat", "Nat.pow(2n, 10n)", "1024n"},
		{"Nat", "U32.log2(1000)", "9n"},
		{"List<Nat>", "[1n, 2n]", "[1n, 2n]"},
		{"Maybe<U32> & String", `(Some{3}, "a\"b")`, `(Some{3}, "a\"b")`},
		{"(U32 & U32) & U32", "((1, 2), 3)", "((1, 2), 3)"},
		{"U32 & U32 & U32", "(1, 2, 3)", "(1, 2, 3)"},
		{"Char", `'\n'`, `'\n'`},
		{"U32 -> U32", "x => (x + 1 : U32)", "x => U32.add(x, 1)"},
		{"U32 -> U32", "U32.add(2)", "U32.add(2)"},
		{"Type", "List<U32>", "List<&1, U32>"},
		{"Type", "Nat & Nat", "Sigma<&1, &1, Nat, _ => Nat>"},
		{"Type", "@x:Nat -> Nat", "@x:Nat -> Nat"},
		{"Type", "Nat | Nat", "Either<&1, &1, Nat, Nat>"},
		{"{Nat.add(2n, 1n) == 3n : Nat}", "{==}", "{==}"},
		{"Nat -> Nat", "n => Nat.add(2n, n)", "n => 2n+n"},
		{"Nat -> Nat", "n => Nat.add(n, 2n)", "n => Nat.add(n, 2n)"},
		{"Nat -> Nat", "n => Nat.mul(2n, n)", "n => Nat.add(n, Nat.add(n, 0n))"},
		{"String", `"ab" ++ "cd"`, `"abcd"`},
		{"String -> String", `s => "ab" ++ s`, `s => SCon{'a', SCon{'b', s}}`},
		{"String", "Nat.show(120n)", `"120"`},
		{"String", "U32.show(120)", `"120"`},
		{"Nat", `String.length("\u{d83d}\u{de00}")`, "2n"},
		{"Bool", `String.eq("ab", "ab")`, "True{}"},
		{"Bool", "(3 < 4 : U32)", "True{}"},
		{"Cmp", "Nat.cmp(3n, 3n)", "EQ{}"},
		{"Nat", "List.length(&2, Nat, List.range(5n))", "5n"},
		{"List<&2, Nat>", "List.sort(~Nat, ~Nat.is_le, [3n, 1n, 2n])", "[1n, 2n, 3n]"},
		{"Array<U32> & U32", "Array.get(U32, Array.set(U32, [0 : U32 * 4n], 5, 42), 1)", "([0, 42, 0, 0], 42)"},
	} {
		b, ds := load(t, tc.body, "def main() -> "+tc.typ+": "+tc.body+"\n")
		if len(ds) > 0 {
			t.Errorf("%s: %s", tc.body, describe(ds[0]))
			continue
		}
		m := norm.New(b)
		got := core.Print(m.Quote(0, m.Eval(nil, b.Defs["main"].Value)), nil, core.PrintOptions{})
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.body, got, tc.want)
		}
	}
}

// TestNatives checks that what is computed natively on literals is what the
// definitions give: with the native switched off by a def that is no longer Base's.
func TestNatives(t *testing.T) {
	for _, body := range []string{
		"Nat.add(3n, 4n)", "Nat.sub(9n, 4n)", "Nat.sub(4n, 9n)", "Nat.mul(6n, 7n)", "Nat.div(17n, 5n)", "Nat.mod(17n, 5n)",
		"Nat.div(17n, 0n)", "Nat.mod(17n, 0n)", "Nat.pow(3n, 4n)", "Nat.pow(0n, 0n)", "Nat.pow(0n, 3n)", "Nat.min(3n, 5n)", "Nat.max(3n, 5n)",
		"Nat.double(7n)", "Nat.cmp(3n, 5n)", "Nat.is_lt(3n, 5n)", "Nat.is_eq(3n, 5n)", "Nat.is_ne(3n, 5n)", "Nat.is_ge(5n, 5n)", "Nat.show(1205n)", "Nat.show(0n)",
		"U32.add(4294967295, 2)", "U32.sub(1, 2)", "U32.mul(70000, 70000)", "U32.mul_hi(70000, 70000)", "U32.div(100, 7)", "U32.mod(100, 7)",
		"U32.div(1, 0)", "U32.mod(9, 0)", "U32.and(12, 10)", "U32.or(12, 10)", "U32.xor(12, 10)", "U32.not(5)", "U32.shl(2147483649)", "U32.shr(3)",
		"U32.shln(3, 4n)", "U32.shrn(300, 4n)", "U32.shln(3, 40n)", "U32.inc(4294967295)", "U32.cmp(3, 4)", "U32.is_gt(3, 4)", "U32.is_zero(0)", "U32.is_even(7)",
		"U32.min(3, 4)", "U32.max(3, 4)", "U32.pow(7, 13n)", "U32.pow(7, 0n)", "U32.log2(0)", "U32.log2(1)", "U32.log2(4096)", "U32.to_nat(77)", "U32.from_nat(77n)",
		"U32.show(90210)", "U32.show(0)", "Char.is_eq('a', 'b')", "Char.is_digit('7')", "Char.is_alpha('Q')", "Char.is_upper('q')", "Char.is_lower('q')", "Char.is_space(' ')",
		`String.append("ab", "cd")`, `String.length("abc")`, `String.is_empty("")`, `String.reverse("abc")`, `String.eq("ab", "ac")`, `String.order("ab", "abc")`,
		`String.is_lt("b", "abc")`, `String.is_le("b", "b")`, `String.is_gt("b", "abc")`, `String.is_ge("a", "abc")`,
	} {
		b, _ := builtBase()
		show := func(b *core.Book) string {
			m := norm.New(b)
			return core.Print(m.Quote(0, m.Eval(nil, expr(t, b, nil, body))), nil, core.PrintOptions{})
		}
		plain := b.Fork()
		for k, d := range plain.Defs {
			own := *d
			own.Base = false
			plain.Defs[k] = &own
		}
		if got, want := show(b), show(plain); got != want {
			t.Errorf("%s: natively %s, by definition %s", body, got, want)
		}
	}
}
