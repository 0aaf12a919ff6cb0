// Memory that generated WebAssembly code can access: one shared memory for each process. It holds the process's allocations,
// shared and local memory, parameters and registers. It reserves 4 GiB of addresses, the maximum of 32-bit WebAssembly; physical
// pages are used when they are first touched. Growing it keeps all views valid, since it is shared.
//
// Host threads that share the memory (workers) allocate from it independently: its first bytes hold the end of the used part, and
// each thread keeps the blocks that are returned to it.
//
// Small blocks have a few sizes (four to a power of two) and are kept by size when returned. Joining neighbours would cost more
// than the quarter that is lost. Large blocks are joined with their neighbours; small ones only if space runs out. Physical
// memory thus follows the peak use. (Rejected: a memory for each allocation. Code would need one import for each.)

import { webAssembly, type WasmMemory } from "../base/web-assembly.js";
import { createFreeRanges } from "./free-ranges.js";

/** A range of bytes in the arena or in a buffer of its own; zeroed when allocated. */
export interface ArenaBlock {
  /** Offset of the first byte in the arena; -1 if the bytes are outside it. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export interface Arena {
  readonly memory: WasmMemory;
  /** A view of bytes that another thread allocated. */
  at(offset: number, size: number): ArenaBlock;
  /** Allocates `size` zeroed bytes at a multiple of 256; undefined if there is no room. */
  take(size: number): ArenaBlock | undefined;
  /** Frees a block; its bytes must not be used any more. */
  giveBack(storage: ArenaBlock): void;
}

const PAGE = 2 ** 16;
const MAX_PAGES = 2 ** 16;
const UNIT = 256;
/** Smallest growth, in pages: a call to `grow` costs more than unused addresses. */
const GROWTH = 64;
/** Blocks from this size on are large. */
const LARGE = 2 ** 20;

/** Creates an arena; undefined where the host has no shared WebAssembly memory. */
export function createArena(): Arena | undefined {
  const memory = reserve();
  if (memory === undefined) return undefined;
  // Offset 0 is never allocated, so that generated code's tables can use 0 for "none".
  new Int32Array(memory.buffer, 0, 1)[TOP] = 1;
  return joinArena(memory);
}

/** Word of the memory that holds the number of used units. */
const TOP = 0;

/** The arena in a memory that another thread created. */
export function joinArena(memory: WasmMemory): Arena {
  /** Free small blocks, as offsets by size; other free bytes are in `ranges`. */
  const small = new Map<number, number[]>();
  const ranges = createFreeRanges();
  const head = new Int32Array(memory.buffer, 0, 1);
  const room = (end: number): boolean => {
    const missing = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (missing <= 0) return true;
    const most = MAX_PAGES - memory.buffer.byteLength / PAGE;
    if (missing > most) return false;
    try {
      memory.grow(Math.min(most, Math.max(missing, GROWTH)));
      return true;
    } catch {
      return false;
    }
  };
  /**
   * Moves the end of the used part up, reusing the free range before it. Returns the offset of the new bytes, and the offset from
   * which they are still zero.
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
    at: (offset, size) => blockAt(memory, offset, size),
    take(size) {
      const block = blockSize(size);
      const dirty = block < LARGE ? small.get(block)?.pop() : ranges.take(block);
      if (dirty !== undefined) return zeroed(blockAt(memory, dirty, size), size);
      const extended = extend(block);
      if (extended !== undefined)
        return zeroed(blockAt(memory, extended.offset, size), extended.fresh - extended.offset);
      joinSmall();
      const joined = ranges.take(block);
      return joined === undefined ? undefined : zeroed(blockAt(memory, joined, size), size);
    },
    giveBack({ offset, bytes }) {
      const size = blockSize(bytes.length);
      if (size >= LARGE) ranges.add({ offset, size });
      else if (small.get(size)?.push(offset) === undefined) small.set(size, [offset]);
    },
  };
}

/** Clears the first `used` bytes of a block, which earlier allocations wrote. */
function zeroed(storage: ArenaBlock, used: number): ArenaBlock {
  storage.bytes.fill(0, 0, used);
  return storage;
}

/** Allocates zeroed bytes in the arena, or in a buffer of their own if there is no arena or no room. */
export function allocateBytes(arena: Arena | undefined, size: number): ArenaBlock {
  const found = arena?.take(size);
  if (found !== undefined) return found;
  const bytes = new Uint8Array(size);
  return { offset: -1, bytes, view: new DataView(bytes.buffer) };
}

/** Frees bytes that `allocateBytes` allocated. */
export function releaseBytes(arena: Arena | undefined, storage: ArenaBlock): void {
  if (storage.offset >= 0) arena?.giveBack(storage);
}

function reserve(): WasmMemory | undefined {
  if (webAssembly === undefined) return undefined;
  try {
    return new webAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  } catch {
    return undefined;
  }
}

function blockAt(memory: WasmMemory, offset: number, size: number): ArenaBlock {
  // Memory grown by another thread becomes visible late; growing by 0 makes it visible now.
  if (offset + size > memory.buffer.byteLength) memory.grow(0);
  const { buffer } = memory;
  return { offset, bytes: new Uint8Array(buffer, offset, size), view: new DataView(buffer, offset, size) };
}

/**
 * The size of the block for so many bytes: multiples of 256 up to 1 KiB, then four sizes for each power of two. Large blocks are
 * whole pages.
 */
function blockSize(size: number): number {
  if (size >= LARGE) return Math.ceil(size / PAGE) * PAGE;
  if (size <= 4 * UNIT) return Math.max(1, Math.ceil(size / UNIT)) * UNIT;
  const step = 2 ** (Math.floor(Math.log2(size - 1)) - 2);
  return Math.ceil(size / step) * step;
}
