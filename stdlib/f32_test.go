package stdlib_test

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"bend/interp/check"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/word"
)

// shown is F32.show by package strconv: the fewest digits, rounded to even, that read
// back as the number with the given bits.
func shown(bits uint32) string {
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

// TestF32Text runs F32.show and F32.read on many numbers, and F32.read on decimals
// that lie on and near the middle between two numbers.
func TestF32Text(t *testing.T) {
	book := load(t, "")
	report(t, check.Events(book, 0))
	if t.Failed() {
		return
	}
	prog := flat.NewProgram()
	show, err := flat.Lower(book, prog, "F32.show")
	if err != nil {
		t.Fatal(err)
	}
	read, err := flat.Lower(book, prog, "F32.read")
	if err != nil {
		t.Fatal(err)
	}
	heap := word.NewHeap(1 << 24)
	m := eval.New(prog, heap, eval.Options{})
	call := func(def flat.DefID, arg word.Word) word.Word {
		w, err := m.Call(context.Background(), def, arg)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	str := func(s string) word.Word {
		w := word.Pak(0)
		for i := len(s) - 1; i >= 0; i-- {
			w = heap.New(1, word.Word(s[i]), w)
		}
		return w
	}
	readBits := func(w word.Word) uint32 {
		some := call(read, w)
		if !word.Boxed(some) {
			return 0xffffffff // None
		}
		bits := uint32(heap.Node(some)[0])
		heap.Drop(some)
		return bits
	}
	r := rand.New(rand.NewSource(1))
	numbers := []uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x4b800000, 0x4b7fffff}
	for i := range 300 {
		numbers = append(numbers, r.Uint32(), r.Uint32()&0xff800000, math.Float32bits(float32(r.Intn(1e6))/100), uint32(i))
	}
	for _, bits := range numbers {
		w := call(show, word.Word(bits))
		var s strings.Builder
		for c := w; word.Boxed(c); {
			cell := heap.Node(c)
			s.WriteRune(rune(cell[0]))
			c = cell[1]
		}
		want := shown(bits)
		if s.String() != want {
			t.Errorf("F32.show of %08x: %s, want %s", bits, s.String(), want)
		}
		if got := readBits(w); got != bits && want != "nan" {
			t.Errorf("F32.read of %q: %08x, want %08x", want, got, bits)
		}
	}
	for range 300 {
		bits := r.Uint32() & 0x7effffff
		middle := (float64(math.Float32frombits(bits)) + float64(math.Float32frombits(bits+1))) / 2
		exact := strconv.FormatFloat(middle, 'f', -1, 64)
		if !strings.Contains(exact, ".") {
			exact += ".0"
		}
		for _, s := range []string{exact, exact + "0000000001", strconv.FormatFloat(middle*1.3, 'E', r.Intn(17), 64)} {
			g, _ := strconv.ParseFloat(s, 32)
			if got, want := readBits(str(s)), math.Float32bits(float32(g)); got != want {
				t.Errorf("F32.read of %q: %08x, want %08x", s, got, want)
			}
		}
	}
	if n := heap.Live(); n != 0 {
		t.Errorf("%d words are left in the heap", n)
	}
}
