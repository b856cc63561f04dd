package cli

import (
	"fmt"
	"io"
	"os"

	"bend/interp/format"
	"bend/interp/syntax"
	"bend/repl"
)

// format prints files in the canonical layout, or the standard input if there are none;
// it rewrites them, or lists those that are laid out otherwise, if it is told to.
func (c *cmd) format(words []string) (int, error) {
	if len(words) == 0 {
		text, err := io.ReadAll(c.In)
		if err != nil {
			return exitFail, err
		}
		return c.formatText("<stdin>", string(text), func(out string) error {
			_, err := io.WriteString(c.Out, c.code(out))
			return err
		})
	}
	code := exitOK
	for _, file := range words {
		text, err := os.ReadFile(file)
		if err != nil {
			return exitFail, err
		}
		one, err := c.formatText(file, string(text), func(out string) error {
			changed := out != string(text)
			if c.list && changed {
				fmt.Fprintln(c.Out, file)
			}
			if c.write && changed {
				return rewrite(file, out)
			}
			if !c.list && !c.write {
				_, err := io.WriteString(c.Out, c.code(out))
				return err
			}
			return nil
		})
		if err != nil {
			return exitFail, err
		}
		code = max(code, one)
	}
	return code, nil
}

// formatText gives the layout of a text to use, or shows why there is none.
func (c *cmd) formatText(name, text string, use func(string) error) (int, error) {
	out, diags := format.Source(syntax.NewSource(name, text))
	if len(diags) > 0 {
		repl.WriteError(c.Err, &repl.Rejected{Diags: diags}, c.colour(c.Err))
		return exitFail, nil
	}
	return exitOK, use(out)
}

// rewrite puts text in the place of a file, with its permissions.
func rewrite(file, text string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), info.Mode().Perm())
}
