// Package image turns a checked book into bytes and back, so that a library that was
// checked once need not be parsed, resolved and checked again.
//
// An image holds no text: spans refer to the sources by number, and the reader brings
// the same sources. It is no interchange format; whoever stores one must make sure that
// the program that reads it is the program that wrote it.
//
// One list of fields a node (see fields.go) serves both directions.
package image

import (
	"encoding/binary"
	"errors"
	"slices"

	"bend/interp/core"
	"bend/interp/syntax"
)

// ErrCorrupt is the error of Decode for bytes that Encode did not make.
var ErrCorrupt = errors.New("the image is damaged")

// Encode returns the image of b. All spans in b lie in sources.
func Encode(b *core.Book, sources []*syntax.Source) []byte {
	c := newCodec(sources)
	c.writing = true
	c.book(b)
	return c.buf
}

// Decode returns the book of an image that was made with the same sources.
func Decode(data []byte, sources []*syntax.Source) (b *core.Book, err error) {
	c := newCodec(sources)
	c.buf = data
	defer func() {
		if r := recover(); r == ErrCorrupt {
			b, err = nil, ErrCorrupt
		} else if r != nil {
			panic(r)
		}
	}()
	b = core.NewBook()
	c.book(b)
	if c.pos != len(data) {
		return nil, ErrCorrupt
	}
	return b, nil
}

// A codec writes to the end of buf, or reads from pos on. Every method does either to
// what its argument points at.
type codec struct {
	writing bool
	buf     []byte
	pos     int

	sources []*syntax.Source
	number  map[*syntax.Source]int // of a source, when writing
	strings []string               // those met so far
	index   map[string]int         // of a string, when writing
	last    int32                  // start of the last span
}

func newCodec(sources []*syntax.Source) *codec {
	c := &codec{sources: sources, number: map[*syntax.Source]int{}, index: map[string]int{}}
	for i, s := range sources {
		c.number[s] = i
	}
	return c
}

func (c *codec) uint(n uint64) uint64 {
	if c.writing {
		c.buf = binary.AppendUvarint(c.buf, n)
		return n
	}
	n, k := binary.Uvarint(c.buf[c.pos:])
	if k <= 0 {
		panic(ErrCorrupt)
	}
	c.pos += k
	return n
}

func (c *codec) sint(n int64) int64 {
	u := c.uint(uint64(n<<1) ^ uint64(n>>63))
	return int64(u>>1) ^ -int64(u&1)
}

// count handles the length of something whose elements take a byte or more each.
func (c *codec) count(n int) int {
	u := c.uint(uint64(n))
	if !c.writing && u > uint64(len(c.buf)-c.pos) {
		panic(ErrCorrupt)
	}
	return int(u)
}

// number types that are written as an unsigned number.
type unsigned interface{ ~uint8 | ~uint64 | ~int }

func num[T unsigned](c *codec, p *T) { *p = T(c.uint(uint64(*p))) }

func (c *codec) bool(p *bool) {
	var n uint64
	if *p {
		n = 1
	}
	*p = c.uint(n) == 1
}

// str writes a string the first time that it is met, and then its number.
func (c *codec) str(p *string) {
	if c.writing {
		i, seen := c.index[*p]
		if seen {
			c.uint(uint64(i) + 1)
			return
		}
		c.index[*p] = len(c.index)
		c.uint(0)
		c.count(len(*p))
		c.buf = append(c.buf, *p...)
		return
	}
	if i := c.uint(0); i > 0 {
		if i > uint64(len(c.strings)) {
			panic(ErrCorrupt)
		}
		*p = c.strings[i-1]
		return
	}
	n := c.count(0)
	*p = string(c.buf[c.pos : c.pos+n])
	c.pos += n
	c.strings = append(c.strings, *p)
}

func (c *codec) span(p *syntax.Span) {
	var src uint64
	if p.Src != nil {
		src = uint64(c.number[p.Src]) + 1
	}
	src = c.uint(src)
	if src == 0 {
		return
	}
	if src > uint64(len(c.sources)) {
		panic(ErrCorrupt)
	}
	p.Src = c.sources[src-1]
	p.Start = c.last + int32(c.sint(int64(p.Start-c.last)))
	p.End = p.Start + int32(c.uint(uint64(p.End-p.Start)))
	if p.Start < 0 || p.End < p.Start || int(p.End) > len(p.Src.Text) {
		panic(ErrCorrupt)
	}
	c.last = p.Start
}

// slice handles the length of *p and then each element.
func slice[T any](c *codec, p *[]T, each func(*T)) {
	n := c.count(len(*p))
	if !c.writing && n > 0 {
		*p = make([]T, n)
	}
	for i := range *p {
		each(&(*p)[i])
	}
}

// table handles a map in the order of its keys.
func table[T any](c *codec, m map[string]T, each func(*T)) {
	n := c.count(len(m))
	if !c.writing {
		for range n {
			var k string
			var v T
			c.str(&k)
			each(&v)
			m[k] = v
		}
		return
	}
	keys := make([]string, 0, n)
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		v := m[k]
		c.str(&k)
		each(&v)
	}
}
