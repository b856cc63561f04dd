package stdlib_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/flat"
	"bend/interp/word"
)

// floatText is F32.show by package strconv: the fewest digits, rounded to even, that read
// back as the number with the given bits.
func floatText(bits uint32) string {
	f := math.Float32frombits(bits)
	v := float64(f)
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strings.ToLower(fmt.Sprint(v)), "+")
	case v == 0:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	for p := 0; ; p++ {
		s := strconv.FormatFloat(v, 'e', p, 64)
		if g, err := strconv.ParseFloat(s, 32); err != nil || float32(g) != f {
			continue
		}
		mantissa, exp, _ := strings.Cut(s, "e")
		e, _ := strconv.Atoi(exp)
		if e > -7 && e < 21 {
			g, _ := strconv.ParseFloat(s, 64)
			return strconv.FormatFloat(g, 'f', -1, 64)
		}
		return fmt.Sprintf("%se%+d", mantissa, e)
	}
}

// isFloat is the form of a number that F32.read takes; what it means is what package
// strconv says.
var isFloat = regexp.MustCompile(`^(?i)[ \t\n\v\f\r]*([-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|[-+]?inf(inity)?|[-+]?nan)$`)

// readFloat is F32.read by package strconv: the bits, or None.
func readFloat(s string) string {
	if !isFloat.MatchString(s) {
		return "None"
	}
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if strings.HasSuffix(strings.ToLower(s), "nan") {
		return "7fc00000"
	}
	f, _ := strconv.ParseFloat(s, 32) // out of range: an infinity
	return fmt.Sprintf("%08x", math.Float32bits(float32(f)))
}

// TestF32Text runs F32.show and F32.read on many numbers, and F32.read on decimals
// that lie on and near the middle between two numbers, on the host and on a lane.
func TestF32Text(t *testing.T) {
	book := load(t, "")
	report(t, check.Events(book, 0))
	if t.Failed() {
		return
	}
	prog := flat.NewProgram()
	show, read := lower(t, book, prog, "F32.show"), lower(t, book, prog, "F32.read")
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x4b800000, 0x4b7fffff}
	for i := range uint32(100) {
		numbers = append(numbers, r.Uint32(), r.Uint32()&0xff800000, math.Float32bits(float32(r.IntN(1e6))/100), i)
	}
	texts := []string{
		"", ".", "-", "+", "e5", "1e", "1e+", "1e-", "1.2.3", "--1", "+-1", "- 1", "1 ", " 1", "\t\n\v\f\r 1.5", "\u00a01", "1\x00", "0x1p3", "1_000",
		"inf", "-INF", "+Infinity", "infinit", "nan", "-NaN", "nan(1)", "infinity1", "٣", "1e٣", "5.", ".5", "5.e1", "00000012", "-0", "-0e99999999999", "0e-5",
		"1e99999999999999999999", "1e-99999999999999999999", "-1e39", "3.4028235e38", "3.4028236e38", "340282356779733661637539395458142568447.9",
		"340282356779733661637539395458142568448", "7.006492321624085e-46", "7.006492321624086e-46", "1.1754942e-38", "16777217", "16777219",
		strings.Repeat("0", 5000) + "1.5", "0." + strings.Repeat("0", 5000) + "1e5001", strings.Repeat("9", 700) + "e-700",
	}
	for range 100 {
		bits := r.Uint32() & 0x7effffff
		middle := (float64(math.Float32frombits(bits)) + float64(math.Float32frombits(bits+1))) / 2
		exact := strconv.FormatFloat(middle, 'f', -1, 64)
		if !strings.Contains(exact, ".") {
			exact += ".0"
		}
		texts = append(texts, exact, exact+"0000000001", strconv.FormatFloat(middle*1.3, 'E', r.IntN(17), 64))
	}
	for _, m := range machines(t, prog)[:2] {
		call := func(def flat.DefID, arg word.Word) word.Word {
			w, err := m.run(def, []word.Word{arg})
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			return w
		}
		reads := func(s string) string {
			some := call(read, m.str(s))
			if !word.Boxed(some) {
				return "None"
			}
			defer m.heap.Drop(some)
			return fmt.Sprintf("%08x", m.heap.Node(some)[0])
		}
		for _, bits := range numbers {
			w := call(show, word.Word(bits))
			got, want := m.text(w), floatText(bits)
			m.heap.Drop(w)
			if got != want {
				t.Errorf("%s: F32.show of %08x: %s, want %s", m.name, bits, got, want)
			}
			if back := reads(want); back != readFloat(want) || want != "nan" && back != fmt.Sprintf("%08x", bits) {
				t.Errorf("%s: F32.read of %q: %s, want %08x", m.name, want, back, bits)
			}
		}
		for _, s := range texts {
			if got, want := reads(s), readFloat(s); got != want {
				t.Errorf("%s: F32.read of %.60q: %s, want %s", m.name, s, got, want)
			}
		}
		if n := m.heap.Live(); n != 0 {
			t.Errorf("%s: %d words are left in the heap", m.name, n)
		}
	}
}
