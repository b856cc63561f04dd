// Package stdlib holds the Base library: the Bend source texts that "import Base"
// loads, one file a topic.
package stdlib

import "embed"

//go:embed *.bend
var texts embed.FS

// order lists the files of Base so that each uses only what stands before it.
var order = []string{
	"logic.bend",
	"bool.bend",
	"nat.bend",
	"word.bend",
	"u32.bend",
	"f32.bend",
	"char.bend",
	"maybe.bend",
	"result.bend",
	"string.bend",
	"list.bend",
	"text.bend",
	"array.bend",
	"native.bend",
	"map.bend",
	"set.bend",
	"io.bend",
	"chan.bend",
	"file.bend",
	"net.bend",
	"image.bend",
	"window.bend",
	"app.bend",
}

// A File is one file of Base. Name ends in ".bend".
type File struct {
	Name string
	Text string
}

// Files returns the files of Base in load order. All of them belong to the empty
// namespace and none has import lines.
func Files() []File {
	files := make([]File, len(order))
	for i, name := range order {
		text, err := texts.ReadFile(name)
		if err != nil {
			panic("stdlib: " + err.Error()) // the name is in order but no such file is embedded
		}
		files[i] = File{Name: name, Text: string(text)}
	}
	return files
}
