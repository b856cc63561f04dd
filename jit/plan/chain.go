package plan

import (
	"encoding/binary"

	"bend/interp/flat"
	"bend/interp/word"
)

// leastChain is the number of nodes from which on a chain of constants is built by a
// loop.
const leastChain = 8

// A Chain is a run of nodes, each made of constants and of the node before it, as a list
// literal is.
type Chain struct {
	First *flat.New // the node that the chain hangs on, which is none of it
	Last  *flat.New // the last of the chain
	Count int
	Node  word.Word // of each node, but for its place
	Size  int       // fields of a node
	Pos   int       // the field that is the node before
	Data  int       // offset of the other fields, node by node, in the static data
}

// Chain returns the chain that hangs on s, nil when there is none worth a loop. It adds
// the constants to the static data.
func (p *Plan) Chain(s *flat.New) *Chain {
	second, ok := s.Next.(*flat.New)
	if !ok {
		return nil
	}
	c := &Chain{
		First: s, Last: s, Node: word.Ctr(second.Ctor, len(second.Fields), 0), Size: len(second.Fields), Pos: -1,
	}
	for i, a := range second.Fields {
		if !a.IsConst() {
			c.Pos = i
		}
	}
	var rows []byte
	for {
		n, ok := c.Last.Next.(*flat.New)
		if !ok || c.Pos < 0 || n.Ctor != second.Ctor || len(n.Fields) != c.Size || !chained(n, c.Pos, c.Last.Dst) {
			break
		}
		for i, a := range n.Fields {
			if i != c.Pos {
				rows = binary.LittleEndian.AppendUint64(rows, a.Word)
			}
		}
		c.Last = n
		c.Count++
	}
	if c.Count < leastChain {
		return nil
	}
	c.Data = len(p.Data)
	p.Data = append(p.Data, rows...)
	return c
}

// chained reports whether all fields of n are constants but the one at pos, which is v.
func chained(n *flat.New, pos int, v flat.Var) bool {
	for i, a := range n.Fields {
		if a.IsConst() == (i == pos) || i == pos && a.Var != v {
			return false
		}
	}
	return true
}
