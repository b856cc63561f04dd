package core

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"bend/interp/syntax"
)

// ctr prints a constructor: as a number, a text, a list, a tuple or an array if its
// name and fields allow it, which is decided by constructor names alone.
func (p *printer) ctr(t *Ctr, pos int) {
	switch t.Key {
	case "U32", "F32":
		if n, ok := WordBits(t.Args); ok {
			if t.Key == "U32" {
				p.write(strconv.FormatUint(uint64(n), 10))
			} else {
				p.write(ShowF32(n))
			}
			return
		}
	case "Zero", "Succ":
		if p.nat(t, pos) {
			return
		}
	case "Chr":
		if len(t.Args) == 1 {
			if c, ok := u32Of(t.Args[0]); ok {
				p.write(quote([]uint32{c}, '\'', 0))
				return
			}
		}
	case "SNil", "SCon":
		if codes, ok := stringOf(t); ok {
			p.write(quote(codes, '"', p.opts.MaxElems))
			return
		}
	case "Nil", "Con":
		if p.chain(t, pos) {
			return
		}
	case "Tuple":
		if len(t.Args) == 2 {
			p.tuple(t)
			return
		}
	case "ALeaf", "ANode":
		if leaves, ok := leavesOf(t); ok {
			p.write("[")
			p.elems(leaves)
			p.write("]")
			return
		}
	}
	p.write(p.opts.Name(t.Key) + "{")
	p.list(t.Args)
	p.write("}")
}

// elems prints elements with commas, at most MaxElems.
func (p *printer) elems(ts []Term) {
	for i, t := range ts {
		if i > 0 {
			p.write(", ")
		}
		if p.opts.MaxElems > 0 && i >= p.opts.MaxElems {
			p.write("...")
			return
		}
		p.term(t, arg)
	}
}

func (p *printer) nat(t *Ctr, pos int) bool {
	n := new(big.Int)
	one := big.NewInt(1)
	var rest Term = t
	for {
		c, ok := rest.(*Ctr)
		if !ok || c.Key != "Succ" || len(c.Args) != 1 {
			break
		}
		n.Add(n, one)
		rest = c.Args[0]
	}
	switch r := rest.(type) {
	case *Ctr:
		if r.Key == "Zero" {
			p.write(n.String() + "n")
			return true
		}
	case *Lit:
		if r.Kind == syntax.Nat {
			p.write(n.Add(n, new(big.Int).SetUint64(r.N)).String() + "n")
			return true
		}
	}
	if n.Sign() == 0 {
		return false
	}
	p.wrap(pos == head, func() {
		p.write(n.String() + "n+")
		p.term(rest, tail)
	})
	return true
}

// chain prints a list: in brackets when it ends, with <> when its tail is stuck.
func (p *printer) chain(t *Ctr, pos int) bool {
	var elems []Term
	var rest Term = t
	for {
		c, ok := rest.(*Ctr)
		if !ok || c.Key != "Con" || len(c.Args) != 2 {
			break
		}
		elems = append(elems, c.Args[0])
		rest = c.Args[1]
	}
	if c, ok := rest.(*Ctr); ok && c.Key == "Nil" && len(c.Args) == 0 {
		p.write("[")
		p.elems(elems)
		p.write("]")
		return true
	}
	if len(elems) == 0 {
		return false
	}
	p.wrap(pos == head, func() {
		for i, e := range elems {
			if p.opts.MaxElems > 0 && i >= p.opts.MaxElems {
				p.write("... <> ")
				break
			}
			p.term(e, head)
			p.write(" <> ")
		}
		p.term(rest, tail)
	})
	return true
}

func (p *printer) tuple(t *Ctr) {
	var elems []Term
	for {
		elems = append(elems, t.Args[0])
		next, ok := t.Args[1].(*Ctr)
		if !ok || next.Key != "Tuple" || len(next.Args) != 2 {
			break
		}
		t = next
	}
	p.write("(")
	p.elems(append(elems, t.Args[1]))
	p.write(")")
}

// leavesOf returns the leaves of an array tree in index order.
func leavesOf(t Term) ([]Term, bool) {
	var leaves []Term
	todo := []Term{t}
	for len(todo) > 0 {
		c, ok := todo[len(todo)-1].(*Ctr)
		todo = todo[:len(todo)-1]
		switch {
		case ok && c.Key == "ALeaf" && len(c.Args) == 1:
			leaves = append(leaves, c.Args[0])
		case ok && c.Key == "ANode" && len(c.Args) == 2:
			todo = append(todo, c.Args[1], c.Args[0])
		default:
			return nil, false
		}
	}
	return leaves, true
}

// WordBits returns the 32 bits of a word in full, the fields of a U32 or an F32.
func WordBits(args []Term) (uint32, bool) {
	if len(args) != 1 {
		return 0, false
	}
	var n uint32
	t := args[0]
	for i := range 32 {
		c, ok := t.(*Ctr)
		if !ok || c.Key != "WCon" || len(c.Args) != 2 {
			return 0, false
		}
		b, ok := c.Args[0].(*Ctr)
		if !ok {
			return 0, false
		}
		switch b.Key {
		case "True":
			n |= 1 << i
		case "False":
		default:
			return 0, false
		}
		t = c.Args[1]
	}
	c, ok := t.(*Ctr)
	return n, ok && c.Key == "WNil"
}

