package repl

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
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
	case strings.HasPrefix(line, ":l"), strings.HasPrefix(line, ":ed"), strings.HasPrefix(line, ":sav"), strings.HasPrefix(line, ":cd"):
		from = filesFor(word)
	case strings.HasPrefix(line, ":se"):
		from = settingNames
		if strings.Contains(line, "spill ") {
			from = []string{"half", "whole", "off"}
		} else if strings.Contains(line, "gpu ") {
			from = []string{"auto", "on", "off", "cpu", "cuda", "metal"}
		}
	case strings.HasPrefix(line, ":g"):
		from = []string{"auto", "on", "off", "cpu", "cuda", "metal"}
	case strings.HasPrefix(line, ":h"):
		for _, cmd := range commands() {
			from = append(from, cmd.name)
		}
	case word == "":
		return nil, 0
	default:
		from = c.session.Names()
	}
	for _, n := range from {
		if strings.HasPrefix(n, word) {
			candidates = append(candidates, n)
		}
	}
	sort.Strings(candidates)
	return candidates, len([]rune(word))
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
