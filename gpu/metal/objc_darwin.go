package metal

import (
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/ebitengine/purego/objc"

	"bend/gpu/hostmem"
	"bend/jit/lane"
)

// A size is an MTLSize.
type size struct{ width, height, depth uint }

// The values of Metal's enumerations that we use.
const (
	storageShared    = 0 // MTLResourceStorageModeShared
	mathSafe         = 0 // MTLMathModeSafe
	functionsPrecise = 1 // MTLMathFloatingPointFunctionsPrecise
	statusCompleted  = 4 // MTLCommandBufferStatusCompleted
)

// A library is what is loaded of macOS.
type library struct {
	device  func() objc.ID // MTLCreateSystemDefaultDevice
	push    func() uintptr // objc_autoreleasePoolPush
	pop     func(uintptr)  // objc_autoreleasePoolPop
	message map[string]objc.SEL
	mu      sync.Mutex
}

// sel returns the selector of a method.
func (l *library) sel(name string) objc.SEL {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.message[name]
	if !ok {
		s = objc.RegisterName(name)
		l.message[name] = s
	}
	return s
}

// send calls a method that returns an object, or nothing.
func (l *library) send(to objc.ID, method string, args ...any) objc.ID {
	return objc.Send[objc.ID](to, l.sel(method), args...)
}

// number calls a method that returns an NSUInteger.
func (l *library) number(of objc.ID, method string) uint { return objc.Send[uint](of, l.sel(method)) }

// has reports whether an object has a method.
func (l *library) has(o objc.ID, method string) bool {
	return objc.Send[bool](o, l.sel("respondsToSelector:"), l.sel(method))
}

// create makes an object of a class by new.
func (l *library) create(class string) objc.ID { return l.send(objc.ID(objc.GetClass(class)), "new") }

// text makes an NSString, which the pool owns.
func (l *library) text(s string) objc.ID {
	return l.send(objc.ID(objc.GetClass("NSString")), "stringWithUTF8String:", s)
}

// words returns the text of an NSString.
func (l *library) words(s objc.ID) string {
	if s == 0 {
		return ""
	}
	return objc.Send[string](s, l.sel("UTF8String"))
}

// err makes an error of an NSError, which holds the compiler's log where there is one.
func (l *library) err(e objc.ID, otherwise string) error {
	if e == 0 {
		return errors.New(otherwise)
	}
	return errors.New(l.words(l.send(e, "localizedDescription")))
}

// pooled does a piece of work on one thread, and gives back the objects that it leaves.
func (l *library) pooled(work func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer l.pop(l.push())
	return work()
}

// open loads the frameworks. Without CoreGraphics a command finds no device.
func open() (*library, error) {
	l := &library{message: map[string]objc.SEL{}}
	for _, part := range []struct {
		file      string
		functions map[string]any
	}{
		{"/usr/lib/libobjc.A.dylib", map[string]any{"objc_autoreleasePoolPush": &l.push, "objc_autoreleasePoolPop": &l.pop}},
		{"/System/Library/Frameworks/Foundation.framework/Foundation", nil},
		{"/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", nil},
		{"/System/Library/Frameworks/Metal.framework/Metal", map[string]any{"MTLCreateSystemDefaultDevice": &l.device}},
	} {
		lib, err := purego.Dlopen(part.file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			return nil, errors.New("macOS has no Metal here: " + err.Error())
		}
		for name, f := range part.functions {
			at, err := purego.Dlsym(lib, name)
			if err != nil {
				return nil, errors.New("macOS has no Metal here: " + err.Error())
			}
			purego.RegisterFunc(f, at)
		}
	}
	return l, nil
}

// A gpu is the machine's GPU.
type gpu struct {
	*library
	dev    objc.ID
	name   string
	memory int // bytes that it works well with
	most   int // bytes of one buffer
}

// system is the machine's first GPU.
var system = sync.OnceValues(func() (*gpu, error) {
	l, err := open()
	if err != nil {
		return nil, err
	}
	g := &gpu{library: l}
	err = l.pooled(func() error {
		if g.dev = l.device(); g.dev == 0 {
			return errors.New("this Mac has no GPU that Metal can use")
		}
		g.name = l.words(l.send(g.dev, "name"))
		g.memory = int(objc.Send[uint64](g.dev, l.sel("recommendedMaxWorkingSetSize")))
		g.most = int(l.number(g.dev, "maxBufferLength"))
		return nil
	})
	return g, err
})

// mostWords is the number of words that memory may have: what places can name, and what one
// buffer holds.
func (g *gpu) mostWords() int { return min(g.most/8, 1<<32, hostmem.MostView/8) }

func (g *gpu) info() lane.Info {
	return lane.Info{
		Name: "metal", Kind: g.name, Lanes: 1, Memory: min(g.memory/4, g.mostWords()*8), Usable: true, Target: "metal",
	}
}

// contents returns the memory of a buffer.
func (g *gpu) contents(buffer objc.ID) unsafe.Pointer {
	return objc.Send[unsafe.Pointer](buffer, g.sel("contents"))
}
