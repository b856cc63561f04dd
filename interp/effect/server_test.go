package effect_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bend/interp/effect"
)

// An echo server: it takes as many clients as its second argument says, serves each in a
// computation of its own, and ends when the last has gone.
const echoServer = `import Base

def Got(-A: Type) -> Type: Result<(U32 & String), A>

def echo(n: Nat, s: Socket) -> IO(Unit):
  match n:
    case 0n: Socket.close(s)
    case 1n+p:
      IO.bind(Socket & Got(String), Unit, TCP.recv(s, 4096), \{
        Tuple: s => \{
          Fail: e => Socket.close(s);
          Done: \{
            SNil: Socket.close(s);
            SCon: c => t => IO.bind(Socket & Got(Unit), Unit, TCP.send(s, SCon{c, t}), \{
              Tuple: s => r => echo(p, s);
            });
          };
        };
      })

def serve(n: Nat, l: Listener) -> IO(Unit):
  match n:
    case 0n: Listener.close(l)
    case 1n+p:
      IO.bind(Listener & Got(Socket), Unit, TCP.accept(l), \{
        Tuple: l => \{
          Fail: e => Listener.close(l);
          Done: s => IO.bind(Unit, Unit, IO.spawn(Unit, echo(1000n, s)), u => serve(p, l));
        };
      })

def number(m: Maybe<&2, U32>) -> U32:
  match m:
    case Some{n}: n
    case None{}: 0

def start(xs: List<String>) -> IO(Unit):
  match xs:
    case Con{_, Con{port, Con{n, _}}}:
      do IO<Unit>:
        l : Listener <- IO.try(Listener, TCP.listen("127.0.0.1", number(U32.read(port))))
        serve(U32.to_nat(number(U32.read(n))), l)
    case _: IO.die(Unit, 2, "usage: PORT CLIENTS")

def main() -> IO(Unit):
  do IO<Unit>:
    xs : List<String> <- IO.args
    start(xs)
`

// serve starts the server for a number of clients; wait waits for its end.
func serve(t *testing.T, clients int) (addr string, wait func()) {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = probe.Addr().String()
	probe.Close()
	_, port, _ := net.SplitHostPort(addr)
	m, action := load(t, echoServer)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	done := make(chan error, 1)
	var out bytes.Buffer
	go func() {
		res, err := effect.Run(ctx, m, action, effect.Env{
			Stdout: &out, Stderr: &out, Args: []string{"echo", port, fmt.Sprint(clients)},
		})
		if err == nil && res.Died {
			err = fmt.Errorf("the server died: %s", out.String())
		}
		done <- err
	}()
	return addr, func() {
		defer cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// dial connects to a server that may just be starting.
func dial(addr string) (net.Conn, error) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil || time.Now().After(deadline) {
			return c, err
		}
	}
}

// TestEchoServer has 1,000 clients connected at once, each of which gets back what it
// sends.
func TestEchoServer(t *testing.T) {
	const clients = 1000
	addr, wait := serve(t, clients)
	var connected, gone sync.WaitGroup
	connected.Add(clients)
	for i := range clients {
		gone.Go(func() {
			c, err := dial(addr)
			connected.Done()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			connected.Wait()
			c.SetDeadline(time.Now().Add(30 * time.Second))
			for round := range 2 {
				text := fmt.Sprintf("client %d, round %d", i, round)
				got := make([]byte, len(text))
				if _, err := io.WriteString(c, text); err != nil {
					t.Error(err)
					return
				}
				if _, err := io.ReadFull(c, got); err != nil || string(got) != text {
					t.Errorf("%q came back as %q, %v", text, got, err)
					return
				}
			}
		})
	}
	gone.Wait()
	wait()
}

// TestHangUp has clients that hang up half-way between others that do not.
func TestHangUp(t *testing.T) {
	const clients = 60
	addr, wait := serve(t, clients)
	var gone sync.WaitGroup
	for i := range clients {
		gone.Go(func() {
			c, err := dial(addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(30 * time.Second))
			text := strings.Repeat("x", 1000)
			if _, err := io.WriteString(c, text); err != nil {
				t.Error(err)
				return
			}
			switch i % 3 {
			case 0: // gone with data unread: the server is told by a reset
				c.(*net.TCPConn).SetLinger(0)
			case 1: // gone without a word
			default:
				got := make([]byte, len(text))
				if _, err := io.ReadFull(c, got); err != nil || string(got) != text {
					t.Errorf("%d bytes came back, %v", len(got), err)
				}
			}
		})
	}
	gone.Wait()
	wait()
}

// TestNet runs testdata/net.bend, which talks to itself over TCP and UDP.
func TestNet(t *testing.T) {
	text, err := os.ReadFile("testdata/net.bend")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"net"}
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		args = append(args, port)
		l.Close()
	}
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("content of a "), 0o644); err != nil {
		t.Fatal(err)
	}
	m, action := load(t, string(text))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var out bytes.Buffer
	if _, err := effect.Run(ctx, m, action, effect.Env{Stdout: &out, Stderr: &out, Args: append(args, name)}); err != nil {
		t.Error(err)
	}
	want := `111 Connection refused
sent
bytes 104 105 255 
22 Invalid argument
none
sent
some [grün]
22 Invalid argument
text []
13 bytes
text [content of a ]
9 Bad file descriptor
nothing waits
sent
from 127.0.0.1 [one]
22 Invalid argument
`
	want = strings.Replace(want, "111 C", fmt.Sprintf("%d C", int(syscall.ECONNREFUSED)), 1)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := m.Heap().Live(); n != 0 {
		t.Errorf("%d words are left in the heap", n)
	}
}
