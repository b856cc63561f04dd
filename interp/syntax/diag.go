package syntax

// A Diagnostic is an error that a person can cause, with the place it was found
// at. Either Message is set, or the pair Expected and Observed.
type Diagnostic struct {
	Code     string // short stable name of the kind, such as "mark-expected"
	Span     Span
	Message  string
	Expected string
	Observed string
	Context  []Binding // binders in scope, oldest first
	Def      string    // the def, law, type or constructor being checked, if any
	Notes    []string
	Hint     string // what to do about it, if there is something to say
}

// A Binding is one line of a diagnostic's context.
type Binding struct{ Name, Type string }

// Error returns the diagnostic on one line, without excerpt.
func (d *Diagnostic) Error() string {
	if d.Message != "" {
		return d.Message
	}
	return "expected " + d.Expected + ", observed " + d.Observed
}
