package repl

import (
	"context"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A helpTopic is a page of the help that is about no command. Its examples run in the
// tests, one after the other.
type helpTopic struct {
	name, what, text string
	examples         []string
}

// helpTopics are the topics, in the order of the help.
var helpTopics = []helpTopic{
	{"values", "what can be typed: expressions, bindings, effects", `An expression is checked, evaluated and shown with its type. A name is bound with =,
and the result of an effect with <-. The last value is called it.`,
		[]string{"U32.add(1, 2)", "x = 20", "(x + it : U32)", `IO.print("hello")`, "args : List<String> <- IO.args()"}},
	{"defs", "definitions over several lines", `A line that begins with def, type or law starts a block; an empty line ends it. What is
typed again is replaced, and all that uses it is checked again. :undo takes it back.`,
		[]string{"def twice(+x: U32) -> U32: U32.add(x, x)", "twice(21)", "type Shape is Data: Circle{r: U32} Square{side: U32}"}},
	{"affine", "values that can be used once", `What is Data (numbers, lists and trees of Data) can be used again and again. A function, an
array or a handle is used up by the line that uses it; a line that fails uses nothing up.`,
		[]string{"add = U32.add(1)", "add(2)", ":show"}},
	{"proofs", "laws, proofs and holes", `A law states a type, and a def of its name proves it. ?TODO leaves a part open, and :goals
shows what is wanted there; any other name behind ? shows the same as an error.`,
		[]string{"law one: {U32.add(1, 0) == 1 : U32}", ":goals", "def one(): {==}", ":check"}},
	{"lanes", "calls marked !, devices and the stack", `A call f!(x) runs on lanes, each with a stack of 2,048 words. :gpu says on which device,
:stack what a recursion keeps there, and :kernel what the device is given.`,
		[]string{":gpu", "Nat.add!(3n, 4n)", ":stack Nat.add", ":set spill whole"}},
	{"keys", "the keys of the line editor", `Tab completes. Up and Down bring back what began like the line; Ctrl-R searches. Ctrl-A and
Ctrl-E, Home and End go to the ends; Ctrl or Alt with arrows by words. Ctrl-C stops what
runs, or leaves a block; Ctrl-D on an empty line leaves. A pasted text is taken as a whole.`, nil},
}

func helpTopicNames() (names []string) {
	for _, t := range helpTopics {
		names = append(names, t.name)
	}
	return names
}

func (c *Console) help(_ context.Context, arg string) error {
	for _, t := range helpTopics {
		if t.name != arg {
			continue
		}
		fmt.Fprintf(c.out, "%s\n", t.text)
		for _, e := range t.examples {
			fmt.Fprintf(c.out, "  %s\n", c.paint.code(e))
		}
		return nil
	}
	if arg != "" {
		cmd, _, err := parseCommand(arg)
		if err != nil {
			return err
		}
		fmt.Fprintln(c.out, wrapped(c.out, fmt.Sprintf(":%s %s", cmd.name, cmd.args)))
		fmt.Fprintln(c.out, wrapped(c.out, cmd.help))
		fmt.Fprintf(c.out, "example: %s\n", cmd.example)
		return nil
	}
	fmt.Fprintln(c.out, "an expression is evaluated; `x = 3` keeps a value; a block that starts with def, type or law")
	fmt.Fprintln(c.out, "ends at an empty line; `it` is the last value")
	for _, cmd := range commands() {
		head := strings.TrimSpace(":" + cmd.name + " " + cmd.args)
		c.entry(head, cmd.help)
		fmt.Fprintf(c.out, "  %-20s   as in %s\n", "", cmd.example)
	}
	fmt.Fprintln(c.out, "\nand :help TOPIC about")
	for _, t := range helpTopics {
		c.entry(t.name, t.what)
	}
	return nil
}

// entry writes what something does beside its name, or below a long one.
func (c *Console) entry(name, what string) {
	const indent = 23
	if len(name) > indent-3 {
		fmt.Fprintf(c.out, "  %s\n", name)
		name = ""
	}
	for i, line := range strings.Split(text.WrapSoft(what, max(20, min(100, widthOf(c.out))-indent)), "\n") {
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(c.out, "  %-20s %s\n", name, strings.TrimRight(line, " "))
	}
}
