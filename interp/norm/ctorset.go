package norm

import (
	"math/bits"

	"bend/interp/core"
)

// A CtorSet is a set of constructors of one datatype: a bit for each, by index. A set is
// never changed, only replaced.
type CtorSet []uint64

// Has reports whether k is in s.
func (s CtorSet) Has(k *core.Ctor) bool {
	i := k.Index / 64
	return i < len(s) && s[i]>>(k.Index%64)&1 == 1
}

// With returns s and k.
func (s CtorSet) With(k *core.Ctor) CtorSet {
	n := make(CtorSet, max(len(s), k.Index/64+1))
	copy(n, s)
	n[k.Index/64] |= 1 << (k.Index % 64)
	return n
}

// Len returns the number of constructors in s.
func (s CtorSet) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Covers reports whether all of t is in s.
func (s CtorSet) Covers(t CtorSet) bool {
	for i, w := range t {
		if i >= len(s) && w != 0 || i < len(s) && w&^s[i] != 0 {
			return false
		}
	}
	return true
}
