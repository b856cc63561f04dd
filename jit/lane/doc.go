// Package lane is the model of a lane: one worker that runs calls with a small stack
// of its own and a share of the device heap. The numbers that a teacher shows a class
// come from here, and every device keeps to them.
//
// # Words and frames
//
// A lane's stack has LaneWords words of 64 bits. A job starts with an exit frame of
// three words; each call that is not a tail call pushes a frame: the values that the
// rest of the caller still needs, and the id of where to go on.
//
//	0        3                                          sp        2048
//	| exit   | frame of f  | frame of f  | ...  | frame |  free    |
//	| _ _ id | caps.. id   | caps.. id   |      | .. id |          |
//
// So a recursion that keeps w words a level fits d levels while 3 + w*d <= 2048. A
// stack filled to exactly 2,048 words is legal. The calls of a fork that runs in
// sequence share one frame, which grows by the result of each call that has returned
// (see flat.Fork); the words of it that are on the stack before a step pushes are
// called D.
//
// # Spill blocks
//
// When the next frame does not fit, words move to the device heap, to a block of size
// class 11, which holds exactly 2,048 words. A spill frame of three words takes the
// place of what moved; it has the shape of an exit frame, so that a return finds it.
//
//	before  | exit | older frames | newer frames | D | push would not fit
//	after   | spill| newer frames | D | n |                      free     |
//	             \
//	block         | exit | older frames                          | room   |
//
// The order of the checks: D + n + 3 words must fit an empty stack, else the call is
// too deep for any lane; then the block is taken; then the words move.
//
// Under the policy Whole all frames below D move, and come back whole on return.
// Under Half only the older half moves, up to a frame boundary, into the newest block
// as long as that has room; a return brings back at most half a stack. So at least
// some thousand words are pushed or popped between two moves, and no pattern of calls
// pays more than a constant for a word (see Stack). Under Off nothing moves: the push
// is an error that names the def and the depth. Under Every all but the newest frame
// moves at every push, and one frame comes back at a time: it is there to show and to
// test spills.
//
// A later block begins with the spill frame that leads to the block before it, so the
// blocks form a chain, and depth is bounded by the heap alone.
//
// # Jobs
//
// Lanes run jobs. The first is the call itself; the others come from forks. A fork runs
// its calls one after the other as long as no lane is idle. When one is, the calls of
// the oldest fork on a lane that have not begun are dealt out as jobs, and the fork
// becomes a join that counts the results it waits for; the lane that brings the last
// one goes on with what follows the fork (see Stack.Deal). So a fork costs a frame,
// like a cut, and only what an idle lane takes costs more; the oldest fork is as a rule
// the largest piece of work there is; and a tree of any shape, however deep, runs on
// any number of lanes, since what does not fit a stack is spilled.
//
// # Memory of a kernel
//
// See Layout. Each lane begins with a header that kernel and host share; whenever a
// kernel cannot go on by itself it leaves with a Status, the host does what is to be
// done, and enters it again. A lane allocates from words and free lists of its own.
//
// A kernel whose lanes look after themselves, as on a GPU, has another layout: see Grid.
package lane
