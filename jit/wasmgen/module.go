// Package wasmgen prints a kernel as a WebAssembly module: a small encoder of the
// binary format, and the printer of flat defs (see kernel).
//
// # The shape of a kernel
//
// Each def is a function (see function). A call of it is a call of Wasm, behind a frame
// that was stored on the lane's stack for the case that the call cannot end: because the
// stack is full, the fuel is used up, or a closure is to be applied. Then it notes in the
// lane's header where to go on, and all functions return at once: what they wait for is
// in the frames.
//
// From there the kernel's loop goes on, the function run(lane, pc, fuel): a loop around a
// br_table of segments.
//
//	loop
//	  br_table [sp]       the return id on top of the stack says where to go on
//	  exit                leave: a return found an exit frame or a spill frame
//	  for each def:
//	    continuations     one for each cut, one for each step of a fork
//	    stub              calls the function with the parameters from the bank
//	  for each closure:
//	    segment           gives it its next argument
//
// So a program runs at the speed of calls of Wasm, and at any moment the lane's stack
// tells all that is needed to go on: to spill it, to deal its forks out, to run it on
// another lane.
//
// The stack is looked at where a function begins, the fuel there and at each turn of a
// loop. A frame that does not fit is put into the slack above the stack all the same.
package wasmgen

// A ValType is a type of WebAssembly.
type ValType byte

// The types.
const (
	I32 ValType = 0x7f
	I64 ValType = 0x7e
	F32 ValType = 0x7d
	F64 ValType = 0x7c
)

// A Module is a WebAssembly module being built: imports first, then funcs.
type Module struct {
	types   [][]byte
	imports [][]byte
	funcs   []*Func
	exports [][]byte
	data    [][]byte
	pages   [2]uint32
}

// A Func is a function being built.
type Func struct {
	Code
	Index  uint32
	typ    uint32
	params int
	locals []ValType
}

func (m *Module) typ(params, results []ValType) uint32 {
	t := []byte{0x60}
	t = appendTypes(t, params)
	t = appendTypes(t, results)
	for i, old := range m.types {
		if string(old) == string(t) {
			return uint32(i)
		}
	}
	m.types = append(m.types, t)
	return uint32(len(m.types) - 1)
}

func appendTypes(b []byte, ts []ValType) []byte {
	b = appendU(b, uint64(len(ts)))
	for _, t := range ts {
		b = append(b, byte(t))
	}
	return b
}

// Import adds an imported function and returns its index. It must come before Func.
func (m *Module) Import(module, name string, params, results []ValType) uint32 {
	b := appendName(appendName(nil, module), name)
	b = append(b, 0)
	b = appendU(b, uint64(m.typ(params, results)))
	m.imports = append(m.imports, b)
	return uint32(len(m.imports) - 1)
}

// Func adds a function; the parameters are its first locals.
func (m *Module) Func(params, results []ValType) *Func {
	f := &Func{Index: uint32(len(m.imports) + len(m.funcs)), typ: m.typ(params, results), params: len(params)}
	m.funcs = append(m.funcs, f)
	return f
}

// Export exports a function.
func (m *Module) Export(name string, f *Func) {
	m.exports = append(m.exports, appendU(append(appendName(nil, name), 0), uint64(f.Index)))
}

// Memory declares the memory, exported as "memory".
func (m *Module) Memory(least, most uint32) {
	m.pages = [2]uint32{least, most}
	m.exports = append(m.exports, append(appendName(nil, "memory"), 2, 0))
}

// Data puts bytes into the memory at an address.
func (m *Module) Data(at uint32, bytes []byte) {
	b := append([]byte{0}, opI32Const)
	b = append(appendS(b, int64(int32(at))), opEnd)
	b = appendU(b, uint64(len(bytes)))
	m.data = append(m.data, append(b, bytes...))
}

// Local adds a local variable.
func (f *Func) Local(t ValType) uint32 {
	f.locals = append(f.locals, t)
	return uint32(f.params + len(f.locals) - 1)
}

// Encode returns the module in the binary format.
func (m *Module) Encode() []byte {
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	vec := func(id byte, items [][]byte) {
		if len(items) == 0 {
			return
		}
		body := appendU(nil, uint64(len(items)))
		for _, it := range items {
			body = append(body, it...)
		}
		out = append(out, id)
		out = appendU(out, uint64(len(body)))
		out = append(out, body...)
	}
	vec(1, m.types)
	vec(2, m.imports)
	var types, codes [][]byte
	for _, f := range m.funcs {
		types = append(types, appendU(nil, uint64(f.typ)))
		codes = append(codes, f.encode())
	}
	vec(3, types)
	memory := appendU(appendU([]byte{1}, uint64(m.pages[0])), uint64(m.pages[1]))
	vec(5, [][]byte{memory})
	vec(7, m.exports)
	vec(10, codes)
	vec(11, m.data)
	return out
}

func (f *Func) encode() []byte {
	var groups []byte
	n := 0
	for i := 0; i < len(f.locals); {
		j := i
		for j < len(f.locals) && f.locals[j] == f.locals[i] {
			j++
		}
		groups = append(appendU(groups, uint64(j-i)), byte(f.locals[i]))
		n++
		i = j
	}
	body := append(appendU(nil, uint64(n)), groups...)
	body = append(body, f.buf...)
	body = append(body, opEnd)
	return append(appendU(nil, uint64(len(body))), body...)
}

func appendName(b []byte, s string) []byte { return append(appendU(b, uint64(len(s))), s...) }

// appendU appends n in unsigned LEB128.
func appendU(b []byte, n uint64) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// appendS appends n in signed LEB128.
func appendS(b []byte, n int64) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}
