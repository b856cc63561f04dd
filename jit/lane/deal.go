package lane

import "bend/interp/word"

// A fork costs a lane nothing but its frame as long as no other lane is idle. When one
// is, the calls of the oldest fork that have not begun are dealt out: each becomes a
// job, and the fork's frame a join. Whichever lane brings the last result goes on with
// what follows the fork.
//
// A job is a node of the heap:
//
//	| entry | join | slot | arguments |
//
// The lane that runs it enters entry with the arguments in the bank, above an exit
// frame that names join and slot. A join is a node too:
//
//	| remaining, after | bottom (2 words) | blocks | out | captures | results |
//
// captures and results are, but for the last result, the frame of the fork's last call,
// whose return id is after. The frames below are on the stack of the lane that was
// dealing until that lane comes to the fork's frame. If results are missing then, the
// lane parks these frames, in the way a spill moves them, and bottom leads to them.
const (
	jobEntry = iota
	jobJoin
	jobSlot
	JobArgs // the place of a job's first argument
)

const (
	joinState = iota
	joinBottom
	_
	joinBlocks
	joinOut
	JoinFrame // the place of a join's first capture

	afterShift = 32 // of the return id in joinState; remaining is below
)

// Deal deals out the calls that are left of the oldest fork on the stack, and returns
// the locations of the jobs, oldest first. There are none when no fork has calls left.
// It looks at the frames on the lane only, not at those in blocks.
func (s *Stack) Deal() (jobs []uint32, err *Error) {
	oldest := 0
	for at := s.SP; at > s.Lo+ExitWords; {
		r := s.at(s.Mem, at)
		if r.Fork != nil && !r.Dealt {
			oldest = at
		}
		at -= r.Words
	}
	if oldest == 0 {
		return nil, nil
	}
	r := s.at(s.Mem, oldest)
	f := r.Fork
	frame := s.Mem[oldest-r.Words : oldest-1] // the captures, and the results so far
	join, ok := s.Heap.Alloc(JoinFrame + f.Caps + len(f.Calls))
	if !ok {
		return nil, &Error{Code: OutOfHeap}
	}
	s.Mem[join+joinState] = uint64(len(f.Calls)-f.Call) | uint64(f.After)<<afterShift
	copy(s.Mem[join+JoinFrame:], frame)
	for i, c := range f.Calls[f.Call+1:] {
		job, ok := s.Heap.Alloc(JobArgs + len(c.Args))
		if !ok {
			return nil, &Error{Code: OutOfHeap}
		}
		s.Mem[job+jobEntry] = uint64(c.Entry) | uint64(len(c.Args))<<afterShift
		s.Mem[job+jobJoin] = uint64(join)
		s.Mem[job+jobSlot] = uint64(JoinFrame + f.Caps + f.Call + 1 + i)
		for j, a := range c.Args {
			w := a.Word
			if a.Cap >= 0 {
				w = frame[a.Cap]
			}
			s.Mem[int(job)+JobArgs+j] = w
		}
		jobs = append(jobs, job)
	}
	s.Mem[oldest-1] = uint64(f.Dealt) | uint64(join)<<afterShift
	return jobs, nil
}

// Begin takes a job: the stack is empty but for its exit frame, and the arguments are in
// the bank at the given place. It returns where to enter, and frees the node.
func (s *Stack) Begin(job uint32, bank int) (entry int) {
	n := int(s.Mem[job+jobEntry] >> afterShift)
	entry = int(uint32(s.Mem[job+jobEntry]))
	s.begin(TagJoin|s.Mem[job+jobJoin], int(s.Mem[job+jobSlot]))
	copy(s.Mem[bank:bank+n], s.Mem[int(job)+JobArgs:])
	s.Heap.Free(job, JobArgs+n)
	return entry
}

// Ended returns where the result of the job that has ended goes: the place of a result
// in a join. ok is false when it is the result of the run.
func (s *Stack) Ended() (join uint32, place int, ok bool) {
	first := s.Mem[s.Lo]
	if first == Hole {
		return 0, 0, false
	}
	join = word.Loc(first)
	return join, int(join) + int(s.Mem[s.Lo+1]), true
}

// Joined takes the frame of a fork that was dealt out off the stack, its own call having
// returned, and returns its owner and where the result goes.
func (s *Stack) Joined() (owner int, join uint32, place int) {
	r := s.at(s.Mem, s.SP)
	join = uint32(s.Mem[s.SP-1] >> afterShift)
	s.SP -= r.Words
	return r.Owner, join, int(join) + JoinFrame + r.Fork.Caps + r.Fork.Call
}

// Deliver puts a result into its place in a join, and reports whether it was the last.
// Only one lane may do so at a time.
func (s *Stack) Deliver(join uint32, place int, result word.Word) (last bool) {
	s.Mem[place] = result
	s.Mem[join+joinState]--
	return uint32(s.Mem[join+joinState]) == 0
}

// Missing returns how many results a join waits for. Only one lane may ask at a time.
func (s *Stack) Missing(join uint32) int { return int(uint32(s.Mem[join+joinState])) }

// Park moves all frames to where the join leads, and leaves the stack to other jobs.
func (s *Stack) Park(join uint32) *Error {
	if s.SP > s.Lo+ExitWords {
		k := s.SP - s.Lo
		b, err := s.take(k)
		if err != nil {
			return err
		}
		s.move(b.at, s.Lo, k)
		s.pushBottom(b.first(), k)
		s.out += k - ExitWords
	}
	copy(s.Mem[join+joinBottom:], s.Mem[s.Lo:s.Lo+2])
	s.Mem[join+joinBlocks] = uint64(s.Blocks)
	s.Mem[join+joinOut] = uint64(s.out)
	s.Blocks, s.out = 0, 0
	return nil
}

// Unpark makes the frames that were parked at a join the lane's own. The job that the
// stack was used for has ended.
func (s *Stack) Unpark(join uint32) {
	s.begin(s.Mem[join+joinBottom], int(s.Mem[join+joinBottom+1]))
	s.Blocks, s.out = int(s.Mem[join+joinBlocks]), int(s.Mem[join+joinOut])
	s.MostBlocks = max(s.MostBlocks, s.Blocks)
	s.Restore()
}

// Resume goes on after a fork all of whose results are there: it puts the frame of the
// last call on the stack, returns where to enter and the owner of the frame, and frees
// the join. The last result goes to the bank at the given place.
func (s *Stack) Resume(join uint32, bank int) (after, owner int) {
	after = int(s.Mem[join+joinState] >> afterShift)
	r := &s.Returns[after]
	n := r.Words - 1 // captures and results but for the last
	copy(s.Mem[s.SP:s.SP+n], s.Mem[join+JoinFrame:])
	s.Mem[s.SP+n] = uint64(after)
	s.SP += r.Words
	s.Mem[bank] = s.Mem[int(join)+JoinFrame+n]
	s.Heap.Free(join, JoinFrame+n+1)
	return after, r.Owner
}
