package repl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bend/jit/lane"
)

// browser finds a browser that can run without a screen, "" if there is none.
func browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// probe is a script that goes through the page as a person would, and leaves what it saw.
const probe = `<script>
window.addEventListener("load", () => {
  const seen = { rects: [], moments: [] };
  for (const run of runs) {
    const r = run.panel.querySelector("svg").getBoundingClientRect();
    seen.rects.push([Math.round(r.left), Math.round(r.top), Math.round(r.right), Math.round(r.bottom)]);
  }
  for (const at of [0, 500, 1000]) {
    slider.value = at;
    slider.dispatchEvent(new Event("input"));
    seen.moments.push(runs.map(run => ({
      text: run.panel.querySelector("output").textContent,
      cursor: parseFloat(run.panel.querySelector(".cursor").style.left),
      bar: [...run.panel.querySelectorAll(".bar div")].reduce((sum, d) => sum + parseFloat(d.style.width), 0),
    })));
  }
  seen.hash = location.hash;
  slider.value = 0;
  play.click();
  seen.playing = play.textContent;
  setTimeout(() => {
    seen.played = Number(slider.value);
    seen.stopped = play.textContent;
    const out = document.createElement("pre");
    out.id = "seen";
    out.textContent = JSON.stringify(seen);
    document.body.append(out);
  }, 20000);
});
</script></body>`

// seen is what the probe leaves.
type seen struct {
	Rects   [][4]int
	Moments [][]struct {
		Text        string
		Cursor, Bar float64
	}
	Hash, Playing, Stopped string
	Played                 int
}

// TestPageInBrowser opens the page of a run in a browser, moves its slider, plays it, and
// looks at a screenshot for what has to stand where.
func TestPageInBrowser(t *testing.T) {
	bin := browser()
	if bin == "" {
		t.Log("no browser: chromium, chromium-browser or google-chrome")
		return
	}
	dir := t.TempDir()
	file, page := filepath.Join(dir, "drawn.bend"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(Options{Settings: executors[1].settings()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Load(file); err != nil {
		t.Fatal(explain(err))
	}
	var out bytes.Buffer
	if err := NewConsole(s, &out, &out).Draw(context.Background(), "sum(3000n)", "", page); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	probed := filepath.Join(dir, "probed.html")
	if err := os.WriteFile(probed, bytes.Replace(text, []byte("</body>"), []byte(probe), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) []byte {
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(dir, "profile"),
			"--window-size=1500,900"}, args...)
		out, err := exec.Command(bin, args...).Output()
		if err != nil {
			t.Fatalf("%s: %v", bin, err)
		}
		return out
	}
	dom := string(run("--virtual-time-budget=30000", "--dump-dom", "file://"+probed))
	_, rest, _ := strings.Cut(dom, `<pre id="seen">`)
	found, _, _ := strings.Cut(rest, "</pre>")
	var got seen
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &got); err != nil {
		t.Fatalf("%v in %q", err, found)
	}
	checkPage(t, &got)

	shot := filepath.Join(dir, "page.png")
	run("--screenshot="+shot, "file://"+page+"#1000")
	data, err := os.ReadFile(shot)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rects {
		for _, c := range []struct {
			what string
			is   func(r, g, b int) bool
		}{
			{"the area of the def", func(r, g, b int) bool { return b > r+40 && b > g }}, // blue
			{"the line of the limit", func(r, g, b int) bool { return r > g+40 && r > b+40 }},
		} {
			if n := pixels(img, image.Rect(r[0], r[1], r[2], r[3]), c.is); n < 100 {
				t.Errorf("panel %d: %d pixels of %s", i, n, c.what)
			}
		}
	}
}

// checkPage checks what the probe saw of a run of 3,000 levels of one word under the
// policies half, whole and off.
func checkPage(t *testing.T, got *seen) {
	t.Helper()
	if len(got.Rects) != 3 || len(got.Moments) != 3 {
		t.Fatalf("%d panels, %d moments", len(got.Rects), len(got.Moments))
	}
	for i := 1; i < 3; i++ {
		if a, b := got.Rects[i-1], got.Rects[i]; b[0] < a[2] || b[1] != a[1] {
			t.Errorf("panel %d at %v is not beside the one at %v", i, b, a)
		}
	}
	for i, want := range []string{"spill", "spill", "0 spills"} {
		begin, middle, end := got.Moments[0][i], got.Moments[1][i], got.Moments[2][i]
		if !strings.Contains(end.Text, want) || !strings.Contains(end.Text, ": p, return id") || i < 2 && strings.Contains(end.Text, "0 spills") {
			t.Errorf("panel %d ends with %q", i, end.Text)
		}
		if !(begin.Cursor < middle.Cursor && middle.Cursor < end.Cursor) {
			t.Errorf("panel %d: the cursor goes from %v to %v to %v", i, begin.Cursor, middle.Cursor, end.Cursor)
		}
		for _, m := range []float64{begin.Bar, middle.Bar, end.Bar} {
			if m < 0 || m > 100.01 {
				t.Errorf("panel %d: the bar is %v%% wide", i, m)
			}
		}
		var words int
		if _, err := fmt.Sscan(middle.Text, &words); err != nil || words < lane.ExitWords || words > lane.LaneWords {
			t.Errorf("panel %d: %d words in the middle, %v", i, words, err)
		}
	}
	if got.Hash != "#1000" || got.Playing != "Stop" || got.Played != 1000 || got.Stopped != "Play" {
		t.Errorf("%q %q %d %q", got.Hash, got.Playing, got.Played, got.Stopped)
	}
}

// pixels counts those of a part of a picture that have a colour of some kind.
func pixels(img image.Image, in image.Rectangle, is func(r, g, b int) bool) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); is(int(r>>8), int(g>>8), int(b>>8)) {
				n++
			}
		}
	}
	return n
}
