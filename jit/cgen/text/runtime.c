// The runtime of a lane. Memory is an array of words, m; places in it are word indexes. A
// lane is named by the place of its first word. Its header, its bank and its stack lie
// STRIDE words apart, so that lanes that a GPU runs in step touch neighbours.
#define H(i) m[lane + (i) * STRIDE]
#define S(i) H(STACK + (i)) // a word of its stack
#define G(i) m[GRID + (i)]  // what all lanes share

FN u64 bend_f32(f32 x) { return (u64)BITS_OF(x); }

// Sets the lane's error, if it has none.
FN void bend_fail(MEM m, u32 lane, u32 code, u64 detail) {
  if (H(HEAD_ERROR) == 0) {
    H(HEAD_ERROR) = code;
    H(HEAD_DETAIL) = detail;
  }
}

// Where the words of a lane are that lie side by side: the fields of an opened shared
// node, then the sink, which a failed allocation hands out.
FN u32 bend_own(u32 lane) {
  u32 group = (lane - LANES) / (STRIDE * SIZE), i = (lane - LANES) % (STRIDE * SIZE);
  return LANES + group * (STRIDE * SIZE) + STRIDE * OWN + i * (SIZE - OWN);
}

FN u32 bend_sink(u32 lane) { return bend_own(lane) + SINK; }

// The size class of a block for n words.
FN u32 bend_class(u32 n) {
  u32 c = 0;
  while ((1u << c) < n) c++;
  return c;
}

FN void bend_free(MEM m, u32 lane, u32 at, u32 size_class) {
  m[at] = H(HEAD_FREE + size_class);
  H(HEAD_FREE + size_class) = at;
}

// Takes a block off a free list of the lane, 0 when that is empty.
FN u32 bend_pop(MEM m, u32 lane, u32 size_class) {
  u32 at = (u32)H(HEAD_FREE + size_class);
  if (at != 0) H(HEAD_FREE + size_class) = (u32)m[at];
  return at;
}

// Takes a block out of a larger one of the lane, 0 when there is none.
FN u32 bend_split(MEM m, u32 lane, u32 size_class) {
  for (u32 big = size_class + 1; big < CLASSES; big++) {
    u32 at = bend_pop(m, lane, big);
    if (at == 0) continue;
    while (big-- > size_class) bend_free(m, lane, at + (1u << big), big);
    return at;
  }
  return 0;
}

// Moves what is left of the lane's words that were never used to its free lists.
FN void bend_scrap(MEM m, u32 lane) {
  u64 at = H(HEAD_BUMP), end = H(HEAD_END);
  for (u32 c = CLASSES; c-- > 0;) {
    for (; at + ((u64)1 << c) <= end; at += (u64)1 << c) bend_free(m, lane, (u32)at, c);
  }
  H(HEAD_BUMP) = H(HEAD_END) = 0;
}

// Lanes share free blocks by whole lists. The first word of a list that was given has the
// place of the next list in its upper half; the head counts its changes there, so that it
// is not taken for what it was before.
FN void bend_give(MEM m, u32 lane, u32 size_class) {
  u32 at = (u32)H(HEAD_FREE + size_class);
  if (at == 0) return;
  H(HEAD_FREE + size_class) = 0;
  for (;;) {
    u64 old = ATOMIC_LOAD(&G(GRID_FREE + size_class));
    m[at] = (old & 0xffffffffu) << 32 | (u32)m[at];
    FENCE();
    if (ATOMIC_SWAP(&G(GRID_FREE + size_class), old, ((old >> 32) + 1) << 32 | at)) return;
  }
}

// Takes a list that another lane gave; false when there is none.
FN int bend_get(MEM m, u32 lane, u32 size_class) {
  for (;;) {
    u64 old = ATOMIC_LOAD(&G(GRID_FREE + size_class));
    u32 at = (u32)old;
    if (at == 0) return 0;
    FENCE();
    if (ATOMIC_SWAP(&G(GRID_FREE + size_class), old, ((old >> 32) + 1) << 32 | ATOMIC_LOAD(&m[at]) >> 32)) {
      FENCE();
      H(HEAD_FREE + size_class) = at;
      return 1;
    }
  }
}

// Gives all that is free on the lane, once little is left that was never used.
SLOW void bend_share(MEM m, u32 lane) {
  if (ATOMIC_LOAD(&G(GRID_BUMP)) <= G(GRID_SOFT)) return;
  bend_scrap(m, lane);
  for (u32 c = 0; c < CLASSES; c++) bend_give(m, lane, c);
}

