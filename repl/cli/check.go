package cli

import (
	"bytes"
	"fmt"

	"bend/repl"
)

// check gives a verdict on the proofs of each file and runs nothing.
func (c *cmd) check(words []string) (int, error) {
	if len(words) == 0 {
		return 0, usagef("expected a file after check")
	}
	s, err := c.session()
	if err != nil {
		return 0, err
	}
	defer s.Close()
	code := exitOK
	for _, f := range words {
		var verdict bytes.Buffer
		to := c.Out
		if err := s.Prove(&verdict, f, c.verdict); err != nil {
			repl.WriteError(&verdict, err, c.colour(c.Err))
			to, code = c.Err, exitFail
		}
		if len(words) > 1 {
			fmt.Fprintf(to, "%s: ", f)
		}
		if _, err := verdict.WriteTo(to); err != nil {
			return exitFail, err
		}
	}
	return code, nil
}
