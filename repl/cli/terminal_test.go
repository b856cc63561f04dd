//go:build !windows

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/rogpeppe/go-internal/txtar"
)

// keys are the bytes that terminals send for keys. Ctrl and a letter need no entry.
var keys = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "backspace": "\x7f", "delete": "\x1b[3~",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", // xterm, VS Code
	"tmux-home": "\x1b[1~", "tmux-end": "\x1b[4~", // tmux, screen
	"rxvt-home": "\x1b[7~", "rxvt-end": "\x1b[8~",
	"app-home": "\x1bOH", "app-end": "\x1bOF", "app-up": "\x1bOA", "app-down": "\x1bOB", "app-right": "\x1bOC", "app-left": "\x1bOD",
	"ctrl-right": "\x1b[1;5C", "ctrl-left": "\x1b[1;5D", "alt-right": "\x1b[1;3C", "alt-left": "\x1b[1;3D",
	"alt-b": "\x1bb", "alt-f": "\x1bf", "alt-d": "\x1bd", "alt-backspace": "\x1b\x7f",
}

// patience is how long a screen may take to show what it must.
const patience = 20 * time.Second

// A screen is a process on a pseudo-terminal, and what a terminal would show of it.
type screen struct {
	t    *testing.T
	dir  string
	env  []string
	args []string

	cmd  *exec.Cmd
	tty  *os.File
	vt   vt10x.Terminal
	done chan error

	mu  sync.Mutex
	raw strings.Builder // all that was written
}

func (s *screen) start() {
	s.t.Helper()
	bend, err := exec.LookPath("bend")
	if err != nil {
		s.t.Fatal(err)
	}
	s.cmd = exec.Command(bend, s.args...)
	s.cmd.Dir, s.cmd.Env = s.dir, s.env
	s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		s.t.Fatal(err)
	}
	s.vt = vt10x.New(vt10x.WithSize(80, 24), vt10x.WithWriter(s.tty))
	s.done = make(chan error, 1)
	go func(tty io.Reader, vt io.Writer, cmd *exec.Cmd, done chan error) {
		buf := make([]byte, 1<<12)
		for {
			n, err := tty.Read(buf)
			vt.Write(buf[:n])
			s.mu.Lock()
			s.raw.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				break
			}
		}
		done <- cmd.Wait()
	}(s.tty, s.vt, s.cmd, s.done)
}

func (s *screen) stop() {
	s.cmd.Process.Kill()
	s.tty.Close()
}

