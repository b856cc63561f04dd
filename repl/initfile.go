package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
)

// projectInit is the name of a project's init file, which is looked for in the folder
// where the prompt is opened.
const projectInit = ".bendrc"

// userInit returns the init file of the person.
func userInit() string { return filepath.Join(xdg.ConfigHome, "bend", "bendrc") }

// runInits acts on the init files: on the person's own, and then on the project's, after
// a question if that belongs to somebody else, or others may write to it.
func (c *Console) runInits(ctx context.Context, lines lineReader) {
	c.runInit(ctx, userInit())
	if _, err := os.Stat(projectInit); err != nil {
		return
	}
	if why := untrusted(projectInit); why != "" {
		answer, err := lines.ReadLine(fmt.Sprintf("%s %s. Run it? [y/N] ", projectInit, why), "")
		if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
			return
		}
	}
	c.runInit(ctx, projectInit)
}

// runInit acts on the blocks of a file, if it is there, up to the first error.
func (c *Console) runInit(ctx context.Context, name string) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		c.fail(fmt.Errorf("cannot read %s: %w", name, errors.Unwrap(err)))
		return
	}
	input := c.input
	c.input = name
	defer func() { c.input = input }()
	r := &blockReader{lines: newScriptLines(strings.NewReader(string(text))), script: true}
	for {
		b, err := r.next()
		if err != nil {
			return
		}
		b.text = strings.Repeat("\n", b.line-1) + b.text
		if c.guarded(ctx, b) != nil {
			return
		}
	}
}
