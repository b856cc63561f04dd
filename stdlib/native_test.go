package stdlib_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/flat"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// small is the largest Nat that is tried where a def counts in ones when run.
const small = 60

// inputs returns values of a type of Base to try, as words: edges, and some by chance.
func inputs(typ string, r *rand.Rand) []word.Word {
	switch typ {
	case "U32":
		return []word.Word{0, 1, 2, 31, 255, 1<<31 - 1, 1 << 31, 1<<32 - 1, 0xd800, 0xdfff, 0x110000, uint64(r.Uint32()), uint64(r.Uint32N(1000))}
	case "Nat":
		return []word.Word{0, 1, 2, 7, 10, 31, 32, 33, r.Uint64N(small), 1 << 31, 1<<32 - 1, 1 << 32, 1<<47 + 1, word.NatMax, r.Uint64N(word.NatMax)}
	case "Bool":
		return []word.Word{word.Pak(0), word.Pak(1)}
	case "Cmp":
		return []word.Word{word.Pak(0), word.Pak(1), word.Pak(2)}
	case "Char":
		return []word.Word{'0', '9', '/', ':', 'a', 'z', '`', '{', 'A', 'Z', '@', '[', ' ', '\t', '\n', '\r', 8, 14, 0, 0xd7ff, 0xe000, 0x10ffff, 'a' + r.Uint64N(26)}
	case "F32":
		ws := []word.Word{
			0, 1 << 31, // zeros
			1, 0x80000001, 0x007fffff, 0x00800000, // the subnormals and what is next to them
			0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, // to the NaNs
			0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x40200000, 0xc0200000, // near 1, 0.5, 2.5
			0x4f000000, 0x4f7fffff, 0x4f800000, 0x4b7fffff, 0x4b800001, 0x40490fdb, 0x461c4000, // 2^31, 2^32, 2^24, pi, 10000
		}
		for range 6 {
			ws = append(ws, uint64(r.Uint32()), uint64(math.Float32bits(float32(r.NormFloat64()*20))))
		}
		return ws
	}
	return nil
}

// kinds are the types that inputs knows.
var kinds = []string{"U32", "Nat", "Bool", "Cmp", "Char", "F32"}

// termOf returns a word of a type as a term; F32 has no other terms than bits.
func termOf(typ string, w word.Word) core.Term {
	switch typ {
	case "U32":
		return &core.Lit{Kind: syntax.U32, N: w}
	case "Nat":
		return &core.Lit{Kind: syntax.Nat, N: w}
	case "Char":
		return &core.Ctr{Key: "Chr", Args: []core.Term{&core.Lit{N: w}}}
	case "Bool":
		return &core.Ctr{Key: []string{"False", "True"}[word.Aux(w)]}
	case "Cmp":
		return &core.Ctr{Key: []string{"LT", "EQ", "GT"}[word.Aux(w)]}
	}
	return nil
}

// shown shows a word of a type as core.Print shows its value.
func shown(typ string, w word.Word) string {
	if typ == "F32" {
		return fmt.Sprintf("%g:%08x", math.Float32frombits(uint32(w)), w)
	}
	return core.Print(termOf(typ, w), nil, core.PrintOptions{})
}

// A native is a def or law of Base on values that inputs knows.
type native struct {
	key    string
	params []string
	result string
}

// call writes a call of n.
func (n native) call(args []word.Word) string {
	var ss []string
	for i, a := range args {
		ss = append(ss, shown(n.params[i], a))
	}
	return n.key + "(" + strings.Join(ss, ", ") + ")"
}

// natives lists the defs and laws of Base that are plain functions between types that
// inputs knows.
func natives(b *core.Book) (ns []native) {
	name := func(t core.Term) string {
		switch t := t.(type) {
		case *core.ADT:
			return t.Key
		case *core.Ref:
			return t.Key
		}
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(b.Defs)) {
		d := b.Defs[key]
		n, ok := native{key: key}, d.Base && !d.Unsafe && d.Template == ""
		t := d.Type
		for {
			all, isAll := t.(*core.All)
			if !isAll {
				break
			}
			ok = ok && all.Q != core.None && slices.Contains(kinds, name(all.Dom))
			n.params = append(n.params, name(all.Dom))
			t = all.Cod
		}
		n.result = name(t)
		if ok && len(n.params) > 0 && slices.Contains(kinds, n.result) {
			ns = append(ns, n)
		}
	}
	return ns
}

