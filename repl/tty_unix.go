//go:build linux || darwin

package repl

import "golang.org/x/sys/unix"

// A tty is the terminal of the prompt, which is in one of three modes: as it was found, for
// other programs; edited, in which every key goes to the line editor; and quiet, while
// something is evaluated, in which Ctrl-C is a signal and other keys wait for the editor.
// Between the last two no key is lost or shown twice, since the terminal never collects a
// line of its own.
type tty struct {
	fd    int
	found unix.Termios
}

func openTTY(fd int) (*tty, error) {
	mode, err := unix.IoctlGetTermios(fd, getMode)
	if err != nil {
		return nil, err
	}
	return &tty{fd, *mode}, nil
}

func (t *tty) edited() error {
	mode := t.keys()
	mode.Lflag &^= unix.ISIG
	return unix.IoctlSetTermios(t.fd, setMode, &mode)
}

func (t *tty) quiet() error {
	mode := t.keys()
	mode.Lflag |= unix.ISIG | unix.NOFLSH // a signal must not throw output away
	return unix.IoctlSetTermios(t.fd, setMode, &mode)
}

func (t *tty) restore() error { return unix.IoctlSetTermios(t.fd, setMode, &t.found) }

// keys returns a mode in which keys come one by one and as they are.
func (t *tty) keys() unix.Termios {
	mode := t.found
	mode.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	mode.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	return mode
}
