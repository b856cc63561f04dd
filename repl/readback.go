package repl

import (
	"context"
	"errors"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
	"bend/interp/word"
)

// errNoForm says that a value cannot be read back from its words alone: it holds a
// function, or parts that were erased.
var errNoForm = errors.New("the value has no complete run-time form")

// A reader turns run-time words back into core terms, guided by their types.
type reader struct {
	ctx    context.Context
	heap   *word.Heap
	norm   *norm.Machine
	shapes map[string]*shape
	steps  int
	depth  int // of nested fields that another field's type depends on
}

// readBack returns the term of the closed type ty whose value is w. It does not
// take w.
func readBack(ctx context.Context, b *core.Book, h *word.Heap, w word.Word, ty norm.Value) (t core.Term, err error) {
	r := &reader{ctx: ctx, heap: h, norm: norm.New(b), shapes: map[string]*shape{}}
	caught := r.norm.Catch(func() { t, err = r.read(w, ty) })
	if caught != nil {
		return nil, caught
	}
	return t, err
}

// A shape says how the values of one type lie in words.
type shape struct {
	kind shapeKind
	num  syntax.NumKind
	adt  *norm.ADT
	ctor []*ctorShape // by index, made on first use
}

type shapeKind uint8

const (
	noForm   shapeKind = iota // a function, a type
	proof                     // {==}, not present at run time
	number                    // U32, F32 or Nat of Base
	charOf                    // Char of Base
	stringOf                  // String of Base
	data                      // any other datatype
)

// A ctorShape is the shapes of a constructor's fields. It has none when the type of
// some field mentions the fields before it.
type ctorShape struct {
	fields    []*shape
	dependent bool
	env       *norm.Env // the datatype's parameters
}

// A slot is a word to be read and where its term goes.
type slot struct {
	dst *core.Term
	w   word.Word
	sh  *shape
}

func (r *reader) read(w word.Word, ty norm.Value) (core.Term, error) {
	if r.depth++; r.depth > 1000 {
		return nil, errNoForm
	}
	defer func() { r.depth-- }()
	var root core.Term
	todo := []slot{{&root, w, r.shape(ty)}}
	for len(todo) > 0 {
		if r.steps++; r.steps&0xfff == 0 && r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var err error
		switch s.sh.kind {
		case noForm:
			return nil, errNoForm
		case proof:
			*s.dst = &core.Rfl{}
		case number:
			*s.dst = &core.Lit{Kind: s.sh.num, N: s.w}
		case charOf:
			*s.dst = char(s.w)
		case stringOf:
			*s.dst, err = r.text(s.w)
		case data:
			todo, err = r.data(s, todo)
		}
		if err != nil {
			return nil, err
		}
	}
	return root, nil
}

// data reads a constructor and adds its fields to todo.
func (r *reader) data(s slot, todo []slot) ([]slot, error) {
	if tag := word.Tag(s.w); tag != word.TagPak && tag != word.TagCtr {
		return nil, errNoForm
	}
	index := word.Aux(s.w)
	if index >= len(s.sh.adt.Data.Ctors) {
		return nil, errNoForm
	}
	c := s.sh.adt.Data.Ctors[index]
	t := &core.Ctr{Key: c.Key, Args: make([]core.Term, len(c.Fields))}
	*s.dst = t
	if len(c.Fields) == 0 {
		return todo, nil
	}
	if word.Tag(s.w) == word.TagPak {
		return nil, errNoForm // all its fields are erased
	}
	cs := r.ctorShape(s.sh, index)
	words := r.heap.Node(s.w)
	live := 0
	for _, f := range c.Fields {
		if f.Q != core.None {
			live++
		}
	}
	if live < len(c.Fields) || live != len(words) {
		return nil, errNoForm
	}
	if cs.dependent {
		return todo, r.telescope(c, cs, words, t.Args)
	}
	// The first field is read first, so that the slots of a long list do not pile up.
	for i := len(words) - 1; i >= 0; i-- {
		todo = append(todo, slot{&t.Args[i], words[i], cs.fields[i]})
	}
	return todo, nil
}

// telescope reads fields of which some types mention the fields before them.
func (r *reader) telescope(c *core.Ctor, cs *ctorShape, words []word.Word, dst []core.Term) (err error) {
	env := cs.env
	for i, f := range c.Fields {
		if dst[i], err = r.read(words[i], r.norm.Eval(env, f.Type)); err != nil {
			return err
		}
		env = env.Push(r.norm.Eval(nil, dst[i]))
	}
	return nil
}

// shape returns the shape of a type; equal types share one.
func (r *reader) shape(ty norm.Value) *shape {
	ty = r.norm.Whnf(ty)
	switch u := ty.(type) {
	case *norm.Eql:
		return &shape{kind: proof}
	case *norm.ADT:
		key := core.Print(r.norm.Quote(0, ty), nil, core.PrintOptions{})
		sh := r.shapes[key]
		if sh == nil {
			sh = &shape{kind: data, adt: u, ctor: make([]*ctorShape, len(u.Data.Ctors))}
			r.shapes[key] = sh
			if u.Data.Base {
				switch u.Data.Key {
				case "U32":
					*sh = shape{kind: number, num: syntax.U32}
				case "F32":
					*sh = shape{kind: number, num: syntax.F32}
				case "Nat":
					*sh = shape{kind: number, num: syntax.Nat}
				case "Char":
					sh.kind = charOf
				case "String":
					sh.kind = stringOf
				}
			}
		}
		return sh
	}
	return &shape{}
}

func (r *reader) ctorShape(sh *shape, index int) *ctorShape {
	if cs := sh.ctor[index]; cs != nil {
		return cs
	}
	c := sh.adt.Data.Ctors[index]
	cs := &ctorShape{fields: make([]*shape, len(c.Fields))}
	for _, a := range sh.adt.Args {
		cs.env = cs.env.Push(a)
	}
	sh.ctor[index] = cs
	for i, f := range c.Fields {
		cs.dependent = cs.dependent || mentionsInner(f.Type, i)
	}
	env := cs.env
	for i, f := range c.Fields {
		if cs.dependent {
			break
		}
		cs.fields[i] = r.shape(r.norm.Eval(env, f.Type))
		env = env.Push(nil)
	}
	return cs
}

// text reads a String: one literal when all its characters are scalar values.
func (r *reader) text(w word.Word) (core.Term, error) {
	var codes []uint32
	plain := true
	for word.Tag(w) == word.TagCtr {
		n := r.heap.Node(w)
		c := uint32(n[0])
		plain = plain && (c < 0xd800 || c > 0xdfff && c <= 0x10ffff)
		codes = append(codes, c)
		w = n[1]
	}
	if plain {
		return &core.Str{Codes: codes}, nil
	}
	var t core.Term = &core.Ctr{Key: "SNil"}
	for i := len(codes) - 1; i >= 0; i-- {
		t = &core.Ctr{Key: "SCon", Args: []core.Term{char(word.Word(codes[i])), t}}
	}
	return t, nil
}

func char(w word.Word) core.Term {
	return &core.Ctr{Key: "Chr", Args: []core.Term{&core.Lit{Kind: syntax.U32, N: w}}}
}
