package eval

import (
	"context"
	"errors"
	"fmt"

	"bend/interp/flat"
	"bend/interp/word"
)

// DefaultStack is the default limit of the stack, in words.
const DefaultStack = 64 << 20

// bottomWords is the number of words below the first frame, as on a lane.
const bottomWords = 3

// applyPC is where every machine has the instruction that Apply starts with.
const applyPC = 1

// Options say how a Machine runs.
type Options struct {
	// StackWords is the most words the stack may grow to, 0 for DefaultStack.
	StackWords int
	// Bang runs a call that is marked "!". It takes over args, unless it returns
	// ErrDeclined, which leaves the call to the interpreter. If it is nil, a marked
	// call is like any other.
	Bang func(ctx context.Context, def flat.DefID, args []word.Word) (word.Word, error)
	// Profile makes the machine count frames, for Report.
	Profile bool
}

// A Machine runs the defs of a program. It is not safe for concurrent use.
type Machine struct {
	prog *flat.Program
	heap *word.Heap
	opts Options

	code   []ins
	entry  []int32 // of each def, 0: not compiled
	fns    []fnInfo
	pool   []uint16
	jumps  []int32
	texts  [][]uint32
	stops  []string
	wide   []word.Word // constants that have no register
	frames []frameInfo
	consts map[word.Word]uint16

	regs  *[numRegs]word.Word
	stack []word.Word
	limit int

	// Where the run stands, kept up to date for what can fail only.
	sp, pc int

	prof   []profile
	profOf map[frameKind]int32
	peak   int
}

// An fnInfo is what applying a closure needs to know.
type fnInfo struct {
	entry  int32 // 0: not known yet
	held   int
	last   bool // one more argument makes a call
	longer flat.FnID
}

// A frameInfo describes what lies below a return id.
type frameInfo struct {
	frame *flat.Frame
	def   *flat.Def
	size  int // in words, the id included
}

// New returns a machine for the defs of prog, those that are added later included,
// that keeps its values in heap.
func New(prog *flat.Program, heap *word.Heap, opts Options) *Machine {
	m := &Machine{
		prog: prog, heap: heap, opts: opts,
		consts: map[word.Word]uint16{},
		regs:   new([numRegs]word.Word),
		stack:  make([]word.Word, 1<<14),
		profOf: map[frameKind]int32{},
	}
	m.SetStack(opts.StackWords)
	m.code = append(m.code, ins{op: opExit}, ins{op: opApply, b: 1})
	m.frames = append(m.frames, frameInfo{})
	return m
}

// SetStack changes the most words the stack may grow to, 0 for DefaultStack.
func (m *Machine) SetStack(words int) {
	if words <= 0 {
		words = DefaultStack
	}
	m.limit = max(words, 256)
	if len(m.stack) > m.limit {
		m.stack = m.stack[:m.limit:m.limit]
	}
}

// Heap returns the heap of m.
func (m *Machine) Heap() *word.Heap { return m.heap }

// Program returns the program of m.
func (m *Machine) Program() *flat.Program { return m.prog }

// Call calls a def, which takes over args, and returns its result. The error, if
// any, is an *Error.
func (m *Machine) Call(ctx context.Context, def flat.DefID, args ...word.Word) (word.Word, error) {
	entry, err := m.compile(def)
	if err != nil {
		return 0, err
	}
	copy(m.regs[:], args)
	return m.start(ctx, int(entry))
}

// Apply applies a closure to one argument; it takes over both.
func (m *Machine) Apply(ctx context.Context, clo, arg word.Word) (word.Word, error) {
	m.regs[0], m.regs[1] = clo, arg
	return m.start(ctx, applyPC)
}

// start runs from pc with an empty stack.
func (m *Machine) start(ctx context.Context, pc int) (w word.Word, err error) {
	m.stack[0], m.stack[1], m.stack[2] = 0, 0, 0 // 0 is the return id of opExit
	m.sp, m.pc = bottomWords, pc
	if m.opts.Profile {
		m.startProfile()
	}
	ferr := m.Guard(func() { w, err = m.run(ctx) })
	if ferr != nil {
		return 0, ferr
	}
	return w, err
}

