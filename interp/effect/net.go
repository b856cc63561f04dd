package effect

import (
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"bend/interp/flat"
	"bend/interp/word"
)

// pollWait is how long UDP.poll looks for a datagram that is there already.
const pollWait = time.Millisecond

// address returns a host and a port as one word, an error if the port is none.
func address(host string, port word.Word) (string, error) {
	if port > 0xffff {
		return "", syscall.EINVAL
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port))), nil
}

// connect performs the effects that make a listener or a socket.
func (l *loop) connect(t task, id flat.EffectID, args []word.Word) error {
	host, err := l.text(args[0])
	if err != nil {
		return err
	}
	addr, err := address(host, args[1])
	var made io.Closer
	work := func() {
		switch {
		case err != nil:
		case id == flat.EffTCPListen:
			made, err = new(net.ListenConfig).Listen(l.ctx, "tcp", addr)
		case id == flat.EffTCPConnect:
			made, err = new(net.Dialer).DialContext(l.ctx, "tcp", addr)
		default:
			made, err = new(net.ListenConfig).ListenPacket(l.ctx, "udp4", addr)
		}
	}
	l.aside(t, work, func() word.Word {
		return result(l.h, err, func() word.Word { return l.handles.add(made) })
	})
	return nil
}

// socket performs an effect on a listener or a socket.
func (l *loop) socket(t task, id flat.EffectID, args []word.Word) error {
	h, handle := l.h, args[0]
	conn, _ := l.handles.open[handle].(net.Conn)
	var data []byte
	var work func() error
	done := func() word.Word { return Unit }
	switch id {
	case flat.EffTCPAccept:
		listener, ok := l.handles.open[handle].(net.Listener)
		var made net.Conn
		l.around(t, handle, ok, func() (err error) {
			made, err = listener.Accept()
			return err
		}, func() word.Word { return l.handles.add(made) })
		return nil
	case flat.EffTCPSend:
		text, err := l.text(args[1])
		if err != nil {
			return err
		}
		work = func() error {
			_, err := io.WriteString(conn, text)
			return err
		}
	case flat.EffTCPSendBytes:
		data, ok := toBytes(h, args[1])
		h.Drop(args[1])
		work = func() error {
			if !ok {
				return syscall.EINVAL
			}
			_, err := conn.Write(data)
			return err
		}
	case flat.EffTCPRecv, flat.EffTCPRecvBytes:
		work = func() (err error) {
			data, err = receive(conn, args[1], time.Time{})
			return err
		}
		done = func() word.Word { return FromString(h, string(data)) }
		if id == flat.EffTCPRecvBytes {
			done = func() word.Word { return fromBytes(h, data) }
		}
	case flat.EffTCPPoll:
		some := true
		work = func() (err error) {
			wait := max(time.Duration(args[2])*time.Millisecond, pollWait)
			data, err = receive(conn, args[1], time.Now().Add(wait))
			if errors.Is(err, os.ErrDeadlineExceeded) {
				some, err = false, nil
			}
			return err
		}
		done = func() word.Word {
			if !some {
				return None
			}
			return Some(h, FromString(h, string(data)))
		}
	}
	l.around(t, handle, conn != nil, work, done)
	return nil
}

// receive reads at most limit bytes, until a deadline unless that is zero.
func receive(c net.Conn, limit word.Word, deadline time.Time) ([]byte, error) {
	if limit == 0 {
		return nil, syscall.EINVAL
	}
	if err := c.SetReadDeadline(deadline); err != nil {
		return nil, err
	}
	b := make([]byte, min(limit, pieceBytes))
	n, err := c.Read(b)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// datagram performs an effect on a socket for datagrams.
func (l *loop) datagram(t task, id flat.EffectID, args []word.Word) error {
	h, handle := l.h, args[0]
	conn, ok := l.handles.open[handle].(*net.UDPConn)
	if id == flat.EffUDPSendTo {
		host, err := l.text(args[1])
		if err != nil {
			return err
		}
		data, err := l.text(args[3])
		if err != nil {
			return err
		}
		addr, err := address(host, args[2])
		l.around(t, handle, ok, func() error {
			if err != nil {
				return err
			}
			to, err := net.ResolveUDPAddr("udp4", addr)
			if err == nil {
				_, err = conn.WriteToUDP([]byte(data), to)
			}
			return err
		}, func() word.Word { return Unit })
		return nil
	}
	var data []byte
	var from *net.UDPAddr
	l.around(t, handle, ok, func() error {
		if args[1] == 0 {
			return syscall.EINVAL
		}
		var deadline time.Time
		if id == flat.EffUDPPoll {
			deadline = time.Now().Add(pollWait)
		}
		if err := conn.SetReadDeadline(deadline); err != nil {
			return err
		}
		b := make([]byte, min(args[1], 1<<16))
		n, addr, err := conn.ReadFromUDP(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		data, from = b[:n], addr
		return err
	}, func() word.Word {
		if from == nil {
			return None
		}
		got := Pair(h, FromString(h, from.IP.String()), Pair(h, word.Word(from.Port), FromString(h, string(data))))
		if id == flat.EffUDPPoll {
			return Some(h, got)
		}
		return got
	})
	return nil
}
