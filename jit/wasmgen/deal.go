package wasmgen

import (
	"bend/interp/flat"
	"bend/jit/lane"
)

// deals tells the host how to deal out the calls of a fork that have not begun (see
// lane.Stack.Deal), and gives each step an id for the frame that is left.
func (k *kernel) deals(f *flat.Fork) {
	at := map[flat.Var]int{}
	for i, v := range f.Frame.Caps {
		at[v] = i
	}
	arg := func(a flat.Atom) lane.ForkArg {
		if a.IsConst() {
			return lane.ForkArg{Cap: -1, Word: a.Word}
		}
		return lane.ForkArg{Cap: at[a.Var]}
	}
	calls := make([]lane.ForkCall, len(f.Calls))
	for i, c := range f.Calls {
		if i == 0 {
			continue // it has begun when there is a frame, and its arguments are not in it
		}
		if c.Apply {
			calls[i] = lane.ForkCall{Entry: applyID, Args: []lane.ForkArg{arg(c.Fn)}}
		} else {
			calls[i].Entry = k.stubs[c.Def]
		}
		for _, a := range c.Args {
			calls[i].Args = append(calls[i].Args, arg(a))
		}
	}
	ids := k.returns[f.Frame]
	last := len(ids) - 1
	for i, id := range ids[:last] {
		r := &k.out.Returns[id]
		r.Fork = &lane.Fork{Caps: len(f.Frame.Caps), Call: i, Calls: calls, Dealt: len(k.out.Returns), After: ids[last]}
		dealt := *r
		dealt.Dealt = true
		if k.joined == 0 {
			k.joined = k.ids(dealt, (*emitter).joinedSegment)
		} else {
			k.out.Returns = append(k.out.Returns, dealt)
		}
	}
}
