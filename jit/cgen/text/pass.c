// What a lane does between two turns of its kernel: it spills and restores frames, deals
// calls out and takes jobs. The shapes of frames, blocks, jobs and joins, and why they
// are as they are, is told in the documentation of package lane.

#define UP(a, b) ((a) = (a) < (b) ? (b) : (a))

FN u32 bend_frame_words(u32 id) { return FRAMES[3 * id]; }
FN u32 bend_frame_pushed(u32 id) { return FRAMES[3 * id + 1]; }
// Of a fork: its place in FORKS times 2, plus 1 when its calls were dealt out.
FN u32 bend_frame_fork(u32 id) { return FRAMES[3 * id + 2]; }

// The number of words on the stack.
FN u32 bend_height(MEM m, u32 lane) { return (u32)H(HEAD_SP) + 1; }
FN void bend_set_height(MEM m, u32 lane, u32 n) { H(HEAD_SP) = n - 1; }

// Takes a height of the stack into account for the peaks.
FN void bend_note(MEM m, u32 lane, u32 n) {
  UP(H(HEAD_PEAK), n);
  UP(H(HEAD_DEEP), n + H(HEAD_OUT));
}

FN void bend_set_bottom(MEM m, u32 lane, u64 first, u64 second) {
  S(0) = first;
  S(1) = second;
  S(2) = 0;
}

FN u64 bend_spill_frame(u32 block, u32 size_class) { return TAG_TASK | (u64)size_class << AUX_SHIFT | block; }
FN int bend_is_spill_frame(u64 first) { return (first & TAG_MASK) == TAG_TASK; }

// Takes a block for frames, 0 when the heap is full.
FN u32 bend_block(MEM m, u32 lane, u32 size_class) {
  u32 at = bend_alloc(m, lane, size_class);
  if (at == bend_sink(lane)) return 0;
  H(HEAD_SPILLS)++;
  H(HEAD_BLOCKS)++;
  UP(H(HEAD_MOST_BLOCKS), H(HEAD_BLOCKS));
  return at;
}

FN void bend_free_block(MEM m, u32 lane, u32 at, u32 size_class) {
  bend_free(m, lane, at, size_class);
  H(HEAD_BLOCKS)--;
}

// How many words a spill leaves, about, and a restore brings at most.
FN u32 bend_half(MEM m) { return G(GRID_POLICY) == EVERY ? 0 : (u32)G(GRID_WORDS) / 2; }

// Moves all below the frame of the current def to a block.
FN void bend_spill_whole(MEM m, u32 lane, u32 words, u32 pushed) {
  u32 n = bend_height(m, lane), d = words - pushed, k = n - words, i;
  u32 at = bend_block(m, lane, BLOCK_CLASS);
  if (at == 0) return;
  for (i = 0; i < k + d; i++) m[at + i] = S(i);
  bend_set_bottom(m, lane, bend_spill_frame(at, BLOCK_CLASS), k);
  for (i = 0; i < d; i++) S(EXIT_WORDS + i) = m[at + k + i];
  for (i = 0; i < pushed; i++) S(EXIT_WORDS + d + i) = S(n - pushed + i);
  bend_set_height(m, lane, EXIT_WORDS + words);
  H(HEAD_MOVED) += k + 2 * d;
  H(HEAD_OUT) += k - EXIT_WORDS;
}

