package stdlib_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"bend/interp/check"
	"bend/interp/flat"
	"bend/interp/word"
)

const modelPrelude = `import Base

def entry(p: +Sigma<String, _ => U32>) -> String:
  match p:
    case (k, v): k ++ "=" ++ U32.show(v)

def pairs(m: Map<&2, U32>) -> String:
  List.show(~&2, ~+Sigma<String, _ => U32>, ~entry, Map.to_list(&2, U32, m))

def second(-A: Type, r: A & Bool) -> String:
  match r:
    case (_, b): Bool.show(b)

def value(r: Map<&2, U32> & U32) -> String:
  match r:
    case (m, v): U32.show(v)

def popped(r: Map<&2, U32> & Maybe<&2, U32>) -> String:
  match r:
    case (m, v): pairs(m) ++ Maybe.show(~&2, ~U32, ~U32.show, v)

def array(d: Nat, ks: List<&2, U32>, vs: List<&2, U32>) -> Array<U32>:
  match ks vs:
    case Nil{} ws: Array.new(U32, d, 0)
    case Con{i, js} Nil{}: Array.new(U32, d, 0)
    case Con{i, js} Con{v, ws}: Array.set(U32, array(d, js, ws), i, v)

def elements(a: Array<U32>) -> String:
  List.show(~&1, ~U32, ~U32.show, Array.to_list(~U32, a))

def changed(r: Array<U32> & U32) -> String:
  match r:
    case (a, e): elements(a) ++ U32.show(e)

def copies(r: Array<U32> & Array<U32>) -> String:
  match r:
    case (a, b): elements(Array.set(U32, a, 0, 5)) ++ elements(b)

def nats(xs: List<&2, Nat>) -> String: List.show(~&2, ~Nat, ~Nat.show, xs)
def texts(xs: List<&2, String>) -> String: List.show(~&2, ~String, ~(s => s), xs)
`

// A model makes expressions of random arguments, each with the text that Go gives it.
type model struct {
	r           *rand.Rand
	exprs, want []string
}

func (m *model) add(want, format string, args ...any) {
	m.exprs = append(m.exprs, fmt.Sprintf(format, args...))
	m.want = append(m.want, want)
}

// text returns a text of few different characters, empty now and then.
func (m *model) text() string {
	alphabet := []string{"a", "b", ",", " ", "\n", "é", "😀", "ab", "ba"}
	var b strings.Builder
	for range m.r.IntN(4) * m.r.IntN(4) {
		b.WriteString(alphabet[m.r.IntN(len(alphabet))])
	}
	return b.String()
}

// number returns a U32, an extreme one now and then.
func (m *model) number() uint32 {
	edges := []uint32{0, 1, 1 << 31, 1<<32 - 1}
	if m.r.IntN(2) == 0 {
		return edges[m.r.IntN(len(edges))]
	}
	return m.r.Uint32()
}

func list[T any](xs []T, show func(T) string) string {
	var ss []string
	for _, x := range xs {
		ss = append(ss, show(x))
	}
	return "[" + strings.Join(ss, ", ") + "]"
}

func plain[T any](x T) string { return fmt.Sprint(x) }

func truth(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (m *model) strings() {
	a, b := m.text(), m.text()
	runes := []rune(a)
	n := m.r.IntN(6)
	cut := min(n, len(runes))
	back := slices.Clone(runes)
	slices.Reverse(back)
	q, p := strconv.Quote(a), strconv.Quote(b)
	m.add(string(back), "String.reverse(%s)", q)
	m.add(strings.ReplaceAll(a, ",", "|"), "String.join(String.split(%s, ','), \"|\")", q)
	m.add(list(strings.Split(a, "a"), plain), "texts(String.split(%s, 'a'))", q)
	m.add(truth(strings.Contains(a, b)), "Bool.show(String.contains(%s, %s))", q, p)
	m.add(truth(strings.HasPrefix(a, b)), "Bool.show(String.starts_with(%s, %s))", q, p)
	m.add(truth(strings.HasSuffix(a, b)), "Bool.show(String.ends_with(%s, %s))", q, p)
	m.add(truth(a < b), "Bool.show(String.is_lt(%s, %s))", q, p)
	m.add(truth(a <= b), "Bool.show(String.is_le(%s, %s))", q, p)
	m.add(truth(a > b), "Bool.show(String.is_gt(%s, %s))", q, p)
	m.add(a+b, "String.append(%s, %s)", q, p)
	m.add(truth(a == ""), "Bool.show(String.is_empty(%s))", q)
	m.add(list(strings.Split(a, "\n"), plain), "texts(String.lines(%s))", q)
	m.add(strings.Join([]string{a, b, a}, b), "String.join([%s, %s, %s], %s)", q, p, q, p)
	m.add(strings.TrimLeft(a, " \n"), "String.trim_start(%s)", q)
	m.add(strings.TrimRight(a, " \n"), "String.trim_end(%s)", q)
	m.add(upper(a), "String.to_upper(%s)", q)
	m.add(truth(a >= b), "Bool.show(String.is_ge(%s, %s))", q, p)
	m.add(truth(a == b), "Bool.show(String.eq(%s, %s))", q, p)
	m.add(strings.Trim(a, " \n"), "String.trim(%s)", q)
	m.add(string(runes[:cut]), "String.take(%s, %dn)", q, n)
	m.add(string(runes[cut:]), "String.drop(%s, %dn)", q, n)
	m.add(strings.Repeat(a, n), "String.repeat(%s, %dn)", q, n)
	m.add(fmt.Sprint(len(runes)), "Nat.show(String.length(%s))", q)
	m.add(a+b+a, "String.concat([%s, %s, %s])", q, p, q)
	m.add(a, "String.from_list(String.to_list(%s))", q)
}

// upper changes the case of the ASCII letters only.
func upper(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 {
			r = unicode.ToUpper(r)
		}
		return r
	}, s)
}

