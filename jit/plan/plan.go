// Package plan lays a kernel out before it is printed, in whatever language: it numbers
// the segments that the kernel's loop goes to, describes the frames that lead there, and
// gives everything in the memory its place.
//
// A kernel's loop switches on an id. An id is where a return goes on (after a cut, or
// after a call of a fork), where a def is entered with its arguments in the bank, or
// where a closure is given one more argument.
package plan

import (
	"encoding/binary"
	"fmt"

	"bend/interp/flat"
	"bend/jit/lane"
)

// Input is what a kernel is made of.
type Input struct {
	Program *flat.Program
	Root    flat.DefID
	Defs    []flat.DefID
	Fns     []flat.FnID // closures that can be applied
	Profile bool
	// Parallel makes a kernel whose calls of a fork may run on several lanes.
	Parallel bool
}

// A Kind tells what a segment does.
type Kind int

// The kinds of segments.
const (
	Exit      Kind = iota // leaves with Exit, the result in the bank
	Missing               // posts that a closure is not held
	Apply                 // applies the closure in the bank to the argument beside it
	Closure               // gives the closure of Fn in the bank the argument beside it
	Stub                  // enters Def with the arguments in the bank
	AfterCut              // goes on after Cut of Def
	AfterCall             // goes on after call Call, counted from 1, of Fork of Def
	Joined                // leaves with Joined, the result in the bank
)

// The ids that every kernel has, beside lane.ExitID.
const (
	MissingID = 1
	ApplyID   = 2
)

// A Segment is what an id leads to.
type Segment struct {
	ID   int
	Kind Kind
	Def  *flat.Def
	Fn   flat.FnID
	Cut  *flat.Cut
	Fork *flat.Fork
	Call int
}

// A Plan is a kernel that is laid out.
type Plan struct {
	Input
	Kernel   *lane.Kernel
	Segments []Segment
	Stubs    map[flat.DefID]int    // ids of the defs
	Closures map[flat.FnID]int     // ids of the closures
	Returns  map[*flat.Frame][]int // ids behind each frame: one for each of its calls
	Joined   int                   // id of the segment that all dealt frames lead to, 0 for none
	Data     []byte                // static data, from lane.Static on: first the table of closures

	owners  map[lane.Owner]int
	ownerOf map[*flat.Frame]int
	stops   map[string]int
}

// maxID is the largest function id that fits a closure's word.
const maxID = 1<<16 - 1

// New lays out a kernel.
func New(in Input) (*Plan, error) {
	if len(in.Program.Fns) > maxID {
		return nil, fmt.Errorf("the program has more than %d functions", maxID)
	}
	root := in.Program.Def(in.Root)
	p := &Plan{
		Input: in,
		Kernel: &lane.Kernel{
			Name: root.Name, Params: root.Params, Defs: len(in.Defs), Holds: map[flat.FnID]bool{},
			Profile: in.Profile, Parallel: in.Parallel,
		},
		Stubs: map[flat.DefID]int{}, Closures: map[flat.FnID]int{}, Returns: map[*flat.Frame][]int{},
		owners: map[lane.Owner]int{}, ownerOf: map[*flat.Frame]int{}, stops: map[string]int{},
	}
	p.segments()
	p.Data = make([]byte, 8*((len(in.Program.Fns)+1)/2))
	for i := range in.Program.Fns {
		id, ok := p.Closures[flat.FnID(i)]
		if !ok {
			id = MissingID
		}
		binary.LittleEndian.PutUint32(p.Data[4*i:], uint32(id))
	}
	return p, nil
}

// Finish lays the lanes behind the static data, of which there is no more to come.
func (p *Plan) Finish() {
	for len(p.Data)%8 != 0 {
		p.Data = append(p.Data, 0)
	}
	p.Kernel.Layout.Lanes = lane.Static + len(p.Data)/8
}

// Text puts the code points of a literal into the static data, 32 bits each, and returns
// their offset in it.
func (p *Plan) Text(codes []uint32) int {
	at := len(p.Data)
	for _, c := range codes {
		p.Data = binary.LittleEndian.AppendUint32(p.Data, c)
	}
	if len(codes)%2 != 0 {
		p.Data = append(p.Data, 0, 0, 0, 0)
	}
	return at
}

// Stop returns the number of a message.
func (p *Plan) Stop(why string) int {
	i, ok := p.stops[why]
	if !ok {
		i = len(p.Kernel.Stops)
		p.stops[why] = i
		p.Kernel.Stops = append(p.Kernel.Stops, why)
	}
	return i
}

