// Package repl is the prompt and the session behind every command of the program: what
// was loaded and typed, how it is checked and evaluated, and how results, errors and
// the lane's stack are shown.
//
// A Session knows nothing of terminals. A Console reads blocks (read.go), acts on
// them (act.go) and shows what came of it (view.go, stackview.go).
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"bend/interp/base"
	"bend/interp/check"
	"bend/interp/core"
	"bend/interp/effect"
	"bend/interp/elab"
	"bend/interp/eval"
	"bend/interp/flat"
	"bend/interp/module"
	"bend/interp/syntax"
	"bend/interp/word"
)

// Version is the version of the program.
const Version = "0.1.0"

// Options say how a session runs.
type Options struct {
	Settings Settings
	Log      zerolog.Logger
	Color    string    // see Coloured
	Stdin    io.Reader // what IO.read_line reads, unless there is a prompt
	Stdout   io.Writer
	Stderr   io.Writer
	Args     []string // what IO.args gives
	Cache    string   // the folder that keeps Base checked; "" for none
	NoInit   bool     // the prompt reads no init files
	Progress bool     // show on Stderr, if it is a terminal, what takes long
}

// A Session is everything that was loaded and defined, and the machine that
// evaluates. It is not safe for concurrent use.
type Session struct {
	opts     Options
	settings Settings
	log      zerolog.Logger
	ctx      context.Context // what ends checking, nil for nothing

	base   *core.Book     // the Base library
	file   string         // the loaded file, "" if none
	loader *module.Loader // of that file's folder
	scope  *module.Unit   // what a text without a file sees
	ground *core.Book     // Base and the file
	chunks []*chunk       // what was typed, in checking order
	book   *core.Book     // ground and chunks
	vars   []*variable    // prompt variables
	undone []*snapshot    // what can be taken back

	prog     *flat.Program
	heap     *word.Heap
	machine  *eval.Machine
	lanes    *lanes
	handles  *effect.Handles // channels and files, kept from one line to the next
	input    lineReader      // what IO.read_line reads
	progress *progress       // shows what takes long
	lines    int             // expressions evaluated so far
	kept     int             // values kept in variables so far
	unswept  bool            // a run left values in the heap, and did not end well
}

// Rejected is the error of a text that was not accepted: reports, or a text in place
// of them. Verdict says that a whole program was rejected.
type Rejected struct {
	Diags   []*syntax.Diagnostic
	Text    string
	Verdict bool
}

// Error returns the first report on one line.
func (r *Rejected) Error() string {
	if len(r.Diags) > 0 {
		return r.Diags[0].Error()
	}
	return r.Text
}

// diagnostics returns the reports of an error.
func diagnostics(err error) []*syntax.Diagnostic {
	if d := (*syntax.Diagnostic)(nil); errors.As(err, &d) {
		return []*syntax.Diagnostic{d}
	}
	if r := (*Rejected)(nil); errors.As(err, &r) {
		return r.Diags
	}
	return nil
}

func rejected(diags []*syntax.Diagnostic) error {
	if len(diags) == 0 {
		return nil
	}
	return &Rejected{Diags: diags}
}

// builtBase is Base for the sessions without a cache; nobody changes it once it is made.
var builtBase = sync.OnceValues(base.Build)

// declare adds units to b, all of them even if some have errors.
func declare(b *core.Book, units []*module.Unit) (diags []*syntax.Diagnostic) {
	for _, u := range units {
		diags = append(diags, elab.Add(b, u)...)
	}
	return diags
}

// kernels is the folder of compiled kernels in that of the cache.
func kernels(cache string) string {
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "kernels")
}

