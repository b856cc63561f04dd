//go:build !windows

package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// openPrompt starts bend at a terminal.
func openPrompt(b *testing.B, bend, dir string) (*os.File, *exec.Cmd) {
	cmd := exec.Command(bend, "repl", "--no-init")
	cmd.Env = []string{"TERM=xterm-256color", "NO_COLOR=1", "LANG=C.UTF-8", "HOME=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_STATE_HOME=" + dir}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		b.Fatal(err)
	}
	return tty, cmd
}

// await reads until the terminal was sent text.
func await(b *testing.B, tty io.Reader, text string) {
	var got strings.Builder
	buf := make([]byte, 1<<12)
	for !strings.Contains(got.String(), text) {
		n, err := tty.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			b.Fatalf("%v after %q", err, got.String())
		}
	}
}

func buildBend(b *testing.B) string {
	bend := filepath.Join(b.TempDir(), "bend")
	if out, err := exec.Command("go", "build", "-o", bend, "bend").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return bend
}

// BenchmarkPrompt is the time from the start of the process to the prompt, with Base in the
// cache.
func BenchmarkPrompt(b *testing.B) {
	dir := b.TempDir()
	bend := buildBend(b)
	open := func() (*os.File, *exec.Cmd) {
		tty, cmd := openPrompt(b, bend, dir)
		await(b, tty, promptText)
		return tty, cmd
	}
	leave := func(tty *os.File, cmd *exec.Cmd) {
		io.WriteString(tty, "\x04")
		io.Copy(io.Discard, tty)
		tty.Close()
		cmd.Wait()
	}
	leave(open()) // which writes the cache
	for b.Loop() {
		tty, cmd := open()
		b.StopTimer()
		leave(tty, cmd)
		b.StartTimer()
	}
}

const promptText = "bend> "

// BenchmarkInterrupt is the time from Ctrl-C in an endless computation to the report.
func BenchmarkInterrupt(b *testing.B) {
	for name, expr := range map[string]string{"interpreter": "spin(0n)", "lanes": "spin!(0n)", "checker": "x : {spin(0n) == 1n : Nat} = {==}"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			tty, cmd := openPrompt(b, buildBend(b), dir)
			defer cmd.Wait()
			defer tty.Close()
			defer cmd.Process.Kill()
			await(b, tty, promptText)
			io.WriteString(tty, "@unsafe\rdef spin(n: Nat) -> Nat: spin(1n+n)\r\r")
			await(b, tty, "defined spin")
			io.WriteString(tty, ":gpu cpu\r")
			await(b, tty, "calls marked ! run on")
			for b.Loop() {
				b.StopTimer()
				io.WriteString(tty, expr+"\r")
				time.Sleep(100 * time.Millisecond)
				b.StartTimer()
				io.WriteString(tty, "\x03")
				await(b, tty, "interrupted")
			}
		})
	}
}
