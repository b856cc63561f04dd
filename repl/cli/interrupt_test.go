package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterrupt sends this process the signal of Ctrl-C while a program runs, on the host
// and on lanes.
func TestInterrupt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spin.bend")
	program := "import Base\n@unsafe def spin(n: Nat) -> Nat: spin(n)\ndef main() -> Nat: spin!(3n)\n"
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, gpu := range []string{"off", "cpu"} {
		var out bytes.Buffer
		sent := make(chan error)
		go func() {
			time.Sleep(300 * time.Millisecond) // the handler is there long before
			sent <- self.Signal(os.Interrupt)
		}()
		code := Main([]string{"--gpu", gpu, file}, Streams{strings.NewReader(""), &out, &out})
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		if code != exitInterrupt || out.String() != "bend: interrupted\n" {
			t.Errorf("%s: exit code %d, %q", gpu, code, out.String())
		}
	}
}
