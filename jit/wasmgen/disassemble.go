package wasmgen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// mnemonics names the instructions of one byte, by the WebAssembly specification.
var mnemonics = map[op]string{
	opUnreachable: "unreachable", opBlock: "block", opLoop: "loop", opIf: "if", opElse: "else", opEnd: "end",
	opBr: "br", opBrIf: "br_if", opBrTable: "br_table", opReturn: "return", opCall: "call", opDrop: "drop", opSelect: "select",
	opLocalGet: "local.get", opLocalSet: "local.set", opLocalTee: "local.tee",
	opI32Load: "i32.load", opI64Load: "i64.load", opI32Store: "i32.store", opI64Store: "i64.store",
	opI32Const: "i32.const", opI64Const: "i64.const", opF32Const: "f32.const",
	opI32Eqz: "i32.eqz", opI32Eq: "i32.eq", opI32Ne: "i32.ne", opI32LtS: "i32.lt_s", opI32LtU: "i32.lt_u",
	opI32GtS: "i32.gt_s", opI32GtU: "i32.gt_u", opI32LeS: "i32.le_s", opI32LeU: "i32.le_u", opI32GeS: "i32.ge_s", opI32GeU: "i32.ge_u",
	opI64Eqz: "i64.eqz", opI64Eq: "i64.eq", opI64Ne: "i64.ne", opI64LtS: "i64.lt_s", opI64LtU: "i64.lt_u",
	opI64GtU: "i64.gt_u", opI64LeU: "i64.le_u", opI64GeU: "i64.ge_u",
	opF32Eq: "f32.eq", opF32Ne: "f32.ne", opF32Lt: "f32.lt", opF32Gt: "f32.gt", opF32Le: "f32.le", opF32Ge: "f32.ge",
	opI32Clz: "i32.clz", opI32Add: "i32.add", opI32Sub: "i32.sub", opI32Mul: "i32.mul", opI32DivU: "i32.div_u", opI32RemU: "i32.rem_u",
	opI32And: "i32.and", opI32Or: "i32.or", opI32Xor: "i32.xor", opI32Shl: "i32.shl", opI32ShrU: "i32.shr_u",
	opI64Add: "i64.add", opI64Sub: "i64.sub", opI64Mul: "i64.mul", opI64DivU: "i64.div_u", opI64RemU: "i64.rem_u",
	opI64And: "i64.and", opI64Or: "i64.or", opI64Xor: "i64.xor", opI64Shl: "i64.shl", opI64ShrU: "i64.shr_u",
	opF32Abs: "f32.abs", opF32Neg: "f32.neg", opF32Ceil: "f32.ceil", opF32Floor: "f32.floor", opF32Trunc: "f32.trunc", opF32Sqrt: "f32.sqrt",
	opF32Add: "f32.add", opF32Sub: "f32.sub", opF32Mul: "f32.mul", opF32Div: "f32.div",
	opI32WrapI64: "i32.wrap_i64", opI64ExtendU: "i64.extend_i32_u", opF32FromU32: "f32.convert_i32_u",
	opI32ReF32: "i32.reinterpret_f32", opF32ReI32: "f32.reinterpret_i32",
}

var atomics = map[op]string{opI64AtomicLoad: "i64.atomic.load", opI64AtomicSub: "i64.atomic.rmw.sub", opI64CmpXchg: "i64.atomic.rmw.cmpxchg"}

var typeNames = map[byte]string{byte(I32): "i32", byte(I64): "i64", byte(F32): "f32", byte(F64): "f64"}

// Disassemble returns a module of this package in the text format, an instruction a line.
func Disassemble(wasm []byte) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the module is cut off or unknown: %v", r)
		}
	}()
	if len(wasm) < 8 || string(wasm[:4]) != "\x00asm" {
		return "", errors.New("this is no module of WebAssembly")
	}
	d := &disassembler{in: wasm[8:]}
	d.line("(module")
	d.depth++
	for len(d.in) > 0 {
		id := d.byte()
		size := d.u()
		rest := d.in[size:]
		d.in = d.in[:size]
		d.section(id)
		d.in = rest
	}
	d.depth--
	d.line(")")
	return d.out.String(), nil
}

