package flat

// next returns the place of what follows a step, nil for a step that ends a line.
func next(c Code) *Code {
	switch s := c.(type) {
	case *Prim:
		return &s.Next
	case *New:
		return &s.Next
	case *Closure:
		return &s.Next
	case *Text:
		return &s.Next
	case *Dup:
		return &s.Next
	case *Drop:
		return &s.Next
	case *Keep:
		return &s.Next
	case *Cut:
		return &s.Next
	case *Fork:
		return &s.Next
	}
	return nil
}

// link puts the straight line steps in front of last.
func link(steps []Code, last Code) Code {
	for i := len(steps) - 1; i >= 0; i-- {
		*next(steps[i]) = last
		last = steps[i]
	}
	return last
}

// line splits c into its straight line and the step that ends it.
func line(c Code) (steps []Code, last Code) {
	for {
		n := next(c)
		if n == nil {
			return steps, c
		}
		steps = append(steps, c)
		c = *n
	}
}

// operands calls visit for each atom that c reads, but for a Match's X, and those of a
// Dup, a Drop and a Keep, which are variables.
func operands(c Code, visit func(*Atom)) {
	each := func(as []Atom) {
		for i := range as {
			visit(&as[i])
		}
	}
	call := func(c *Call) {
		if c.Apply {
			visit(&c.Fn)
		}
		each(c.Args)
	}
	switch s := c.(type) {
	case *Prim:
		each(s.Args)
	case *New:
		each(s.Fields)
	case *Closure:
		each(s.Held)
	case *If:
		each(s.Args)
	case *Cut:
		call(&s.Call)
	case *Fork:
		for i := range s.Calls {
			call(&s.Calls[i])
		}
	case *Tail:
		call(&s.Call)
	case *Return:
		visit(&s.X)
	}
}

// results calls visit for each variable that c itself binds.
func results(c Code, visit func(*Var)) {
	switch s := c.(type) {
	case *Prim:
		visit(&s.Dst)
	case *New:
		visit(&s.Dst)
	case *Closure:
		visit(&s.Dst)
	case *Text:
		visit(&s.Dst)
	case *Keep:
		visit(&s.Dst)
	case *Cut:
		visit(&s.Dst)
	case *Fork:
		for i := range s.Dsts {
			visit(&s.Dsts[i])
		}
	}
}

// Walk calls visit for every step of c, in order, branches included.
func Walk(c Code, visit func(Code)) {
	for c != nil {
		visit(c)
		switch s := c.(type) {
		case *If:
			Walk(s.Then, visit)
			c = s.Else
			continue
		case *Match:
			for _, a := range s.Arms {
				Walk(a.Body, visit)
			}
			c = s.Else
			continue
		}
		n := next(c)
		if n == nil {
			return
		}
		c = *n
	}
}

// Calls returns the calls of a step.
func Calls(c Code) []*Call {
	switch s := c.(type) {
	case *Cut:
		return []*Call{&s.Call}
	case *Tail:
		return []*Call{&s.Call}
	case *Fork:
		cs := make([]*Call, len(s.Calls))
		for i := range s.Calls {
			cs[i] = &s.Calls[i]
		}
		return cs
	}
	return nil
}

// renumber replaces each variable v of c, which has no Dup, Drop or frame yet, by
// to[v].
func renumber(c Code, to []Var) {
	Walk(c, func(c Code) {
		operands(c, func(a *Atom) {
			if !a.IsConst() {
				a.Var = to[a.Var]
			}
		})
		results(c, func(v *Var) { *v = to[*v] })
		if m, ok := c.(*Match); ok {
			m.X = to[m.X]
			for _, a := range m.Arms {
				for i, v := range a.Fields {
					a.Fields[i] = to[v]
				}
			}
		}
	})
}
