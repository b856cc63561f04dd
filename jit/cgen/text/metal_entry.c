// What the host dispatches, see the entry for CUDA.
struct launch {
  u32 first, size, count;
  int fuel;
};

kernel void bend_enter(device u64 *m [[buffer(0)]], constant launch &l [[buffer(1)]],
                       u32 i [[thread_position_in_grid]]) {
  if (i < l.count) {
    u32 lane = l.first + i * l.size, pc = (u32)m[lane + HEAD_PC];
    if (pc != 0) m[lane + HEAD_STATUS] = (u64)bend_run(m, lane, pc, l.fuel);
  }
}
