// Fields of the context of generated code as byte offsets: the running block and warp, its memory, and results. Each host thread
// has one context; its address is the first parameter of every generated function. Fields are 32-bit words unless noted.

export const CONTEXT = {
  /** Results of the driver. */
  issued: 0,
  threads: 4,
  left: 8,
  index: 12,
  taken: 16,
  /** The pc where the group resumes. */
  pc: 116,
  /** The mask of the group that runs. */
  mask: 120,
  /** The reason why a warp stopped turns. */
  reason: 124,
  /** Lanes whose guard held, summed over the guarded instructions inside blocks. */
  guarded: 20,
  /** The frame: address of its words, and the bounds of its part of each lane's local memory. */
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
  /** Address of the records of cached regions (sites.ts). */
  sites: 112,
  /** The last miss: 64-bit addresses of four lanes, the lanes that missed, and the access's site. */
  missed: 128,
  missedLanes: 160,
  missedSite: 164,
  /** 1 while no other thread of the host runs blocks of the launch. */
  isAlone: 168,
  parametersSize: 176,
  /** Recently used regions: address of the first record, and end of the last. */
  metRegions: 184,
  metEnd: 188,
  /** Rank of the block in its cluster. */
  rank: 180,
  /** Dummy word for the atomic operation of a fence. */
  fenced: 172,
  /** For each set of four lanes 16 bytes: all ones for its lanes. */
  masks: 192,
  /** Bytes that inactive lanes read. */
  nowhere: 448,
  /** Number of the running group in its warp, and of the warp in its block; instructions in the warp's record before this run. */
  group: 512,
  warp: 516,
  warpIssued: 520,
  /** Instructions that the warp may still issue. */
  warpLeft: 524,
  /** Instructions that all warps issued before the current run, and the lanes that executed them. */
  total: 528,
  totalThreads: 532,
  /** Lanes that wait at barrier 0, and whether it has opened. */
  arrived: 536,
  hasOpened: 540,
  /** Limits of turns (turn.ts), in instructions: for a warp in one turn, the first block, each later block, and all together. */
  share: 544,
  quota: 548,
  slice: 552,
  allowance: 556,
  /** Index of the running block, and the end of the indices that may follow. */
  number: 560,
  end: 564,
  /** Threads of a block; those that have not exited. */
  threadsPerBlock: 568,
  live: 572,
  /** Address and bytes of the registers' initial contents; 0 if no instruction reads them. */
  image: 576,
  imageBytes: 580,
  /** The value of `total` when the block began; turns that have ended. */
  begun: 584,
  turns: 588,
  /** Addresses for the function of the running frame: its record, its blocks' records, and its block numbers by pc. */
  fn: 592,
  blocks: 596,
  blockAt: 600,
  /** Lanes whose call, return or exit is counted, but left to the interpreter to execute. */
  undone: 604,
  /**
   * For the sanitizer's screening pass: barriers and blocks counted, the count when the block began, and 1 after a failed check.
   */
  epoch: 608,
  blockEpoch: 612,
  isSuspect: 616,
  /** Of observed launches: where the record of the block that runs begins, and the last place where one may (issue-log.ts). */
  log: 620,
  logEnd: 624,
} as const;
export const CONTEXT_BYTES = 632;

/**
 * Record of a function: addresses of its blocks and of the block numbers by pc; bytes of local memory of a call; address and
 * bytes of the registers' initial contents; first free frame.
 */
export const FUNCTION = { blocks: 0, blockAt: 4, frameBytes: 8, image: 12, imageBytes: 16, pool: 20 } as const;
export const FUNCTION_BYTES = 24;

/** Record of a call site: the callee, the numbers of arguments and results, then their copies (COPY) in this order. */
export const LINK = { fn: 0, argumentCount: 4, resultCount: 8, copies: 12 } as const;

/**
 * Record of a copy between frames. `from` and `to` are byte offsets in the frame's words or, where the bytes from lane to lane
 * (`fromLane`, `toLane`) are 0, in its local memory.
 */
export const COPY = { from: 0, fromLane: 4, to: 8, toLane: 12, bytes: 16 } as const;
export const COPY_BYTES = 20;

/** Most records in the list of recently used regions. */
export const MAX_RECENT_REGIONS = 16;

/**
 * Record of the region that an access caches: base address (64 bits), size, offset in the arena. `isShared`: 1 if the last
 * generic access that was located lane by lane was to shared memory.
 */
export const SITE = { base: 0, size: 8, offset: 12, isShared: 16 } as const;
export const SITE_BYTES = 24;
/** Bytes of the fields that describe the region itself. */
export const REGION_BYTES = 16;

/** A group of lanes. */
export const GROUP = { pc: 0, mask: 4, penalty: 8, frame: 12 } as const;
export const GROUP_BYTES = 16;

/** Record of a warp. Its groups wait for nothing, or its only group waits at the block's barrier. */
export const WARP = {
  /** Address of the kernel's frame words. The next fields are as in the context. */
  words: 0,
  local: 4,
  localStride: 8,
  tid: 12,
  warpid: 16,
  /** Lanes with which the warp begins a block. */
  lanes: 20,
  /** 1: waits at barrier 0. */
  waits: 24,
  /** Instructions issued since the record was filled or the block began; the same count at the start of its last turn. */
  issued: 28,
  before: 32,
  /** 1: its share is used up. */
  isReady: 36,
  /** 1: its lanes have exited. */
  hasExited: 40,
  /** 0: all lanes have exited. */
  groupCount: 44,
  groups: 48,
} as const;
export const WARP_BYTES = WARP.groups + 32 * GROUP_BYTES;

/** Record of a basic block. */
export const BLOCK = {
  /** Index in the table of functions; 0: not compiled. */
  fn: 0,
  /** Its cost from a group's budget, and its number of instructions. */
  cost: 4,
  instructions: 8,
  /** Number of instructions without a guard, which all lanes of the group execute. */
  unguarded: 12,
  /** 1 when it ends with a guarded branch, call or return. */
  isConditional: 16,
  /** Where it goes when all lanes branch, and when none does: block and pc. */
  taken: 20,
  takenPc: 24,
  next: 28,
  nextPc: 32,
  /** The pcs of its first and its last instruction. */
  firstPc: 36,
  lastPc: 40,
  /** How the block ends (ENDING); 0: with a branch, or it falls through. A barrier is a block of its own. */
  ending: 44,
  /** 1: it may return no lanes, having done nothing; the interpreter then executes it. */
  mayRefuse: 48,
  /** Of a call: its record (LINK); 0: the interpreter has to execute it. */
  link: 52,
} as const;
export const BLOCK_BYTES = 56;
/** bar.sync 0 of all threads and the end of a kernel, each a block of its own without a guard; other exits, returns and calls. */
export const ENDING = { barrier: 1, end: 2, exit: 3, ret: 4, call: 5 } as const;
/** Target pc of lanes that leave the frame, at no instruction. Their block stays the one from which they leave. */
export const NO_TARGET = -1;

/** Why the driver returned. */
export const REASON = {
  /** The group's next block must be interpreted. */
  step: 0,
  /** Reaches the pc of another group, or jumps back past one. */
  meet: 1,
  /** Its budget is used up. */
  budget: 2,
  /** Some lanes branch and others do not, or lanes call, return or exit; the instruction is counted. */
  split: 3,
} as const;
