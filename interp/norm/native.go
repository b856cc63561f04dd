package norm

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"bend/interp/core"
	"bend/interp/syntax"
)

// natives computes defs of Base on closed literals; a result is always the value that
// the definition gives. A function returns nil where it does not apply, and then the
// definition is used.
var natives = map[string]func(m *Machine, args []Value) Value{}

// maxNat bounds the literals and the successors that natives make.
const maxNat = 1 << 62

func init() {
	natNatives()
	u32Natives()
	textNatives()
}

func natNatives() {
	natives["Nat.add"] = func(m *Machine, a []Value) Value {
		n, rest := m.nat(a[0])
		if n == 0 {
			return nil
		}
		if rest != nil {
			head := &Ref{Def: m.Book.Defs["Nat.add"]}
			return &Succs{n, &Neu{Head: head, Args: []Value{rest, a[1]}}}
		}
		if b, ok := known(a[1]).(*Lit); ok && n+b.N < maxNat {
			return &Lit{syntax.Nat, n + b.N}
		}
		return &Succs{n, a[1]}
	}
	nat2 := func(key string, f func(a, b uint64) (uint64, bool)) {
		natives[key] = func(m *Machine, a []Value) Value {
			if x, y, ok := m.nats(a[0], a[1]); ok {
				if r, ok := f(x, y); ok {
					return &Lit{syntax.Nat, r}
				}
			}
			return nil
		}
	}
	nat2("Nat.sub", func(a, b uint64) (uint64, bool) { return a - min(a, b), true })
	nat2("Nat.mul", mulNat)
	nat2("Nat.div", func(a, b uint64) (uint64, bool) {
		if b == 0 {
			return 0, true
		}
		return a / b, true
	})
	nat2("Nat.mod", func(a, b uint64) (uint64, bool) {
		if b == 0 {
			return a, true
		}
		return a % b, true
	})
	nat2("Nat.pow", func(a, b uint64) (uint64, bool) {
		r, ok := uint64(1), true
		if a <= 1 && b > 0 {
			return a, true
		}
		for ; b > 0 && ok; b-- {
			r, ok = mulNat(r, a)
		}
		return r, ok
	})
	nat2("Nat.min", func(a, b uint64) (uint64, bool) { return min(a, b), true })
	nat2("Nat.max", func(a, b uint64) (uint64, bool) { return max(a, b), true })
	natives["Nat.double"] = func(m *Machine, a []Value) Value {
		if n, rest := m.nat(a[0]); rest == nil && n < maxNat/2 {
			return &Lit{syntax.Nat, 2 * n}
		}
		return nil
	}
	natives["Nat.cmp"] = func(m *Machine, a []Value) Value {
		if x, y, ok := m.nats(a[0], a[1]); ok {
			return m.order(cmp.Compare(x, y))
		}
		return nil
	}
	for name, test := range tests {
		natives["Nat."+name] = func(m *Machine, a []Value) Value {
			if x, y, ok := m.nats(a[0], a[1]); ok {
				return m.boolean(test(cmp.Compare(x, y)))
			}
			return nil
		}
	}
	natives["Nat.show"] = func(m *Machine, a []Value) Value {
		if n, rest := m.nat(a[0]); rest == nil {
			return text(strconv.FormatUint(n, 10))
		}
		return nil
	}
}

// tests gives the meaning of the comparisons on a three-way result.
var tests = map[string]func(c int) bool{
	"is_lt": func(c int) bool { return c < 0 },
	"is_le": func(c int) bool { return c <= 0 },
	"is_eq": func(c int) bool { return c == 0 },
	"is_ne": func(c int) bool { return c != 0 },
	"is_ge": func(c int) bool { return c >= 0 },
	"is_gt": func(c int) bool { return c > 0 },
}

func mulNat(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0 && lo < maxNat
}

