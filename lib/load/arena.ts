// Bytes that generated WebAssembly code reaches: one shared memory for each process, in which allocations, shared and local
// memory, parameters and registers lie. It reserves addresses for 4 GiB, the most that 32-bit WebAssembly has, and takes
// pages of the machine as they are touched. Growing it leaves all views as they are, since it is shared.
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
  const free = new Map<number, Stretch[]>();
  // Nothing lies at 0, so that a zero in generated code's tables means nothing.
  let top = UNIT;
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
  return {
    memory,
    take(size) {
      const block = blockSize(size);
      const used = free.get(block)?.pop();
      if (used !== undefined) {
        const stretch = stretchAt(memory, used.offset, size);
        stretch.bytes.fill(0);
        return stretch;
      }
      if (!room(top + block)) return undefined;
      const stretch = stretchAt(memory, top, size);
      top += block;
      return stretch;
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

function stretchAt({ buffer }: WasmMemory, offset: number, size: number): Stretch {
  return { offset, bytes: new Uint8Array(buffer, offset, size), view: new DataView(buffer, offset, size) };
}

/** The size of the block that holds so many bytes: up to 1 KiB a multiple of 256, then one of four between powers of two. */
function blockSize(size: number): number {
  if (size <= 4 * UNIT) return Math.max(1, Math.ceil(size / UNIT)) * UNIT;
  const step = 2 ** (Math.floor(Math.log2(size - 1)) - 2);
  return Math.ceil(size / step) * step;
}
