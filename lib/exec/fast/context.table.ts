// Fields of the context of generated code, byte offsets: the running block and warp, its memory, and results. One context
// for each thread of the host; its address is the first parameter of every generated function. Words unless said.

export const CONTEXT = {
  /** Answers of the driver. */
  issued: 0,
  threads: 4,
  left: 8,
  index: 12,
  taken: 16,
  /** The pc at which it resumes. */
  pc: 116,
  /** The mask of the group that runs. */
  mask: 120,
  /** Of turns: the reason why a warp stopped them. */
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
  parametersSize: 176,
  /** Regions that accesses have met lately, whichever: where they are, and behind the last. */
  metRegions: 184,
  metEnd: 188,
  /** Of the block in its cluster. */
  rank: 180,
  /** Nothing: a place for the atomic step of a fence. */
  fenced: 172,
  /** For each set of four lanes 16 bytes: all ones for its lanes. */
  masks: 192,
  /** Bytes that lanes read which are not there. */
  nowhere: 448,
  /** The group that runs, of its warp; the warp, of its block; what the warp has issued since it is in its record. */
  group: 512,
  warp: 516,
  warpIssued: 520,
  /** Instructions that the warp may still issue. */
  warpLeft: 524,
  /** Instructions that all warps issued before this run of one of them, and the lanes that executed them. */
  total: 528,
  totalThreads: 532,
  /** Lanes that wait at barrier 0, and whether it has opened. */
  arrived: 536,
  hasOpened: 540,
  /** Of turns (turn.ts), what they may do: instructions of a warp in its turn, of the block that runs first, of others, of all. */
  share: 544,
  quota: 548,
  slice: 552,
  allowance: 556,
  /** The block that runs, and where those that may follow it end. */
  number: 560,
  end: 564,
  /** Threads of a block; those that have not exited. */
  threadsPerBlock: 568,
  live: 572,
  /** The initial contents of registers, and their bytes; 0 if no instruction reads them. */
  image: 576,
  imageBytes: 580,
  /** The value of `total` when the block began; turns that have ended. */
  begun: 584,
  turns: 588,
  /** The function of the frame that runs, its blocks and these by pc. */
  fn: 592,
  blocks: 596,
  blockAt: 600,
  /** Lanes whose call, return or end is counted and still to be done by the interpreter. */
  undone: 604,
  /** Of the sanitizer's screening pass: barriers and blocks counted, the count when the block began, and 1 after a failed check. */
  epoch: 608,
  blockEpoch: 612,
  isSuspect: 616,
} as const;
export const CONTEXT_BYTES = 624;

/** A function: blocks, blocks by pc; bytes of local memory of a call; what registers hold at first, and its bytes; frames to be used. */
export const FUNCTION = { blocks: 0, blockAt: 4, frameBytes: 8, image: 12, imageBytes: 16, pool: 20 } as const;
export const FUNCTION_BYTES = 24;

/** A call to a function from one place: how many arguments and results are copied, one behind the other. */
export const LINK = { fn: 0, argumentCount: 4, resultCount: 8, copies: 12 } as const;

/**
 * A copy from one frame to another. From byte `from` on of the frame's words or, where isLocal, of its local memory; bytes
 * from lane to lane (0: those of local memory).
 */
export const COPY = { from: 0, fromLane: 4, to: 8, toLane: 12, bytes: 16 } as const;
export const COPY_BYTES = 20;

/** Regions that are kept in mind for accesses of which several meet different ones. */
export const MOST_MET = 16;

/**
 * A region that an access remembers: base address (64 bits), size, where it is in the arena; of generic accesses, 1 when the last
 * one that was tested lane by lane accessed shared memory.
 */
export const SITE = { base: 0, size: 8, offset: 12, isShared: 16 } as const;
export const SITE_BYTES = 24;
/** Of it, what a region alone has. */
export const REGION_BYTES = 16;

/** A group of lanes. */
export const GROUP = { pc: 0, mask: 4, penalty: 8, frame: 12 } as const;
export const GROUP_BYTES = 16;

/** A warp whose groups wait for nothing, or are one that waits at the block's barrier. */
export const WARP = {
  /** Of the kernel's frame; else as in the context. */
  words: 0,
  local: 4,
  localStride: 8,
  tid: 12,
  warpid: 16,
  /** Lanes that it begins a block with. */
  lanes: 20,
  /** 1: at barrier 0. */
  waits: 24,
  /** Issued since it is here or the block began, and until its last turn. */
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

/** A block as the driver knows it. */
export const BLOCK = {
  /** Index in the table of functions; 0: not compiled. */
  fn: 0,
  /** Its cost from a group's budget, and its instructions. */
  cost: 4,
  instructions: 8,
  /** Instructions that all lanes of the group execute: without a guard. */
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
  /** Its ending, if not a branch; a barrier is the block by itself. */
  ending: 44,
  /** 1: it may answer that it has done nothing, by no lanes; then it is the interpreter's. */
  mayRefuse: 48,
  /** Of a call: its record (LINK); 0: the interpreter has to execute it. */
  link: 52,
} as const;
export const BLOCK_BYTES = 56;
/** bar.sync 0 for all threads, and the end of a kernel, both by themselves and without a guard; other exits, returns and calls. */
export const ENDING = { barrier: 1, end: 2, exit: 3, ret: 4, call: 5 } as const;
/** The pc, outside everything, to which lanes go that are to leave the frame; their block stays the one that they leave at. */
export const NOWHERE = -1;

/** Why the driver came back. */
export const REASON = {
  /** The group's next block must be interpreted. */
  step: 0,
  /** Reaches the pc of another group, or jumps back past one. */
  meet: 1,
  /** Its budget is used up. */
  budget: 2,
  /** Lanes branch and others do not, or some call, return or exit; that is counted. */
  split: 3,
} as const;
