// Package module finds and parses the files of a program: the entry file, the files
// it imports, and the embedded Base library.
//
// Every file is loaded once, whatever its spelling, and imports come before the file
// that asks for them. The entry file and Base live in the empty namespace; any other
// file's namespace is its path relative to the entry file's folder, without ".bend".
package module

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bend/interp/syntax"
	"bend/stdlib"
)

// A Unit is one parsed file and what its names mean.
type Unit struct {
	File      *syntax.File
	Path      string // real path, "" for Base and for text without a file
	Namespace string
	Aliases   map[string]string // alias -> namespace
	Base      bool
}

// A Loader loads units into one growing program: a file, or the blocks of a prompt.
type Loader struct {
	// ReadFile reads a file; os.ReadFile if nil.
	ReadFile func(path string) ([]byte, error)
	// SkipBase leaves the units of Base out: the caller has Base already.
	SkipBase bool

	units   []*Unit
	loaded  map[string]*Unit // by real path
	loading map[string]bool
	base    bool
	root    string // the entry file's folder
	diags   []*syntax.Diagnostic
}

// NewLoader returns a loader for the entry file's folder root.
func NewLoader(root string) *Loader {
	return &Loader{loaded: map[string]*Unit{}, loading: map[string]bool{}, root: root}
}

// File loads the entry file and returns the units that are new, in load order.
func (l *Loader) File(path string) ([]*Unit, []*syntax.Diagnostic) {
	l.units, l.diags = nil, nil
	real := realPath(path)
	text, err := l.read(path)
	if err != nil {
		return nil, []*syntax.Diagnostic{{Code: "no-such-file", Message: noSuchFile(path, err)}}
	}
	l.root = filepath.Dir(real)
	l.loading[real] = true
	u := l.add(syntax.NewSource(path, string(text)), real, "")
	delete(l.loading, real)
	l.loaded[real] = u
	l.checkLaws(real)
	return l.units, l.diags
}

// Text loads a text that is no file, in the empty namespace; its imports are relative
// to the loader's folder.
func (l *Loader) Text(src *syntax.Source) ([]*Unit, []*syntax.Diagnostic) {
	l.units, l.diags = nil, nil
	l.add(src, filepath.Join(l.root, "."), "")
	return l.units, l.diags
}

// UsesBase reports whether a unit loaded so far imports Base.
func (l *Loader) UsesBase() bool { return l.base }

// Scope returns a unit without declarations that sees what file sees.
func (u *Unit) Scope() *Unit {
	return &Unit{File: &syntax.File{}, Namespace: u.Namespace, Aliases: u.Aliases}
}

func (l *Loader) read(path string) ([]byte, error) {
	if l.ReadFile != nil {
		return l.ReadFile(path)
	}
	return os.ReadFile(path)
}

func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

func noSuchFile(path string, err error) string {
	if os.IsNotExist(err) {
		return "no such file: " + path
	}
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	return fmt.Sprintf("cannot read %s: %v", path, err)
}

func (l *Loader) errorf(sp syntax.Span, code, hint, format string, args ...any) {
	l.diags = append(l.diags, &syntax.Diagnostic{Code: code, Span: sp, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// add parses src and loads its imports, then adds it.
func (l *Loader) add(src *syntax.Source, real, namespace string) *Unit {
	file, diags := syntax.ParseFile(src)
	u := &Unit{File: file, Path: real, Namespace: namespace, Aliases: map[string]string{}}
	for _, im := range file.Imports {
		if im.Base {
			l.addBase()
			continue
		}
		if _, taken := u.Aliases[im.Alias.Text]; taken {
			l.errorf(im.Alias.Span, "alias-taken", "choose another name", "the alias %s is taken already", im.Alias.Text)
			continue
		}
		if m := l.imported(im, filepath.Dir(real)); m != nil {
			u.Aliases[im.Alias.Text] = m.Namespace
		}
	}
	l.diags = append(l.diags, diags...)
	l.units = append(l.units, u)
	return u
}

func (l *Loader) addBase() {
	if l.base {
		return
	}
	l.base = true
	if l.SkipBase {
		return
	}
	units, diags := Base(BaseSources())
	l.units = append(l.units, units...)
	l.diags = append(l.diags, diags...)
}

// BaseSources returns the texts of the Base library in load order.
func BaseSources() (sources []*syntax.Source) {
	for _, f := range stdlib.Files() {
		sources = append(sources, syntax.NewSource("Base/"+f.Name, f.Text))
	}
	return sources
}

// Base parses the texts of the Base library.
func Base(sources []*syntax.Source) (units []*Unit, diags []*syntax.Diagnostic) {
	for _, src := range sources {
		file, ds := syntax.ParseFile(src)
		diags = append(diags, ds...)
		units = append(units, &Unit{File: file, Base: true, Aliases: map[string]string{}})
	}
	return units, diags
}

// imported loads the file behind an import line of a file in dir.
func (l *Loader) imported(im *syntax.Import, dir string) *Unit {
	written := im.Path.Text
	if strings.HasPrefix(written, "0x") || strings.Contains(written, "@") {
		l.errorf(im.Path.Span, "hub-import", "copy the file beside yours and import it by its path", "%s is a package of a hub: this program reads local files only", written)
		return nil
	}
	if bad := badSegment(written); bad != "" {
		l.errorf(im.Path.Span, "import-path", "", "'%s' is no part of a path: letters, digits, '_' and '-' are, and '..' in front", bad)
		return nil
	}
	path := filepath.FromSlash(written)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	real := realPath(path)
	if l.loading[real] {
		l.errorf(im.Path.Span, "import-cycle", "", "%s imports itself, through the files that it imports", written)
		return nil
	}
	if u := l.loaded[real]; u != nil {
		return u
	}
	text, err := l.read(path)
	if err != nil {
		l.errorf(im.Path.Span, "no-such-file", "", "%s", noSuchFile(written, err))
		return nil
	}
	l.loading[real] = true
	u := l.add(syntax.NewSource(shownPath(path), string(text)), real, l.namespace(real))
	delete(l.loading, real)
	l.loaded[real] = u
	return u
}

func (l *Loader) namespace(real string) string {
	rel, err := filepath.Rel(l.root, real)
	if err != nil {
		rel = real
	}
	return strings.TrimSuffix(filepath.ToSlash(rel), ".bend")
}

// shownPath prefers a path relative to where the person stands.
func shownPath(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// badSegment returns the first part of a path that may not stand in one.
func badSegment(path string) string {
	leading := true
	parts := strings.Split(strings.TrimSuffix(path, ".bend"), "/")
	for i, s := range parts {
		if s == "" && i == 0 || s == "." && i == 0 || s == ".." && leading {
			continue
		}
		leading = false
		for j, c := range []byte(s) {
			letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
			if !letter && (j == 0 || !('0' <= c && c <= '9') && c != '-') {
				return s
			}
		}
		if s == "" {
			return s
		}
	}
	return ""
}

// checkLaws refuses a PROOF.bend that does not import the LAWS.bend beside it.
func (l *Loader) checkLaws(real string) {
	if filepath.Base(real) != "PROOF.bend" {
		return
	}
	laws := filepath.Join(filepath.Dir(real), "LAWS.bend")
	if _, err := l.read(laws); err == nil && l.loaded[realPath(laws)] == nil {
		l.errorf(syntax.Span{}, "proof-without-laws", "import ./LAWS.bend as Laws", "PROOF.bend does not import the LAWS.bend beside it")
	}
}
