// What the host launches: a thread for each of count lanes, of size words each, the first
// of which begins at word first. A lane whose segment is 0 has nothing to do.
extern "C" __global__ void bend_enter(u64 *m, u32 first, u32 size, u32 count, int fuel) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    u32 lane = first + i * size, pc = (u32)m[lane + HEAD_PC];
    if (pc != 0) m[lane + HEAD_STATUS] = (u64)bend_run(m, lane, pc, fuel);
  }
}
