// What the host calls for each lane of a pass.
void bend_enter(u64 *m, u32 index, int fuel, int turn, u32 stage) { bend_pass(m, index, fuel, turn, stage); }
