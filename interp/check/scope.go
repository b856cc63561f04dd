package check

import (
	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// A scope is what is known while one declaration is checked.
type scope struct {
	def     *core.Def // whose value is checked; nil otherwise
	name    string    // of the declaration, for messages
	unsafe  bool
	generic bool // the text of a template, where calls of templates stay generic
	opaque  int  // parameters of a template still to be bound as constants
	cols    []*pattern

	vars  []binder
	env   *norm.Env
	uses  []core.Quantity
	trail []change
}

// A binder is one variable in scope.
type binder struct {
	name   string
	q      core.Quantity
	typ    norm.Value
	span   syntax.Span
	up     *norm.Env // the environment outside it
	val    core.Term // of a let: its value, which stands under the first depth binders
	depth  int
	opaque bool // a template's constant: uses are free
}

// A change is a use that was counted: the count of a level before it.
type change struct {
	level int
	was   core.Quantity
}

func (s *scope) level() int { return len(s.vars) }

// free returns the value that stands for the binder to come.
func (s *scope) free(name string) norm.Value { return norm.Free(len(s.vars), name) }

// bind brings a binder with value v into scope.
func (s *scope) bind(b binder, v norm.Value) {
	b.up = s.env
	s.vars = append(s.vars, b)
	s.uses = append(s.uses, core.None)
	s.env = s.env.Push(v)
}

// use counts a live use of the binder at level.
func (s *scope) use(level int) {
	if s.vars[level].opaque {
		return
	}
	was := s.uses[level]
	if was == core.Many {
		return
	}
	s.trail = append(s.trail, change{level, was})
	s.uses[level] = was + 1 // none and one make one, one and one make many
}

// close takes the innermost binder out of scope and checks its uses.
func (c *checker) close() {
	last := len(c.vars) - 1
	b, u := c.vars[last], c.uses[last]
	c.vars, c.uses, c.env = c.vars[:last], c.uses[:last], b.up
	if u > b.q {
		c.overused(b, u)
	}
}

// join runs two branches from the same counts and keeps the maximum of both.
func (c *checker) join(hit, miss func()) {
	mark := len(c.trail)
	hit()
	var after []change // levels changed by hit, with their counts at its end
	for i := len(c.trail) - 1; i >= mark; i-- {
		ch := c.trail[i]
		if ch.level >= len(c.uses) {
			continue
		}
		after = append(after, change{ch.level, c.uses[ch.level]})
	}
	for i := len(c.trail) - 1; i >= mark; i-- {
		if ch := c.trail[i]; ch.level < len(c.uses) {
			c.uses[ch.level] = ch.was
		}
	}
	c.trail = c.trail[:mark]
	miss()
	for _, ch := range after {
		if now := c.uses[ch.level]; ch.was > now {
			c.trail = append(c.trail, change{ch.level, now})
			c.uses[ch.level] = ch.was
		}
	}
}