func u32Natives() {
	type word = uint32
	u1 := func(key string, f func(a word) Value) {
		natives[key] = func(m *Machine, a []Value) Value {
			if x, ok := m.u32(a[0]); ok {
				return f(x)
			}
			return nil
		}
	}
	u2 := func(key string, f func(a, b word) word) {
		natives[key] = func(m *Machine, a []Value) Value {
			x, ok := m.u32(a[0])
			if !ok {
				return nil
			}
			y, ok := m.u32(a[1])
			if !ok {
				return nil
			}
			return number(f(x, y))
		}
	}
	u1("U32.inc", func(a word) Value { return number(a + 1) })
	u1("U32.not", func(a word) Value { return number(^a) })
	u1("U32.shl", func(a word) Value { return number(a << 1) })
	u1("U32.shr", func(a word) Value { return number(a >> 1) })
	u1("U32.to_nat", func(a word) Value { return &Lit{syntax.Nat, uint64(a)} })
	u1("U32.show", func(a word) Value { return text(strconv.FormatUint(uint64(a), 10)) })
	u1("U32.log2", func(a word) Value { return &Lit{syntax.Nat, uint64(bits.Len32(a|1) - 1)} })
	u2("U32.add", func(a, b word) word { return a + b })
	u2("U32.sub", func(a, b word) word { return a - b })
	u2("U32.mul", func(a, b word) word { return a * b })
	u2("U32.mul_hi", func(a, b word) word { hi, _ := bits.Mul32(a, b); return hi })
	u2("U32.and", func(a, b word) word { return a & b })
	u2("U32.or", func(a, b word) word { return a | b })
	u2("U32.xor", func(a, b word) word { return a ^ b })
	u2("U32.min", func(a, b word) word { return min(a, b) })
	u2("U32.max", func(a, b word) word { return max(a, b) })
	u2("U32.div", func(a, b word) word {
		if b == 0 {
			return 0
		}
		return a / b
	})
	u2("U32.mod", func(a, b word) word {
		if b == 0 {
			return a
		}
		return a % b
	})
	uN := func(key string, f func(a word, n uint64) word) {
		natives[key] = func(m *Machine, a []Value) Value {
			x, ok := m.u32(a[0])
			if !ok {
				return nil
			}
			if n, rest := m.nat(a[1]); rest == nil {
				return number(f(x, n))
			}
			return nil
		}
	}
	uN("U32.shln", func(a word, n uint64) word { return a << min(n, 32) })
	uN("U32.shrn", func(a word, n uint64) word { return a >> min(n, 32) })
	uN("U32.pow", func(a word, n uint64) word {
		r := word(1)
		for ; n > 0; n >>= 1 {
			if n&1 == 1 {
				r *= a
			}
			a *= a
		}
		return r
	})
	natives["U32.from_nat"] = func(m *Machine, a []Value) Value {
		if n, rest := m.nat(a[0]); rest == nil {
			return number(uint32(n))
		}
		return nil
	}
	natives["U32.cmp"] = func(m *Machine, a []Value) Value {
		if x, y, ok := m.u32s(a[0], a[1]); ok {
			return m.order(cmp.Compare(x, y))
		}
		return nil
	}
	for name, test := range tests {
		natives["U32."+name] = func(m *Machine, a []Value) Value {
			if x, y, ok := m.u32s(a[0], a[1]); ok {
				return m.boolean(test(cmp.Compare(x, y)))
			}
			return nil
		}
	}
	natives["U32.is_zero"] = func(m *Machine, a []Value) Value {
		if x, ok := m.u32(a[0]); ok {
			return m.boolean(x == 0)
		}
		return nil
	}
	natives["U32.is_even"] = func(m *Machine, a []Value) Value {
		if x, ok := m.u32(a[0]); ok {
			return m.boolean(x&1 == 0)
		}
		return nil
	}
}

func textNatives() {
	natives["Char.is_eq"] = func(m *Machine, a []Value) Value {
		x, ok := m.char(a[0])
		if !ok {
			return nil
		}
		y, ok := m.char(a[1])
		if !ok {
			return nil
		}
		return m.boolean(x == y)
	}
	charTest := func(key string, f func(c uint32) bool) {
		natives[key] = func(m *Machine, a []Value) Value {
			if x, ok := m.char(a[0]); ok {
				return m.boolean(f(x))
			}
			return nil
		}
	}
	in := func(c, lo, hi uint32) bool { return lo <= c && c <= hi }
	charTest("Char.is_digit", func(c uint32) bool { return in(c, '0', '9') })
	charTest("Char.is_upper", func(c uint32) bool { return in(c, 'A', 'Z') })
	charTest("Char.is_lower", func(c uint32) bool { return in(c, 'a', 'z') })
	charTest("Char.is_alpha", func(c uint32) bool { return in(c, 'A', 'Z') || in(c, 'a', 'z') })
	charTest("Char.is_space", func(c uint32) bool { return c == ' ' || in(c, 9, 13) })
	natives["String.append"] = func(m *Machine, a []Value) Value {
		x, ok := m.str(a[0])
		if !ok {
			return nil
		}
		if len(x) == 0 {
			return a[1]
		}
		// The right side is not needed to see the first character, so it is
		// evaluated only where that cannot nest deeply.
		b := known(a[1])
		if b == nil && m.depth < 1000 {
			b = m.Whnf(a[1])
		}
		if y, ok := b.(*Str); ok {
			return &Str{slices.Concat(x, y.Codes)}
		}
		return nil
	}
	natives["String.length"] = func(m *Machine, a []Value) Value {
		if x, ok := m.str(a[0]); ok {
			return &Lit{syntax.Nat, uint64(len(x))}
		}
		return nil
	}
	natives["String.is_empty"] = func(m *Machine, a []Value) Value {
		if x, ok := m.str(a[0]); ok {
			return m.boolean(len(x) == 0)
		}
		return nil
	}
	natives["String.reverse"] = func(m *Machine, a []Value) Value {
		if x, ok := m.str(a[0]); ok {
			y := slices.Clone(x)
			slices.Reverse(y)
			return &Str{y}
		}
		return nil
	}
	compare := func(key string, f func(m *Machine, c int) Value) {
		natives[key] = func(m *Machine, a []Value) Value {
			x, ok := m.str(a[0])
			if !ok {
				return nil
			}
			y, ok := m.str(a[1])
			if !ok {
				return nil
			}
			return f(m, slices.Compare(x, y))
		}
	}
	compare("String.order", (*Machine).order)
	compare("String.eq", func(m *Machine, c int) Value { return m.boolean(c == 0) })
	for _, name := range []string{"is_lt", "is_le", "is_gt", "is_ge"} {
		compare("String."+name, func(m *Machine, c int) Value { return m.boolean(tests[name](c)) })
	}
}

