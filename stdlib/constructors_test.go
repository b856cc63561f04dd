package stdlib_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/flat"
	"bend/interp/word"
)

// constructed are defs that build numbers with their constructors and take them apart,
// which is arithmetic when run, and what they give.
var constructed = []struct {
	params, result, body string
	want                 func(a []word.Word) (word.Word, error)
}{
	{"Nat", "Nat", "1n+x0", func(a []word.Word) (word.Word, error) { return nat(a[0] + 1) }},
	{"Nat", "Nat", "7n+x0", func(a []word.Word) (word.Word, error) { return nat(a[0] + 7) }},
	{"Nat", "Nat", "Succ{Succ{x0}}", func(a []word.Word) (word.Word, error) { return nat(a[0] + 2) }},
	{"Nat", "Nat", `
  match x0:
    case 0n: 9n
    case 1n: 8n
    case 3n+p: p
    case 2n: 7n`, func(a []word.Word) (word.Word, error) {
		return map[word.Word]word.Word{0: 9, 1: 8, 2: 7}[a[0]] + max(a[0], 3) - 3, nil
	}},
	{"Nat Nat", "Nat", `
  match x0, x1:
    case 1n+p, 1n+q: Nat.add(p, q)
    case 0n, q: q
    case p, 0n: p`, func(a []word.Word) (word.Word, error) {
		if a[0] > 0 && a[1] > 0 {
			return nat(a[0] + a[1] - 2)
		}
		return a[0] + a[1], nil
	}},
	{"U32", "Char", "Chr{x0}", func(a []word.Word) (word.Word, error) { return flat.Eval(flat.OpCharFromU32, a[0]) }},
	{"Char", "U32", `
  match x0:
    case 'a': 0
    case Chr{c}: c`, func(a []word.Word) (word.Word, error) {
		if a[0] == 'a' {
			return 0, nil
		}
		return a[0], nil
	}},
	{"U32", "U32", `
  match x0:
    case U32{WCon{a, WCon{b, t}}}: U32{WCon{Bool.not(b), WCon{a, t}}}`, func(a []word.Word) (word.Word, error) {
		return a[0]&^3 | a[0]&1<<1 | ^a[0]>>1&1, nil
	}},
	{"U32", "U32", `
  match x0:
    case 0: 5
    case 4294967295: 6
    case U32{WCon{True{}, t}}: 7
    case n: n`, func(a []word.Word) (word.Word, error) {
		switch {
		case a[0] == 0:
			return 5, nil
		case a[0] == 1<<32-1:
			return 6, nil
		case a[0]&1 == 1:
			return 7, nil
		}
		return a[0], nil
	}},
	{"U32 U32", "U32", `
  match x0, x1:
    case U32{v}, U32{w}: U32{Word.sub(32n, Word.not(32n, v), Word.shl(32n, w))}`, func(a []word.Word) (word.Word, error) {
		return word.Word(^uint32(a[0]) - uint32(a[1])<<1), nil
	}},
	{"U32", "F32", `
  match x0:
    case U32{w}: F32{w}`, func(a []word.Word) (word.Word, error) { return a[0], nil }},
	{"F32", "U32", `
  match x0:
    case F32{w}: U32{w}`, func(a []word.Word) (word.Word, error) { return a[0], nil }},
	{"F32", "F32", `
  match x0:
    case F32{WCon{b, t}}: F32{WCon{Bool.not(b), t}}`, func(a []word.Word) (word.Word, error) { return a[0] ^ 1, nil }},
}

func nat(n word.Word) (word.Word, error) {
	if n > word.NatMax {
		return 0, flat.ErrNat
	}
	return n, nil
}

// TestConstructors runs the defs of constructed on the host and on a lane.
func TestConstructors(t *testing.T) {
	var text strings.Builder
	text.WriteString("import Base\n")
	var all []native
	for i, c := range constructed {
		n := native{key: fmt.Sprintf("made%d", i), params: strings.Fields(c.params), result: c.result}
		var ps []string
		for k, p := range n.params {
			ps = append(ps, fmt.Sprintf("x%d: %s", k, p))
		}
		fmt.Fprintf(&text, "def %s(%s) -> %s: %s\n", n.key, strings.Join(ps, ", "), n.result, c.body)
		all = append(all, n)
	}
	book := load(t, text.String())
	if !t.Failed() {
		report(t, check.Events(book, 0))
	}
	if t.Failed() {
		return
	}
	prog := flat.NewProgram()
	ways := machines(t, prog)[:2]
	r := rand.New(rand.NewPCG(1, 2))
	for i, n := range all {
		id := lower(t, book, prog, n.key)
		for _, args := range combinations(n, true, r) {
			w, err := constructed[i].want(args)
			want := outcome(n.result, w, err)
			for _, m := range ways {
				w, err := m.run(id, args)
				if got := outcome(n.result, w, err); got != want {
					t.Errorf("%s:%s\nof %s on %s is %s, want %s", n.key, constructed[i].body, n.call(args), m.name, got, want)
				}
			}
		}
	}
}
