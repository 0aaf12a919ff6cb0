// Memory that generated WebAssembly code reaches: one shared memory for each process with its allocations, shared and local
// memory, parameters and registers. It reserves addresses for 4 GiB, the most of 32-bit WebAssembly, and uses pages of the
// machine when they are first touched. Growing it keeps all views valid, since it is shared.
//
// Host threads that share the memory (workers) allocate from it independently: its first bytes hold the end of the used part, and
// each thread keeps the blocks that are returned to it.
//
// Small blocks have a few sizes (four to a power of two) and are kept by size when returned: joining neighbours would cost more
// than the quarter that is lost. Large blocks are joined with their neighbours; small ones only if space runs out. The machine's
// pages thus follow the peak use.
// (Rejected: a memory for each allocation. Code would need one import for each.)

import { webAssembly, type WasmMemory } from "../base/web-assembly.js";
import { createFreeRanges } from "./free-ranges.js";

/** Bytes somewhere, zero at first. */
export interface Stretch {
  /** Where they begin in the arena's memory; -1 where they are elsewhere. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export interface Arena {
  readonly memory: WasmMemory;
  /** Bytes that another thread has taken. */
  at(offset: number, size: number): Stretch;
  /** `size` zeroed bytes at a multiple of 256; undefined when there is no room. */
  take(size: number): Stretch | undefined;
  /** Returns them; their bytes must not be used any more. */
  giveBack(stretch: Stretch): void;
}

const PAGE = 2 ** 16;
const MOST_PAGES = 2 ** 16;
const UNIT = 256;
/** Pages by which it grows at least: a call costs more than the addresses. */
const GROWTH = 64;
/** Blocks from this size on are large. */
const LARGE = 2 ** 20;

/** Undefined where the host has no such memory. */
export function createArena(): Arena | undefined {
  const memory = reserve();
  if (memory === undefined) return undefined;
  // Nothing lies at 0, so that a zero in generated code's tables means nothing.
  new Int32Array(memory.buffer, 0, 1)[TOP] = 1;
  return joinArena(memory);
}

/** Word of the memory that says how many units are used. */
const TOP = 0;

/** The arena in a memory that another thread has made. */
export function joinArena(memory: WasmMemory): Arena {
  /** Offsets of small blocks by size, and all else that was given back. */
  const small = new Map<number, number[]>();
  const ranges = createFreeRanges();
  const head = new Int32Array(memory.buffer, 0, 1);
  const room = (end: number): boolean => {
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing <= 0) return true;
    const most = MOST_PAGES - memory.buffer.byteLength / PAGE;
    if (missing > most) return false;
    try {
      memory.grow(Math.min(most, Math.max(missing, GROWTH)));
      return true;
    } catch {
      return false;
    }
  };
  /**
   * Moves the end of the used part, including the free range before it. Returns the offset of the new bytes, and from where on
   * they are zero.
   */
  const extend = (size: number): { readonly offset: number; readonly fresh: number } | undefined => {
    for (;;) {
      const top = Atomics.load(head, TOP);
      const end = top * UNIT;
      const before = size < LARGE ? undefined : ranges.takeBefore(end);
      const missing = size - (before?.size ?? 0);
      const isRoom = room(end + missing);
      if (isRoom && Atomics.compareExchange(head, TOP, top, top + missing / UNIT) === top)
        return { offset: before?.offset ?? end, fresh: end };
      if (before !== undefined) ranges.add(before);
      if (!isRoom) return undefined;
    }
  };
  const joinSmall = (): void => {
    for (const [size, offsets] of small) for (const offset of offsets) ranges.add({ offset, size });
    small.clear();
  };
  return {
    memory,
    at: (offset, size) => stretchAt(memory, offset, size),
    take(size) {
      const block = blockSize(size);
      const dirty = block < LARGE ? small.get(block)?.pop() : ranges.take(block);
      if (dirty !== undefined) return zeroed(stretchAt(memory, dirty, size), size);
      const extended = extend(block);
      if (extended !== undefined)
        return zeroed(stretchAt(memory, extended.offset, size), extended.fresh - extended.offset);
      joinSmall();
      const joined = ranges.take(block);
      return joined === undefined ? undefined : zeroed(stretchAt(memory, joined, size), size);
    },
    giveBack({ offset, bytes }) {
      const size = blockSize(bytes.length);
      if (size >= LARGE) ranges.add({ offset, size });
      else if (small.get(size)?.push(offset) === undefined) small.set(size, [offset]);
    },
  };
}

/** The stretch, of which so many bytes were used before. */
function zeroed(stretch: Stretch, used: number): Stretch {
  stretch.bytes.fill(0, 0, used);
  return stretch;
}

/** Zeroed bytes in the arena, or of their own where there is no arena or no room. */
export function takeBytes(arena: Arena | undefined, size: number): Stretch {
  const found = arena?.take(size);
  if (found !== undefined) return found;
  const bytes = new Uint8Array(size);
  return { offset: -1, bytes, view: new DataView(bytes.buffer) };
}

/** Gives bytes of `takeBytes` back. */
export function giveBytesBack(arena: Arena | undefined, stretch: Stretch): void {
  if (stretch.offset >= 0) arena?.giveBack(stretch);
}

function reserve(): WasmMemory | undefined {
  if (webAssembly === undefined) return undefined;
  try {
    return new webAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
  } catch {
    return undefined;
  }
}

function stretchAt(memory: WasmMemory, offset: number, size: number): Stretch {
  // Memory grown by another thread becomes visible late; growing by 0 makes it visible now.
  if (offset + size > memory.buffer.byteLength) memory.grow(0);
  const { buffer } = memory;
  return { offset, bytes: new Uint8Array(buffer, offset, size), view: new DataView(buffer, offset, size) };
}

/**
 * The size of the block that holds so many bytes: up to 1 KiB a multiple of 256, then one of four between powers of two; whole
 * pages of a large one.
 */
function blockSize(size: number): number {
  if (size >= LARGE) return Math.ceil(size / PAGE) * PAGE;
  if (size <= 4 * UNIT) return Math.max(1, Math.ceil(size / UNIT)) * UNIT;
  const step = 2 ** (Math.floor(Math.log2(size - 1)) - 2);
  return Math.ceil(size / step) * step;
}
