package repl

import (
	"slices"
	"strings"
	"time"

	"bend/jit/lane"
)

// A StackReport is what ":stack EXPR" found out about one run.
type StackReport struct {
	Device      string     `json:"device"`
	LaneWords   int        `json:"lane_words"` // 0: no limit to speak of
	BottomWords int        `json:"bottom_words"`
	Policy      string     `json:"policy"`
	Defs        []StackDef `json:"defs"`
	PeakWords   int        `json:"peak_words"`
	Spills      int        `json:"spills"`
	Restores    int        `json:"restores"`
	SpillDepth  int        `json:"spill_depth"`
	SpillBytes  int        `json:"spill_bytes"`
	Shares      int        `json:"shares,omitempty"` // changes of share counts
	// Lanes are those that ran a job, if there was more than one, and Jobs the calls of
	// forks that were dealt out to them.
	Lanes  []StackLane `json:"lanes,omitempty"`
	Jobs   int         `json:"jobs,omitempty"`
	Joins  int         `json:"joins,omitempty"` // forks of which calls were dealt out
	Result string      `json:"result"`
	// Trace is there when a picture is drawn; its levels are those of Defs.
	Trace []lane.Sample `json:"-"`
	Error string        `json:"error,omitempty"`
	full  bool          // the error is that the stack was
	Notes []string      `json:"notes,omitempty"`
}

// A StackLane tells what one lane did.
type StackLane struct {
	Jobs      int           `json:"jobs"`
	Busy      time.Duration `json:"busy_ns"`
	PeakWords int           `json:"peak_words"`
}

// A StackDef tells what one def kept on the stack in its frames of one size: words a level,
// the names of what is in them, for each frame of that size, the most levels at once, and how
// many levels fit on an empty lane without a spill. Depth is -1 where nobody counted.
type StackDef struct {
	Name  string     `json:"name"`
	Words int        `json:"words"`
	Keeps [][]string `json:"keeps,omitempty"`
	Fits  int        `json:"fits"`
	Depth int        `json:"depth"`
}

// uncounted is the Depth where nobody counted.
const uncounted = -1

// A FrameReport is what ":stack DEF" says of one call that is not a tail call.
type FrameReport struct {
	Words  int      `json:"words"`
	Values []string `json:"values"` // the captured values by their names in the source
	Call   string   `json:"call"`   // the call that the frame waits for
	Place  string   `json:"place"`
	Line   string   `json:"line"`
	Fits   int      `json:"fits"`
}

// kept is what is in the frames of a def, in words of at most n characters.
func (d *StackDef) kept(n int) string {
	var all []string
	for _, k := range d.Keeps {
		all = append(all, strings.Join(k, ", "))
	}
	return clip(strings.Join(all, " or "), n)
}

// keeps names the words of the frame.
func (f *FrameReport) keeps() []string { return append(slices.Clip(f.Values), "return id") }

// fits returns how many levels of w words an empty lane holds.
func fits(laneWords, bottom, w int) int {
	if w <= 0 || laneWords == 0 {
		return 0
	}
	return (laneWords - bottom) / w
}
