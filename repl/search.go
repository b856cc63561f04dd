package repl

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"bend/interp/core"
	"bend/interp/elab"
	"bend/interp/search"
	"bend/interp/syntax"
)

// Search writes the declarations whose name, type or comment has all the words, those whose
// name has the first one before the others, and returns how many there are.
func (s *Session) Search(w io.Writer, words []string) (n int) {
	var named, others []string // those that have the words in their names, and the others
	for _, l := range s.declarations(s.searched) {
		text := strings.ToLower(l.line)
		if l.span.Valid() {
			text += "\n" + strings.ToLower(comment(l.span))
		}
		all := true
		for _, word := range words {
			all = all && strings.Contains(text, strings.ToLower(word))
		}
		switch {
		case !all:
		case strings.Contains(strings.ToLower(l.name), strings.ToLower(words[0])):
			named = append(named, l.line)
		default:
			others = append(others, l.line)
		}
	}
	for _, line := range append(named, others...) {
		fmt.Fprintln(w, line)
	}
	return len(named) + len(others)
}

// searched reports whether a search finds a name: not the helpers of Base, which stand below
// the name of what they help.
func (s *Session) searched(name string) bool {
	i := strings.LastIndexByte(name, '.')
	return i < 0 || !strings.Contains(name[:i], ".") || !s.isBase(name) || s.book.Defs[name[:i]] == nil
}

// SearchType writes the declarations that have a type, those that have it to the letter
// first, and returns how many there are. The type is that of the result alone if it begins
// with an arrow. A name in it that is not declared stands for one type if it is not
// capitalised or is a letter, and "_" for any.
func (s *Session) SearchType(w io.Writer, src *syntax.Source) (n int, err error) {
	read := *src
	text := strings.TrimLeft(src.Text[src.From:], " ")
	rest, anyArgs := strings.CutPrefix(text, "->")
	read.From = len(src.Text) - len(rest)
	x, d := syntax.ParseExpr(&read)
	if d != nil {
		return 0, &Rejected{Diags: []*syntax.Diagnostic{d}}
	}
	var names []string
	for _, word := range wordPattern.FindAllString(rest, -1) {
		if typeVariable.MatchString(word) && !s.declares(word) {
			names = append(names, word)
		}
	}
	t, diags := elab.Expr(s.book, s.scope, names, x, elab.Options{Operators: true})
	if len(diags) > 0 {
		return 0, rejected(diags)
	}
	if err := s.unknown(t); err != nil {
		return 0, err
	}
	p := search.New(t, len(names), anyArgs)
	found := map[search.Fit][]string{}
	for _, l := range s.declarations(s.searched) {
		if d := s.defOf(l.name); d != nil && s.book.Types[l.name] == nil {
			fit := p.Fit(d.Type, d.Templates)
			found[fit] = append(found[fit], l.line)
		}
	}
	for _, line := range slices.Concat(found[search.Exact], found[search.Swapped]) {
		fmt.Fprintln(w, line)
		n++
	}
	return n, nil
}

var (
	wordPattern  = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*`)
	typeVariable = regexp.MustCompile(`^([a-z][A-Za-z0-9_]*|[A-Z][0-9]*)$`)
)

func (s *Session) declares(name string) bool {
	return s.defOf(name) != nil || s.book.Types[name] != nil
}

// unknown returns the error of a term that mentions what is not declared.
func (s *Session) unknown(t core.Term) error {
	var diags []*syntax.Diagnostic
	core.Walk(t, func(t core.Term, _ int) {
		if r, ok := t.(*core.Ref); ok && r.Key != search.Any && s.book.Defs[r.Key] == nil && s.book.Types[r.Key] == nil {
			diags = append(diags, &syntax.Diagnostic{
				Code: "unknown-name", Span: r.Span, Expected: "a name that is declared", Observed: s.showKey(r.Key),
				Hint: core.DidYouMean(s.book, r.Key),
			})
		}
	})
	return rejected(diags)
}

func (c *Console) search(_ context.Context, arg string) error {
	words := strings.Fields(arg)
	if len(words) == 0 {
		return fmt.Errorf("expected words or a type after :search, as in :search sort or :search Nat -> String")
	}
	if strings.ContainsAny(arg, "<({&") || strings.Contains(arg, "->") {
		return c.searchType(arg)
	}
	c.none(c.listing(func(w io.Writer) int { return c.session.Search(w, words) }), "nothing has all of these words")
	return nil
}

// searchType shows what has a type.
func (c *Console) searchType(arg string) error {
	var err error
	n := c.listing(func(w io.Writer) (n int) {
		n, err = c.session.SearchType(w, c.source(arg))
		return n
	})
	if err == nil {
		c.none(n, "nothing has this type")
	}
	return err
}