// Moves the older frames to the newest block, and to a new one when that is full, and
// slides the others down.
FN void bend_spill_half(MEM m, u32 lane, u32 words) {
  u32 n = bend_height(m, lane), half = bend_half(m), cut = n - words, part = EXIT_WORDS, fresh = 0, i;
  u64 first = S(0);
  u32 old = (u32)first, k = (u32)S(1), room = 0;
  while (cut > EXIT_WORDS) {
    u32 w = bend_frame_words((u32)S(cut - 1)), kept = n - cut;
    if ((kept + w > half && (int)(kept + w - half) >= (int)half - (int)kept) || EXIT_WORDS + kept + w > G(GRID_WORDS)) break;
    cut -= w;
  }
  // What lies below cut moves: what has room to the newest block, up to a frame boundary.
  if (bend_is_spill_frame(first)) {
    room = (1u << bend_index(first)) - k;
    for (part = cut; part - EXIT_WORDS > room;) part -= bend_frame_words((u32)S(part - 1));
  }
  if (part < cut) {
    fresh = bend_block(m, lane, BLOCK_CLASS);
    if (fresh == 0) return;
  } else {
    H(HEAD_SPILLS)++;
  }
  for (i = EXIT_WORDS; i < part; i++) m[old + k + i - EXIT_WORDS] = S(i);
  S(1) += part - EXIT_WORDS;
  if (part < cut) {
    for (i = 0; i < EXIT_WORDS; i++) m[fresh + i] = S(i);
    for (i = part; i < cut; i++) m[fresh + EXIT_WORDS + i - part] = S(i);
    bend_set_bottom(m, lane, bend_spill_frame(fresh, BLOCK_CLASS), EXIT_WORDS + cut - part);
  }
  for (i = cut; i < n; i++) S(EXIT_WORDS + i - cut) = S(i);
  bend_set_height(m, lane, EXIT_WORDS + n - cut);
  H(HEAD_MOVED) += n - EXIT_WORDS;
  H(HEAD_OUT) += cut - EXIT_WORDS;
}

// Makes room for the frame that was put on the stack in spite of the limit.
SLOW void bend_spill(MEM m, u32 lane) {
  u32 n = bend_height(m, lane), id = (u32)S(n - 1), words = bend_frame_words(id), pushed = bend_frame_pushed(id);
  bend_note(m, lane, n - pushed);
  UP(H(HEAD_DEEP), n + H(HEAD_OUT));
  if (G(GRID_POLICY) == OFF) {
    bend_fail(m, lane, STACK_OVERFLOW, 0);
  } else if (words + EXIT_WORDS > G(GRID_WORDS)) {
    bend_fail(m, lane, TOO_DEEP, 0);
  } else if (G(GRID_POLICY) == WHOLE) {
    bend_spill_whole(m, lane, words, pushed);
  } else {
    bend_spill_half(m, lane, words);
  }
  if (H(HEAD_ERROR) == 0) bend_note(m, lane, bend_height(m, lane));
}

// Brings frames back from the newest block; false when there is none.
SLOW int bend_restore(MEM m, u32 lane) {
  u64 first = S(0);
  u32 at = (u32)first, k = (u32)S(1), half = bend_half(m), from, i;
  if (!bend_is_spill_frame(first)) return 0;
  if (G(GRID_POLICY) == WHOLE) {
    H(HEAD_RESTORES)++;
    for (i = 0; i < k; i++) S(i) = m[at + i];
    bend_free_block(m, lane, at, bend_index(first));
    bend_set_height(m, lane, k);
    H(HEAD_MOVED) += k;
    H(HEAD_OUT) -= k - EXIT_WORDS;
    return 1;
  }
  while (k == EXIT_WORDS) { // a block that is empty but for the frame that leads on
    for (i = 0; i < EXIT_WORDS; i++) S(i) = m[at + i];
    bend_free_block(m, lane, at, bend_index(first));
    first = S(0);
    at = (u32)first;
    k = (u32)S(1);
    if (!bend_is_spill_frame(first)) return 0;
  }
  for (from = k; from > EXIT_WORDS;) {
    u32 w = bend_frame_words((u32)m[at + from - 1]);
    if (k > from && k - from + w > half) break;
    from -= w;
  }
  H(HEAD_RESTORES)++;
  for (i = from; i < k; i++) S(EXIT_WORDS + i - from) = m[at + i];
  S(1) -= k - from;
  bend_set_height(m, lane, EXIT_WORDS + k - from);
  H(HEAD_MOVED) += k - from;
  H(HEAD_OUT) -= k - from;
  return 1;
}

