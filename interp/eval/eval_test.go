package eval

import (
	"context"
	"errors"
	"testing"
	"time"

	"bend/interp/flat"
	"bend/interp/word"
	"pgregory.net/rapid"
)

const shapes = `
def swap3(a, b, c, n)
  if (zero?) n
    x = U32.mul a 100
    y = U32.mul b 10
    z = U32.add x y
    r = U32.add z c
    return r
  else
    p = (pred) n
    jump swap3(b, c, a, p)

def swap4(a, b, c, d, n)
  if (zero?) n
    *r = T#0{a, b, c, d}
    return r
  else
    p = (pred) n
    jump swap4(b, a, d, c, p)

def five(a, b, c, d, e, n)
  if (zero?) n
    return 0
  else
    p = (pred) n
    r <- five(a, b, c, d, e, p)
    s = U32.add r a
    t = U32.add s b
    u = U32.add t c
    v = U32.add u d
    w = U32.add v e
    return w

def id(x)
  return x

def three(a, b)
  fork
    x <- id(a)
    y <- id(b)
    z <- id(7)
  *r = T#0{x, y, z, a}
  return r

def add3(a, b, c)
  x = U32.add a b
  y = U32.add x c
  return y

def partial(a)
  *f = &add3[a]
  *g <- f @ 20
  jump g @ 3

def nothing()
  *f = &add3[]
  *g <- f @ 1
  *h <- g @ 2
  r <- h @ 4
  return r

def pairs(*p)
  match p
  case P#0{*a, *b}
    *q = P#0{b, a}
    return q

def twice(*x)
  *p = P#0{x, x}
  *q = P#0{p, p}
  return q

def both(*x)
  *q <- twice(x)
  match q
  case P#0{*a, *b}
    match a
    case P#0{*c, *d}
      *r = P#0{c, b}
      return r

def left(*x)
  match x
  case P#0{*a, *b}
    return a

def color(*c)
  match c
  case A#0{}
    return 10
  case B#1{}
    return 11
  case C#2{}
    return 12
  case D#3{x}
    return x
  case E#4{x, y}
    r = U32.add x y
    return r
  case F#5{x, y, z}
    r = U32.sub x z
    return r

def some(*c)
  match c
  case B#1{}
    return 1
  case D#3{x}
    return x
  else
    *p = P#0{c, c}
    return p

def hello()
  *s = "hi\u00e9"
  return s

def colorD(x)
  *c = D#3{x}
  jump color(c)

def colorF(x, y, z)
  *c = F#5{x, y, z}
  *d = P#0{c, c}
  match d
  case P#0{*a, *b}
    r <- color(a)
    s <- color(b)
    t = U32.add r s
    return t

def hold(*x)
  *l = Con#1{x, #0}
  *f = &pairUp[l]
  *g = P#0{f, f}
  match g
  case P#0{*a, *b}
    *y <- a @ 1
    *z <- b @ 2
    *r = P#0{y, z}
    return r

def pairUp(*l, n)
  *r = P#0{l, n}
  return r

def bang(n)
  a <- id!(n)
  b = U32.add a 1
  jump id!(b)

def loop(n)
  jump loop(n)

def stopped()
  stop never

def char(n)
  c = Char.from_u32 n
  return c

def square(n)
  r = Nat.mul n n
  return r

def big()
  x = U32.add 4294967295 2
  return x

def waste(*x)
  *p = P#0{x, x}
  jump waste(p)
`

