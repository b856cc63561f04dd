package word

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestWordFields(t *testing.T) {
	tests := []struct {
		w              Word
		tag, aux, size int
		loc            uint32
		boxed          bool
	}{
		{12345, TagRaw, 0, 0, 12345, false},
		{NatMax, TagRaw, 0xffff, 0, 1<<32 - 1, false},
		{Pak(7), TagPak, 7, 0, 0, false},
		{Ctr(0xffff, MaxFields, 1<<32-1), TagCtr, 0xffff, MaxFields, 1<<32 - 1, true},
		{Ctr(1, 2, 9) | SharedBit, TagCtr, 1, 2, 9, true},
		{Clo(300, 0, 0), TagClo, 300, 0, 0, false},
		{Clo(300, 3, 5), TagClo, 300, 3, 5, true},
		{Bool(true), TagPak, 1, 0, 0, false},
		{Bool(false), TagPak, 0, 0, 0, false},
	}
	for _, test := range tests {
		w := test.w
		if Tag(w) != test.tag || Size(w) != test.size || Loc(w) != test.loc || Boxed(w) != test.boxed ||
			test.tag != TagRaw && Aux(w) != test.aux {
			t.Errorf("%#x: tag %d, aux %d, size %d, location %d, boxed %t", w, Tag(w), Aux(w), Size(w), Loc(w), Boxed(w))
		}
	}
}

func TestClass(t *testing.T) {
	for n := 1; n <= 1<<12; n++ {
		c := Class(n)
		if 1<<c < n || c > 0 && 1<<(c-1) >= n {
			t.Fatalf("the class of %d words is %d", n, c)
		}
	}
}

// A tree is the model of a value: a node of trees, or a number.
type tree struct {
	ctor   int
	fields []*tree
	n      Word
}

func same(h *Heap, w Word, t *tree) bool {
	if len(t.fields) == 0 {
		return w == t.n
	}
	if Aux(w) != t.ctor || Size(w) != len(t.fields) {
		return false
	}
	node := h.Node(w)
	for i, f := range t.fields {
		if !same(h, node[i], f) {
			return false
		}
	}
	return true
}

// TestHeapModel makes, keeps, takes apart and drops values at random. The values must
// stay what the model says, and the heap must hold what is owned and nothing else,
// after a Sweep that forgets some of them too.
func TestHeapModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := NewHeap(0)
		var words []Word
		var trees []*tree
		take := func(i int) (Word, *tree) {
			w, m := words[i], trees[i]
			words = append(words[:i:i], words[i+1:]...)
			trees = append(trees[:i:i], trees[i+1:]...)
			return w, m
		}
		add := func(w Word, m *tree) { words, trees = append(words, w), append(trees, m) }
		pick := func() int {
			if len(words) == 0 {
				t.Skip("nothing there")
			}
			return rapid.IntRange(0, len(words)-1).Draw(t, "which")
		}
		t.Repeat(map[string]func(*rapid.T){
			"number": func(t *rapid.T) {
				n := rapid.Uint64Range(0, NatMax).Draw(t, "n")
				add(n, &tree{n: n})
			},
			"make": func(t *rapid.T) {
				pick()
				n := rapid.IntRange(1, min(9, len(words))).Draw(t, "fields")
				m := &tree{ctor: rapid.IntRange(0, 3).Draw(t, "ctor")}
				var fields []Word
				for range n {
					w, f := take(pick())
					fields = append(fields, w)
					m.fields = append(m.fields, f)
				}
				add(h.New(m.ctor, fields...), m)
			},
			"keep": func(t *rapid.T) {
				i := pick()
				words[i] = h.Keep(words[i])
				add(words[i], trees[i])
			},
			"open": func(t *rapid.T) {
				w, m := take(pick())
				if !Boxed(w) {
					return
				}
				fields := make([]Word, Size(w))
				h.Open(w, fields)
				for i, f := range fields {
					add(f, m.fields[i])
				}
			},
			"drop": func(t *rapid.T) {
				w, _ := take(pick())
				h.Drop(w)
			},
			"forget": func(t *rapid.T) {
				take(pick())
				h.Sweep(words...)
			},
			"": func(t *rapid.T) {
				for i, w := range words {
					if !same(h, w, trees[i]) {
						t.Fatalf("value %d is not what it was", i)
					}
				}
				if live, reach := h.Live(), h.Reach(words...); live != reach {
					t.Fatalf("%d words are live, %d are owned", live, reach)
				}
			},
		})
	})
}

// TestDropDeep drops a list that is too long for any recursion.
func TestDropDeep(t *testing.T) {
	h := NewHeap(0)
	list := Pak(0)
	for i := range 1 << 20 {
		list = h.New(1, Word(i), list)
	}
	left := h.New(0, list, 1)
	if h.Live() != 2<<20+2 {
		t.Errorf("%d words are live", h.Live())
	}
	left = h.Keep(left)
	h.Drop(left)
	if h.Reach(left) != h.Live() {
		t.Errorf("the first drop frees %d words too many", h.Reach(left)-h.Live())
	}
	h.Drop(left)
	if h.Live() != 0 {
		t.Errorf("%d words are left", h.Live())
	}
}

func TestLimit(t *testing.T) {
	h := NewHeap(1 << 13)
	defer func() {
		fault, ok := recover().(Fault)
		if !ok || !errors.Is(fault.Err, ErrMemory) {
			t.Errorf("the heap fails with %v", fault.Err)
		}
		if h.Sweep(); h.Live() != 0 || len(h.Mem) > 1<<13 {
			t.Errorf("%d words are left of %d", h.Live(), len(h.Mem))
		}
	}()
	for {
		h.New(0, 1, 2)
	}
}
