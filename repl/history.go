package repl

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
)

// historyMax is the number of blocks that are kept between sessions.
const historyMax = 2000

// A history is the blocks that were typed, oldest first, kept in a file with one
// quoted block a line.
type history struct {
	path   string // empty: not kept
	blocks []string
}

// historyPath returns the file in the person's state folder.
func historyPath() string { return filepath.Join(xdg.StateHome, "bend", "history") }

// loadHistory reads the file at path. A file that cannot be read is an empty history.
func loadHistory(path string) *history {
	h := &history{path: path}
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		if b, err := strconv.Unquote(sc.Text()); err == nil {
			h.blocks = append(h.blocks, b)
		}
	}
	if n := len(h.blocks); n > historyMax {
		h.blocks = h.blocks[n-historyMax:]
		h.rewrite()
	}
	return h
}

// add appends a block, unless it repeats the last one.
func (h *history) add(b string) error {
	b = strings.TrimRight(b, "\n")
	if n := len(h.blocks); n > 0 && h.blocks[n-1] == b {
		return nil
	}
	h.blocks = append(h.blocks, b)
	if h.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(strconv.Quote(b) + "\n"); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// rewrite replaces the file by what the history holds. It is done aside and renamed,
// and given up quietly: the longer file does no harm.
func (h *history) rewrite() {
	var sb strings.Builder
	for _, b := range h.blocks {
		sb.WriteString(strconv.Quote(b) + "\n")
	}
	tmp := h.path + ".new"
	if os.WriteFile(tmp, []byte(sb.String()), 0o600) == nil {
		os.Rename(tmp, h.path)
	}
}
