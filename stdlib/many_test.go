package stdlib_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bend/interp/check"
	"bend/interp/flat"
)

// manyProgram does thousands of changes to one map, one set, arrays of many sizes and a list,
// by numbers that look random, and mixes what it sees into a number.
const manyProgram = `import Base

def next(s: U32) -> U32: (s * 1664525 + 1013904223 : U32)
def mix(a: U32, b: U32) -> U32: (a * 31 + b : U32)

# A key of up to five characters of three, by the digits of a number.
def key(n: Nat, +x: U32) -> String:
  match n:
    case 0n: ""
    case 1n+p:
      +d = (x % 4 : U32)
      Bool.pick(String, U32.is_eq(d, 3), "",
        SCon{Bool.pick(Char, U32.is_eq(d, 0), 'a', Bool.pick(Char, U32.is_eq(d, 1), 'b', '\u{1f600}')), key(p, (x / 4 : U32))})

def name(s: U32) -> String: key(5n, (s >> 12n : U32))

def put(+s: U32, acc: U32, m: Map<&2, U32>) -> Map<&2, U32> & U32:
  (Map.set(&2, U32, m, name(s), s), acc)

def was(acc: U32, r: Map<&2, U32> & U32) -> Map<&2, U32> & U32:
  match r:
    case (m, v): (m, mix(acc, v))

def has(acc: U32, r: Map<&2, U32> & Bool) -> Map<&2, U32> & U32:
  match r:
    case (m, b): (m, mix(acc, Bool.to_u32(b)))

def popped(acc: U32, r: Map<&2, U32> & Maybe<&2, U32>) -> Map<&2, U32> & U32:
  match r:
    case (m, v): (m, mix(acc, Maybe.default(&2, U32, v, 5)))

def change(+s: U32, kind: U32, r: Map<&2, U32> & U32) -> Map<&2, U32> & U32:
  match kind, r:
    case 0, (m, acc): has(acc, Map.has(&2, U32, m, name(s)))
    case 1, (m, acc): was(acc, Map.get(U32, 3, m, name(s)))
    case 2, (m, acc): popped(acc, Map.pop(&2, U32, m, name(s)))
    case 3, (m, acc): (Map.del(&2, U32, m, name(s)), acc)
    case k, (m, acc): put(s, acc, m)

def changes(n: Nat, +s: U32, r: Map<&2, U32> & U32) -> Map<&2, U32> & U32:
  match n:
    case 0n: r
    case 1n+p: changes(p, next(s), change(s, ((s >> 8n : U32) % 6 : U32), r))

def entry(p: +Sigma<String, _ => U32>) -> String:
  match p:
    case (k, v): k ++ "=" ++ U32.show(v)

def after(r: Map<&2, U32> & U32) -> String:
  match r:
    case (m, acc): List.show(~&2, ~+Sigma<String, _ => U32>, ~entry, Map.to_list(&2, U32, m)) ++ U32.show(acc)

def swap(+s: U32, r: Array<U32> & U32) -> Array<U32> & U32:
  match r:
    case (a, e): Array.swap(U32, a, (s >> 8n : U32), mix(e, s))

def swaps(n: Nat, +s: U32, r: Array<U32> & U32) -> Array<U32> & U32:
  match n:
    case 0n: r
    case 1n+p: swaps(p, next(s), swap(s, r))

def total(xs: List<U32>, acc: U32) -> U32:
  match xs:
    case Nil{}: acc
    case Con{h, t}: total(t, mix(acc, h))

def elements(r: Array<U32> & U32) -> String:
  match r:
    case (a, e): U32.show(total(Array.to_list(~U32, a), e))

def arrays(n: Nat, +d: Nat) -> List<&2, String>:
  match n:
    case 0n: []
    case 1n+p: elements(swaps(500n, U32.from_nat(d), (Array.new(U32, d, 7), 0))) <> arrays(p, 1n+d)

def names(n: Nat, +s: U32) -> List<&2, String>:
  match n:
    case 0n: []
    case 1n+p: name(s) <> names(p, next(s))

def lines() -> List<&2, String>:
  List.append(&2, String, [
    after(changes(2000n, 1, (MTip{}, 0))),
    String.join(Set.to_list(Set.from_list(names(1000n, 2))), " "),
    String.join(List.sort(~String, ~String.is_le, names(500n, 3)), " ")
  ], arrays(12n, 0n))
`

// many computes what manyProgram prints.
func many() (lines []string) {
	next := func(s uint32) uint32 { return s*1664525 + 1013904223 }
	mix := func(a, b uint32) uint32 { return a*31 + b }
	name := func(s uint32) string {
		var b strings.Builder
		for x, n := s>>12, 0; n < 5 && x%4 != 3; x, n = x/4, n+1 {
			b.WriteRune([]rune("ab😀")[x%4])
		}
		return b.String()
	}
	names := func(n int, s uint32) (ss []string) {
		for range n {
			ss = append(ss, name(s))
			s = next(s)
		}
		return ss
	}
	m, acc := map[string]uint32{}, uint32(0)
	for i, s := 0, uint32(1); i < 2000; i, s = i+1, next(s) {
		v, ok := m[name(s)]
		or := func(d uint32) uint32 {
			if ok {
				return v
			}
			return d
		}
		switch s >> 8 % 6 {
		case 0:
			acc *= 31
			if ok {
				acc++
			}
		case 1:
			acc = mix(acc, or(3))
		case 2:
			acc = mix(acc, or(5))
			delete(m, name(s))
		case 3:
			delete(m, name(s))
		default:
			m[name(s)] = s
		}
	}
	lines = append(lines, pairs(m)+fmt.Sprint(acc))
	set := names(1000, 2)
	slices.Sort(set)
	lines = append(lines, strings.Join(slices.Compact(set), " "))
	sorted := names(500, 3)
	slices.Sort(sorted)
	lines = append(lines, strings.Join(sorted, " "))
	for d := range 12 {
		a, e := slices.Repeat([]uint32{7}, 1<<d), uint32(0)
		for i, s := 0, uint32(d); i < 500; i, s = i+1, next(s) {
			k := s >> 8 % uint32(len(a))
			e, a[k] = a[k], mix(e, s)
		}
		for _, x := range a {
			e = mix(e, x)
		}
		lines = append(lines, fmt.Sprint(e))
	}
	return lines
}

// TestMany compares long histories of a map, a set, arrays and lists with Go's own.
func TestMany(t *testing.T) {
	book := load(t, manyProgram)
	if !t.Failed() {
		report(t, check.Events(book, 0))
	}
	if t.Failed() {
		return
	}
	prog := flat.NewProgram()
	id := lower(t, book, prog, "lines")
	for _, m := range machines(t, prog) {
		if diff := cmp.Diff(many(), m.lines(t, id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", m.name, diff)
		}
	}
}
