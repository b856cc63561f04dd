package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// below lists, for each package, the packages of this module that it may import,
// directly or not: the arrows of docs/architecture.md.
var below = map[string]string{
	"interp/syntax":  "",
	"stdlib":         "",
	"interp/word":    "",
	"interp/f32":     "",
	"interp/format":  "interp/syntax",
	"interp/module":  "interp/syntax stdlib",
	"interp/core":    "interp/syntax",
	"interp/elab":    "interp/syntax stdlib interp/module interp/core",
	"interp/norm":    "interp/syntax interp/core",
	"interp/check":   "interp/syntax interp/core interp/norm",
	"interp/image":   "interp/syntax interp/core",
	"interp/base":    "interp/syntax stdlib interp/module interp/core interp/elab interp/norm interp/check interp/image",
	"interp/flat":    "interp/syntax interp/core interp/f32 interp/word",
	"interp/eval":    "interp/syntax interp/core interp/f32 interp/word interp/flat",
	"interp/search":  "interp/syntax interp/core",
	"interp/step":    "interp/syntax interp/core interp/norm interp/f32 interp/word interp/flat",
	"interp/effect":  "interp/syntax interp/core interp/f32 interp/word interp/flat interp/eval",
	"jit/lane":       "interp/syntax interp/core interp/f32 interp/word interp/flat",
	"jit/plan":       "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane",
	"jit/cgen":       "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane jit/plan",
	"jit/wasmgen":    "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane jit/plan",
	"jit":            "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane jit/plan jit/cgen jit/wasmgen",
	"repl/highlight": "interp/syntax",
	"docs":           "",
	"gpu/hostmem":    "",
	"gpu/cpu":        "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem",
	"gpu/grid":       "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem",
	"gpu/native":     "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem gpu/grid",
	"gpu":            "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem gpu/cpu gpu/grid gpu/native gpu/cuda gpu/metal",
	"gpu/metal":      "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem gpu/grid",
	"gpu/cuda":       "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane gpu/hostmem gpu/grid",
	"gpu/conform":    "interp/syntax interp/core interp/f32 interp/word interp/flat jit/lane jit/plan jit/cgen jit/wasmgen jit",
}

// TestImportArrows asks the go command which packages each package stands on.
func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}: {{join .Deps \" \"}}", "./...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		pkg, deps, _ := strings.Cut(line, ": ")
		name := strings.TrimPrefix(pkg, "bend/")
		allowed, listed := below[name]
		if !listed {
			continue // repl and main.go see everything
		}
		seen++
		for _, dep := range strings.Fields(deps) {
			if own, ok := strings.CutPrefix(dep, "bend/"); ok && !slices.Contains(strings.Fields(allowed), own) {
				t.Errorf("%s may not depend on %s", name, own)
			}
		}
	}
	if seen != len(below) {
		t.Errorf("%d of the %d packages that have rules exist", seen, len(below))
	}
}
