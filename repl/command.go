package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A command is a line that starts with ":".
type command struct {
	name    string
	args    string // as shown in the help
	help    string
	example string
	run     func(c *Console, ctx context.Context, arg string) error
	changes bool // what the session holds, so that it can be taken back
}

// commands returns all commands, in the order of the help.
func commands() []command {
	return []command{
		{"help", "[COMMAND | TOPIC]", "this list, or more about a command or a topic: values, defs, affine, proofs, lanes, keys", ":help stack", (*Console).help, false},
		{"guide", "[TOPIC]", "the pages of the documentation, or one of them", ":guide tutorial", (*Console).guide, false},
		{"load", "FILE", "load and check a file; what was typed before goes", ":load words.bend", (*Console).load, true},
		{"add", "FILE", "take the declarations of a file as if they were typed", ":add more.bend", (*Console).add, true},
		{"reload", "", "load the same file again; what was typed stays", ":reload", (*Console).reload, true},
		{"edit", "[FILE]", "edit what was typed last, or a file, in $VISUAL or $EDITOR, and take it", ":edit words.bend", (*Console).edit, true},
		{"paste", "", "take all up to a line :end, or Ctrl-D, as one text, empty lines included", ":paste", (*Console).pasted, true},
		{"save", "FILE", "write what was typed to a new file", ":save mine.bend", (*Console).save, false},
		{"cd", "[FOLDER]", "change to a folder, or say which one this is", ":cd examples", (*Console).cd, false},
		{"type", "EXPR", "the type of an expression, without running it", ":type [1, 2]", (*Console).typeOf, false},
		{"info", "NAME", "the declaration of a name, and its type", ":info List.length", (*Console).info, false},
		{"kind", "TYPE", "the type of a type", ":kind List<&2, Nat>", (*Console).typeOf, false},
		{"doc", "NAME", "what the comment above a declaration says", ":doc List.map", (*Console).doc, false},
		{"browse", "[PREFIX]", "the names that begin with PREFIX, or what was typed and loaded, with types", ":browse List.", (*Console).browse, false},
		{"search", "WORDS or TYPE", "what has a type, or all the words in its name, type or comment", ":search Nat -> String", (*Console).search, false},
		{"show", "", "the variables, and what was typed and loaded", ":show", (*Console).show, false},
		{"goals", "", "the holes ?TODO with what is wanted there, and the open laws", ":goals", (*Console).goals, false},
		{"undo", "", "take back the last definition, binding or load", ":undo", (*Console).undo, false},
		{"check", "", "the verdict on the laws that were typed and loaded", ":check", (*Console).check, false},
		{"gpu", "[DEVICE]", "the devices, or choose one: auto, on, off, cpu, cuda, metal, c", ":gpu cpu", (*Console).gpu, false},
		{"set", "[NAME VALUE]", "the settings, or change one: gpu, heap, spill, stack, lanes, lane-words, strict-floats", ":set spill off", (*Console).set, false},
		{"time", "EXPR", "evaluate, and say how long each part took and how much heap", ":time U32.add(1, 2)", (*Console).time, false},
		{"stack", "[--svg FILE | --html FILE | --watch] EXPR | DEF [DEF]", "run EXPR and show what its recursions kept on the lane's stack, as text, as a picture, as a page with a slider, or as a film; of a DEF, show its frames without running it, and compare two", ":stack Nat.add", (*Console).stack, false},
		{"step", "EXPR", "walk through an evaluation: next, into, out, run DEF, back", ":step Nat.add(2n, 3n)", (*Console).stepper, false},
		{"flat", "DEF", "what a def becomes: its tails, cuts and forks, and the words each keeps", ":flat Nat.min", (*Console).flat, false},
		{"devices", "", "where calls marked ! can run", ":devices", (*Console).devices, false},
		{"kernel", "[TARGET] EXPR", "the text of the kernel of a call: c, cuda, metal or wasm", ":kernel cuda Nat.add(1n, 2n)", (*Console).kernel, false},
		{"log", "[LEVEL]", "what is logged: debug, info, warn, error or off", ":log debug", (*Console).logs, false},
		{"history", "[N]", "the last N blocks that were typed, 20 if nothing is said", ":history 5", (*Console).history, false},
		{"reset", "", "forget all that was typed and loaded", ":reset", (*Console).reset, true},
		{"quit", "", "leave (Ctrl-D does too)", ":quit", (*Console).quit, false},
	}
}

// letters are the commands of one letter that would fit several, or none, as other prompts
// have them.
var letters = map[string]string{"?": "help", "g": "gpu", "h": "help", "k": "kernel", "r": "reload", "s": "stack", "t": "type"}

// isCommandName reports whether a word is a command without its colon.
func isCommandName(word string) bool {
	return word == "exit" || slices.ContainsFunc(commands(), func(c command) bool { return c.name == word })
}

// parseCommand finds the command of a line ":name arg" by name or by the start of a
// name that no other command has.
func parseCommand(line string) (cmd command, arg string, err error) {
	word, arg, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), ":"), " ")
	if i := strings.IndexAny(word, "\n\t"); i >= 0 {
		word, arg = word[:i], word[i+1:]+" "+arg
	}
	if long, ok := letters[word]; ok {
		word = long
	}
	var fits []command
	var names []string
	for _, c := range commands() {
		if c.name == word {
			return c, strings.TrimSpace(arg), nil
		}
		if strings.HasPrefix(c.name, word) {
			fits = append(fits, c)
		}
		names = append(names, c.name)
	}
	switch {
	case word == "":
		return command{}, "", fmt.Errorf("expected a command after \":\" (see :help)")
	case len(fits) == 1:
		return fits[0], strings.TrimSpace(arg), nil
	case len(fits) > 1:
		var either []string
		for _, c := range fits {
			either = append(either, ":"+c.name)
		}
		return command{}, "", fmt.Errorf(":%s could be %s", word, strings.Join(either, " or "))
	}
	if near := Nearest(word, names); near != "" {
		return command{}, "", fmt.Errorf("unknown command :%s, did you mean :%s?", word, near)
	}
	return command{}, "", fmt.Errorf("unknown command :%s (see :help)", word)
}
