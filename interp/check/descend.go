package check

import (
	"strings"

	"bend/interp/core"
	"bend/interp/norm"
	"bend/interp/syntax"
)

// A pattern is a part of the equation of the def being checked: a variable, by its
// level (-1 while it is not bound), or a constructor of patterns.
type pattern struct {
	level  int
	ctor   string
	fields []*pattern
}

// columns starts the equation of d: one variable for each parameter.
func (c *checker) columns(d *core.Def) []*pattern {
	c.cols = make([]*pattern, d.Arity)
	for i := range c.cols {
		c.cols[i] = &pattern{level: -1}
	}
	return append([]*pattern(nil), c.cols...)
}

// descends checks that a live call of the def being checked gets smaller arguments:
// from left to right they are equal to the columns of the equation, until one is
// smaller. Erased columns count as equal.
func (c *checker) descends(d *core.Def, r *core.Ref, apps []*core.App) {
	if c.unsafe {
		return
	}
	typ := c.m.Eval(nil, d.Type)
	cmp := &comparison{c: c, steps: 100_000}
	for i, a := range apps {
		if i >= len(c.cols) {
			break
		}
		q := core.Lone
		if all, ok := c.m.Whnf(typ).(*norm.All); ok {
			q = all.Q
			typ = all.Cod(norm.Free(i, all.Name))
		}
		if q == core.None {
			continue
		}
		switch cmp.compare(a.Arg, len(c.vars), c.cols[i]) {
		case smaller:
			return
		case unrelated:
			c.endless(d, r, apps)
		}
	}
	c.endless(d, r, apps)
}

func (c *checker) endless(d *core.Def, r *core.Ref, apps []*core.App) {
	sp := r.Span
	var args, cols []string
	hint := "read from the left, arguments must be the parameters unchanged until one is a part that a match has taken off; put the parameter that shrinks first, or mark the def @unsafe"
	context := c.context()
	for i, p := range c.cols {
		if p.ctor == "U32" || p.ctor == "F32" {
			// Nobody wants to read its bits.
			hint = "a " + p.ctor + " never gets smaller for the checker: recurse on a Nat, or mark the def @unsafe"
			cols, context = append(cols, d.Params[i]), nil
			continue
		}
		cols = append(cols, c.patternText(p))
	}
	for _, a := range apps {
		sp = sp.To(a.Span)
		if text := a.Arg.At().Text(); context == nil && text != "" {
			args = append(args, text)
		} else {
			args = append(args, c.termText(a.Arg))
		}
	}
	name := c.shown(d.Key)
	if d.Template != "" {
		name = c.shown(d.Template)
	}
	if len(apps) == 0 {
		hint = "a def may mention itself only in a call with a smaller argument"
	}
	c.fail(&syntax.Diagnostic{
		Code: "not-decreasing", Span: sp,
		Expected: "a call with a smaller argument than " + name + "(" + strings.Join(cols, ", ") + ")",
		Observed: name + "(" + strings.Join(args, ", ") + ")", Context: context, Hint: hint,
	})
}

func (c *checker) patternText(p *pattern) string {
	switch {
	case p.ctor == "" && p.level >= 0 && p.level < len(c.vars):
		return c.vars[p.level].name
	case p.ctor == "":
		return "_"
	case len(p.fields) == 0 && p.ctor == "Zero":
		return "0n"
	}
	var fs []string
	for _, f := range p.fields {
		fs = append(fs, c.patternText(f))
	}
	if p.ctor == "Succ" && len(fs) == 1 {
		return "1n+" + fs[0]
	}
	return c.shown(p.ctor) + "{" + strings.Join(fs, ", ") + "}"
}

type order uint8

const (
	unrelated order = iota
	equal
	smaller
)

// A comparison compares arguments with columns, in a bounded number of steps: what is
// not found smaller by then counts as unrelated.
type comparison struct {
	c     *checker
	steps int
}

// compare compares the term t, which stands under the first depth binders, with p.
func (m *comparison) compare(t core.Term, depth int, p *pattern) order {
	if m.steps--; m.steps < 0 {
		return unrelated
	}
	t, depth = m.look(t, depth)
	if p.ctor == "" {
		if v, ok := t.(*core.Var); ok && depth-1-v.Ix == p.level {
			return equal
		}
		return unrelated
	}
	skip := -1
	switch t.(type) {
	case *core.Lit, *core.Str:
		t = unfoldLit(t)
	}
	if k, ok := t.(*core.Ctr); ok && k.Key == p.ctor && len(k.Args) == len(p.fields) {
		all := equal
		for i, a := range k.Args {
			o := m.compare(a, depth, p.fields[i])
			if o == unrelated {
				skip = i
				break
			}
			if o == smaller {
				all = smaller
			}
		}
		if skip < 0 {
			return all
		}
	}
	for i, f := range p.fields {
		if i != skip && m.compare(t, depth, f) != unrelated {
			return smaller
		}
	}
	return unrelated
}

// look looks through annotations and let-bound names.
func (m *comparison) look(t core.Term, depth int) (core.Term, int) {
	for {
		switch u := t.(type) {
		case *core.Ann:
			t = u.X
			continue
		case *core.Var:
			if level := depth - 1 - u.Ix; level < len(m.c.vars) {
				if b := m.c.vars[level]; b.val != nil {
					t, depth = b.val, b.depth
					continue
				}
			}
		}
		return t, depth
	}
}