func TestShapes(t *testing.T) {
	m := machine(t, shapes, Options{})
	pair := func(a, b word.Word) word.Word { return m.heap.New(0, a, b) }
	tests := []struct {
		def  string
		args []word.Word
		want string
	}{
		{"swap3", []word.Word{1, 2, 3, 0}, "123"},
		{"swap3", []word.Word{1, 2, 3, 1}, "231"},
		{"swap3", []word.Word{1, 2, 3, 5}, "312"},
		{"swap4", []word.Word{1, 2, 3, 4, 1}, "#0{2,1,4,3}"},
		{"swap4", []word.Word{1, 2, 3, 4, 2}, "#0{1,2,3,4}"},
		{"five", []word.Word{1, 2, 3, 4, 5, 100}, "1500"},
		{"three", []word.Word{5, 6}, "#0{5,6,7,5}"},
		{"partial", []word.Word{100}, "123"},
		{"nothing", nil, "7"},
		{"pairs", []word.Word{pair(1, pair(2, 3))}, "#0{#0{2,3},1}"},
		{"twice", []word.Word{pair(1, 2)}, "#0{#0{#0{1,2},#0{1,2}},#0{#0{1,2},#0{1,2}}}"},
		{"both", []word.Word{pair(1, 2)}, "#0{#0{1,2},#0{#0{1,2},#0{1,2}}}"},
		{"left", []word.Word{pair(1, pair(2, 3))}, "1"},
		{"color", []word.Word{word.Pak(0)}, "10"},
		{"color", []word.Word{word.Pak(2)}, "12"},
		{"colorD", []word.Word{9}, "9"},
		{"colorF", []word.Word{9, 8, 7}, "4"},
		{"some", []word.Word{word.Pak(1)}, "1"},
		{"some", []word.Word{word.Pak(2)}, "#0{#2,#2}"},
		{"some", []word.Word{m.heap.New(4, 1, 2)}, "#0{#4{1,2},#4{1,2}}"},
		{"hello", nil, "#1{104,#1{105,#1{233,#0}}}"},
		{"hold", []word.Word{pair(1, 2)}, "#0{#0{#1{#0{1,2},#0},1},#0{#1{#0{1,2},#0},2}}"},
		{"bang", []word.Word{4}, "5"},
		{"big", nil, "1"},
	}
	// The arguments of the tests are in the heap together: each run leaves the rest.
	for _, test := range tests {
		w, err := call(t, m, test.def, test.args...)
		if err != nil {
			t.Errorf("%s%v: %v", test.def, test.args, err)
			continue
		}
		if got := show(m.heap, w); got != test.want {
			t.Errorf("%s%v = %s, want %s", test.def, test.args, got, test.want)
		}
		m.heap.Drop(w)
	}
	if n := m.heap.Live(); n != 0 {
		t.Errorf("%d words are left in the heap", n)
	}
}

