package cgen

import (
	"fmt"
	"strings"

	"bend/interp/flat"
)

// Templates of the primitives: $a and $b are the arguments as words, and for those of
// Bool the template is a condition.
var tests = map[flat.Op]string{
	flat.OpIsTrue: "bend_index($a) != 0", flat.OpNatIsZero: "$a == 0",
	flat.OpBit: "$b < 32 && ((u32)$a >> ($b & 31) & 1) != 0",

	flat.OpU32IsEq: "$a == $b", flat.OpU32IsNe: "$a != $b", flat.OpU32IsLt: "$a < $b",
	flat.OpU32IsLe: "$a <= $b", flat.OpU32IsGt: "$a > $b", flat.OpU32IsGe: "$a >= $b",
	flat.OpU32IsZero: "$a == 0", flat.OpU32IsEven: "($a & 1) == 0",

	flat.OpNatIsEq: "$a == $b", flat.OpNatIsNe: "$a != $b", flat.OpNatIsLt: "$a < $b",
	flat.OpNatIsLe: "$a <= $b", flat.OpNatIsGt: "$a > $b", flat.OpNatIsGe: "$a >= $b",

	flat.OpBoolNot: "bend_index($a) == 0", flat.OpBoolAnd: "(bend_index($a) & bend_index($b)) != 0",
	flat.OpBoolOr: "(bend_index($a) | bend_index($b)) != 0", flat.OpBoolXor: "$a != $b",
	flat.OpCmpIsLt: "bend_index($a) == 0", flat.OpCmpIsEq: "bend_index($a) == 1", flat.OpCmpIsGt: "bend_index($a) == 2",
	flat.OpCmpIsLe: "bend_index($a) != 2", flat.OpCmpIsGe: "bend_index($a) != 0",

	flat.OpCharIsEq: "$a == $b", flat.OpCharIsDigit: "$a >= 48 && $a <= 57",
	flat.OpCharIsUpper: "$a >= 65 && $a <= 90", flat.OpCharIsLower: "$a >= 97 && $a <= 122",
	flat.OpCharIsAlpha: "($a >= 65 && $a <= 90) || ($a >= 97 && $a <= 122)",
	flat.OpCharIsSpace: "$a == 32 || ($a >= 9 && $a <= 13)",

	flat.OpF32IsEq: "F32_OF($a) == F32_OF($b)", flat.OpF32IsNe: "F32_OF($a) != F32_OF($b)",
	flat.OpF32IsLt: "F32_OF($a) < F32_OF($b)", flat.OpF32IsLe: "F32_OF($a) <= F32_OF($b)",
	flat.OpF32IsGt: "F32_OF($a) > F32_OF($b)", flat.OpF32IsGe: "F32_OF($a) >= F32_OF($b)",
}