// Takes words that were never used; false when there are not enough.
FN int bend_chunk(MEM m, u32 lane, u32 size_class) {
  for (;;) {
    u64 at = ATOMIC_LOAD(&G(GRID_BUMP)), end = G(GRID_END), n = (u64)1 << size_class;
    if (n < G(GRID_CHUNK)) n = G(GRID_CHUNK);
    if (n > end - at) n = end - at;
    if (n < (u64)1 << size_class) return 0;
    if (ATOMIC_SWAP(&G(GRID_BUMP), at, at + n)) {
      bend_scrap(m, lane);
      H(HEAD_BUMP) = at;
      H(HEAD_END) = at + n;
      return 1;
    }
  }
}

// Finds a block when the lane has none of its class and too few unused words.
SLOW u32 bend_refill(MEM m, u32 lane, u32 size_class) {
  u32 at;
  if (bend_chunk(m, lane, size_class)) {
    at = (u32)H(HEAD_BUMP);
    H(HEAD_BUMP) = (u64)at + ((u64)1 << size_class);
    return at;
  }
  if (bend_get(m, lane, size_class)) return bend_pop(m, lane, size_class);
  at = bend_split(m, lane, size_class);
  for (u32 big = size_class + 1; at == 0 && big < CLASSES; big++) {
    if (bend_get(m, lane, big)) at = bend_split(m, lane, size_class);
  }
  if (at != 0) return at;
  bend_fail(m, lane, OUT_OF_HEAP, 0);
  return bend_sink(lane);
}

// Returns a block, the sink when the heap is full.
FN u32 bend_alloc(MEM m, u32 lane, u32 size_class) {
  u64 at = (u32)H(HEAD_FREE + size_class);
  if (at != 0) {
    H(HEAD_FREE + size_class) = (u32)m[at];
    return (u32)at;
  }
  at = H(HEAD_BUMP);
  if (at + ((u64)1 << size_class) <= H(HEAD_END)) {
    H(HEAD_BUMP) = at + ((u64)1 << size_class);
    return (u32)at;
  }
  return bend_refill(m, lane, size_class);
}

FN u32 bend_size(u64 w) { return (u32)(w >> SIZE_SHIFT) & 0xff; }
FN int bend_boxed(u64 w) { return bend_size(w) != 0; }
FN int bend_shared(u64 w) { return w >> 63 != 0; }

// The node of a word.
FN u32 bend_node(MEM m, u64 w) {
  return bend_shared(w) ? (u32)(ATOMIC_LOAD(&m[(u32)w]) >> COUNT_SHIFT) : (u32)w;
}

FN u64 bend_two(MEM m, u32 at, u64 w) {
  m[at] = (w & 0xffffffffu) << COUNT_SHIFT | 2;
  return (w & ~(u64)0xffffffffu) | (u64)1 << 63 | at;
}

// Gives a word one more owner.
SLOW u64 bend_keep(MEM m, u32 lane, u64 w) {
  if (!bend_boxed(w)) return w;
  if (!bend_shared(w)) return bend_two(m, bend_alloc(m, lane, 0), w);
  for (;;) {
    u64 cell = ATOMIC_LOAD(&m[(u32)w]);
    if ((cell & COUNT_MAX) == COUNT_MAX) {
      bend_fail(m, lane, COPIES, 0);
      return w;
    }
    if (ATOMIC_SWAP(&m[(u32)w], cell, cell + 1)) return w;
  }
}

// Gives up a word and all that only it holds. The nodes that wait are chained through
// their first words.
SLOW void bend_drop(MEM m, u32 lane, u64 w) {
  u32 todo = 0, cur = 0, i = 0, n = 0;
  if (H(HEAD_ERROR) != 0) return;
  for (;;) {
    while (bend_boxed(w)) {
      u32 at = (u32)w;
      u64 first;
      if (bend_shared(w)) {
        u64 cell;
        FENCE();
        cell = ATOMIC_SUB(&m[at], 1);
        if ((cell & COUNT_MAX) > 1) break;
        FENCE();
        bend_free(m, lane, at, 0);
        at = (u32)(cell >> COUNT_SHIFT);
      }
      first = m[at];
      m[at] = (u64)bend_size(w) << 32 | todo;
      todo = at;
      w = first;
    }
    if (i < n) {
      w = m[cur + i++];
      continue;
    }
    if (cur != 0) bend_free(m, lane, cur, bend_class(n));
    if (todo == 0) return;
    cur = todo;
    n = (u32)(m[cur] >> 32);
    todo = (u32)m[cur];
    i = 1;
    w = 0;
  }
}

