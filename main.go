// The bend command: a prompt, a checker and a runner for programs in Bend 2.
package main

import (
	"os"

	"bend/repl/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
