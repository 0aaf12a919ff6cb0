// %tid of every lane of every warp, as generated code loads it: one table for each shape of a block.

import type { Dimensions } from "../../base/dimensions.js";
import type { Arena, ArenaBlock } from "../../load/arena.js";

/** Bytes of a warp: x, y and z of 32 lanes. */
export const WARP_BYTES = 3 * 128;
/** Most shapes with tables in the arena. */
const MAX_SHAPES = 64;

/** The address of a warp's indices. */
export type ThreadIndices = (shape: Dimensions, warp: number) => number;

export function createThreadIndices(arena: Arena): ThreadIndices {
  const known = new Map<string, ArenaBlock>();
  let last: { readonly shape: Dimensions; readonly offset: number } | undefined;
  return (shape, warp) => {
    if (last?.shape !== shape) {
      const key = shape.join();
      let storage = known.get(key);
      if (storage === undefined) {
        if (known.size >= MAX_SHAPES) {
          for (const old of known.values()) arena.giveBack(old);
          known.clear();
        }
        storage = indices(arena, shape);
        known.set(key, storage);
      }
      last = { shape, offset: storage.offset };
    }
    return last.offset + WARP_BYTES * warp;
  };
}

function indices(arena: Arena, [x, y, z]: Dimensions): ArenaBlock {
  const warps = Math.ceil((x * y * z) / 32);
  const storage = arena.take(WARP_BYTES * warps);
  if (storage === undefined) throw new RangeError("no room for the indices of threads");
  for (let thread = 0; thread < 32 * warps; thread++) {
    const at = WARP_BYTES * (thread >>> 5) + 4 * (thread & 31);
    storage.view.setInt32(at, thread % x, true);
    storage.view.setInt32(at + 128, Math.floor(thread / x) % y, true);
    storage.view.setInt32(at + 256, Math.floor(thread / (x * y)), true);
  }
  return storage;
}