// Deals out the calls that are left of the oldest fork on the stack; false when no fork
// has calls left.
SLOW int bend_deal(MEM m, u32 lane) {
  u32 oldest = 0, fork = 0, join, words, caps, call, calls, at, i, j;
  for (at = bend_height(m, lane); at > EXIT_WORDS;) {
    u32 id = (u32)S(at - 1);
    if (bend_frame_fork(id) != 0 && (bend_frame_fork(id) & 1) == 0) {
      oldest = at;
      fork = bend_frame_fork(id) / 2;
    }
    at -= bend_frame_words(id);
  }
  if (oldest == 0) return 0;
  words = bend_frame_words((u32)S(oldest - 1));
  caps = FORKS[fork];
  call = FORKS[fork + 1];
  calls = FORKS[fork + 2];
  join = bend_alloc(m, lane, bend_class(JOIN_FRAME + caps + calls));
  if (join == bend_sink(lane)) return 0;
  m[join] = (u64)FORKS[fork + 4] << 32 | (calls - call);
  for (i = 0; i + 1 < words; i++) m[join + JOIN_FRAME + i] = S(oldest - words + i);
  at = fork + 5;
  for (i = call + 1; i < calls; i++) {
    u32 entry = FORKS[at], args = FORKS[at + 1], job = bend_alloc(m, lane, bend_class(JOB_ARGS + args));
    if (job == bend_sink(lane)) return 0;
    m[job] = (u64)args << 32 | entry;
    m[job + 2] = JOIN_FRAME + caps + i;
    at += 2;
    for (j = 0; j < args; j++) {
      u32 a = FORKS[at++];
      m[job + JOB_ARGS + j] = a & 1 ? CONSTANTS[a / 2] : S(oldest - words + a / 2);
    }
    // The queue is a list through the upper halves; its head counts its changes.
    for (;;) {
      u64 old = ATOMIC_LOAD(&G(GRID_QUEUE));
      m[job + 1] = (old & 0xffffffffu) << 32 | join;
      FENCE();
      if (ATOMIC_SWAP(&G(GRID_QUEUE), old, ((old >> 32) + 1) << 32 | job)) break;
    }
    ATOMIC_SUB(&G(GRID_WANT), 1);
    H(HEAD_DEALT)++;
  }
  H(HEAD_JOINS)++;
  S(oldest - 1) = (u64)join << 32 | FORKS[fork + 3];
  return 1;
}

// Takes a job from the queue and makes it the lane's; returns where to enter, 0 when there
// is no job.
SLOW u32 bend_take(MEM m, u32 lane) {
  for (;;) {
    u64 old = ATOMIC_LOAD(&G(GRID_QUEUE));
    u32 job = (u32)old, n, entry;
    if (job == 0) return 0;
    FENCE();
    if (!ATOMIC_SWAP(&G(GRID_QUEUE), old, ((old >> 32) + 1) << 32 | ATOMIC_LOAD(&m[job + 1]) >> 32)) continue;
    FENCE();
    n = (u32)(m[job] >> 32);
    entry = (u32)m[job];
    bend_set_bottom(m, lane, TAG_JOIN | (m[job + 1] & 0xffffffffu), m[job + 2]);
    bend_set_height(m, lane, EXIT_WORDS);
    for (u32 i = 0; i < n; i++) H(BANK + i) = m[job + JOB_ARGS + i];
    bend_free(m, lane, job, bend_class(JOB_ARGS + n));
    H(HEAD_JOBS)++;
    return entry;
  }
}

