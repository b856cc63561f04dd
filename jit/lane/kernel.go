package lane

import (
	"bend/interp/flat"
	"bend/interp/syntax"
	"bend/interp/word"
)

// A Kernel is the compiled form of a call's def and all that it can reach.
type Kernel struct {
	Name    string // of the root def
	Wasm    []byte // printed for the processor's lanes
	Text    string // or in C
	Data    []byte // of a kernel in C: static data, for the memory from word Static on
	Entry   int    // where to enter the root with its arguments in the bank
	Params  int    // of the root
	Layout  Layout
	Grid    Grid     // of a kernel in C, instead of Layout
	Returns []Return // by return id
	Owners  []Owner
	Stops   []string           // messages, by the detail of a Stop
	Holds   map[flat.FnID]bool // closures that the kernel can apply
	Defs    int                // number of defs compiled in
	Notes   []string           // what a person who marked the call may not expect
	Profile bool               // whether it counts frames
	// Parallel: forks can be dealt out, and share counts are atomic.
	Parallel bool
}

// A Return describes the frame that ends in a return id.
type Return struct {
	Words  int // of the frame while the call runs, the id included
	Pushed int // how many of them the step pushed; the others are D
	Owner  int
	Span   syntax.Span
	// Fork, of a parallel kernel, describes the frame of a fork that has calls left.
	Fork  *Fork
	Dealt bool // they were dealt out
}

// A Fork describes the frame of a fork while one of its calls runs, others being left.
type Fork struct {
	Caps  int        // captured words, the first of the frame
	Call  int        // the call that runs, counted from 0
	Calls []ForkCall // all calls
	Dealt int        // return id of the same frame when the calls left were dealt out
	After int        // return id of the frame while the last call runs
}

// A ForkCall is one call of a fork.
type ForkCall struct {
	Entry int // where to enter with the arguments in the bank
	Args  []ForkArg
}

// A ForkArg is an argument of a fork's call: a captured word, or a constant when Cap is
// negative.
type ForkArg struct {
	Cap  int
	Word word.Word
}

// An Owner is a def that keeps words on the stack.
type Owner struct {
	Name  string
	Words int // a level, at the first call
}