// segments numbers the segments.
func (p *Plan) segments() {
	p.id(lane.Return{Words: lane.ExitWords, Pushed: lane.ExitWords}, Segment{Kind: Exit})
	p.id(lane.Return{}, Segment{Kind: Missing})
	p.id(lane.Return{}, Segment{Kind: Apply})
	for _, f := range p.Fns {
		if !p.Kernel.Holds[f] {
			p.Closures[f] = p.id(lane.Return{}, Segment{Kind: Closure, Fn: f})
			p.Kernel.Holds[f] = true
		}
	}
	bank, widest := 1, 1
	var forks []*flat.Fork
	for _, id := range p.Defs {
		d := p.Program.Def(id)
		bank = max(bank, d.Params)
		flat.Walk(d.Body, func(c flat.Code) {
			switch s := c.(type) {
			case *flat.Cut:
				p.frame(d, s.Frame)
				p.Returns[s.Frame] = []int{p.id(p.ret(s.Frame, 1), Segment{Kind: AfterCut, Def: d, Cut: s})}
				widest = max(widest, s.Frame.Words)
			case *flat.Fork:
				p.frame(d, s.Frame)
				for i := range s.Calls {
					r := p.id(p.ret(s.Frame, i+1), Segment{Kind: AfterCall, Def: d, Fork: s, Call: i + 1})
					p.Returns[s.Frame] = append(p.Returns[s.Frame], r)
				}
				if p.Parallel {
					forks = append(forks, s)
				}
				widest = max(widest, s.Frame.Words+len(s.Calls))
			}
		})
		p.Stubs[id] = p.id(lane.Return{}, Segment{Kind: Stub, Def: d})
	}
	for _, f := range forks {
		p.deals(f)
	}
	p.Kernel.Layout = lane.NewLayout(bank, len(p.Kernel.Owners), widest+1)
	p.Kernel.Entry = p.Stubs[p.Root]
}

// id adds a segment and returns its id.
func (p *Plan) id(r lane.Return, s Segment) int {
	s.ID = len(p.Kernel.Returns)
	p.Segments = append(p.Segments, s)
	p.Kernel.Returns = append(p.Kernel.Returns, r)
	return s.ID
}

// frame registers the owner of a frame.
func (p *Plan) frame(d *flat.Def, f *flat.Frame) {
	name := f.Owner
	if name == "" {
		name = d.Name
	}
	o := lane.Owner{Name: name, Words: f.Words}
	i, ok := p.owners[o]
	if !ok {
		i = len(p.Kernel.Owners)
		p.owners[o] = i
		p.Kernel.Owners = append(p.Kernel.Owners, o)
	}
	p.ownerOf[f] = i
}

// ret describes the frame of f while the given call, counted from 1, runs.
func (p *Plan) ret(f *flat.Frame, call int) lane.Return {
	r := lane.Return{Words: f.Words + call - 1, Pushed: f.Words, Owner: p.ownerOf[f], Span: f.Span}
	if call > 1 {
		r.Pushed = 2
	}
	return r
}

// deals tells the host how to deal out the calls of a fork that have not begun (see
// lane.Stack.Deal), and gives each step an id for the frame that is left.
func (p *Plan) deals(f *flat.Fork) {
	at := map[flat.Var]int{}
	for i, v := range f.Frame.Caps {
		at[v] = i
	}
	arg := func(a flat.Atom) lane.ForkArg {
		if a.IsConst() {
			return lane.ForkArg{Cap: -1, Word: a.Word}
		}
		return lane.ForkArg{Cap: at[a.Var]}
	}
	calls := make([]lane.ForkCall, len(f.Calls))
	for i, c := range f.Calls {
		if i == 0 {
			continue // it has begun when there is a frame, and its arguments are not in it
		}
		if c.Apply {
			calls[i] = lane.ForkCall{Entry: ApplyID, Args: []lane.ForkArg{arg(c.Fn)}}
		} else {
			calls[i].Entry = p.Stubs[c.Def]
		}
		for _, a := range c.Args {
			calls[i].Args = append(calls[i].Args, arg(a))
		}
	}
	ids := p.Returns[f.Frame]
	last := len(ids) - 1
	for i, id := range ids[:last] {
		r := &p.Kernel.Returns[id]
		r.Fork = &lane.Fork{Caps: len(f.Frame.Caps), Call: i, Calls: calls, Dealt: len(p.Kernel.Returns), After: ids[last]}
		dealt := *r
		dealt.Dealt = true
		if p.Joined == 0 {
			p.Joined = p.id(dealt, Segment{Kind: Joined})
		} else {
			p.Kernel.Returns = append(p.Kernel.Returns, dealt)
		}
	}
}