// text is what the screen shows, without space at the ends of lines.
func (s *screen) text() string {
	var lines []string
	for _, l := range strings.Split(s.vt.String(), "\n") {
		lines = append(lines, strings.TrimRight(l, " \x00"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// until waits for a condition.
func (s *screen) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(3 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: the screen shows\n%s", what, s.text())
		}
	}
}

// A step of a test is a line of its file: a verb and what follows.
func (s *screen) step(line string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "type":
		s.send(rest)
	case "enter": // types a line
		s.send(rest + "\r")
	case "key":
		for _, k := range strings.Fields(rest) {
			name, times, found := strings.Cut(k, "*")
			n := 1
			if found {
				n, _ = strconv.Atoi(times)
			}
			bytes, ok := keys[name]
			if letter, isCtrl := strings.CutPrefix(name, "ctrl-"); !ok && isCtrl && len(letter) == 1 {
				bytes, ok = string(letter[0]&0x1f), true
			}
			if !ok {
				s.t.Fatalf("no key %s", name)
			}
			s.send(strings.Repeat(bytes, n))
		}
	case "paste":
		text, err := os.ReadFile(filepath.Join(s.dir, rest))
		if err != nil {
			s.t.Fatal(err)
		}
		s.send("\x1b[200~" + strings.ReplaceAll(string(text), "\n", "\r") + "\x1b[201~")
	case "see":
		s.until(line, func() bool { return strings.Contains(s.text(), rest) })
	case "last": // what the last line is
		s.until(line, func() bool { text := s.text(); return text[strings.LastIndexByte(text, '\n')+1:] == rest })
	case "gone":
		s.until(line, func() bool { return !strings.Contains(s.text(), rest) })
	case "wrote": // in the course of the test, escape sequences and all
		want, err := strconv.Unquote(`"` + rest + `"`)
		if err != nil {
			s.t.Fatal(err)
		}
		s.until(line, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return strings.Contains(s.raw.String(), want) })
	case "cursor":
		s.until(line, func() bool { return fmt.Sprint(s.vt.Cursor().X) == rest })
	case "size":
		var cols, rows int
		if _, err := fmt.Sscan(rest, &cols, &rows); err != nil {
			s.t.Fatal(err)
		}
		s.vt.Resize(cols, rows)
		if err := pty.Setsize(s.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
			s.t.Fatal(err)
		}
	case "kill":
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			s.t.Fatal(err)
		}
	case "cooked": // the terminal is as other programs expect it
		s.until(line, func() bool {
			cmd := exec.Command("stty", "-a")
			cmd.Stdin = s.tty
			out, err := cmd.Output()
			return err == nil && strings.Contains(string(out), " icanon") && strings.Contains(string(out), " echo ")
		})
	case "ends": // with an exit code
		select {
		case <-s.done:
		case <-time.After(patience):
			s.t.Fatalf("it does not end: the screen shows\n%s", s.text())
		}
		if code := s.cmd.ProcessState.ExitCode(); fmt.Sprint(code) != rest {
			s.t.Fatalf("exit code %d, want %s: the screen shows\n%s", code, rest, s.text())
		}
	case "wait": // as people do: the line editor would take a key that comes at once
		time.Sleep(100 * time.Millisecond)
	case "again": // starts anew, with the same home
		s.stop()
		s.start()
	case "file": // NAME holds TEXT
		name, want, _ := strings.Cut(rest, " ")
		s.until(line, func() bool {
			text, err := os.ReadFile(filepath.Join(s.dir, name))
			return err == nil && strings.Contains(string(text), want)
		})
	default:
		s.t.Fatalf("no verb %q", verb)
	}
}

func (s *screen) send(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, text); err != nil {
		s.t.Fatal(err)
	}
}

// TestTerminal runs the tests of ../testdata/terminal: each part of an archive whose name
// ends in ".keys" is one, and the other parts are files in its folder. A test may begin
// with lines "args ARG..", "env NAME=VALUE" and "mode OCTAL FILE".
func TestTerminal(t *testing.T) {
	archives, err := filepath.Glob("../testdata/terminal/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tests := 0
	for _, file := range archives {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			name, ok := strings.CutSuffix(f.Name, ".keys")
			if !ok {
				continue
			}
			tests++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := &screen{t: t, dir: t.TempDir(), args: []string{"repl"}}
				for _, f := range a.Files {
					to := filepath.Join(s.dir, f.Name)
					if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(to, f.Data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				s.env = []string{"TERM=xterm-256color", "NO_COLOR=1", "LANG=C.UTF-8", "HOME=" + s.dir, "PATH=" + os.Getenv("PATH"),
					"XDG_STATE_HOME=" + s.dir + "/state", "XDG_CONFIG_HOME=" + s.dir + "/config", "XDG_CACHE_HOME=" + cacheDir()}
				steps := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
				for len(steps) > 0 {
					if rest, ok := strings.CutPrefix(steps[0], "args "); ok {
						s.args = strings.Fields(rest)
					} else if rest, ok := strings.CutPrefix(steps[0], "env "); ok {
						s.env = append(s.env, strings.ReplaceAll(rest, "$DIR", s.dir))
					} else if rest, ok := strings.CutPrefix(steps[0], "mode "); ok {
						var mode os.FileMode
						var name string
						if _, err := fmt.Sscanf(rest, "%o %s", &mode, &name); err != nil {
							t.Fatal(err)
						}
						if err := os.Chmod(filepath.Join(s.dir, name), mode); err != nil {
							t.Fatal(err)
						}
					} else {
						break
					}
					steps = steps[1:]
				}
				s.start()
				defer func() { s.stop() }()
				if len(steps) > 0 && !strings.HasPrefix(steps[0], "see ") {
					s.step("last bend>")
				}
				for _, step := range steps {
					s.step(step)
				}
			})
		}
	}
	if tests < 60 {
		t.Errorf("%d tests", tests)
	}
}

// cacheDir is a folder for Base, checked once for all tests.
var cacheDir = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "bend-cache-")
	if err != nil {
		panic(err)
	}
	return dir
})
