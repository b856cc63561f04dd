package wasmgen

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

// maxBank is the number of parameters that travel in locals.
const maxBank = 24

// maxID is the largest function id that fits a closure's word.
const maxID = 1<<16 - 1

// A kernel is the state of printing one.
type kernel struct {
	in      Input
	out     *lane.Kernel
	rt      *runtime
	segs    []*segment
	funcs   map[flat.DefID]*function
	stubs   map[flat.DefID]int // return id of the segment that calls the function
	fns     map[flat.FnID]int  // return id of each closure's segment
	returns map[*flat.Frame][]int
	owners  map[lane.Owner]int
	ownerOf map[*flat.Frame]int
	stops   map[string]int
	data    []byte // static data
	table   int    // address of the table of closures
	joined  int    // a return id whose segment leaves the kernel with Joined
}

// The ids that every kernel has, beside lane.ExitID.
const (
	missingID = 1 // an unknown closure
	applyID   = 2 // the application of a closure that is in the bank
)

// A segment is a piece of run that is reached through the table.
type segment struct {
	id    int
	label Label
	print func(e *emitter)
}

// Generate prints the kernel of in.
func Generate(in Input) (*lane.Kernel, error) {
	if len(in.Program.Fns) > maxID {
		return nil, fmt.Errorf("the program has more than %d functions", maxID)
	}
	root := in.Program.Def(in.Root)
	k := &kernel{
		in: in,
		out: &lane.Kernel{
			Name: root.Name, Params: root.Params, Defs: len(in.Defs), Holds: map[flat.FnID]bool{},
			Profile: in.Profile, Parallel: in.Parallel,
		},
		funcs:   map[flat.DefID]*function{},
		stubs:   map[flat.DefID]int{},
		fns:     map[flat.FnID]int{},
		returns: map[*flat.Frame][]int{},
		owners:  map[lane.Owner]int{},
		ownerOf: map[*flat.Frame]int{},
		stops:   map[string]int{},
	}
	k.plan()
	m := &Module{}
	k.rt = newRuntime(m, k.out.Layout, in.Profile, in.Parallel)
	k.table = lane.Static * 8
	k.data = make([]byte, 8*((len(in.Program.Fns)+1)/2))
	for i := range in.Program.Fns {
		id, ok := k.fns[flat.FnID(i)]
		if !ok {
			id = missingID
		}
		binary.LittleEndian.PutUint32(k.data[4*i:], uint32(id))
	}
	k.print(m)
	l := &k.out.Layout
	l.Lanes = lane.Static + (len(k.data)+7)/8
	m.Memory(uint32(l.Lanes*8/pageBytes+1), maxPages)
	if len(k.data) > 0 {
		m.Data(lane.Static*8, k.data)
	}
	k.out.Wasm = m.Encode()
	return k.out, nil
}

// The memory of a module.
const (
	pageBytes = 1 << 16
	maxPages  = 1<<16 - 1 // one less than the most that exists: its size must fit 32 bits
)

// text puts the code points of a literal into the static data.
func (k *kernel) text(codes []uint32) int {
	at := k.table + len(k.data)
	for _, c := range codes {
		k.data = binary.LittleEndian.AppendUint32(k.data, c)
	}
	if len(codes)%2 != 0 {
		k.data = append(k.data, 0, 0, 0, 0)
	}
	return at
}

// stop returns the number of a message.
func (k *kernel) stop(why string) int {
	i, ok := k.stops[why]
	if !ok {
		i = len(k.out.Stops)
		k.stops[why] = i
		k.out.Stops = append(k.out.Stops, why)
	}
	return i
}

