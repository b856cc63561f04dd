// Package jit compiles a flat def, and all that it can reach, to one kernel.
package jit

import (
	"fmt"
	"slices"
	"strings"

	"bend/interp/flat"
	"bend/interp/word"
	"bend/jit/cgen"
	"bend/jit/lane"
	"bend/jit/plan"
	"bend/jit/wasmgen"
)

// Options chooses the variant of a kernel.
type Options struct {
	// Profile makes the kernel count frames, so that a Report has the exact depth of
	// each def.
	Profile bool
	// Lanes is the number of lanes that the kernel may run on; more than one make the
	// calls of its forks run in parallel.
	Lanes int
	// Target is the language of the kernel: "" for WebAssembly, or a target of cgen, which
	// knows no Profile.
	Target cgen.Target
	// OwnFunctions is as in cgen.
	OwnFunctions bool
}

// Build compiles root, all defs that it can reach, and the closures fns, which the
// arguments of a run hold (see ClosuresIn).
func Build(p *flat.Program, root flat.DefID, fns []flat.FnID, o Options) (*lane.Kernel, error) {
	r := reach{prog: p, root: root, from: map[flat.DefID]flat.DefID{}, fnSeen: map[flat.FnID]bool{}}
	r.def(root, root)
	for _, f := range fns {
		if int(f) >= len(p.Fns) {
			return nil, fmt.Errorf("a closure of function %d, of which the program knows nothing", f)
		}
		r.fn(f, root)
	}
	if err := r.run(); err != nil {
		return nil, err
	}
	layout, err := plan.New(plan.Input{
		Program: p, Root: root, Defs: r.defs, Fns: r.fns, Profile: o.Profile && o.Target == "", Parallel: r.forks && o.Lanes > 1,
	})
	if err != nil {
		return nil, err
	}
	layout.Kernel.Notes = r.notes()
	if o.Target != "" {
		return cgen.Generate(layout, cgen.Options{Target: o.Target, OwnFunctions: o.OwnFunctions})
	}
	return wasmgen.Generate(layout), nil
}

// A reach collects what a kernel must hold.
type reach struct {
	prog   *flat.Program
	root   flat.DefID
	defs   []flat.DefID
	fns    []flat.FnID
	from   map[flat.DefID]flat.DefID // who reached a def first
	fnSeen map[flat.FnID]bool
	marked []flat.DefID // callees of calls marked "!"
	forks  bool         // whether there is a fork
}

func (r *reach) def(id, from flat.DefID) {
	if _, ok := r.from[id]; !ok {
		r.from[id] = from
		r.defs = append(r.defs, id)
	}
}

// fn adds a closure, and those it becomes as it is given arguments.
func (r *reach) fn(id flat.FnID, from flat.DefID) {
	if r.fnSeen[id] {
		return
	}
	r.fnSeen[id] = true
	r.fns = append(r.fns, id)
	fn := r.prog.Fns[id]
	r.def(fn.Def, from)
	if fn.Held+1 < r.prog.Def(fn.Def).Params {
		r.fn(r.prog.Fn(fn.Def, fn.Held+1), from)
	}
}

// run follows the calls and closures of all defs that were added.
func (r *reach) run() error {
	for i := 0; i < len(r.defs); i++ {
		d := r.prog.Def(r.defs[i])
		if d.Body == nil {
			return fmt.Errorf("%s has no code", d.Name)
		}
		flat.Walk(d.Body, func(c flat.Code) {
			switch s := c.(type) {
			case *flat.Closure:
				r.fn(s.Fn, d.ID)
			case *flat.Fork:
				r.forks = true
			}
			for _, call := range flat.Calls(c) {
				if call.Apply {
					continue
				}
				r.def(call.Def, d.ID)
				if call.Bang && !slices.Contains(r.marked, call.Def) {
					r.marked = append(r.marked, call.Def)
				}
			}
		})
	}
	return nil
}

// notes tells what a person who marked the call may not expect.
func (r *reach) notes() (notes []string) {
	root := r.prog.Def(r.root).Name
	for _, id := range r.marked {
		notes = append(notes, fmt.Sprintf("%s! runs in place, within the kernel of %s", r.prog.Def(id).Name, root))
	}
	for _, id := range r.defs {
		if _, ok := flat.EffectOf(r.prog.Def(id).Key); ok {
			path := r.prog.Def(id).Name
			for id != r.root {
				id = r.from[id]
				if name := r.prog.Def(id).Name; !strings.HasPrefix(path, name+" ") {
					path = name + " -> " + path
				}
			}
			notes = append(notes, fmt.Sprintf("%s! makes an action on lanes, whose effects the host performs: %s", root, path))
			break
		}
	}
	return notes
}

// ClosuresIn returns the functions of the closures that the words hold, which a kernel
// that is given these words must hold too.
func ClosuresIn(h *word.Heap, ws []word.Word) []flat.FnID {
	var fns []flat.FnID
	seen := map[flat.FnID]bool{}
	cells := map[uint32]bool{}
	todo := slices.Clone(ws)
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if word.Tag(w) == word.TagClo && !seen[flat.FnID(word.Aux(w))] {
			seen[flat.FnID(word.Aux(w))] = true
			fns = append(fns, flat.FnID(word.Aux(w)))
		}
		if !word.Boxed(w) {
			continue
		}
		if word.Shared(w) {
			if cells[word.Loc(w)] {
				continue
			}
			cells[word.Loc(w)] = true
		}
		todo = append(todo, h.Node(w)...)
	}
	slices.Sort(fns)
	return fns
}
