// Package stdlib holds Base, the library of the language, written in Bend.
package stdlib

import (
	"embed"
	"path"
)

// A File is one topic of Base.
type File struct{ Name, Text string }

//go:embed *.bend
var texts embed.FS

// order lists the topics in load order: each uses only those before it.
var order = []string{"core.bend"}

// Files returns the topics of Base in load order.
func Files() []File {
	files := make([]File, 0, len(order))
	for _, name := range order {
		text, err := texts.ReadFile(name)
		if err != nil {
			panic(err) // the embedded files are part of the program
		}
		files = append(files, File{path.Base(name), string(text)})
	}
	return files
}
