package repl

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"bend/docs"
	"bend/interp/core"
)

// complete returns the words that may stand where the text before the cursor ends,
// and how many of their letters are typed already.
func (c *Console) complete(before string) (candidates []string, typed int) {
	word := before
	if i := strings.LastIndexFunc(before, endsWord); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		word = before[i+n:]
	}
	line := strings.TrimLeft(before, " ")
	var from []string
	switch {
	case strings.HasPrefix(line, ":") && !strings.Contains(line, " "):
		word = line
		for _, cmd := range commands() {
			from = append(from, ":"+cmd.name)
		}
	case isCommand(line):
		from = c.argument(line, word)
	default:
		from = c.names(before[:len(before)-len(word)], word)
	}
	for _, n := range from {
		if strings.HasPrefix(n, word) {
			candidates = append(candidates, n)
		}
	}
	sort.Strings(candidates)
	return slices.Compact(candidates), len([]rune(word))
}

// argument returns what may stand for the word of a command that is being typed.
func (c *Console) argument(line, word string) (from []string) {
	cmd, arg, err := parseCommand(line)
	if err != nil {
		return nil
	}
	first := !strings.Contains(strings.TrimSuffix(arg, word), " ") && (arg == word || arg == "")
	switch cmd.name {
	case "load", "add", "edit", "save", "cd":
		return filesFor(word)
	case "set":
		if first {
			return settingNames
		}
		switch name, _, _ := strings.Cut(arg, " "); name {
		case "spill":
			return []string{"half", "whole", "off", "every"}
		case "gpu":
			return deviceNames
		case "strict-floats":
			return []string{"on", "off"}
		case "lanes":
			return []string{"auto"}
		}
		return nil
	case "gpu":
		return deviceNames
	case "log":
		return logLevels
	case "guide":
		for _, p := range docs.Pages() {
			from = append(from, p.Topic)
		}
		return from
	case "help":
		for _, cmd := range commands() {
			from = append(from, cmd.name)
		}
		return append(from, helpTopicNames()...)
	case "kernel":
		if first {
			from = append(from, KernelTargets...)
		}
	case "stack":
		if first {
			from = append(from, "--svg", "--html", "--watch")
		} else if words := strings.Fields(arg); strings.HasPrefix(words[0], "--") && words[0] != "--watch" && (len(words) < 2 || words[1] == word) {
			return filesFor(word)
		}
	}
	if word == "" && len(from) == 0 {
		return nil
	}
	return append(from, c.names(line[:len(line)-len(word)], word)...)
}

// deviceNames are what the setting gpu may be, but for a size.
var deviceNames = []string{"auto", "on", "off", "cpu", "cuda", "metal", "c"}

// names returns the names that may stand behind a text: types behind what a type follows,
// patterns behind case, and otherwise all. A constructor comes with its fields.
func (c *Console) names(before, word string) (from []string) {
	before = strings.TrimRight(before, " ")
	s := c.session
	switch {
	case strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "::"), strings.HasSuffix(before, "->"):
		for key := range s.book.Types {
			from = append(from, s.showKey(key))
		}
		return append(from, "Type", "Data")
	case strings.HasSuffix(before, "case"):
		return s.constructors()
	case word == "":
		return nil
	}
	return append(s.Names(), s.constructors()...)
}

// constructors returns all constructors, with their fields.
func (s *Session) constructors() (all []string) {
	for key, k := range s.book.Ctors {
		var fields []string
		for _, f := range k.Fields {
			if f.Q != core.None {
				fields = append(fields, f.Name)
			}
		}
		all = append(all, s.showKey(key)+"{"+strings.Join(fields, ", ")+"}")
	}
	return all
}

// endsWord reports whether a word starts after r.
func endsWord(r rune) bool {
	return strings.ContainsRune(" \t\n([{,;", r) || r == newlineRune
}

// filesFor returns the folders and Bend files that a path may mean.
func filesFor(path string) []string {
	dir, _ := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		switch {
		case e.IsDir():
			out = append(out, dir+e.Name()+"/")
		case strings.HasSuffix(e.Name(), ".bend"):
			out = append(out, dir+e.Name())
		}
	}
	return out
}
