package repl

import (
	"errors"
	"fmt"
	"slices"

	"bend/interp/elab"
	"bend/interp/flat"
	"bend/interp/syntax"
	"bend/jit"
	"bend/jit/cgen"
	"bend/jit/wasmgen"
)

// KernelTargets are the languages that Kernel knows.
var KernelTargets = []string{"c", "cuda", "metal", "wasm"}

// Kernel returns the text of the kernel of a call marked "!", or of the call that an
// expression consists of. Of several marked calls it is the first.
func (s *Session) Kernel(src *syntax.Source, target string) (string, error) {
	if !slices.Contains(KernelTargets, target) {
		return "", fmt.Errorf("%q is no target: c, cuda, metal or wasm", target)
	}
	x, d := syntax.ParseExpr(src)
	if d != nil {
		return "", &Rejected{Diags: []*syntax.Diagnostic{d}}
	}
	names, binders := s.context()
	t, diags := elab.Expr(s.book, s.scope, names, x, elab.Options{Operators: true})
	if len(diags) > 0 {
		return "", rejected(diags)
	}
	if !hasBang(t) {
		s.markOutermost(t)
	}
	c, err := s.infer(t, binders)
	if err != nil {
		return "", err
	}
	line, err := s.lower(c)
	if err != nil {
		return "", err
	}
	root := flat.DefID(-1)
	flat.Walk(s.prog.Def(line).Body, func(c flat.Code) {
		for _, call := range flat.Calls(c) {
			if call.Bang && root < 0 {
				root = call.Def
			}
		}
	})
	if root < 0 {
		return "", errors.New("the expression has no call that could run on lanes, as f!(x) or f(x)")
	}
	o := jit.Options{Lanes: s.settings.Lanes, OwnFunctions: s.settings.OwnFloats}
	if target != "wasm" {
		o.Target = cgen.Target(target)
	}
	k, err := jit.Build(s.prog, root, nil, o)
	if err != nil {
		return "", err
	}
	if target == "wasm" {
		return wasmgen.Disassemble(k.Wasm)
	}
	return k.Text, nil
}
