// The runtime of a lane. Memory is an array of words, m; places in it are word indexes,
// but for what the host shares: the header of a lane holds byte addresses, and a free
// block begins with the byte address of the next one.

FN u64 bend_f32(f32 x) { return (u64)BITS_OF(x); }

// Sets the lane's error, if it has none.
FN void bend_fail(MEM m, u32 lane, u32 code, u64 detail) {
  if (m[lane + HEAD_ERROR] == 0) {
    m[lane + HEAD_ERROR] = code;
    m[lane + HEAD_DETAIL] = detail;
  }
}

// The size class of a block for n words.
FN u32 bend_class(u32 n) {
  u32 c = 0;
  while ((1u << c) < n) c++;
  return c;
}

FN void bend_free(MEM m, u32 lane, u32 at, u32 size_class) {
  m[at] = m[lane + HEAD_FREE + size_class];
  m[lane + HEAD_FREE + size_class] = (u64)at * 8;
}

// Returns a block, the sink when the heap is full.
FN u32 bend_alloc(MEM m, u32 lane, u32 size_class) {
  u64 at = m[lane + HEAD_FREE + size_class] & 0xffffffffu;
  if (at != 0) {
    m[lane + HEAD_FREE + size_class] = m[at / 8] & 0xffffffffu;
    return (u32)(at / 8);
  }
  at = m[lane + HEAD_BUMP];
  if (at + ((u64)8 << size_class) <= m[lane + HEAD_END]) {
    m[lane + HEAD_BUMP] = at + ((u64)8 << size_class);
    return (u32)(at / 8);
  }
  for (u32 big = size_class + 1; big < 32; big++) {
    at = m[lane + HEAD_FREE + big] & 0xffffffffu;
    if (at == 0) continue;
    m[lane + HEAD_FREE + big] = m[at / 8] & 0xffffffffu;
    while (big-- > size_class) bend_free(m, lane, (u32)(at / 8) + (1u << big), big);
    return (u32)(at / 8);
  }
  bend_fail(m, lane, OUT_OF_HEAP, 0);
  return lane + SINK;
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
FN u64 bend_keep(MEM m, u32 lane, u64 w) {
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
FN void bend_drop(MEM m, u32 lane, u64 w) {
  u32 todo = 0, cur = 0, i = 0, n = 0;
  if (m[lane + HEAD_ERROR] != 0) return;
  for (;;) {
    while (bend_boxed(w)) {
      u32 at = (u32)w;
      u64 first;
      if (bend_shared(w)) {
        u64 cell = ATOMIC_SUB(&m[at], 1);
        if ((cell & COUNT_MAX) > 1) break;
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
FN u64 bend_seal(MEM m, u32 lane, u32 place) {
  for (;;) {
    u64 w = ATOMIC_LOAD(&m[place]), shared;
    u32 at;
    if (!bend_boxed(w)) return w;
    if (bend_shared(w)) return bend_keep(m, lane, w);
    at = bend_alloc(m, lane, 0);
    if (at == lane + SINK) return w;
    shared = bend_two(m, at, w);
    if (ATOMIC_SWAP(&m[place], w, shared)) return shared;
    bend_free(m, lane, at, 0);
  }
}

// Takes the node of a word apart and returns where its fields are.
FN u32 bend_open(MEM m, u32 lane, u64 w) {
  u32 n = bend_size(w), at = (u32)w, to = lane + SCRATCH;
  if (bend_shared(w)) {
    u64 cell = ATOMIC_LOAD(&m[at]);
    u32 node = (u32)(cell >> COUNT_SHIFT);
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
FN u64 bend_text(MEM m, u32 lane, u32 from, u32 n) {
  u64 w = (u64)1 << TAG_SHIFT;
  while (n-- > 0) {
    u32 at = bend_alloc(m, lane, 1);
    if (at == lane + SINK) break;
    m[at] = bend_table(m, from + n);
    m[at + 1] = w;
    w = (u64)2 << TAG_SHIFT | (u64)2 << SIZE_SHIFT | (u64)1 << AUX_SHIFT | at;
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

FN u64 bend_log2(u64 a) {
  u64 n = 0;
  while ((a >>= 1) != 0) n++;
  return n;
}

FN f32 bend_mod(f32 x, f32 y) {
  f32 z = x - x; // 0, but for infinity and NaN
  return z == 0 && y == y && y != 0 ? F32_MOD(x, y) : F32_OF(0x7fc00000u);
}

FN u64 bend_f32_to_u32(f32 x) { return x >= 0 && x < 4294967296.0f ? (u64)(u32)x : 0; }
