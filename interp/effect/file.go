package effect

import (
	"errors"
	"io"
	"math"
	"net"
	"os"
	"strings"
	"syscall"

	"bend/interp/flat"
	"bend/interp/word"
)

// pieceBytes is the most that one read takes from what is no regular file.
const pieceBytes = 1 << 20

var openFlags = map[string]int{
	"r": os.O_RDONLY,
	"w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC,
	"a": os.O_WRONLY | os.O_CREATE | os.O_APPEND,
}

func (l *loop) openFile(t task, args []word.Word) (answer word.Word, wait bool, err error) {
	path, err := l.text(args[0])
	if err != nil {
		return 0, false, err
	}
	mode, err := l.text(args[1])
	if err != nil {
		return 0, false, err
	}
	flags, ok := openFlags[mode]
	switch {
	case !ok:
		return fail(l.h, syscall.EINVAL), false, nil
	case strings.ContainsRune(path, 0):
		return fail(l.h, syscall.EILSEQ), false, nil
	}
	var f *os.File
	var openErr error
	l.aside(t, func() { f, openErr = os.OpenFile(path, flags, 0o644) }, func() word.Word {
		return result(l.h, openErr, func() word.Word { return l.handles.add(f) })
	})
	return 0, true, nil
}

// file performs an effect on an open file.
func (l *loop) file(t task, id flat.EffectID, args []word.Word) error {
	h, handle := l.h, args[0]
	f, ok := l.handles.open[handle].(*os.File)
	var work func() error
	done := func() word.Word { return Unit }
	switch id {
	case flat.EffFileRead, flat.EffFileReadBytes:
		var data []byte
		work = func() (err error) {
			data, err = read(f, int(args[1]))
			return err
		}
		done = func() word.Word { return FromString(h, string(data)) }
		if id == flat.EffFileReadBytes {
			done = func() word.Word { return fromBytes(h, data) }
		}
	case flat.EffFileReadAt:
		var data []byte
		work = func() (err error) {
			data, err = io.ReadAll(io.NewSectionReader(f, int64(args[1]), int64(args[2])))
			return err
		}
		done = func() word.Word { return fromBytes(h, data) }
	case flat.EffFileSize:
		var size int64
		work = func() error {
			info, err := f.Stat()
			if err != nil {
				return err
			}
			if size = info.Size(); size > math.MaxUint32 {
				return syscall.EFBIG
			}
			return nil
		}
		done = func() word.Word { return word.Word(size) }
	case flat.EffFileSendfile:
		conn, open := l.handles.open[args[1]].(*net.TCPConn)
		var sent int64
		var err error
		l.aside(t, func() {
			if err = syscall.EBADF; ok && open {
				sent, err = io.Copy(conn, f)
			}
		}, func() word.Word {
			r := result(h, err, func() word.Word { return word.Word(min(sent, math.MaxUint32)) })
			return Pair(h, handle, Pair(h, args[1], r))
		})
		return nil
	case flat.EffFileWrite:
		text, err := l.text(args[1])
		if err != nil {
			return err
		}
		work = func() error {
			_, err := io.WriteString(f, text)
			return err
		}
	case flat.EffFileWriteBytes:
		data, fit := toBytes(h, args[1])
		h.Drop(args[1])
		work = func() error {
			if !fit {
				return syscall.EINVAL
			}
			_, err := f.Write(data)
			return err
		}
	}
	l.around(t, handle, ok, work, done)
	return nil
}

// around lets work on an open handle run on its own; the answer is the handle beside
// the result.
func (l *loop) around(t task, handle word.Word, open bool, work func() error, done func() word.Word) {
	var err error
	l.aside(t, func() {
		if err = syscall.EBADF; open {
			err = work()
		}
	}, func() word.Word { return Pair(l.h, handle, result(l.h, err, done)) })
}

// closeHandle closes a file, a socket or a listener.
func (l *loop) closeHandle(t task, handle word.Word) {
	c := l.handles.open[handle]
	delete(l.handles.open, handle)
	l.aside(t, func() {
		if c != nil {
			c.Close()
		}
	}, func() word.Word { return Unit })
}

// read reads at most limit bytes: as many as there are of a regular file, and what
// comes at once of any other.
func read(f *os.File, limit int) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		return io.ReadAll(io.LimitReader(f, int64(limit)))
	}
	b := make([]byte, min(limit, pieceBytes))
	n, err := f.Read(b)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}