// fault returns the Error of a cause met at m.pc.
func (m *Machine) fault(cause error) error {
	e := &Error{Err: cause, Def: m.defAt(m.pc)}
	var char flat.CharError
	switch {
	case errors.Is(cause, word.ErrMemory):
		e.Kind = Memory
	case errors.Is(cause, word.ErrCopies):
		e.Kind = Copies
	case errors.Is(cause, flat.ErrNat):
		e.Kind = Nat
	case errors.As(cause, &char):
		e.Kind = Char
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded):
		e.Kind = Interrupted
	default:
		e.Kind = Device
	}
	return e
}

// defAt returns the name of the def whose code pc is in.
func (m *Machine) defAt(pc int) string {
	name, best := "", int32(-1)
	for id, at := range m.entry {
		if at > 0 && int(at) <= pc && at > best {
			name, best = m.prog.Defs[id].Name, at
		}
	}
	return name
}

// grow makes room for n more words above sp, or returns a TooDeep error.
func (m *Machine) grow(sp, n int) ([]word.Word, error) {
	need := sp + n
	if need > m.limit {
		return nil, m.tooDeep(sp)
	}
	// The stack grows in few steps: memory that was never touched costs nothing,
	// while a copy needs both stacks at once.
	size := m.limit
	for _, step := range []int{1 << 20, DefaultStack} {
		if need <= step {
			size = min(step, m.limit)
			break
		}
	}
	bigger := make([]word.Word, size)
	copy(bigger, m.stack[:sp])
	m.stack = bigger
	return bigger, nil
}

// tooDeep walks the frames below sp and tells which def holds most of them.
func (m *Machine) tooDeep(sp int) error {
	type held struct{ levels, words int }
	holds := map[string]*held{}
	var last *flat.Frame
	var h *held
	for sp > bottomWords {
		f := m.frames[m.code[m.stack[sp-1]].e]
		if f.size == 0 {
			break
		}
		if f.frame != last {
			last = f.frame
			if h = holds[f.frame.Owner]; h == nil {
				h = &held{}
				holds[f.frame.Owner] = h
			}
		}
		h.levels++
		h.words += f.size
		sp -= f.size
	}
	e := &Error{Kind: TooDeep, Limit: m.limit}
	most := &held{}
	for name, h := range holds {
		if h.levels > most.levels || h.levels == most.levels && name < e.Def {
			e.Def, most = name, h
		}
	}
	if most.levels > 0 {
		e.Depth, e.Words = most.levels, most.words/most.levels
	}
	return e
}

// fn returns what applying closures of function id needs to know, its def compiled.
func (m *Machine) fn(id int) (*fnInfo, error) {
	for len(m.fns) <= id {
		m.fns = append(m.fns, fnInfo{})
	}
	f := &m.fns[id]
	if f.entry != 0 {
		return f, nil
	}
	fn := m.prog.Fns[id]
	f.held = fn.Held
	f.last = fn.Held+1 == m.prog.Defs[fn.Def].Params
	if !f.last {
		f.longer = m.prog.Fn(fn.Def, fn.Held+1)
		if f.longer > 0xffff {
			return nil, &Error{Kind: TooWide, Err: fmt.Errorf("the program makes more than %d kinds of closure", 0xffff)}
		}
	}
	entry, err := m.compile(fn.Def)
	if err != nil {
		return nil, err
	}
	m.fns[id].entry = entry
	return &m.fns[id], nil
}

// Guard runs f and returns the *Error of a heap that failed in it, nil if none did.
func (m *Machine) Guard(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			fault, ok := p.(word.Fault)
			if !ok {
				panic(p)
			}
			err = m.fault(fault.Err)
		}
	}()
	f()
	return nil
}

// Fail returns the *Error whose cause is met while effects are performed.
func (m *Machine) Fail(cause error) error {
	m.pc = 0
	return m.fault(cause)
}
