// Package docs holds the pages that "bend guide" shows.
package docs

import (
	"embed"
	"path"
	"strings"
)

//go:embed *.md
var pages embed.FS

// A Page is one page of the documentation.
type Page struct {
	Topic string // the name of its file without the ending
	Title string
	Text  string // Markdown
}

// first are the topics that come first, in the order in which to read them.
var first = []string{"tutorial", "guide", "recursion-limits", "repl", "language"}

// Pages returns all pages, those to read first at the front.
func Pages() []Page {
	entries, err := pages.ReadDir(".")
	if err != nil {
		panic(err) // they are part of the program
	}
	topics := append([]string(nil), first...)
	for _, e := range entries {
		topic := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		known := false
		for _, f := range first {
			known = known || f == topic
		}
		if !known {
			topics = append(topics, topic)
		}
	}
	var all []Page
	for _, topic := range topics {
		text, err := pages.ReadFile(topic + ".md")
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		all = append(all, Page{topic, strings.TrimPrefix(title, "# "), string(text)})
	}
	return all
}
