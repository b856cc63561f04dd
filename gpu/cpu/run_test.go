package cpu

import (
	"testing"

	"bend/jit/lane"
)

func TestDeep(t *testing.T) {
	l := newLab(t)
	b := newBook()
	p := l.load(b, b.deep(), false)
	w, r, err := l.run(p, lane.RunOptions{}, 5000)
	t.Log(w, err)
	t.Logf("%+v", r)
}

func TestFib(t *testing.T) {
	l := newLab(t)
	b := newBook()
	p := l.load(b, b.fib(), false)
	w, r, err := l.run(p, lane.RunOptions{}, 32)
	t.Log(w, err)
	t.Logf("%+v", r)
	p = l.load(b, b.pfib(), false)
	w, r, err = l.run(p, lane.RunOptions{}, 32)
	t.Log(w, err)
	t.Logf("%+v", r)
	p = l.load(b, b.appsum(), false)
	w, r, err = l.run(p, lane.RunOptions{}, 100000)
	t.Log(w, err)
	t.Logf("%+v", r)
}