func u32Of(t Term) (uint32, bool) {
	switch u := t.(type) {
	case *Lit:
		return uint32(u.N), u.Kind == syntax.U32
	case *Ctr:
		if u.Key == "U32" {
			return WordBits(u.Args)
		}
	}
	return 0, false
}

// stringOf returns the code points of a string in full.
func stringOf(t Term) ([]uint32, bool) {
	codes := []uint32{}
	for {
		switch u := t.(type) {
		case *Str:
			return append(codes, u.Codes...), true
		case *Ctr:
			if u.Key == "SNil" && len(u.Args) == 0 {
				return codes, true
			}
			if u.Key == "SCon" && len(u.Args) == 2 {
				if h, ok := u.Args[0].(*Ctr); ok && h.Key == "Chr" && len(h.Args) == 1 {
					if c, ok := u32Of(h.Args[0]); ok {
						codes = append(codes, c)
						t = u.Args[1]
						continue
					}
				}
			}
		}
		return nil, false
	}
}

// quote returns codes between quotes q, escaped.
func quote(codes []uint32, q rune, most int) string {
	var b strings.Builder
	b.WriteRune(q)
	for i, c := range codes {
		if most > 0 && i >= most*8 {
			b.WriteString("...")
			break
		}
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == 0:
			b.WriteString(`\0`)
		case c == '\\':
			b.WriteString(`\\`)
		case c == uint32(q):
			b.WriteRune('\\')
			b.WriteRune(q)
		case c < 32 || c == 127 || 0xd800 <= c && c < 0xe000 || c > 0x10ffff:
			b.WriteString(`\u{` + strconv.FormatUint(uint64(c), 16) + "}")
		default:
			b.WriteRune(rune(c))
		}
	}
	b.WriteRune(q)
	return b.String()
}

// ShowF32 returns the text of the binary32 with the given bits, as a value is
// printed: the shortest decimal that reads back, with a point.
func ShowF32(bits uint32) string {
	f := float64(math.Float32frombits(bits))
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	case f == 0:
		return "0.0"
	}
	s := DecimalF32(bits, true)
	mant, exp, cut := strings.Cut(s, "e")
	if !strings.Contains(mant, ".") {
		mant += ".0"
	}
	if cut {
		return mant + "e" + exp
	}
	return mant
}

// DecimalF32 returns the decimal with the fewest significant digits, at most 9, that
// reads back as the finite, nonzero binary32 with the given bits: in plain digits for
// a decimal exponent above -7 and below 21, else as d.ddde+XX. A tie of the decimal
// rounding goes away from zero when away, else to even.
func DecimalF32(bits uint32, away bool) string {
	f := math.Float32frombits(bits)
	neg := f < 0
	exact := new(big.Float).SetFloat64(math.Abs(float64(f)))
	var digits string
	var exp int
	for p := 1; p <= 9; p++ {
		digits, exp = roundDecimal(exact, p, away)
		g, err := strconv.ParseFloat("0."+digits+"e"+strconv.Itoa(exp+1), 32)
		if err == nil && float32(g) == float32(math.Abs(float64(f))) {
			break
		}
	}
	digits = strings.TrimRight(digits, "0")
	sign := ""
	if neg {
		sign = "-"
	}
	switch n := len(digits); {
	case exp <= -7 || exp >= 21:
		mant := digits[:1]
		if n > 1 {
			mant += "." + digits[1:]
		}
		es := strconv.Itoa(exp)
		if exp > 0 {
			es = "+" + es
		}
		return sign + mant + "e" + es
	case exp < 0:
		return sign + "0." + strings.Repeat("0", -exp-1) + digits
	case n <= exp+1:
		return sign + digits + strings.Repeat("0", exp+1-n)
	default:
		return sign + digits[:exp+1] + "." + digits[exp+1:]
	}
}

// roundDecimal returns x > 0 rounded to p significant decimal digits and the exponent
// of the first.
func roundDecimal(x *big.Float, p int, away bool) (digits string, exp int) {
	// A binary32 has at most 112 significant decimal digits.
	full := x.Text('e', 120)
	mant, e, _ := strings.Cut(full, "e")
	exp, _ = strconv.Atoi(e)
	all := strings.Replace(mant, ".", "", 1)
	kept, rest := []byte(all[:p]), all[p:]
	half := "5" + strings.Repeat("0", len(rest)-1)
	up := rest > half || rest == half && (away || (kept[p-1]-'0')%2 == 1)
	for i := p - 1; up && i >= 0; i-- {
		if kept[i] != '9' {
			kept[i]++
			up = false
		} else {
			kept[i] = '0'
		}
	}
	if up {
		kept = append([]byte{'1'}, kept[:p-1]...)
		exp++
	}
	return string(kept), exp
}