// numbers reads numbers from texts that are near the limits, or no numbers at all.
func (m *model) numbers() {
	for _, limit := range []uint64{1<<32 - 1, word.NatMax} {
		n := m.r.Uint64N(limit)
		switch m.r.IntN(3) {
		case 0:
			n = limit - 3 + m.r.Uint64N(6)
		case 1:
			n = m.r.Uint64()
		}
		digits := strings.Repeat("0", m.r.IntN(3)) + strconv.FormatUint(n, 10)
		junk := []string{"+" + digits, "-" + digits, " " + digits, digits + "n", digits + " ", digits + ".0", "", digits + "0000000000", "٣", "1_0"}
		text := append(junk, digits, digits, digits, digits, digits)[m.r.IntN(len(junk)+5)]
		read, want := "U32", "None"
		if limit == word.NatMax {
			read = "Nat"
		}
		isDigits := text != "" && strings.Trim(text, "0123456789") == ""
		if x, err := strconv.ParseUint(text, 10, 64); isDigits && err == nil && x <= limit {
			want = fmt.Sprintf("Some(%d)", x)
		}
		m.add(want, "Maybe.show(~&2, ~%s, ~%s.show, %s.read(%q))", read, read, read, text)
	}
}

// pairs writes the entries of a map in order.
func pairs(m map[string]uint32) string {
	var ss []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		ss = append(ss, fmt.Sprintf("%s=%d", k, m[k]))
	}
	return "[" + strings.Join(ss, ", ") + "]"
}

func (m *model) maps() {
	all := map[string]uint32{}
	make := func() (map[string]uint32, string) {
		one := map[string]uint32{}
		var entries []string
		for range m.r.IntN(8) {
			k, v := m.text(), m.number()
			one[k], all[k] = v, v
			entries = append(entries, fmt.Sprintf("(%q, %d)", k, v))
		}
		return one, "Map.from_list(&2, U32, [" + strings.Join(entries, ", ") + "])"
	}
	one, x := make()
	two, y := make()
	both := maps.Clone(one)
	maps.Copy(both, two) // the entries of the second map win
	m.add(pairs(one), "pairs(%s)", x)
	m.add(pairs(both), "pairs(Map.union(&2, U32, %s, %s))", x, y)
	for k := range all {
		v, ok := one[k]
		got, some := uint32(7), "None"
		if ok {
			got, some = v, fmt.Sprintf("Some(%d)", v)
		}
		less := maps.Clone(one)
		delete(less, k)
		more := maps.Clone(one)
		more[k] = 9
		m.add(fmt.Sprint(got), "value(Map.get(U32, 7, %s, %q))", x, k)
		m.add(truth(ok), "second(Map<&2, U32>, Map.has(&2, U32, %s, %q))", x, k)
		m.add(pairs(less)+some, "popped(Map.pop(&2, U32, %s, %q))", x, k)
		m.add(pairs(less), "pairs(Map.del(&2, U32, %s, %q))", x, k)
		m.add(pairs(more), "pairs(Map.set(&2, U32, %s, %q, 9))", x, k)
		break
	}
	keys := slices.Sorted(maps.Keys(all))
	quoted := list(keys, func(k string) string { return fmt.Sprintf("%q", k) })
	m.add(list(keys, plain), "texts(Set.to_list(Set.from_list(%s)))", quoted)
	m.add(fmt.Sprint(len(one)), "Nat.show(Map.size(&2, U32, %s))", x)
}

