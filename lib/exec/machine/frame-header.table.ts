// The first words of a frame: its function and its caller, as byte offsets, so that generated code can create and leave frames.
// Addresses are offsets in the arena; 0 means none.

export const HEADER = {
  /** Lanes that have not returned. */
  live: 0,
  /** Byte offsets in each lane's local memory: where the frame's variables begin, and where free memory begins. */
  localBase: 4,
  localTop: 8,
  /** Number of calls below this one. */
  depth: 12,
  /** The pc at which its lanes resume in the caller's frame. */
  returnPc: 16,
  /** The caller's frame. */
  parent: 20,
  /**
   * `link`: for generated code, the record of bytes to copy on return (fast/context.table.ts, LINK). `fn`: the function (FUNCTION
   * there).
   */
  link: 24,
  fn: 28,
  /** 1 if generated code has made the call and the host's object has not been updated. */
  isNew: 32,
  /** The next free frame, while this one is free. */
  next: 36,
} as const;

/** A multiple of 32, so that what follows the header is aligned as it would be without it. */
export const HEADER_WORDS = 32;
export const HEADER_BYTES = 4 * HEADER_WORDS;
