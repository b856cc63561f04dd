package repl

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bend/jit/lane"
)

const drawn = `import Base

def sum(n: Nat) -> U32:
  match n:
    case 0n: 0
    case 1n++p: (U32.from_nat(p) + sum(p) : U32)
`

// elements counts the elements of an XML text, by class or else by name.
func elements(t *testing.T, text string) map[string]int {
	t.Helper()
	n := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	var inside []string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			name := e.Name.Local
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					name = a.Value
				}
			}
			n[name]++
			if len(inside) > 0 {
				n[inside[len(inside)-1]+"/"+name]++
			}
			inside = append(inside, name)
		case xml.EndElement:
			inside = inside[:len(inside)-1]
		}
	}
}

func TestPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drawn.bend")
	if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
		t.Fatal(err)
	}
	set := DefaultSettings()
	set.GPU = "cpu"
	s, err := NewSession(Options{Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Load(file); err != nil {
		t.Fatal(explain(err))
	}
	for _, tt := range []struct {
		expr             string
		policy           lane.Policy
		spills, restores bool
		wrong            int
	}{
		{"sum!(100n)", lane.Half, false, false, 0},
		{"sum!(3000n)", lane.Half, true, true, 0},
		{"sum!(3000n)", lane.Whole, true, true, 0},
		{"sum!(3000n)", lane.Off, false, false, 1},
	} {
		p, err := s.Picture(context.Background(), tt.expr, tt.policy)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		n := elements(t, b.String())
		if n["svg"] != 1 || n["defs/polygon"] != 1 || n["lane"] != 1 || n["limit"] != 1 || n["error"] != tt.wrong || !strings.Contains(b.String(), ">p, return id<") ||
			n["spills/path"] > 0 != tt.spills || n["restores/path"] > 0 != tt.restores {
			t.Errorf("%s, %v: %v", tt.expr, tt.policy, n)
		}
	}
	var out bytes.Buffer
	page := filepath.Join(t.TempDir(), "stack.html")
	if err := NewConsole(s, &out, &out).Draw(context.Background(), "sum(3000n)", "", page); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"spill half", "spill whole", "spill off", "stack overflow on lane 0", `type="range"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if n := strings.Count(string(text), "<svg"); n != 3 {
		t.Errorf("the page has %d pictures", n)
	}
	if _, err := s.Picture(context.Background(), "1 + 2", lane.Half); err == nil {
		t.Error("a picture without lanes")
	}
}