// Moves all frames to where the join leads, and leaves the stack to other jobs.
FN void bend_park(MEM m, u32 lane, u32 join) {
  u32 n = bend_height(m, lane);
  if (n > EXIT_WORDS) {
    u32 size_class = bend_class(n), at = bend_block(m, lane, size_class);
    if (at == 0) return;
    for (u32 i = 0; i < n; i++) m[at + i] = S(i);
    H(HEAD_MOVED) += n;
    H(HEAD_OUT) += n - EXIT_WORDS;
    bend_set_bottom(m, lane, bend_spill_frame(at, size_class), n);
  }
  m[join + 1] = S(0);
  m[join + 2] = S(1);
  m[join + 3] = H(HEAD_BLOCKS);
  m[join + 4] = H(HEAD_OUT);
  H(HEAD_BLOCKS) = H(HEAD_OUT) = 0;
}

// Makes the frames that were parked at a join the lane's own.
FN void bend_unpark(MEM m, u32 lane, u32 join) {
  bend_set_bottom(m, lane, m[join + 1], m[join + 2]);
  bend_set_height(m, lane, EXIT_WORDS);
  H(HEAD_BLOCKS) = m[join + 3];
  H(HEAD_OUT) = m[join + 4];
  UP(H(HEAD_MOST_BLOCKS), H(HEAD_BLOCKS));
  bend_restore(m, lane);
}

// Goes on after a fork whose results are all there.
FN u32 bend_resume(MEM m, u32 lane, u32 join) {
  u32 after = (u32)(m[join] >> 32), n = bend_frame_words(after) - 1, height = bend_height(m, lane);
  for (u32 i = 0; i < n; i++) S(height + i) = m[join + JOIN_FRAME + i];
  S(height + n) = after;
  bend_set_height(m, lane, height + n + 1);
  H(BANK) = m[join + JOIN_FRAME + n];
  bend_free(m, lane, join, bend_class(JOIN_FRAME + n + 1));
  return after;
}

// Puts a result into its place in a join; true for the last that the join waited for.
FN int bend_deliver(MEM m, u32 join, u32 place, u64 result) {
  u64 old;
  m[place] = result;
  FENCE();
  old = ATOMIC_SUB(&m[join], 1);
  FENCE();
  return (u32)old == 1;
}

// Takes the frame of a fork that was dealt out off the stack, its own call having
// returned. Returns where to go on, 0 when other results are missing.
SLOW u32 bend_joined(MEM m, u32 lane) {
  u32 n = bend_height(m, lane), id = (u32)S(n - 1), join = (u32)(S(n - 1) >> 32), fork = bend_frame_fork(id) / 2;
  u32 place = join + JOIN_FRAME + FORKS[fork] + FORKS[fork + 1];
  bend_set_height(m, lane, n - bend_frame_words(id));
  if ((u32)ATOMIC_LOAD(&m[join]) == 1) {
    bend_deliver(m, join, place, H(BANK));
    return bend_resume(m, lane, join);
  }
  bend_park(m, lane, join);
  if (H(HEAD_ERROR) != 0 || !bend_deliver(m, join, place, H(BANK))) return 0;
  bend_unpark(m, lane, join);
  return bend_resume(m, lane, join);
}

// Serves a return that found the frame at the bottom of the stack. Returns where to go
// on, 0 when the job has ended.
SLOW u32 bend_ended(MEM m, u32 lane) {
  u32 join;
  if (bend_restore(m, lane)) return (u32)S(bend_height(m, lane) - 1);
  if (S(0) == HOLE) {
    G(GRID_RESULT) = H(BANK);
    FENCE();
    ATOMIC_SWAP(&G(GRID_STATE), 0, DONE);
    return 0;
  }
  join = (u32)S(0);
  if (!bend_deliver(m, join, join + (u32)S(1), H(BANK))) return 0;
  bend_unpark(m, lane, join);
  return bend_resume(m, lane, join);
}

// Whether more lanes wait than jobs.
FN int bend_wanted(MEM m) {
  u64 n = ATOMIC_LOAD(&G(GRID_WANT));
  return n != 0 && n >> 63 == 0;
}

