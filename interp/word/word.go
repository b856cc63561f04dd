// Package word defines the 64-bit words that every executor computes with, and the
// heap that holds their nodes.
//
// A word is self-describing: it can be kept, dropped and moved between memories
// without knowing its type.
//
//	bit  63      shared: the location is a count cell, not the node itself
//	bits 56..62  tag
//	bits 48..55  words of the node (CTR, CLO)
//	bits 32..47  constructor index within its datatype (PAK, CTR), or function id (CLO)
//	bits  0..31  location: a word index into the memory
//
// A raw word (tag 0) is the number itself: a U32, the bits of an F32, the code of a
// Char, or a Nat up to 2^48 - 1.
//
// Every value has one owner. A second owner makes the value shared: a count cell is
// minted that holds the location of the node in its high 40 bits and the number of
// owners in its low 24 bits, and all owners hold a word that points to the cell.
package word

import "math/bits"

// A Word is one cell of a stack or a heap.
type Word = uint64

// The tags.
const (
	TagRaw = 0 // a number
	TagPak = 1 // a constructor without fields, no node
	TagCtr = 2 // a constructor node
	TagClo = 3 // a closure: a function and the arguments it holds (no node when it holds none)
)

// Limits of the format.
const (
	NatMax     = 1<<48 - 1 // largest Nat
	CountMax   = 1<<24 - 1 // largest number of owners of one node
	MaxFields  = 247       // widest node, in words
	SharedBit  = 1 << 63
	countBits  = 24
	countMask  = 1<<countBits - 1
	locMask    = 1<<32 - 1
	TagShift   = 56
	SizeShift  = 48
	AuxShift   = 32
	tagMask    = 0x7f
	sizeMask   = 0xff
	auxMask    = 0xffff
	CountShift = countBits
)

// Tag returns the tag of w.
func Tag(w Word) int { return int(w >> TagShift & tagMask) }

// Aux returns the constructor index or function id of w.
func Aux(w Word) int { return int(w >> AuxShift & auxMask) }

// Size returns the number of words of the node that w owns, 0 for a closure that
// holds nothing.
func Size(w Word) int { return int(w >> SizeShift & sizeMask) }

// Loc returns the location of w: of its node, or of its count cell when shared.
func Loc(w Word) uint32 { return uint32(w) }

// Shared reports whether w points to a count cell.
func Shared(w Word) bool { return w&SharedBit != 0 }

// Boxed reports whether w owns something in a heap.
func Boxed(w Word) bool { return w>>TagShift&tagMask >= TagCtr && w>>SizeShift&sizeMask != 0 }

// Pak returns the word of constructor index k that has no fields.
func Pak(k int) Word { return TagPak<<TagShift | Word(k)<<AuxShift }

// Ctr returns the word of constructor index k with n fields at location loc.
func Ctr(k, n int, loc uint32) Word {
	return TagCtr<<TagShift | Word(n)<<SizeShift | Word(k)<<AuxShift | Word(loc)
}

// Clo returns the word of function id fn that holds n words at location loc.
func Clo(fn, n int, loc uint32) Word {
	return TagClo<<TagShift | Word(n)<<SizeShift | Word(fn)<<AuxShift | Word(loc)
}

// Bool returns the word of False{} (index 0) or True{} (index 1).
func Bool(b bool) Word {
	if b {
		return Pak(1)
	}
	return Pak(0)
}

// Class returns the size class of a block for n words: the smallest c with 2^c >= n.
func Class(n int) int { return bits.Len(uint(n - 1)) }