// Gives the field at a place, of a node that has several owners, one more owner.
SLOW u64 bend_seal(MEM m, u32 lane, u32 place) {
  for (;;) {
    u64 w = ATOMIC_LOAD(&m[place]), shared;
    u32 at;
    if (!bend_boxed(w)) return w;
    if (bend_shared(w)) return bend_keep(m, lane, w);
    at = bend_alloc(m, lane, 0);
    if (at == bend_sink(lane)) return w;
    shared = bend_two(m, at, w);
    FENCE();
    if (ATOMIC_SWAP(&m[place], w, shared)) return shared;
    bend_free(m, lane, at, 0);
  }
}

// Takes the node of a word apart and returns where its fields are.
SLOW u32 bend_open(MEM m, u32 lane, u64 w) {
  u32 n = bend_size(w), at = (u32)w, to = bend_own(lane);
  if (bend_shared(w)) {
    u64 cell = ATOMIC_LOAD(&m[at]);
    u32 node = (u32)(cell >> COUNT_SHIFT);
    FENCE();
    if ((cell & COUNT_MAX) > 1) {
      for (u32 i = 0; i < n; i++) m[to + i] = bend_seal(m, lane, node + i);
      bend_drop(m, lane, w);
      return to;
    }
    bend_free(m, lane, at, 0);
    at = node;
  }
  for (u32 i = 0; i < n; i++) m[to + i] = m[at + i];
  bend_free(m, lane, at, bend_class(n));
  return to;
}

// Entry i of a table of 32 bits in the static data.
FN u32 bend_table(MEM m, u32 i) { return (u32)(m[STATIC + i / 2] >> (i % 2 * 32)); }

// Makes the String of n code points.
SLOW u64 bend_text(MEM m, u32 lane, u32 from, u32 n) {
  u64 w = (u64)1 << TAG_SHIFT;
  while (n-- > 0) {
    u32 at = bend_alloc(m, lane, 1);
    if (at == bend_sink(lane)) break;
    m[at] = bend_table(m, from + n);
    m[at + 1] = w;
    w = (u64)2 << TAG_SHIFT | (u64)2 << SIZE_SHIFT | (u64)1 << AUX_SHIFT | at;
  }
  return w;
}

// Makes a chain of count nodes like node, of n fields: field pos is the node before, w at
// first, and the others are at from.
SLOW u64 bend_chain(MEM m, u32 lane, u32 from, u32 count, u32 n, u32 pos, u64 node, u64 w) {
  for (; count > 0; count--) {
    u32 at = bend_alloc(m, lane, bend_class(n));
    if (at == bend_sink(lane)) break;
    for (u32 i = 0; i < n; i++) m[at + i] = i == pos ? w : m[from++];
    w = node | at;
  }
  return w;
}

// The segment that gives a closure its next argument.
FN u32 bend_applied(MEM m, u64 fn) {
  u32 id = (u32)(fn >> AUX_SHIFT) & 0xffff;
  return id < FUNCTIONS ? bend_table(m, id) : MISSING;
}

FN u64 bend_bool(int b) { return (u64)1 << TAG_SHIFT | (u64)(b ? 1 : 0) << AUX_SHIFT; }
FN u64 bend_pak(u32 k) { return (u64)1 << TAG_SHIFT | (u64)k << AUX_SHIFT; }
FN u32 bend_index(u64 w) { return (u32)(w >> AUX_SHIFT) & 0xffff; }
FN u64 bend_order(u64 a, u64 b) { return bend_pak(a < b ? 0 : a == b ? 1 : 2); }

FN u64 bend_nat(MEM m, u32 lane, u64 n) {
  if (n <= NAT_MAX) return n;
  bend_fail(m, lane, NAT_OVERFLOW, 0);
  return NAT_MAX;
}

FN u64 bend_nat_mul(MEM m, u32 lane, u64 a, u64 b) {
  return bend_nat(m, lane, a != 0 && b > NAT_MAX / a ? NAT_MAX + 1 : a * b);
}

FN u64 bend_char(MEM m, u32 lane, u64 c) {
  if (c > 0x10ffff || (c & ~(u64)0x7ff) == 0xd800) bend_fail(m, lane, BAD_CHAR, c);
  return c;
}

FN u64 bend_u32_log2(u64 a) {
  u64 n = 0;
  while ((a >>= 1) != 0) n++;
  return n;
}

FN f32 bend_mod(f32 x, f32 y) {
  f32 z = x - x; // 0, but for infinity and NaN
  return z == 0 && y == y && y != 0 ? F32_MOD(x, y) : F32_OF(0x7fc00000u);
}

FN u64 bend_f32_to_u32(f32 x) { return x >= 0 && x < 4294967296.0f ? (u64)(u32)x : 0; }
