// What the host launches: a thread for each of count lanes.
extern "C" __global__ void bend_enter(u64 *m, u32 count, int fuel, int turn, u32 stage) {
  u32 index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) bend_pass(m, index, fuel, turn, stage);
}