// Does what is to be done after a turn, and returns where to enter the next, 0 for none.
FN u32 bend_settle(MEM m, u32 lane, int status, u32 top) {
  u32 pc = (u32)H(HEAD_PC);
  if (H(HEAD_ERROR) != 0) return 0;
  if (status == EXIT) {
    pc = bend_ended(m, lane);
  } else if (status == JOINED) {
    pc = bend_joined(m, lane);
  } else {
    if ((u32)H(HEAD_SP) > top) {
      bend_spill(m, lane);
    } else {
      bend_note(m, lane, bend_height(m, lane));
    }
    if (PARALLEL) {
      bend_share(m, lane);
      while (H(HEAD_ERROR) == 0 && bend_wanted(m) && bend_deal(m, lane)) {
      }
    }
  }
  return pc;
}

// Makes a lane ready for a run: the first has the arguments in its bank.
FN u32 bend_start(MEM m, u32 lane, u32 index) {
  for (u32 i = 0; i < BANK; i++) H(i) = 0;
  if (index != 0) return 0;
  bend_set_bottom(m, lane, HOLE, 0);
  bend_set_height(m, lane, EXIT_WORDS);
  H(HEAD_JOBS) = 1;
  return ENTRY;
}

FN void bend_add_up(MEM m, u32 lane, u32 i) { ATOMIC_ADD(&G(GRID_TALLY + i), H(i)); }

FN void bend_most(MEM m, u32 lane, u32 i) {
  for (;;) {
    u64 old = ATOMIC_LOAD(&G(GRID_TALLY + i));
    if (old >= H(i) || ATOMIC_SWAP(&G(GRID_TALLY + i), old, H(i))) return;
  }
}

// Adds what the lane did to what others did.
SLOW void bend_tally(MEM m, u32 lane) {
  if (H(HEAD_JOBS) == 0) return;
  H(HEAD_USED) = 1;
  for (u32 i = HEAD_JOBS; i <= HEAD_MOVED; i++) bend_add_up(m, lane, i);
  for (u32 i = HEAD_BLOCKS; i <= HEAD_DEEP; i++) bend_most(m, lane, i);
  bend_add_up(m, lane, HEAD_USED);
}

// Runs a lane for a pass: turns of the kernel until fuel is used up, the run is over, or
// there is no job for a while.
FN void bend_pass(MEM m, u32 index, int fuel, int turn, u32 stage) {
  u32 lane = LANES + index / STRIDE * (STRIDE * SIZE) + index % STRIDE;
  u32 pc = stage == STAGE_BEGIN ? bend_start(m, lane, index) : (u32)H(HEAD_PC), patience = PATIENCE;
  int waits = 0;
  if (stage == STAGE_TALLY) bend_tally(m, lane);
  while (fuel > 0 && ATOMIC_LOAD(&G(GRID_STATE)) == 0) {
    u32 top;
    int n, status;
    if (pc == 0) {
      if (!waits) {
        ATOMIC_ADD(&G(GRID_WANT), 1);
        bend_share(m, lane);
      }
      waits = 1;
      pc = bend_take(m, lane);
      if (pc == 0) {
        if (patience-- == 0) break;
        WAIT();
        continue;
      }
      waits = 0;
    }
    top = G(GRID_POLICY) == EVERY ? (u32)H(HEAD_SP) : (u32)G(GRID_WORDS) - 1;
    n = PARALLEL && bend_wanted(m) ? turn / ASKED_TURN + 1 : turn;
    n = n < fuel ? n : fuel;
    H(HEAD_LIMIT) = top;
    status = bend_run(m, lane, pc, n);
    fuel -= n - (int)(u32)H(HEAD_FUEL) + 1;
    pc = bend_settle(m, lane, status, top);
    if (H(HEAD_ERROR) != 0) {
      ATOMIC_SWAP(&G(GRID_STATE), 0, (u64)index << 32 | FAILED);
      break;
    }
  }
  if (waits) ATOMIC_SUB(&G(GRID_WANT), 1);
  H(HEAD_PC) = pc;
}