// NewSession returns a session that has loaded nothing but Base.
func NewSession(opts Options) (*Session, error) {
	s := &Session{opts: opts, settings: opts.Settings, log: opts.Log}
	if opts.Progress {
		s.progress = newProgress(opts.Stderr)
	}
	s.prog = flat.NewProgram()
	s.heap = word.NewHeap(0)
	s.lanes = newLanes(kernels(opts.Cache))
	s.handles = effect.NewHandles()
	s.newMachine()
	load := builtBase
	if opts.Cache != "" {
		load = func() (*core.Book, []*syntax.Diagnostic) { return base.Load(opts.Cache) }
	}
	var diags []*syntax.Diagnostic
	if s.base, diags = load(); len(diags) > 0 {
		return nil, rejected(diags)
	}
	s.empty()
	if gpu := opts.Settings.GPU; gpu == "cuda" || gpu == "metal" {
		// Asked for by name, a device that is not there is an error at once.
		if _, err := s.lanes.open(opts.Settings); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Use makes ctx what ends checking from now on: types may compute for as long as
// programs do.
func (s *Session) Use(ctx context.Context) { s.ctx = ctx }

// interrupted reports whether checking is to be given up.
func (s *Session) interrupted() bool { return s.ctx != nil && s.ctx.Err() != nil }

// Close gives back what the session holds outside of Go's memory.
func (s *Session) Close() {
	s.handles.Close()
	s.lanes.close()
}

// empty makes the ground Base alone, and forgets what was typed.
func (s *Session) empty() {
	l := module.NewLoader(".")
	l.SkipBase = true
	s.file, s.loader, s.scope = "", l, &module.Unit{File: &syntax.File{}, Aliases: map[string]string{}}
	s.ground = s.base.Fork()
	s.forget()
}

// forget drops all that was typed.
func (s *Session) forget() {
	s.chunks = nil
	s.book = forkBook(s.ground)
	s.dropVars()
}

// Reset forgets all that was typed and loaded.
func (s *Session) Reset() { s.empty() }

// File returns the loaded file, or "".
func (s *Session) File() string { return s.file }

// Load loads and checks a file in place of all that the session held, and returns how
// many declarations it brought. If it is rejected the session stays as it was.
func (s *Session) Load(path string) (int, error) {
	n, err := s.loadGround(path)
	if err == nil {
		s.forget()
	}
	return n, err
}

// Reload loads the file again and keeps what was typed, unless that no longer fits.
func (s *Session) Reload() (int, error) {
	if s.file == "" {
		return 0, errors.New("no file is loaded (see :load)")
	}
	old := *s
	n, err := s.loadGround(s.file)
	if err != nil {
		return 0, err
	}
	book, err := s.rebuild(s.chunks)
	if err != nil {
		*s = old
		return 0, err
	}
	s.book = book
	return n, nil
}

// loadGround makes the ground Base, if the file imports it, and the file.
func (s *Session) loadGround(path string) (int, error) {
	l := module.NewLoader(".")
	l.SkipBase = true
	own, diags := l.File(path)
	if len(diags) > 0 {
		return 0, rejected(diags)
	}
	start := time.Now()
	ground := core.NewBook()
	if l.UsesBase() {
		ground = s.base.Fork()
	} else {
		l.SkipBase = false // a line typed later may import it
	}
	from := len(ground.Events)
	diags = declare(ground, own)
	if len(diags) == 0 {
		diags = s.checkEvents(ground, from)
	}
	if len(diags) > 0 {
		return 0, rejected(diags)
	}
	s.log.Info().Str("file", path).Dur("took", time.Since(start)).Int("events", len(ground.Events)-from).Msg("checked")
	s.file, s.loader, s.ground = path, l, ground
	s.scope = own[len(own)-1].Scope()
	return len(ground.Events) - from, nil
}

// checkEvents checks what was added to b since it had from events.
func (s *Session) checkEvents(b *core.Book, from int) []*syntax.Diagnostic {
	step, end := s.progress.during("checking", len(b.Events)-from)
	defer end()
	return check.EventsUntil(b, from, s.interrupted, step)
}

// forkBook returns a book that can be added to without changing b; the laws that are
// still open are copied, since a fill changes them.
func forkBook(b *core.Book) *core.Book {
	n := b.Fork()
	for key, d := range n.Defs {
		if d.Law && d.Open() {
			c := *d
			n.Defs[key] = &c
		}
	}
	return n
}

// Set changes a setting.
func (s *Session) Set(name, value string) error {
	old := s.settings
	if err := s.settings.Set(name, value); err != nil {
		return err
	}
	if name == "gpu" {
		if _, err := s.lanes.open(s.settings); err != nil {
			s.settings = old
			return err
		}
	}
	s.newMachine()
	return nil
}

// newMachine makes the machine anew, with the settings that hold now.
func (s *Session) newMachine() { s.machine = s.machineWith(false) }

func (s *Session) machineWith(profile bool) *eval.Machine {
	return eval.New(s.prog, s.heap, eval.Options{
		StackWords: int(s.settings.Stack / 8),
		Profile:    profile,
		Bang:       s.launch,
	})
}

// Names returns what can be mentioned, for completion.
func (s *Session) Names() []string {
	var names []string
	add := func(key string) {
		if name := s.showKey(key); !strings.Contains(name, "~") && s.searched(name) {
			names = append(names, name)
		}
	}
	for k := range s.book.Defs {
		add(k)
	}
	for k := range s.book.Types {
		add(k)
	}
	for _, v := range s.vars {
		names = append(names, v.name)
	}
	sort.Strings(names)
	return names
}

// showKey shows a top-level key as the prompt writes it.
func (s *Session) showKey(key string) string {
	for alias, ns := range s.scope.Aliases {
		if len(key) > len(ns) && key[:len(ns)] == ns && key[len(ns)] == ':' {
			return alias + "." + key[len(ns)+1:]
		}
	}
	return core.ShowKey(key)
}

// Show prints a term; a list or text is cut after most elements, unless most is 0.
func (s *Session) Show(t core.Term, most int) string {
	return core.Print(t, nil, core.PrintOptions{MaxElems: most, Name: s.showKey})
}

// IsDef reports whether text is the name of a def or law, and no prompt variable.
func (s *Session) IsDef(text string) bool {
	for _, v := range s.vars {
		if v.name == text {
			return false
		}
	}
	return s.defOf(text) != nil
}

// defOf returns the def that a written name means, nil if there is none.
func (s *Session) defOf(name string) *core.Def {
	if d := s.book.Defs[name]; d != nil {
		return d
	}
	for alias, ns := range s.scope.Aliases {
		if len(name) > len(alias) && name[:len(alias)] == alias && name[len(alias)] == '.' {
			if d := s.book.Defs[ns+":"+name[len(alias)+1:]]; d != nil {
				return d
			}
		}
	}
	return nil
}

// unfinished returns the error of a program that has work left: open laws, ?TODO.
func unfinished(b *core.Book) error {
	n := check.Verdict(b).Todos
	if n == 0 {
		return nil
	}
	return &Rejected{Verdict: true, Text: fmt.Sprintf("Error: %d TODO(s) found.\nThe code is incomplete: fill the open laws and the ?TODO holes.", n)}
}
