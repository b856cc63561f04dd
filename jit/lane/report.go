package lane

import "time"

// A Report is what a run tells about itself.
type Report struct {
	Device     string
	Lanes      []Lane // those that ran a job, the one that began first
	Jobs       int    // calls of forks that were dealt out
	Joins      int    // forks of which calls were dealt out
	LaneWords  int
	Bottom     int // words of the exit frame
	Policy     Policy
	Levels     []Level
	PeakWords  int // most words on the lane at once, frames that did not fit included
	PeakDeep   int // most words of frames at once, those in blocks included
	Spills     int
	Restores   int
	Blocks     int // spill blocks nested at the peak
	BlockBytes int // heap held by them
	Moved      int // words moved by spills and restores
	Shares     int // changes of share counts, of a profiled run
	HeapBytes  int // most bytes of heap that were in use, spill blocks included
	HeapSize   int
	Left       int      // audited run: words in use at the end that the result does not own
	Copied     int      // words of arguments and result moved between host and device
	Trace      []Sample // of a traced run, in the order of time
	Profiled   bool     // whether Depth and the peaks are exact
	Build      time.Duration
	Transfer   time.Duration
	Run        time.Duration
}

// A Sample is what a lane's stack held at one moment of a run. Samples are evenly spaced
// in calls, not in time, but for those at spills and restores.
type Sample struct {
	Words    int   // on the lane
	Deep     int   // in frames, those in blocks included
	Blocks   int   // spill blocks
	Spills   int   // up to now
	Restores int   // up to now
	Levels   []int // frames of each def of Report.Levels, those in blocks included
}

// A Lane tells what one lane did.
type Lane struct {
	Jobs      int           // jobs that it ran
	Busy      time.Duration // time in its kernel
	PeakWords int           // most words on its stack at once
}

// A Level is a def that keeps words on the stack.
type Level struct {
	Name  string
	Words int // a level
	Depth int // most levels at once; exact in a profiled run
	Fits  int // levels that a lane holds without a spill
}

// Fits returns how many levels of w words an empty lane of laneWords holds.
func Fits(laneWords, w int) int { return (laneWords - ExitWords) / w }
