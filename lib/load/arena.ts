// Bytes that generated WebAssembly code reaches: one shared memory for each process, in which allocations, shared and local
// memory, parameters and registers lie. It reserves addresses for 4 GiB, the most that 32-bit WebAssembly has, and takes
// pages of the machine as they are touched. Growing it leaves all views as they are, since it is shared.
//
// Threads of the host that share the memory (workers) take from it each by itself: how far it is used stands in its first
// bytes, and each keeps what is given back to it.
//
// Blocks are of a few sizes each (four to a power of two), kept by size when given back: a search for neighbours to join
// would cost more than the quarter that is lost. (Rejected: a memory for each allocation. Code would need one import for each.)

import { webAssembly, type WasmMemory } from "../base/web-assembly.js";

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
  /** Gives them back; nobody may look at them any more. */
  giveBack(stretch: Stretch): void;
}

const PAGE = 2 ** 16;
const MOST_PAGES = 2 ** 16;
const UNIT = 256;
/** Pages by which it grows at least: a call costs more than the addresses. */
const GROWTH = 64;

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
  const free = new Map<number, Stretch[]>();
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
  /** Units from the end of what is used; where they begin. */
  const extend = (units: number): number | undefined => {
    for (;;) {
      const top = Atomics.load(head, TOP);
      if (!room((top + units) * UNIT)) return undefined;
      if (Atomics.compareExchange(head, TOP, top, top + units) === top) return top * UNIT;
    }
  };
  return {
    memory,
    at: (offset, size) => stretchAt(memory, offset, size),
    take(size) {
      const block = blockSize(size);
      const used = free.get(block)?.pop();
      if (used !== undefined) {
        const stretch = stretchAt(memory, used.offset, size);
        stretch.bytes.fill(0);
        return stretch;
      }
      const offset = extend(block / UNIT);
      return offset === undefined ? undefined : stretchAt(memory, offset, size);
    },
    giveBack(stretch) {
      const block = blockSize(stretch.bytes.length);
      const list = free.get(block);
      if (list === undefined) free.set(block, [stretch]);
      else list.push(stretch);
    },
  };
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
  // What another thread has grown is seen here at some time; this makes it now.
  if (offset + size > memory.buffer.byteLength) memory.grow(0);
  const { buffer } = memory;
  return { offset, bytes: new Uint8Array(buffer, offset, size), view: new DataView(buffer, offset, size) };
}

/** The size of the block that holds so many bytes: up to 1 KiB a multiple of 256, then one of four between powers of two. */
function blockSize(size: number): number {
  if (size <= 4 * UNIT) return Math.max(1, Math.ceil(size / UNIT)) * UNIT;
  const step = 2 ** (Math.floor(Math.log2(size - 1)) - 2);
  return Math.ceil(size / step) * step;
}