type disassembler struct {
	in    []byte
	out   strings.Builder
	depth int
	types []string // signatures
	funcs []string // of the functions of the module
	count uint64   // functions so far, imported ones first
}

func (d *disassembler) line(format string, args ...any) {
	d.out.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteByte('\n')
}

func (d *disassembler) byte() byte {
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

// u reads an unsigned LEB128.
func (d *disassembler) u() uint64 {
	n, size := binary.Uvarint(d.in)
	d.in = d.in[size:]
	return n
}

// s reads a signed LEB128.
func (d *disassembler) s() (n int64) {
	for shift := 0; ; shift += 7 {
		b := d.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift+7 < 64 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
}

func (d *disassembler) name() string {
	n := d.u()
	s := string(d.in[:n])
	d.in = d.in[n:]
	return s
}

// valTypes reads types, as "(what i32 i64)".
func (d *disassembler) valTypes(what string) string {
	n := d.u()
	if n == 0 {
		return ""
	}
	s := " (" + what
	for range n {
		s += " " + typeNames[d.byte()]
	}
	return s + ")"
}

func (d *disassembler) section(id byte) {
	n := d.u()
	for i := range n {
		switch id {
		case 1:
			d.byte()
			d.types = append(d.types, d.valTypes("param")+d.valTypes("result"))
		case 2:
			module, name := d.name(), d.name()
			d.byte()
			d.line("(import %q %q (func (;%d;)%s))", module, name, d.count, d.types[d.u()])
			d.count++
		case 3:
			d.funcs = append(d.funcs, d.types[d.u()])
		case 5:
			flags, least := d.u(), d.u()
			if flags == 1 {
				d.line("(memory %d %d)", least, d.u())
			}
		case 7:
			name, kind, index := d.name(), d.byte(), d.u()
			d.line("(export %q (%s %d))", name, []string{"func", "table", "memory"}[kind], index)
		case 10:
			d.function(d.funcs[i])
			d.count++
		case 11:
			d.u()
			d.byte()
			at := d.s()
			d.byte()
			d.line("(data (i32.const %d) (; %d bytes ;))", at, len(d.name()))
		}
	}
}

func (d *disassembler) function(signature string) {
	size := d.u()
	rest := d.in[size:]
	d.in = d.in[:size]
	d.line("(func (;%d;)%s", d.count, signature)
	d.depth++
	for range d.u() {
		n := d.u()
		d.line("(local %s)", strings.TrimSpace(strings.Repeat(typeNames[d.byte()]+" ", int(n))))
	}
	for len(d.in) > 1 {
		d.instruction()
	}
	d.depth--
	d.line(")")
	d.in = rest
}

func (d *disassembler) instruction() {
	o := d.byte()
	name := mnemonics[o]
	switch o {
	case opBlock, opLoop, opIf:
		if t, ok := typeNames[d.byte()]; ok {
			name += " (result " + t + ")"
		}
		d.line("%s", name)
		d.depth++
		return
	case opElse:
		d.depth--
		d.line("else")
		d.depth++
		return
	case opEnd:
		d.depth--
	case opBr, opBrIf, opCall, opLocalGet, opLocalSet, opLocalTee:
		name += fmt.Sprintf(" %d", d.u())
	case opBrTable:
		for range d.u() + 1 {
			name += fmt.Sprintf(" %d", d.u())
		}
	case opI32Const, opI64Const:
		name += fmt.Sprintf(" %d", d.s())
	case opF32Const:
		name += fmt.Sprintf(" %v", math.Float32frombits(binary.LittleEndian.Uint32(d.in)))
		d.in = d.in[4:]
	case opI32Load, opI64Load, opI32Store, opI64Store:
		d.u()
		name += offset(d.u())
	case opAtomic:
		name = atomics[d.byte()]
		d.u()
		name += offset(d.u())
	case 0xfc:
		d.u()
		name = "i32.trunc_sat_f32_u"
	}
	if name == "" {
		panic(fmt.Sprintf("instruction %#x", o))
	}
	d.line("%s", name)
}

func offset(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" offset=%d", n)
}
