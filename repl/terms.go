package repl

import "bend/interp/core"

// mentionsInner reports whether t mentions one of the n innermost variables around it.
func mentionsInner(t core.Term, n int) bool {
	found := false
	core.Walk(t, func(t core.Term, binders int) {
		if v, ok := t.(*core.Var); ok && v.Ix >= binders && v.Ix < binders+n {
			found = true
		}
	})
	return found
}

// freeVars returns which of the n variables around t it mentions, by level.
func freeVars(t core.Term, n int) []bool {
	used := make([]bool, n)
	core.Walk(t, func(t core.Term, binders int) {
		if v, ok := t.(*core.Var); ok && v.Ix >= binders {
			if level := n - 1 - (v.Ix - binders); level >= 0 && level < n {
				used[level] = true
			}
		}
	})
	return used
}
