package core

import (
	"fmt"
	"slices"
	"strings"
)

// foreignTypes are types as other languages call them.
var foreignTypes = map[string]string{
	"Int": "U32 or Nat", "int": "U32 or Nat", "Integer": "U32 or Nat", "integer": "U32 or Nat", "i32": "U32 or Nat", "u32": "U32",
	"Float": "F32", "float": "F32", "Double": "F32", "double": "F32", "f32": "F32",
	"Str": "String", "str": "String", "string": "String", "bool": "Bool", "Boolean": "Bool", "char": "Char", "nat": "Nat",
	"void": "Unit", "Void": "Unit", "Option": "Maybe", "Optional": "Maybe",
}

// DidYouMean returns a hint that names the declared names that have name behind a dot, as
// IO.print for print, or a part of a word before its last part, as U32.is_lt for U32.lt; or
// else those nearest to it; "" if none is near.
func DidYouMean(b *Book, name string) string {
	if own := foreignTypes[name]; own != "" {
		return name + " is " + own + " here"
	}
	best := max(1, len(name)/3)
	var found, behind []string // near names; those that have more than the name
	dot := strings.LastIndexByte(name, '.') + 1
	try := func(key string) {
		if strings.HasSuffix(key, "."+name) && strings.Count(key, ".") == 1 && !strings.Contains(key, ":") {
			behind = append(behind, key)
		}
		if dot > 0 && strings.HasPrefix(key, name[:dot]) && strings.HasSuffix(key, "_"+name[dot:]) {
			behind = append(behind, key)
		}
		d := distance(ShowKey(key), name, best)
		if d < best {
			best, found = d, found[:0]
		}
		if d == best {
			found = append(found, ShowKey(key))
		}
	}
	for k := range b.Defs {
		try(k)
	}
	for k := range b.Types {
		try(k)
	}
	for k := range b.Ctors {
		try(k)
	}
	if len(behind) > 0 {
		found = behind
	}
	slices.Sort(found)
	found = slices.Compact(found)
	switch {
	case len(behind) > 0 && len(found) > 3:
		return fmt.Sprintf("did you mean %s, ..?", strings.Join(found[:3], ", "))
	case len(found) == 0 || len(found) > 3:
		return ""
	case len(found) == 1:
		return fmt.Sprintf("did you mean %s?", found[0])
	}
	last := len(found) - 1
	return fmt.Sprintf("did you mean %s or %s?", strings.Join(found[:last], ", "), found[last])
}

// distance returns the edit distance of a and b, or more than most if it is larger.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost = min(diag, row[j], row[j-1]) + 1
			}
			diag, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
