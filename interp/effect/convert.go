package effect

import (
	"unicode/utf8"

	"bend/interp/flat"
	"bend/interp/word"
)

// The words of Base's constructors without fields.
var (
	Unit  = word.Pak(0)
	None  = word.Pak(0)
	False = word.Pak(0)
	True  = word.Pak(1)
	empty = word.Pak(0) // SNil, Nil
)

// Some returns Some{x}.
func Some(h *word.Heap, x word.Word) word.Word { return h.New(1, x) }

// Done returns Done{x}.
func Done(h *word.Heap, x word.Word) word.Word { return h.New(1, x) }

// Pair returns the tuple of a and b.
func Pair(h *word.Heap, a, b word.Word) word.Word { return h.New(0, a, b) }

// FromString returns the String of s; bytes that are not UTF-8 are replaced.
func FromString(h *word.Heap, s string) word.Word {
	w := empty
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
		w = h.New(1, word.Word(r), w)
	}
	return w
}

// ToString returns the text of the String w, which stays as it is. The error is a
// flat.CharError for a Char that is no Unicode scalar value.
func ToString(h *word.Heap, w word.Word) (string, error) {
	var b []byte
	for word.Size(w) > 0 {
		node := h.Node(w)
		if _, err := flat.Compute(flat.OpCharFromU32, node[0], 0); err != nil {
			return "", err
		}
		b = utf8.AppendRune(b, rune(node[0]))
		w = node[1]
	}
	return string(b), nil
}

// FromList returns the List of ws, which it takes over.
func FromList(h *word.Heap, ws []word.Word) word.Word {
	w := empty
	for i := len(ws) - 1; i >= 0; i-- {
		w = h.New(1, ws[i], w)
	}
	return w
}

// ToList returns the elements of the List w, which stays as it is and keeps them.
func ToList(h *word.Heap, w word.Word) []word.Word {
	var ws []word.Word
	for word.Size(w) > 0 {
		node := h.Node(w)
		ws = append(ws, node[0])
		w = node[1]
	}
	return ws
}

// FromStrings returns the List of Strings of ss.
func FromStrings(h *word.Heap, ss []string) word.Word {
	ws := make([]word.Word, len(ss))
	for i, s := range ss {
		ws[i] = FromString(h, s)
	}
	return FromList(h, ws)
}

// fromBytes returns the List of U32 of b.
func fromBytes(h *word.Heap, b []byte) word.Word {
	w := empty
	for i := len(b) - 1; i >= 0; i-- {
		w = h.New(1, word.Word(b[i]), w)
	}
	return w
}

// toBytes returns the bytes of a List of U32, false if one is above 255.
func toBytes(h *word.Heap, w word.Word) ([]byte, bool) {
	ws := ToList(h, w)
	b := make([]byte, len(ws))
	for i, x := range ws {
		if x > 255 {
			return nil, false
		}
		b[i] = byte(x)
	}
	return b, true
}
