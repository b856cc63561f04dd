package core

// Unapply returns the head of an application and its arguments' nodes in order.
func Unapply(t Term) (head Term, apps []*App) {
	n := 0
	for u := t; ; n++ {
		a, ok := u.(*App)
		if !ok {
			break
		}
		u = a.Fn
	}
	apps = make([]*App, n)
	for i := n - 1; i >= 0; i-- {
		apps[i] = t.(*App)
		t = apps[i].Fn
	}
	return t, apps
}

// Strip looks through what has no meaning when run.
func Strip(t Term) Term {
	for {
		switch u := t.(type) {
		case *Ann:
			t = u.X
		case *Rwt:
			t = u.Body
		default:
			return t
		}
	}
}

// children calls visit for each direct subterm of t with the number of binders that
// it stands under.
func children(t Term, visit func(t Term, binders int)) {
	each := func(ts []Term) {
		for _, t := range ts {
			visit(t, 0)
		}
	}
	switch u := t.(type) {
	case *Kind:
		visit(u.Q, 0)
	case *Meet:
		visit(u.A, 0)
		visit(u.B, 0)
	case *All:
		visit(u.Dom, 0)
		visit(u.Cod, 1)
	case *Lam:
		visit(u.Body, 1)
	case *App:
		visit(u.Fn, 0)
		visit(u.Arg, 0)
	case *ADT:
		each(u.Args)
	case *Ctr:
		each(u.Args)
	case *Mat:
		visit(u.Hit, 0)
		if u.Miss != nil {
			visit(u.Miss, 0)
		}
	case *Eql:
		visit(u.A, 0)
		visit(u.B, 0)
		visit(u.T, 0)
	case *Rwt:
		visit(u.Eq, 0)
		visit(u.Motive, 2)
		visit(u.Body, 0)
	case *Let:
		each(u.Vals)
		visit(u.Body, len(u.Names))
	case *Ann:
		visit(u.X, 0)
		visit(u.T, 0)
	}
}

// Walk calls visit for t and all its subterms with the number of binders between.
// It needs no Go stack.
func Walk(t Term, visit func(t Term, binders int)) {
	type item struct {
		t Term
		n int
	}
	todo := []item{{t, 0}}
	for len(todo) > 0 {
		it := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if it.t == nil {
			continue
		}
		visit(it.t, it.n)
		children(it.t, func(c Term, n int) { todo = append(todo, item{c, it.n + n}) })
	}
}

// Mentions calls visit for the key of every name that t Mentions.
func Mentions(t Term, visit func(key string)) {
	Walk(t, func(t Term, _ int) {
		switch u := t.(type) {
		case *Ref:
			visit(u.Key)
		case *ADT:
			visit(u.Key)
		case *Ctr:
			visit(u.Key)
		case *Mat:
			visit(u.Key)
		}
	})
}
