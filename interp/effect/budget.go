package effect

import "sync"

// A budget is a number of bytes that several writers share.
type budget struct {
	mu    sync.Mutex
	left  int
	over  func() // called when it is exceeded
	spent bool
}

func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left -= n; b.left < 0 {
		b.spent = true
		b.over()
		return false
	}
	return true
}

func (b *budget) exceeded() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}
