// What the host dispatches: a thread for each of count lanes.
struct launch {
  u32 count;
  int fuel, turn;
  u32 stage;
};

kernel void bend_enter(device u64 *m [[buffer(0)]], constant launch &l [[buffer(1)]],
                       u32 index [[thread_position_in_grid]]) {
  if (index < l.count) bend_pass(m, index, l.fuel, l.turn, l.stage);
}