func TestPrograms(t *testing.T) {
	for _, profile := range []bool{false, true} {
		fib := machine(t, fibs, Options{Profile: profile})
		list := machine(t, lists, Options{Profile: profile})
		tests := []struct {
			m    *Machine
			def  string
			arg  word.Word
			want string
		}{
			{fib, "fib", 20, "6765"},
			{fib, "nfib", 20, "6765"},
			{fib, "pfib", 20, "6765"},
			{list, "deep", 1022, "521738"},
			{list, "deep", 1023, "522760"},
			{list, "deep", 100000, "704982711"},
			{list, "sum", 2048, "2096128"},
			{list, "count", 1000000, "1000000"},
		}
		for _, test := range tests {
			if got := result(t, test.m, test.def, test.arg); got != test.want {
				t.Errorf("%s(%d) = %s, want %s", test.def, test.arg, got, test.want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		def  string
		args []word.Word
		kind Kind
		want string
	}{
		{"stopped", nil, Stopped, "never"},
		{"char", []word.Word{0x110000}, Char, "1114112 is not a Unicode scalar value"},
		{"char", []word.Word{0xd800}, Char, "55296 is not a Unicode scalar value"},
		{"square", []word.Word{1 << 24}, Nat, "a Nat past the largest immediate 2^48-1"},
		{"square", []word.Word{1 << 40}, Nat, "a Nat past the largest immediate 2^48-1"},
		{"waste", []word.Word{word.Pak(0)}, Memory, "out of memory: the interpreter's heap is full"},
	}
	p := build(t, shapes)
	h := word.NewHeap(1 << 16)
	m := New(p, h, Options{})
	for _, test := range tests {
		kept := h.New(3, h.New(4, 1, 2), 5)
		_, err := call(t, m, test.def, test.args...)
		var e *Error
		if !errors.As(err, &e) || e.Kind != test.kind || e.Error() != test.want {
			t.Errorf("%s%v fails with %v, want %s", test.def, test.args, err, test.want)
		}
		h.Sweep(kept)
		if got := show(h, kept); got != "#3{#4{1,2},5}" || h.Live() != 4 {
			t.Errorf("after %s: %s is left, %d words", test.def, got, h.Live())
		}
		h.Drop(kept)
		if got := result(t, m, "partial", 100); got != "123" {
			t.Errorf("after %s: partial(100) = %s", test.def, got)
		}
	}
}

// TestTooDeep holds the depth at which the stack ends to the word.
func TestTooDeep(t *testing.T) {
	tests := []struct {
		def        string
		arg        word.Word
		limit, fit int
		want       string // of one level more
	}{
		{"count", 0, 2048, 2045, `the interpreter's stack is full: "count" is 2045 levels deep at 1 word a level (limit 2048 words; :set stack SIZE)`},
		{"sum", 0, 2048, 1022, `the interpreter's stack is full: "lsum" is 1022 levels deep at 2 words a level (limit 2048 words; :set stack SIZE)`},
		{"count", 0, 1 << 21, 1<<21 - 3, `the interpreter's stack is full: "count" is 2097149 levels deep at 1 word a level (limit 2097152 words; :set stack SIZE)`},
	}
	for _, test := range tests {
		m := machine(t, lists, Options{StackWords: test.limit})
		if _, err := call(t, m, test.def, word.Word(test.fit)); err != nil {
			t.Errorf("%s(%d): %v", test.def, test.fit, err)
		}
		_, err := call(t, m, test.def, word.Word(test.fit+1))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s(%d): %v, want %s", test.def, test.fit+1, err, test.want)
		}
		m.SetStack(2 * test.limit)
		if _, err := call(t, m, test.def, word.Word(test.fit+1)); err != nil {
			t.Errorf("%s(%d) with more stack: %v", test.def, test.fit+1, err)
		}
	}
}

func TestTooDeepInFork(t *testing.T) {
	m := machine(t, `
def left(n)
  if (zero?) n
    return 1
  else
    p = (pred) n
    fork
      a <- one(p)
      b <- left(p)
    c = U32.add a b
    return c

def one(n)
  return n
`, Options{StackWords: 256})
	// A level keeps its argument, the first result and an id; the push for the
	// second call follows the return from the first.
	const want = `the interpreter's stack is full: "left" is 84 levels deep at 3 words a level (limit 256 words; :set stack SIZE)`
	if _, err := call(t, m, "left", 84); err != nil {
		t.Error(err)
	}
	if _, err := call(t, m, "left", 85); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestInterrupt(t *testing.T) {
	m := machine(t, shapes, Options{})
	id, _ := m.prog.Lookup("loop")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	_, err := m.Call(ctx, id, 1)
	var e *Error
	if !errors.As(err, &e) || e.Kind != Interrupted || e.Def != "loop" {
		t.Errorf("the loop ends with %v", err)
	}
}

func TestBang(t *testing.T) {
	var calls []word.Word
	failure := errors.New("the lane failed")
	answer := func(x word.Word) (word.Word, error) { return x, ErrDeclined }
	m := machine(t, shapes, Options{Bang: func(_ context.Context, def flat.DefID, args []word.Word) (word.Word, error) {
		calls = append(calls, args[0])
		return answer(args[0])
	}})
	if got := result(t, m, "bang", 4); got != "5" || len(calls) != 2 || calls[1] != 5 {
		t.Errorf("declined: bang(4) = %s, calls %v", got, calls)
	}
	answer = func(x word.Word) (word.Word, error) { return x * 10, nil }
	if got := result(t, m, "bang", 4); got != "410" {
		t.Errorf("answered: bang(4) = %s", got)
	}
	answer = func(x word.Word) (word.Word, error) { return 0, failure }
	if _, err := call(t, m, "bang", 4); !errors.Is(err, failure) {
		t.Errorf("failed: %v", err)
	}
}

func TestReport(t *testing.T) {
	tests := []struct {
		text, def string
		args      []word.Word
		want      DefReport
		peak      int
	}{
		{lists, "count", []word.Word{10}, DefReport{"count", 1, 10, 10}, 13},
		{lists, "count", []word.Word{2045}, DefReport{"count", 1, 2045, 2045}, 2048},
		{shapes, "five", []word.Word{1, 2, 3, 4, 5, 10}, DefReport{"five", 6, 10, 10}, 63},
		{fibs, "fib", []word.Word{10}, DefReport{"fib", 2, 9, 176}, 3 + 9*2},
		// a is captured, the ids and the first two results come on top.
		{shapes, "three", []word.Word{1, 2}, DefReport{"three", 3, 1, 1}, 3 + 5},
	}
	for _, test := range tests {
		m := machine(t, test.text, Options{Profile: true})
		for range 2 {
			w, err := call(t, m, test.def, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			m.heap.Drop(w)
			r := m.Report()
			if len(r.Defs) != 1 || r.Defs[0] != test.want || r.PeakWords != test.peak {
				t.Errorf("%s%v: %+v, want %+v, peak %d", test.def, test.args, r, test.want, test.peak)
			}
		}
	}
}

// TestApply applies closures from outside.
func TestApply(t *testing.T) {
	m := machine(t, shapes, Options{})
	add3, _ := m.prog.Lookup("add3")
	f := word.Clo(int(m.prog.Fn(add3, 0)), 0, 0)
	for _, x := range []word.Word{1, 2, 4} {
		var err error
		if f, err = m.Apply(context.Background(), f, x); err != nil {
			t.Fatal(err)
		}
	}
	if f != 7 || m.heap.Live() != 0 {
		t.Errorf("add3(1, 2, 4) = %d, %d words left", f, m.heap.Live())
	}
}

// TestOps compares every primitive, computed and branched on by instructions, with
// the reference.
func TestOps(t *testing.T) {
	p := flat.NewProgram()
	yes, no := flat.Const(1), flat.Const(0)
	type defs struct{ compute, branch flat.DefID }
	of := map[flat.Op]defs{}
	for op := range flat.NumOps {
		params := op.NumArgs()
		var vars []flat.VarInfo
		var args []flat.Atom
		for i := range params {
			vars = append(vars, flat.VarInfo{Raw: true})
			args = append(args, flat.V(flat.Var(i)))
		}
		var d defs
		if op != flat.OpIsTrue {
			dst := flat.Var(params)
			def := &flat.Def{Key: op.String(), Params: params, Vars: append(vars, flat.VarInfo{Raw: true}),
				Body: &flat.Prim{Dst: dst, Op: op, Args: args, Next: &flat.Return{X: flat.V(dst)}}}
			flat.Finish(def)
			d.compute = p.Add(def)
		}
		if op.Result() == flat.KindBool {
			def := &flat.Def{Key: op.String() + "?", Params: params, Vars: vars,
				Body: &flat.If{Op: op, Args: args, Then: &flat.Return{X: yes}, Else: &flat.Return{X: no}}}
			flat.Finish(def)
			d.branch = p.Add(def)
		}
		of[op] = d
	}
	m := New(p, word.NewHeap(0), Options{})
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		op := flat.Op(rapid.IntRange(0, int(flat.NumOps)-1).Draw(t, "op"))
		args := make([]word.Word, op.NumArgs())
		for i, k := range op.Args() {
			args[i] = genArg(k).Draw(t, "arg")
		}
		if op == flat.OpBit {
			args[1] &= 31
		}
		if op == flat.OpNatPred && args[0] == 0 {
			t.Skip("0 has no predecessor")
		}
		want, wantErr := flat.Eval(op, args...)
		if op != flat.OpIsTrue {
			got, err := m.Call(ctx, of[op].compute, args...)
			if (err == nil) != (wantErr == nil) || err == nil && got != want {
				t.Errorf("%s%v = %d, %v; want %d, %v", op, args, got, err, want, wantErr)
			}
		}
		if op.Result() == flat.KindBool {
			got, err := m.Call(ctx, of[op].branch, args...)
			if err != nil || got == 1 != (want == word.Bool(true)) {
				t.Errorf("branch on %s%v: %d, %v; want %d", op, args, got, err, want)
			}
		}
	})
}

func genArg(k flat.Kind) *rapid.Generator[word.Word] {
	edges := func(max word.Word, more ...word.Word) *rapid.Generator[word.Word] {
		return rapid.OneOf(rapid.Uint64Range(0, max), rapid.Uint64Range(0, 3), rapid.Uint64Range(max-3, max),
			rapid.SampledFrom(append(more, 0)))
	}
	switch k {
	case flat.KindNat:
		return edges(word.NatMax, 31, 32, 33, 1<<24, 1<<32)
	case flat.KindChar:
		return edges(0x10ffff, 'a', 'z', 'A', 'Z', '0', '9', ' ', '\t', '\r', '@', '[', '`', '{')
	case flat.KindBool:
		return rapid.SampledFrom([]word.Word{word.Pak(0), word.Pak(1)})
	case flat.KindCmp:
		return rapid.SampledFrom([]word.Word{word.Pak(0), word.Pak(1), word.Pak(2)})
	}
	return edges(1<<32-1, 0x3f800000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f800000, 0xd800, 0x110000)
}