var values = map[flat.Op]string{
	flat.OpNatPred: "$a - 1",

	flat.OpU32Inc: "(u32)($a + 1)", flat.OpU32Add: "(u32)($a + $b)", flat.OpU32Sub: "(u32)($a - $b)",
	flat.OpU32Mul: "(u32)((u32)$a * (u32)$b)", flat.OpU32MulHi: "($a * $b) >> 32",
	flat.OpU32Div: "$b == 0 ? 0 : (u32)$a / (u32)$b", flat.OpU32Mod: "$b == 0 ? $a : (u32)$a % (u32)$b",
	flat.OpU32Not: "(u32)~$a", flat.OpU32And: "$a & $b", flat.OpU32Or: "$a | $b", flat.OpU32Xor: "$a ^ $b",
	flat.OpU32Shl: "(u32)($a << 1)", flat.OpU32Shr: "$a >> 1",
	flat.OpU32Shln: "$b < 32 ? (u32)((u32)$a << (u32)($b & 31)) : 0", flat.OpU32Shrn: "$b < 32 ? $a >> ($b & 31) : 0",
	flat.OpU32Cmp: "bend_order($a, $b)",
	flat.OpU32Min: "$a < $b ? $a : $b", flat.OpU32Max: "$a > $b ? $a : $b", flat.OpU32Log2: "bend_u32_log2($a)",
	flat.OpU32ToNat: "$a", flat.OpU32FromNat: "(u32)$a", flat.OpU32ToF32: "bend_f32((f32)(u32)$a)",

	flat.OpNatAdd: "bend_nat(m, lane, $a + $b)", flat.OpNatSub: "$a < $b ? 0 : $a - $b",
	flat.OpNatMul: "bend_nat_mul(m, lane, $a, $b)", flat.OpNatDouble: "bend_nat(m, lane, $a + $a)",
	flat.OpNatDiv: "$b == 0 ? 0 : $a / $b", flat.OpNatMod: "$b == 0 ? $a : $a % $b",
	flat.OpNatCmp: "bend_order($a, $b)", flat.OpNatMin: "$a < $b ? $a : $b", flat.OpNatMax: "$a > $b ? $a : $b",

	flat.OpBoolCmp: "bend_order($a, $b)", flat.OpBoolToU32: "bend_index($a)",
	flat.OpCharToU32: "$a", flat.OpCharFromU32: "bend_char(m, lane, $a)",
	flat.OpCharToUpper: "$a >= 97 && $a <= 122 ? $a - 32 : $a", flat.OpCharToLower: "$a >= 65 && $a <= 90 ? $a + 32 : $a",

	flat.OpF32Add: "bend_f32(F32_OF($a) + F32_OF($b))", flat.OpF32Sub: "bend_f32(F32_OF($a) - F32_OF($b))",
	flat.OpF32Mul: "bend_f32(F32_OF($a) * F32_OF($b))", flat.OpF32Div: "bend_f32(F32_OF($a) / F32_OF($b))",
	flat.OpF32Mod: "bend_f32(bend_mod(F32_OF($a), F32_OF($b)))",
	flat.OpF32Neg: "$a ^ W(0x80000000)", flat.OpF32Abs: "$a & W(0x7fffffff)",
	flat.OpF32Sqrt: "bend_f32(F32_SQRT(F32_OF($a)))", flat.OpF32Floor: "bend_f32(F32_FLOOR(F32_OF($a)))",
	flat.OpF32Ceil: "bend_f32(F32_CEIL(F32_OF($a)))", flat.OpF32Trunc: "bend_f32(F32_TRUNC(F32_OF($a)))",
	flat.OpF32ToU32: "bend_f32_to_u32(F32_OF($a))", flat.OpF32Bits: "$a",
}

// functions are the functions of F32 that text/f32.c computes in double precision, and
// devices have versions of.
var functions = map[flat.Op]string{
	flat.OpF32Pow: "pow", flat.OpF32Atan2: "atan2", flat.OpF32Exp: "exp", flat.OpF32Log: "log",
	flat.OpF32Log2: "log2", flat.OpF32Log10: "log10", flat.OpF32Sin: "sin", flat.OpF32Cos: "cos",
	flat.OpF32Tan: "tan", flat.OpF32Asin: "asin", flat.OpF32Acos: "acos", flat.OpF32Atan: "atan",
	flat.OpF32Sinh: "sinh", flat.OpF32Cosh: "cosh", flat.OpF32Tanh: "tanh",
}

func fill(template string, args []flat.Atom) string {
	s := strings.ReplaceAll(template, "$a", atom(args[0]))
	return strings.ReplaceAll(s, "$b", atom(args[len(args)-1]))
}

// test returns the condition that a primitive computes.
func (p *printer) test(o flat.Op, args []flat.Atom) string {
	if t, ok := tests[o]; ok {
		return fill(t, args)
	}
	return fmt.Sprintf("bend_index(%s) != 0", p.prim(o, args))
}

// prim returns the word that a primitive computes.
func (p *printer) prim(o flat.Op, args []flat.Atom) string {
	if t, ok := tests[o]; ok {
		return "bend_bool(" + fill(t, args) + ")"
	}
	name, ok := functions[o]
	if !ok {
		return fill(values[o], args)
	}
	f, arg := "F32_OWN("+name+")", "F32_OF($a)"
	if o.NumArgs() == 2 {
		arg += ", F32_OF($b)"
	}
	if p.options.OwnFunctions {
		return fill("bend_f32("+f+"("+arg+"))", args)
	}
	if p.options.Target == Metal {
		p.err = fmt.Errorf("%s takes double precision, which Metal has not (with strict-floats off, Metal's own %s is taken)", o, name)
	}
	p.functions = true
	return fill("bend_f32((f32)bend_"+name+"("+arg+"))", args)
}