// plan numbers the segments and lays the memory out.
func (k *kernel) plan() {
	k.ids(lane.Return{Words: lane.ExitWords, Pushed: lane.ExitWords}, (*emitter).exitSegment)
	k.ids(lane.Return{}, (*emitter).missingSegment)
	k.ids(lane.Return{}, (*emitter).applySegment)
	for _, f := range k.in.Fns {
		if _, ok := k.fns[f]; !ok {
			k.fns[f] = k.ids(lane.Return{}, func(e *emitter) { e.fnSegment(f) })
			k.out.Holds[f] = true
		}
	}
	bank, widest := 1, 1
	var forks []*flat.Fork
	for _, id := range k.in.Defs {
		d := k.in.Program.Def(id)
		bank = max(bank, d.Params)
		flat.Walk(d.Body, func(c flat.Code) {
			switch s := c.(type) {
			case *flat.Cut:
				k.frame(d, s.Frame)
				r := k.ids(k.ret(s.Frame, 1), func(e *emitter) { e.afterCut(d, s) })
				k.returns[s.Frame] = []int{r}
				widest = max(widest, s.Frame.Words)
			case *flat.Fork:
				k.frame(d, s.Frame)
				for i := range s.Calls {
					r := k.ids(k.ret(s.Frame, i+1), func(e *emitter) { e.afterCall(d, s, i+1) })
					k.returns[s.Frame] = append(k.returns[s.Frame], r)
				}
				if k.in.Parallel {
					forks = append(forks, s)
				}
				widest = max(widest, s.Frame.Words+len(s.Calls))
			}
		})
		k.stubs[id] = k.ids(lane.Return{}, func(e *emitter) { e.stub(d) })
	}
	for _, f := range forks {
		k.deals(f)
	}
	k.out.Layout = lane.NewLayout(bank, len(k.out.Owners), widest+1)
	k.out.Entry = k.stubs[k.in.Root]
}

// ids adds a segment that is reached through the table and returns its id.
func (k *kernel) ids(r lane.Return, print func(*emitter)) int {
	id := len(k.out.Returns)
	k.segs = append(k.segs, &segment{id: id, print: print})
	k.out.Returns = append(k.out.Returns, r)
	return id
}

// frame registers the owner of a frame.
func (k *kernel) frame(d *flat.Def, f *flat.Frame) {
	name := f.Owner
	if name == "" {
		name = d.Name
	}
	o := lane.Owner{Name: name, Words: f.Words}
	i, ok := k.owners[o]
	if !ok {
		i = len(k.out.Owners)
		k.owners[o] = i
		k.out.Owners = append(k.out.Owners, o)
	}
	k.ownerOf[f] = i
}

// print prints the functions of the defs and the function run.
func (k *kernel) print(m *Module) {
	k.declare(m)
	for _, id := range k.in.Defs {
		k.body(k.in.Program.Def(id))
	}
	f := m.Func([]ValType{I32, I32, I32}, []ValType{I32})
	m.Export("run", f)
	e := &emitter{Func: f, k: k, rt: k.rt, pc: 1, fuel: 2}
	e.sp, e.result = f.Local(I32), f.Local(I64)
	status := f.Local(I32)
	e.loadHead(lane.HeadSP)
	e.set(e.sp)
	e.loadBank(0)
	e.set(e.result)
	e.leave = e.resultBlock(I32)
	e.top = e.loop()
	table := make([]Label, len(k.out.Returns))
	for i := len(k.segs) - 1; i >= 0; i-- {
		s := k.segs[i]
		s.label = e.block()
		table[s.id] = s.label
	}
	for i, r := range k.out.Returns {
		if r.Dealt {
			table[i] = table[k.joined]
		}
	}
	e.get(e.pc)
	e.brTable(table[:len(table)-1], table[len(table)-1])
	for _, s := range k.segs {
		e.end()
		e.begin(nil)
		s.print(e)
	}
	e.end() // of the loop: nothing falls out of a segment
	e.op(opUnreachable)
	e.end()
	e.set(status)
	e.storeHead(lane.HeadSP, func() { e.get(e.sp) })
	e.storeHead(lane.HeadPC, func() { e.get(e.pc) })
	e.get(status)
}

// wordAt is the offset of word i of a frame from the address of the word below it.
func wordAt(i int) int { return 8 * (i + 1) }

// ret describes the frame of f while the given call, counted from 1, runs.
func (k *kernel) ret(f *flat.Frame, call int) lane.Return {
	r := lane.Return{Words: f.Words + call - 1, Pushed: f.Words, Owner: k.ownerOf[f], Span: f.Span}
	if call > 1 {
		r.Pushed = 2
	}
	return r
}
