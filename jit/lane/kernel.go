package lane

import (
	"bend/interp/flat"
	"bend/interp/syntax"
)

// A Kernel is the compiled form of a call's def and all that it can reach.
type Kernel struct {
	Name    string // of the root def
	Wasm    []byte
	Entry   int // where to enter the root with its arguments in the bank
	Params  int // of the root
	Layout  Layout
	Returns []Return // by return id
	Owners  []Owner
	Stops   []string           // messages, by the detail of a Stop
	Holds   map[flat.FnID]bool // closures that the kernel can apply
	Defs    int                // number of defs compiled in
	Profile bool               // whether it counts frames
}

// A Return describes the frame that ends in a return id.
type Return struct {
	Words  int // of the frame while the call runs, the id included
	Pushed int // how many of them the step pushed; the others are D
	Owner  int
	Span   syntax.Span
}

// An Owner is a def that keeps words on the stack.
type Owner struct {
	Name  string
	Words int // a level, at the first call
}
