package flat

import "bend/interp/word"

// The constructors of IO.OP. A request is made by a foreign effect and performed by
// the event loop: its fields are the effect's id (raw), the arguments, and the
// continuation that waits for the answer.
const (
	EmitCtor    = 0
	HaltCtor    = 1
	RequestCtor = 2
)

// An EffectID numbers the foreign effects of Base.
type EffectID int

// An Effect is a foreign effect: its id and key, and the number of its arguments
// when run, without the continuation.
type Effect struct {
	ID   EffectID
	Key  string
	Args int
}

// The foreign effects.
const (
	EffPrint EffectID = iota
	EffWrite
	EffPrintErr
	EffReadLine
	EffGetEnv
	EffArgs
	EffRandomU32
	EffNow
	EffSleep
	EffThreadCount
	EffSpawn
	EffProcessRun

	EffChanNew
	EffChanSend
	EffChanRecv
	EffChanClose

	EffFileOpen
	EffFileRead
	EffFileReadBytes
	EffFileReadAt
	EffFileSize
	EffFileWrite
	EffFileWriteBytes
	EffFileSendfile
	EffFileClose

	EffTCPListen
	EffTCPAccept
	EffTCPConnect
	EffTCPSend
	EffTCPRecv
	EffTCPSendBytes
	EffTCPRecvBytes
	EffTCPPoll
	EffUDPBind
	EffUDPSendTo
	EffUDPRecvFrom
	EffUDPPoll
	EffSocketClose
	EffListenerClose

	EffWindowOpen
	EffWindowFrame
	EffWindowSetTitle
	EffWindowGrab
	EffWindowClose
	EffAudioOpen
	EffAudioWrite
	EffAudioClose

	NumEffects
)

// Effects lists the foreign effects by id.
var Effects = [NumEffects]Effect{
	{EffPrint, "IO.print", 1},
	{EffWrite, "IO.write", 1},
	{EffPrintErr, "IO.print_err", 1},
	{EffReadLine, "IO.read_line", 0},
	{EffGetEnv, "IO.get_env", 1},
	{EffArgs, "IO.args", 0},
	{EffRandomU32, "IO.random_u32", 0},
	{EffNow, "IO.now", 0},
	{EffSleep, "IO.sleep", 1},
	{EffThreadCount, "IO.thread_count", 0},
	{EffSpawn, "IO.spawn", 1},
	{EffProcessRun, "Process.run", 5},

	{EffChanNew, "Chan.new", 1},
	{EffChanSend, "Chan.send", 2},
	{EffChanRecv, "Chan.recv", 1},
	{EffChanClose, "Chan.close", 1},

	{EffFileOpen, "File.open", 2},
	{EffFileRead, "File.read", 2},
	{EffFileReadBytes, "File.read_bytes", 2},
	{EffFileReadAt, "File.read_at", 3},
	{EffFileSize, "File.size", 1},
	{EffFileWrite, "File.write", 2},
	{EffFileWriteBytes, "File.write_bytes", 2},
	{EffFileSendfile, "File.sendfile", 2},
	{EffFileClose, "File.close", 1},

	{EffTCPListen, "TCP.listen", 2},
	{EffTCPAccept, "TCP.accept", 1},
	{EffTCPConnect, "TCP.connect", 2},
	{EffTCPSend, "TCP.send", 2},
	{EffTCPRecv, "TCP.recv", 2},
	{EffTCPSendBytes, "TCP.send_bytes", 2},
	{EffTCPRecvBytes, "TCP.recv_bytes", 2},
	{EffTCPPoll, "TCP.poll", 3},
	{EffUDPBind, "UDP.bind", 2},
	{EffUDPSendTo, "UDP.send_to", 4},
	{EffUDPRecvFrom, "UDP.recv_from", 2},
	{EffUDPPoll, "UDP.poll", 2},
	{EffSocketClose, "Socket.close", 1},
	{EffListenerClose, "Listener.close", 1},

	{EffWindowOpen, "Window.open", 3},
	{EffWindowFrame, "Window.frame", 2},
	{EffWindowSetTitle, "Window.set_title", 2},
	{EffWindowGrab, "Window.grab", 2},
	{EffWindowClose, "Window.close", 1},
	{EffAudioOpen, "Audio.open", 1},
	{EffAudioWrite, "Audio.write", 2},
	{EffAudioClose, "Audio.close", 1},
}

var effectByKey = func() map[string]Effect {
	m := make(map[string]Effect, NumEffects)
	for _, e := range Effects {
		m[e.Key] = e
	}
	return m
}()

// EffectOf returns the foreign effect that the def of Base with the given key is.
func EffectOf(key string) (Effect, bool) {
	e, ok := effectByKey[key]
	return e, ok
}

// EmitDef returns the def of one parameter that ends an IO action: it returns
// Emit of its argument.
func (p *Program) EmitDef() DefID {
	return p.helper("IO emit", func(DefID) *Def {
		return &Def{Params: 1, Vars: []VarInfo{{Name: "x"}, {Name: "op"}},
			Body: &New{Dst: 1, Ctor: EmitCtor, Name: "Emit", Fields: []Atom{V(0)}, Next: &Return{V(1)}}}
	})
}

// EmitClosure returns the closure of EmitDef: the continuation that an action which
// is run on its own is given.
func (p *Program) EmitClosure() word.Word {
	return word.Clo(int(p.Fn(p.EmitDef(), 0)), 0, 0)
}
