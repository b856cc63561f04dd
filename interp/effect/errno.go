package effect

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"bend/interp/word"
)

// fail returns Fail{(code, text)} of a system error: its number and its words.
func fail(h *word.Heap, err error) word.Word {
	code := errnoOf(err)
	text := code.Error()
	if r, n := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
		text = strings.ToUpper(text[:n]) + text[n:]
	}
	return h.New(0, Pair(h, word.Word(uint32(code)), FromString(h, text)))
}

func errnoOf(err error) syscall.Errno {
	var code syscall.Errno
	switch {
	case errors.As(err, &code):
		return code
	case errors.Is(err, fs.ErrNotExist):
		return syscall.ENOENT
	case errors.Is(err, fs.ErrClosed):
		return syscall.EBADF
	}
	return syscall.EIO
}

// result returns Done{x}, or Fail for an error.
func result(h *word.Heap, err error, x func() word.Word) word.Word {
	if err != nil {
		return fail(h, err)
	}
	return Done(h, x())
}
