package wasmgen

import (
	"bytes"
	"testing"
)

// The values are those of the WebAssembly specification's description of LEB128.
func TestLEB128(t *testing.T) {
	for n, want := range map[uint64][]byte{0: {0}, 127: {0x7f}, 128: {0x80, 1}, 624485: {0xe5, 0x8e, 0x26}} {
		if got := appendU(nil, n); !bytes.Equal(got, want) {
			t.Errorf("unsigned %d: % x, want % x", n, got, want)
		}
	}
	for n, want := range map[int64][]byte{0: {0}, 63: {0x3f}, 64: {0xc0, 0}, -1: {0x7f}, -64: {0x40}, -123456: {0xc0, 0xbb, 0x78}} {
		if got := appendS(nil, n); !bytes.Equal(got, want) {
			t.Errorf("signed %d: % x, want % x", n, got, want)
		}
	}
}

// Branches count blocks from the inside out.
func TestLabels(t *testing.T) {
	var c Code
	outer := c.block()
	c.loop()
	inner := c.block()
	c.br(outer)
	c.br(inner)
	c.brTable([]Label{inner, outer}, outer)
	c.end()
	c.br(outer)
	want := []byte{
		opBlock, noResult, opLoop, noResult, opBlock, noResult,
		opBr, 2, opBr, 0, opBrTable, 2, 0, 2, 2, opEnd, opBr, 1,
	}
	if !bytes.Equal(c.buf, want) {
		t.Errorf("% x, want % x", c.buf, want)
	}
}
