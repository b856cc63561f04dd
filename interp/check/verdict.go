package check

import "bend/interp/core"

// A Summary tells what a checked book still owes and what it takes on trust.
type Summary struct {
	Todos int      // unfinished work: ?TODO holes and open laws
	Open  []string // the open laws, in book order
	// Relies lists, in book order, the declarations outside Base that are unsafe or
	// foreign, or that mention one that is.
	Relies []string
}

// Sound reports whether everything was proven.
func (s Summary) Sound() bool { return s.Todos == 0 && len(s.Relies) == 0 }

// Verdict sums b up.
func Verdict(b *core.Book) Summary {
	s := Summary{Todos: b.Todos}
	bad := map[string]bool{} // keys of what relies on unsafe or foreign code
	for k, d := range b.Defs {
		if d.Unsafe || len(d.Foreign) > 0 && !d.Base {
			bad[k] = true
		}
	}
	mentions := func(ts ...core.Term) bool {
		for _, t := range ts {
			if t != nil && mentions(t, bad) {
				return true
			}
		}
		return false
	}
	terms := func(fs []core.Field) (ts []core.Term) {
		for _, f := range fs {
			ts = append(ts, f.Type)
		}
		return ts
	}
	relies := func(ev core.Event) (key string, yes bool) {
		if t := ev.Type; t != nil {
			ts := append(terms(t.Params), t.Kind)
			for _, k := range t.Ctors {
				ts = append(ts, terms(k.Fields)...)
			}
			return t.Key, !t.Base && mentions(ts...)
		}
		d := ev.Def
		if d == nil {
			d = ev.Law
		}
		return d.Key, !d.Base && (bad[d.Key] || mentions(d.Type, d.Value))
	}
	// Types may mention what is declared below, so one pass is not enough.
	for grown := true; grown; {
		grown = false
		for _, ev := range b.Events {
			if key, yes := relies(ev); yes && !bad[key] {
				bad[key], grown = true, true
			}
		}
	}
	seen := map[string]bool{}
	for _, ev := range b.Events {
		key, yes := relies(ev)
		if d := b.Defs[key]; ev.Law != nil && d.Open() {
			s.Todos++
			s.Open = append(s.Open, key)
		}
		if (yes || bad[key] && !isBase(b, key)) && !seen[key] {
			seen[key] = true
			s.Relies = append(s.Relies, key)
		}
	}
	return s
}

func isBase(b *core.Book, key string) bool {
	if d := b.Defs[key]; d != nil {
		return d.Base
	}
	t := b.Types[key]
	return t != nil && t.Base
}

// mentions reports whether t names a declaration of the set.
func mentions(t core.Term, set map[string]bool) bool {
	if len(set) == 0 {
		return false
	}
	todo := []core.Term{t}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch t := t.(type) {
		case *core.Ref:
			if set[t.Key] {
				return true
			}
		case *core.ADT:
			if set[t.Key] {
				return true
			}
			todo = append(todo, t.Args...)
		case *core.App:
			todo = append(todo, t.Fn, t.Arg)
		case *core.Lam:
			todo = append(todo, t.Body)
		case *core.All:
			todo = append(todo, t.Dom, t.Cod)
		case *core.Kind:
			todo = append(todo, t.Q)
		case *core.Meet:
			todo = append(todo, t.A, t.B)
		case *core.Ctr:
			todo = append(todo, t.Args...)
		case *core.Mat:
			todo = append(todo, t.Hit, t.Miss)
		case *core.Eql:
			todo = append(todo, t.A, t.B, t.T)
		case *core.Rwt:
			todo = append(todo, t.Eq, t.Motive, t.Body)
		case *core.Let:
			todo = append(append(todo, t.Vals...), t.Body)
		case *core.Ann:
			todo = append(todo, t.X, t.T)
		}
	}
	return false
}