func (m *model) arrays() {
	d := m.r.IntN(5)
	size := 1 << d
	elems := make([]uint32, size)
	var is, vs []uint32
	for range m.r.IntN(7) {
		is, vs = append(is, m.number()), append(vs, m.number())
	}
	for k := len(is) - 1; k >= 0; k-- { // an index wraps around at the size
		elems[is[k]%uint32(size)] = vs[k]
	}
	a := fmt.Sprintf("array(%dn, %s, %s)", d, list(is, plain), list(vs, plain))
	m.add(list(elems, plain), "elements(%s)", a)
	i, v := m.number(), m.number()
	old := elems[i%uint32(size)]
	// after is what is shown of the array with x at place i, and what was there.
	after := func(x uint32) string {
		now := slices.Clone(elems)
		now[i%uint32(size)] = x
		return list(now, plain) + plain(old)
	}
	m.add(after(old), "changed(Array.get(U32, %s, %d))", a, i)
	m.add(after(v), "changed(Array.swap(U32, %s, %d, %d))", a, i, v)
	m.add(list(elems, plain)+plain(size), "changed(Array.size(U32, %s))", a)
	ops := []string{"add", "min", "max", "and", "or", "xor", "exch"}
	results := []uint32{old + v, min(old, v), max(old, v), old & v, old | v, old ^ v, v}
	k := m.r.IntN(len(ops))
	m.add(after(results[k]), "changed(Array.atomic.%s(%s, %d, %d))", ops[k], a, i, v)
	m.add(after(v), "changed(Array.atomic.cas(%s, %d, %d, %d))", a, i, old, v)
	m.add(after(old), "changed(Array.atomic.cas(%s, %d, %d, %d))", a, i, old+1, v)
	now := slices.Clone(elems)
	now[0] = 5
	m.add(list(now, plain)+list(elems, plain), "copies(Array.clone(U32, %s))", a)
	for k := range now {
		now[k] = elems[k]*2 + 1
	}
	m.add(list(now, plain), "elements(Array.map(~U32, ~U32, ~(x => (x * 2 + 1 : U32)), %s))", a)
}

func (m *model) lists() {
	var xs []int
	for range m.r.IntN(20) {
		xs = append(xs, m.r.IntN(12))
	}
	nat := func(n int) string { return fmt.Sprintf("%dn", n) }
	n := m.r.IntN(25)
	cut := min(n, len(xs))
	back, sorted := slices.Clone(xs), slices.Clone(xs)
	slices.Reverse(back)
	slices.Sort(sorted)
	text := list(xs, nat)
	m.add(list(back, plain), "nats(List.reverse(&2, Nat, %s))", text)
	m.add(list(sorted, plain), "nats(List.sort(~Nat, ~Nat.is_le, %s))", text)
	m.add(list(append(slices.Clone(xs), back...), plain), "nats(List.append(&2, Nat, %s, %s))", text, list(back, nat))
	m.add(list(xs[:cut], plain), "nats(List.take(&2, Nat, %s, %dn))", text, n)
	m.add(list(xs[cut:], plain), "nats(List.drop(&2, Nat, %s, %dn))", text, n)
	m.add(truth(slices.Contains(xs, n)), "Bool.show(List.contains(~Nat, ~Nat.is_eq, %s, %dn))", text, n)
}

// part is how many expressions of a model stand in one def.
const part = 20

// TestModel compares defs of Base on strings, maps, sets, arrays and lists with Go's own.
func TestModel(t *testing.T) {
	m := &model{r: rand.New(rand.NewPCG(1, 2))}
	for range 15 {
		m.strings()
		m.maps()
		m.arrays()
		m.lists()
		m.numbers()
	}
	text := modelPrelude
	var parts []string
	for exprs := range slices.Chunk(m.exprs, part) {
		parts = append(parts, fmt.Sprintf("part%d", len(parts)))
		text += fmt.Sprintf("\ndef %s() -> List<&2, String>:\n  [\n    %s\n  ]\n", parts[len(parts)-1], strings.Join(exprs, ",\n    "))
	}
	book := load(t, text+"\ndef lines() -> List<&2, String>:\n  List.concat(&2, String, ["+strings.Join(parts, ", ")+"])\n")
	if t.Failed() {
		return
	}
	report(t, check.Events(book, 0))
	if t.Failed() {
		return
	}
	compare := func(way string, got, want, exprs []string) {
		if len(got) != len(want) {
			t.Errorf("%s: %d results of %d", way, len(got), len(want))
			return
		}
		for i, s := range got {
			if s != want[i] {
				t.Errorf("%s: %s = %s", way, exprs[i], cmp.Diff(want[i], s))
			}
		}
	}
	prog := flat.NewProgram()
	id := lower(t, book, prog, "lines")
	for _, way := range machines(t, prog) {
		compare(way.name, way.lines(t, id), m.want, m.exprs)
	}
	// Atomic changes have no definition that the checker could use.
	want := quoted(m.want)
	known := func(got []string) []string {
		for i := range got {
			if strings.Contains(got[i], ".atomic.") {
				got[i] = want[i]
			}
		}
		return got
	}
	compare("the checker", known(normalized(t, book, "lines")), want, m.exprs)
	for key, d := range book.Defs {
		d.Base = key == "U32.show" || key == "Nat.show" // see TestPrograms
	}
	for i := range 4 {
		compare("by definition", known(normalized(t, book, parts[i])), want[:part], m.exprs[:part])
		want, m.exprs = want[part:], m.exprs[part:]
	}
}
