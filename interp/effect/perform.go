package effect

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"bend/interp/flat"
	"bend/interp/word"
)

// perform performs an effect that t asks for and returns the answer, or tells that
// t has to wait for it. It takes over args.
func (l *loop) perform(t task, id flat.EffectID, args []word.Word) (answer word.Word, wait bool, err error) {
	switch id {
	case flat.EffPrint, flat.EffWrite, flat.EffPrintErr:
		text, err := l.text(args[0])
		switch {
		case err != nil:
		case id == flat.EffPrint:
			err = l.say(text, "\n")
		case id == flat.EffWrite:
			err = l.say(text)
		default:
			err = l.complain(text)
		}
		return Unit, false, err
	case flat.EffReadLine:
		return 0, true, l.readLine(t)
	case flat.EffGetEnv:
		name, err := l.text(args[0])
		if err != nil {
			return 0, false, err
		}
		value, ok := os.LookupEnv(name)
		if !ok {
			return fail(l.h, syscall.ENOENT), false, nil
		}
		return Done(l.h, FromString(l.h, value)), false, nil
	case flat.EffArgs:
		return FromStrings(l.h, l.env.Args), false, nil
	case flat.EffRandomU32:
		var b [4]byte
		_, err := rand.Read(b[:])
		return result(l.h, err, func() word.Word {
			return word.Word(binary.LittleEndian.Uint32(b[:]))
		}), false, nil
	case flat.EffNow:
		return word.Word(time.Now().UnixMilli()), false, nil
	case flat.EffSleep:
		l.sleep(t, time.Duration(args[0])*time.Millisecond)
		return 0, true, nil
	case flat.EffThreadCount:
		return 1, false, nil
	case flat.EffSpawn:
		l.ready = append(l.ready, task{k: args[0], answer: l.m.Program().EmitClosure()})
		return Unit, false, nil
	case flat.EffChanNew, flat.EffChanSend, flat.EffChanRecv, flat.EffChanClose:
		answer, wait = l.channel(t, id, args)
		return answer, wait, nil
	case flat.EffProcessRun:
		return 0, true, l.process(t, args)
	case flat.EffFileOpen:
		return l.openFile(t, args)
	case flat.EffFileRead, flat.EffFileReadBytes, flat.EffFileReadAt, flat.EffFileSize,
		flat.EffFileWrite, flat.EffFileWriteBytes, flat.EffFileSendfile:
		return 0, true, l.file(t, id, args)
	case flat.EffFileClose, flat.EffSocketClose, flat.EffListenerClose:
		l.closeHandle(t, args[0])
		return 0, true, nil
	case flat.EffTCPListen, flat.EffTCPConnect, flat.EffUDPBind:
		return 0, true, l.connect(t, id, args)
	case flat.EffTCPAccept, flat.EffTCPSend, flat.EffTCPRecv, flat.EffTCPSendBytes, flat.EffTCPRecvBytes, flat.EffTCPPoll:
		return 0, true, l.socket(t, id, args)
	case flat.EffUDPSendTo, flat.EffUDPRecvFrom, flat.EffUDPPoll:
		return 0, true, l.datagram(t, id, args)
	}
	return 0, false, fmt.Errorf("the effect %s is not supported by this program yet", flat.Effects[id].Key)
}

// readLine reads a line of the input.
func (l *loop) readLine(t task) error {
	if err := l.flush(); err != nil {
		return err
	}
	prompt := string(l.line)
	l.line = l.line[:0]
	var line string
	var err error
	l.aside(t, func() {
		l.reading.Lock()
		defer l.reading.Unlock()
		if err = io.EOF; l.env.Line != nil {
			line, err = l.env.Line(prompt)
		}
	}, func() word.Word {
		switch {
		case err == nil:
			return Some(l.h, FromString(l.h, line))
		case !errors.Is(err, io.EOF):
			l.stopped = err
		}
		return None
	})
	return nil
}

func (l *loop) sleep(t task, d time.Duration) {
	l.aside(t, func() {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-l.quit:
		}
	}, func() word.Word { return Unit })
}
