// What the host calls: (memory, first word of the lane, segment, fuel) -> status.
int bend_enter(u64 *m, u32 lane, u32 pc, int fuel) { return bend_run(m, lane, pc, fuel); }
