package cuda

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// TestCache keeps images, takes a file that was damaged for none, and drops what was not
// used for longest.
func TestCache(t *testing.T) {
	c := cache{t.TempDir() + "/new", 500}
	image := func(b byte) []byte { return bytes.Repeat([]byte{b}, 100) }
	if c.get(key("a")) != nil {
		t.Error("found in an empty cache")
	}
	c.put(key("a"), image('a'))
	if got := c.get(key("a")); !bytes.Equal(got, image('a')) {
		t.Errorf("%q", got)
	}
	if key("a", "b") == key("ab") || key("a", "b") == key("b", "a") {
		t.Error("keys of different parts are the same")
	}

	for _, damage := range []func([]byte) []byte{
		func([]byte) []byte { return nil },
		func(b []byte) []byte { return b[:20] },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { b[40] ^= 1; return b },
	} {
		c.put(key("a"), image('a'))
		b, err := os.ReadFile(c.file(key("a")))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.file(key("a")), damage(b), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.get(key("a")) != nil {
			t.Error("a damaged file was taken")
		}
	}
	c.drop(key("a"))

	// Four files of 132 bytes are too many: the one used least recently goes.
	past := time.Now().Add(-time.Hour)
	for i, name := range []string{"1", "2", "3"} {
		c.put(key(name), image('x'))
		at := past.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(c.file(key(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	c.get(key("1"))
	c.put(key("4"), image('x'))
	for name, want := range map[string]bool{"1": true, "2": false, "3": true, "4": true} {
		if got := c.get(key(name)) != nil; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v", len(entries), err)
	}

	none := cache{}
	none.put(key("a"), image('a'))
	if none.get(key("a")) != nil {
		t.Error("a cache without a folder keeps something")
	}
}
