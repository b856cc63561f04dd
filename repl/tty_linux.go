package repl

import "golang.org/x/sys/unix"

const getMode, setMode = unix.TCGETS, unix.TCSETS
