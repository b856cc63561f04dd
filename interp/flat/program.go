package flat

import "bend/interp/core"

// NewProgram returns an empty program.
func NewProgram() *Program {
	return &Program{byKey: map[string]DefID{}, ids: map[*core.Def]DefID{}, fnOf: map[Fn]FnID{}}
}

// Lookup returns the newest def of a key.
func (p *Program) Lookup(key string) (DefID, bool) {
	id, ok := p.byKey[key]
	return id, ok
}

// Def returns the def with the given id.
func (p *Program) Def(id DefID) *Def { return p.Defs[id] }

// Add appends d under a new id, which it sets and returns.
func (p *Program) Add(d *Def) DefID {
	d.ID = DefID(len(p.Defs))
	p.Defs = append(p.Defs, d)
	p.byKey[d.Key] = d.ID
	return d.ID
}

// Fn returns the function id of the closure of def d that holds the first held
// arguments; held is less than the number of parameters.
func (p *Program) Fn(d DefID, held int) FnID {
	fn := Fn{d, held}
	id, ok := p.fnOf[fn]
	if !ok {
		id = FnID(len(p.Fns))
		p.Fns = append(p.Fns, fn)
		p.fnOf[fn] = id
	}
	return id
}

// Finish completes a def that was not made by Lower: it makes ownership explicit and
// computes the frames. Its body must hold no Dup, Drop or Frame yet.
func Finish(d *Def) { finish(nil, d) }