// TestNatives computes every def and law of Base on numbers, truth values and characters
// in all ways there are: by its definition alone, by the checker's native arithmetic, on
// the host and on a lane, where a call of constants is compiled besides one of variables.
// Those on F32, which have no definition, are held to Go's functions.
func TestNatives(t *testing.T) {
	var text strings.Builder
	text.WriteString("import Base\n")
	all := natives(load(t, ""))
	for _, n := range all {
		var ps, as []string
		for i, p := range n.params {
			ps, as = append(ps, fmt.Sprintf("x%d: %s", i, p)), append(as, fmt.Sprintf("x%d", i))
		}
		fmt.Fprintf(&text, "def probe.%s(%s) -> %s: %s(%s)\n", n.key, strings.Join(ps, ", "), n.result, n.key, strings.Join(as, ", "))
	}
	book := load(t, text.String())
	report(t, check.Events(book, 0))
	if t.Failed() {
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	prog := flat.NewProgram()
	ways := machines(t, prog)[:2]
	tried := map[string]int{}
	for _, n := range all {
		probe := lower(t, book, prog, "probe."+n.key)
		_, isOp := flat.OpOf(n.key)
		for i, args := range combinations(n, isOp || n.result == "F32", r) {
			w, err := ways[0].run(probe, slices.Clone(args))
			want := outcome(n.result, w, err)
			onLane, err := ways[1].run(probe, slices.Clone(args))
			if got := outcome(n.result, onLane, err); got != want {
				t.Errorf("%s is %s on the host, %s on a lane", n.call(args), want, got)
			}
			if slices.Contains(n.params, "F32") || n.result == "F32" {
				tried["floats"]++
				if f := floats[n.key]; f == nil {
					t.Errorf("nothing tells what %s is", n.key)
				} else if x := f(args); !agrees(n, w, x) {
					t.Errorf("%s is %s, want %s", n.call(args), want, shown(n.result, x))
				}
				continue
			}
			if i < 3 {
				if got := closed(t, book, n, args); got != want {
					t.Errorf("%s is %s with variables, %s with constants", n.call(args), want, got)
				}
			}
			tried["natives"]++
			if i < 14 {
				byTerm(t, book, n, args, want, tried)
			}
		}
	}
	if tried["natives"] < 2000 || tried["definitions"] < 800 || tried["floats"] < 1000 {
		t.Errorf("too little was tried: %v", tried)
	}
}

// byTerm compares what the checker makes of a call with what was computed.
func byTerm(t *testing.T, book *core.Book, n native, args []word.Word, got string, tried map[string]int) {
	t.Helper()
	if n.result == "Char" && strings.HasSuffix(got, "is not a Unicode scalar value") || strings.Contains(got, "past the largest") {
		return // only the checker has such values
	}
	var call core.Term = &core.Ref{Key: n.key}
	for i, a := range args {
		call = &core.App{Fn: call, Arg: termOf(n.params[i], a), Q: core.Lone}
	}
	for _, plain := range []bool{true, false} {
		way := map[bool]string{true: "definitions", false: "terms"}[plain]
		want, err := normal(book, call, plain)
		if err == norm.ErrStopped {
			continue // it counts in ones beyond measure
		}
		tried[way]++
		if err != nil || got != want {
			t.Errorf("%s is %s when run, %s, %v by %s", n.call(args), got, want, err, way)
		}
	}
}

// combinations returns arguments for n: all of one parameter, at most 40 of more; large
// Nats only if large says so.
func combinations(n native, large bool, r *rand.Rand) [][]word.Word {
	all := [][]word.Word{nil}
	for _, p := range n.params {
		var next [][]word.Word
		for _, head := range all {
			for _, x := range inputs(p, r) {
				if p != "Nat" || large || x <= small {
					next = append(next, append(slices.Clone(head), x))
				}
			}
		}
		if len(n.params) > 1 {
			r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			next = next[:min(len(next), 40)]
		}
		all = next
	}
	return all
}

// outcome tells what a run came to.
func outcome(typ string, w word.Word, err error) string {
	if err != nil {
		return err.Error()
	}
	return shown(typ, w)
}

func normal(b *core.Book, t core.Term, plain bool) (text string, err error) {
	m := norm.New(b)
	m.Plain = plain
	asked := 0
	m.Stop = func() bool { asked++; return asked > 1 }
	cerr := m.Catch(func() { text = core.Print(m.Quote(0, m.Eval(nil, t)), nil, core.PrintOptions{}) })
	return text, cerr
}

// closed runs a call of n with constants.
func closed(t *testing.T, b *core.Book, n native, args []word.Word) string {
	t.Helper()
	var call core.Term = &core.Ref{Key: n.key}
	for i, a := range args {
		call = &core.App{Fn: call, Arg: termOf(n.params[i], a), Q: core.Lone}
	}
	book := b.Fork()
	book.Defs["closed"] = &core.Def{Key: "closed", Type: &core.Ref{Key: n.result}, Value: call, Checked: true, ResRep: core.RepRaw}
	p := flat.NewProgram()
	id := lower(t, book, p, "closed")
	w, err := host(p).run(id, nil)
	return outcome(n.result, w, err)
}
