package stdlib_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bend/interp/base"
	"bend/interp/core"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// inputs returns values of a type of Base to try: edges, and some by chance. Those of Nat
// are small, since the definitions count in ones.
func inputs(typ string, r *rand.Rand) []core.Term {
	number := func(kind syntax.NumKind, ns ...uint64) (ts []core.Term) {
		for _, n := range ns {
			ts = append(ts, &core.Lit{Kind: kind, N: n})
		}
		return ts
	}
	switch typ {
	case "U32":
		return number(syntax.U32, 0, 1, 2, 31, 255, 1<<31-1, 1<<31, 1<<32-1, uint64(r.Uint32()), uint64(r.Uint32N(1000)))
	case "Nat":
		return number(syntax.Nat, 0, 1, 2, 7, 10, 31, 32, 33, r.Uint64N(60))
	case "Bool":
		return []core.Term{&core.Ctr{Key: "False"}, &core.Ctr{Key: "True"}}
	case "Cmp":
		return []core.Term{&core.Ctr{Key: "LT"}, &core.Ctr{Key: "EQ"}, &core.Ctr{Key: "GT"}}
	case "Char":
		var ts []core.Term
		for _, c := range number(syntax.U32, '0', '9', 'a', 'Z', ' ', '\n', 0, 0x10ffff, 'a'+r.Uint64N(26)) {
			ts = append(ts, &core.Ctr{Key: "Chr", Args: []core.Term{c}})
		}
		return ts
	}
	return nil
}

// signature returns the names of the parameters' types and of the result's, if the def is
// a plain function between types that inputs knows.
func signature(d *core.Def) (params []string, result string, ok bool) {
	name := func(t core.Term) string {
		switch t := t.(type) {
		case *core.ADT:
			return t.Key
		case *core.Ref:
			return t.Key
		}
		return ""
	}
	r := rand.New(rand.NewPCG(0, 0))
	t := d.Type
	for {
		all, isAll := t.(*core.All)
		if !isAll {
			break
		}
		if all.Q == core.None || inputs(name(all.Dom), r) == nil {
			return nil, "", false
		}
		params = append(params, name(all.Dom))
		t = all.Cod
	}
	return params, name(t), len(params) > 0 && inputs(name(t), r) != nil
}

// wordText shows a word of a type as core.Print shows its value.
func wordText(typ string, w word.Word) string {
	var t core.Term
	switch typ {
	case "U32":
		t = &core.Lit{Kind: syntax.U32, N: w}
	case "Nat":
		t = &core.Lit{Kind: syntax.Nat, N: w}
	case "Char":
		t = &core.Ctr{Key: "Chr", Args: []core.Term{&core.Lit{N: w}}}
	case "Bool":
		t = &core.Ctr{Key: []string{"False", "True"}[word.Aux(w)]}
	case "Cmp":
		t = &core.Ctr{Key: []string{"LT", "EQ", "GT"}[word.Aux(w)]}
	}
	return core.Print(t, nil, core.PrintOptions{})
}

// TestNatives computes every def of Base on numbers, truth values and characters in three
// ways: by its definition alone, by the checker's native arithmetic, and run.
func TestNatives(t *testing.T) {
	book, diags := base.Build()
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	r := rand.New(rand.NewPCG(1, 2))
	tried, compared := 0, 0
	for key, d := range book.Defs {
		params, result, ok := signature(d)
		if !ok || d.Value == nil || d.Unsafe || d.Template != "" {
			continue
		}
		tried++
		for _, args := range combinations(params, r) {
			var call core.Term = &core.Ref{Key: key}
			for _, a := range args {
				call = &core.App{Fn: call, Arg: a, Q: core.Lone}
			}
			want, err := normal(book, call, true)
			if err == norm.ErrStopped {
				continue // it counts in ones beyond measure
			}
			compared++
			native, nerr := normal(book, call, false)
			if err != nil || nerr != nil {
				t.Errorf("%s%v: %v, %v", key, texts(args), err, nerr)
				continue
			}
			if native != want {
				t.Errorf("%s%v is %s by definition, %s natively", key, texts(args), want, native)
			}
			got := ran(t, book, call, d, result)
			if result == "Char" && strings.HasSuffix(got, "is not a Unicode scalar value") {
				continue // only the checker has such a Char
			}
			if got != want {
				t.Errorf("%s%v is %s by definition, %s when run", key, texts(args), want, got)
			}
		}
	}
	if tried < 50 || compared < 500 {
		t.Errorf("only %d defs were tried, in %d ways", tried, compared)
	}
}

func texts(args []core.Term) (out []string) {
	for _, a := range args {
		out = append(out, core.Print(a, nil, core.PrintOptions{}))
	}
	return out
}

// combinations returns arguments for parameters: at most 14 choices.
func combinations(params []string, r *rand.Rand) [][]core.Term {
	all := [][]core.Term{nil}
	for _, p := range params {
		var next [][]core.Term
		for _, head := range all {
			for _, x := range inputs(p, r) {
				next = append(next, append(slices.Clone(head), x))
			}
		}
		r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		all = next[:min(len(next), 14)]
	}
	return all
}

func normal(b *core.Book, t core.Term, plain bool) (text string, err error) {
	m := norm.New(b)
	m.Plain = plain
	asked := 0
	m.Stop = func() bool { asked++; return asked > 4 }
	cerr := m.Catch(func() { text = core.Print(m.Quote(0, m.Eval(nil, t)), nil, core.PrintOptions{}) })
	return text, cerr
}

// ran runs a call of d.
func ran(t *testing.T, b *core.Book, call core.Term, d *core.Def, result string) string {
	n := b.Fork()
	n.Defs["probe"] = &core.Def{Key: "probe", Type: &core.Ref{Key: result}, Value: call, Checked: true, ResRep: core.RepRaw}
	p := flat.NewProgram()
	id, err := flat.Lower(n, p, "probe")
	if err != nil {
		return err.Error()
	}
	m := eval.New(p, word.NewHeap(0), eval.Options{})
	w, err := m.Call(context.Background(), id)
	if err != nil {
		return fmt.Sprint(err)
	}
	return wordText(result, w)
}
