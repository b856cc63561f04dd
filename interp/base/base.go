// Package base brings the Base library, checked: from a cache where there is a good
// one, from its text otherwise.
package base

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/image"
	"bend/interp/module"
	"bend/interp/syntax"
	"bend/stdlib"
)

// Build parses, resolves and checks Base.
func Build() (*core.Book, []*syntax.Diagnostic) {
	b, _, diags := build()
	return b, diags
}

func build() (*core.Book, []*syntax.Source, []*syntax.Diagnostic) {
	sources := module.BaseSources()
	units, diags := module.Base(sources)
	b := core.NewBook()
	for _, u := range units {
		diags = append(diags, elab.Add(b, u)...)
	}
	if len(diags) == 0 {
		diags = check.Events(b, 0)
	}
	return b, sources, diags
}

// Load returns Base as Build does. It keeps an image of it in the folder dir, which is
// made if need be; a missing, damaged or outdated image is replaced, and a folder that
// cannot be used only costs the time to build.
func Load(dir string) (*core.Book, []*syntax.Diagnostic) {
	key := identity()
	path := filepath.Join(dir, prefix+hex.EncodeToString(key[:8]))
	if b := read(path, key); b != nil {
		return b, nil
	}
	b, sources, diags := build()
	if len(diags) == 0 {
		write(path, key, image.Encode(b, sources))
	}
	return b, diags
}

// prefix begins the names of the image files.
const prefix = "base-"

// identity is the hash of all that an image depends on: the text of Base and the
// program itself, which is told by the size and the time of its file.
func identity() [sha256.Size]byte {
	h := sha256.New()
	for _, f := range stdlib.Files() {
		binary.Write(h, binary.LittleEndian, [2]int64{int64(len(f.Name)), int64(len(f.Text))})
		h.Write([]byte(f.Name))
		h.Write([]byte(f.Text))
	}
	if exe, err := os.Executable(); err == nil {
		if st, err := os.Stat(exe); err == nil {
			binary.Write(h, binary.LittleEndian, [2]int64{st.Size(), st.ModTime().UnixNano()})
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// A file holds the key, the hash of the image, and the image.

func read(path string, key [sha256.Size]byte) *core.Book {
	data, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(data, key[:]) || len(data) < 2*sha256.Size {
		return nil
	}
	sum, data := data[sha256.Size:2*sha256.Size], data[2*sha256.Size:]
	if got := sha256.Sum256(data); !bytes.Equal(got[:], sum) {
		return nil
	}
	b, err := image.Decode(data, module.BaseSources())
	if err != nil {
		return nil
	}
	return b
}

// write puts the file aside first, so that nobody ever reads half of one, and removes
// the images of older programs.
func write(path string, key [sha256.Size]byte, data []byte) {
	dir := filepath.Dir(path)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return
	}
	sum := sha256.Sum256(data)
	_, err = f.Write(slices.Concat(key[:], sum[:], data))
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
		return
	}
	forget(dir, path)
}

// most is how many images are kept in a folder: several versions of the program may
// take turns.
const most = 4

func forget(dir, newest string) {
	entries, _ := os.ReadDir(dir)
	var old []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), prefix) && e.Name() != filepath.Base(newest) {
			old = append(old, info)
		}
	}
	slices.SortFunc(old, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range old[min(len(old), most-1):] {
		os.Remove(filepath.Join(dir, info.Name()))
	}
}
