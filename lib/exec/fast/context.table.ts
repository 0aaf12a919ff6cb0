// What generated code finds at its context, byte offsets: who runs, where its memory is, and what it answers. One context
// for each thread of the host; its address is the first parameter of every generated function. Words unless said.

export const CONTEXT = {
  /** Answers of the driver. */
  issued: 0,
  threads: 4,
  left: 8,
  index: 12,
  taken: 16,
  /** Where it goes on. */
  pc: 116,
  /** The mask of the group that runs. */
  mask: 120,
  /** Of a block's turn: the reason why a warp stopped it. */
  reason: 124,
  /** Lanes whose guard held, of guarded instructions inside blocks. */
  guarded: 20,
  /** The frame: its words, and its stretch of each lane's local memory. */
  words: 24,
  localBase: 28,
  localTop: 32,
  /** Local memory of the warp. */
  local: 36,
  localStride: 40,
  shared: 44,
  sharedSize: 48,
  parameters: 52,
  constants: 56,
  constantsSize: 60,
  /** Three words each: x, y, z. */
  ctaid: 64,
  ntid: 76,
  nctaid: 88,
  warpid: 100,
  nwarpid: 104,
  /** Address of %tid.x, .y and .z of the warp's 32 lanes, 128 bytes each. */
  tid: 108,
  /** Address of the regions that accesses remember: sites.ts. */
  sites: 112,
  /** The access that no remembered region has: 64-bit addresses of four lanes, and which of them. */
  missed: 128,
  missedLanes: 160,
  missedSite: 164,
  /** 1 while no other thread of the host runs blocks of the launch. */
  isAlone: 168,
  /** For each set of four lanes 16 bytes: all ones for its lanes. */
  masks: 192,
  /** Bytes that lanes read which are not there. */
  nowhere: 448,
  /** Of the scheduler: groups, the one that runs, what the warp may still issue, what it has issued in earlier turns. */
  groupCount: 512,
  current: 516,
  warpLeft: 520,
  total: 524,
  totalThreads: 528,
  /** Of a block's turn: what the warp that runs has issued in it, lanes that wait at barrier 0, whether it has opened. */
  warpIssued: 532,
  arrived: 536,
  hasOpened: 540,
  groups: 544,
} as const;

/** A group of lanes, as the scheduler knows it. */
export const GROUP = { pc: 0, mask: 4, penalty: 8 } as const;
export const GROUP_BYTES = 16;

export const CONTEXT_BYTES = CONTEXT.groups + 32 * GROUP_BYTES;

/** A region that an access remembers: base address (64 bits), size, where it is in the arena. */
export const SITE = { base: 0, size: 8, offset: 12 } as const;
export const SITE_BYTES = 16;

/** A warp of one group, as a block's turn knows it. */
export const WARP = {
  /** As in the context. */
  words: 0,
  local: 4,
  localStride: 8,
  tid: 12,
  warpid: 16,
  pc: 20,
  /** 0: all lanes have exited. */
  mask: 24,
  /** 1: at barrier 0. */
  waits: 28,
  /** Issued in this turn, and by how many lanes. */
  issued: 32,
  threads: 36,
  /** 1: its share is used up. */
  isReady: 40,
  /** 1: its lanes have exited. */
  hasExited: 44,
} as const;
export const WARP_BYTES = 48;

/** A block as the driver knows it. */
export const BLOCK = {
  /** Index in the table of functions; 0: not compiled. */
  fn: 0,
  /** What it takes of a group's budget, and instructions. */
  cost: 4,
  instructions: 8,
  /** Instructions that all lanes of the group execute: without a guard. */
  unguarded: 12,
  /** 1 when it ends with a guarded branch. */
  isConditional: 16,
  /** Where it goes when all lanes branch, and when none does: block and pc. */
  taken: 20,
  takenPc: 24,
  next: 28,
  nextPc: 32,
  /** The pcs of its first and its last instruction. */
  firstPc: 36,
  lastPc: 40,
  /** For a block's turn: 1 when it is bar.sync 0 for all threads, 2 when it is the kernel's end; neither with a guard. */
  ending: 44,
  /** Lanes that have to be in the group; else it is the interpreter's. */
  needs: 48,
} as const;
export const BLOCK_BYTES = 52;
export const ENDING = { barrier: 1, exit: 2 } as const;

/** Why the driver came back. */
export const REASON = {
  /** The group stands at a block that is to be interpreted. */
  step: 0,
  /** It comes to where another group is, or goes back behind one. */
  meet: 1,
  /** Its budget is used up. */
  budget: 2,
  /** Its lanes branch to different places. */
  split: 3,
} as const;