// known returns the value of v if that is known without evaluation, else nil.
func known(v Value) Value {
	switch u := v.(type) {
	case *Thunk:
		if u.done {
			return u.val
		}
		return nil
	case *Neu:
		if u.done {
			return u.res
		}
		return nil
	}
	return v
}

// nat reads v as successors around what is not one: the rest is nil for a literal.
func (m *Machine) nat(v Value) (n uint64, rest Value) {
	const most = 64 // layers opened one by one
	for opened := 0; n < maxNat; {
		v = m.Whnf(v)
		if succs(v) > maxNat-n {
			break
		}
		switch u := v.(type) {
		case *Lit:
			if u.Kind != syntax.Nat {
				return n, u
			}
			return n + u.N, nil
		case *Succs:
			n, v = n+u.N, u.T
		case *Ctr:
			opened++
			if !u.Ctor.Data.Base || u.Ctor.Key != "Succ" || len(u.Args) != 1 || opened > most {
				if u.Ctor.Key == "Zero" && u.Ctor.Data.Base {
					return n, nil
				}
				return n, u
			}
			n, v = n+1, u.Args[0]
		default:
			return n, u
		}
	}
	return n, v
}

func (m *Machine) nats(a, b Value) (x, y uint64, ok bool) {
	x, rest := m.nat(a)
	if rest != nil {
		return 0, 0, false
	}
	y, rest = m.nat(b)
	return x, y, rest == nil
}

// u32 reads v as a closed U32.
func (m *Machine) u32(v Value) (uint32, bool) {
	switch u := m.Whnf(v).(type) {
	case *Lit:
		return uint32(u.N), u.Kind == syntax.U32
	case *Ctr:
		if u.Ctor.Key == "U32" && len(u.Args) == 1 {
			return m.word(u.Args[0])
		}
	}
	return 0, false
}

func (m *Machine) u32s(a, b Value) (x, y uint32, ok bool) {
	if x, ok = m.u32(a); ok {
		y, ok = m.u32(b)
	}
	return x, y, ok
}

// word reads v as a closed chain of 32 bits.
func (m *Machine) word(v Value) (uint32, bool) {
	var bits uint32
	for i := 0; i <= 32; i++ {
		switch u := m.Whnf(v).(type) {
		case *Word:
			if u.Left != 32-i {
				return 0, false
			}
			if i < 32 {
				bits |= u.Bits << i
			}
			return bits, true
		case *Ctr:
			if u.Ctor.Key == "WNil" {
				return bits, i == 32
			}
			if u.Ctor.Key != "WCon" || len(u.Args) != 2 || i == 32 {
				return 0, false
			}
			bit, ok := m.Whnf(u.Args[0]).(*Ctr)
			if !ok {
				return 0, false
			}
			if bit.Ctor.Key == "True" {
				bits |= 1 << i
			}
			v = u.Args[1]
		default:
			return 0, false
		}
	}
	return 0, false
}

func (m *Machine) char(v Value) (uint32, bool) {
	if u, ok := m.Whnf(v).(*Ctr); ok && u.Ctor.Key == "Chr" && len(u.Args) == 1 {
		return m.u32(u.Args[0])
	}
	return 0, false
}

func (m *Machine) str(v Value) ([]uint32, bool) {
	switch u := m.Whnf(v).(type) {
	case *Str:
		return u.Codes, true
	case *Ctr:
		return nil, u.Ctor.Key == "SNil"
	}
	return nil, false
}

func (m *Machine) con(key string) Value {
	if c := m.Book.Ctors[key]; c != nil {
		return &Ctr{Ctor: c}
	}
	return nil
}

func (m *Machine) boolean(b bool) Value {
	if b {
		return m.con("True")
	}
	return m.con("False")
}

func (m *Machine) order(c int) Value { return m.con([...]string{"LT", "EQ", "GT"}[c+1]) }

func number(n uint32) Value { return &Lit{syntax.U32, uint64(n)} }

func text(s string) Value {
	var codes []uint32
	for _, r := range s {
		codes = append(codes, uint32(r))
	}
	return &Str{codes}
}

// IsBase reports whether the literal kind k has its own datatype in d.
func IsBase(d *core.Datatype, k syntax.NumKind) bool {
	return d.Base && d.Key == [...]string{"U32", "Nat", "F32"}[k]
}
