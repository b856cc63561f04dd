package cuda

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mostCached is how many bytes of compiled kernels are kept.
const mostCached = 256 << 20

// A cache keeps compiled kernels in files of a folder, each behind the hash of what it
// was made from; "" keeps none. A file that is not what it should be is a miss.
type cache struct {
	dir  string
	most int64
}

const cacheExt = ".kernel"

// key names what a kernel is made from.
func key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func (c cache) file(key string) string { return filepath.Join(c.dir, key+cacheExt) }

// get returns an image, nil when there is none.
func (c cache) get(key string) []byte {
	if c.dir == "" {
		return nil
	}
	b, err := os.ReadFile(c.file(key))
	if err != nil || len(b) < sha256.Size {
		return nil
	}
	sum, image := b[:sha256.Size], b[sha256.Size:]
	if want := sha256.Sum256(image); !bytes.Equal(sum, want[:]) {
		return nil
	}
	now := time.Now()
	os.Chtimes(c.file(key), now, now) // what was used last is dropped last
	return image
}

// put keeps an image, and drops the oldest when there are too many. It is no error when
// it cannot.
func (c cache) put(key string, image []byte) {
	if c.dir == "" || os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	sum := sha256.Sum256(image)
	_, err = f.Write(append(sum[:], image...))
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), c.file(key))
	}
	if err != nil {
		os.Remove(f.Name())
		return
	}
	c.trim()
}

// drop forgets an image.
func (c cache) drop(key string) {
	if c.dir != "" {
		os.Remove(c.file(key))
	}
}

func (c cache) trim() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), cacheExt) {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, f := range files {
		if total <= c.most {
			return
		}
		if os.Remove(filepath.Join(c.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
