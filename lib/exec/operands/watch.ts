// Reports the addresses of an access to an observer before it is made. Most are in the allocation that the access found last, or
// in the single buffer of their space: those need no lookup.

import type { BoundAddress } from "./access.js";
import type { AddressShape } from "./access-loop.js";
import type { Frame } from "../state/frame.js";
import type { Spot } from "../state/warp.js";

const TWO_32 = 2 ** 32;
const LANES = 32;

/** Makes a function that fills `launch.access` for the lanes of a mask. It throws the fault of a lane with an invalid address. */
export function watcher(bound: BoundAddress, bytes: number): (frame: Frame, mask: number) => void {
  const { locate, home, address, space } = bound;
  const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
  const locateAll = (frame: Frame, mask: number): void => {
    for (let rest = mask; rest !== 0; rest &= rest - 1) locate(frame, 31 - Math.clz32(rest & -rest), spot);
  };
  if (home.kind === "near") {
    const { near } = home;
    return (frame, mask) => {
      if (near.releases !== near.memory.releases) {
        near.last = -1;
        near.releases = near.memory.releases;
      }
      if (!takesAll(frame, mask, address, near.base, near.last)) locateAll(frame, mask);
      else noteAccess(frame, "global", bytes);
    };
  }
  // An address with a rank may be in another block's memory, and is reported with the rank.
  if (home.kind === "stack" || home.isRanked === true || space === undefined) return locateAll;
  const { viewOf } = home;
  return (frame, mask) => {
    const isOwn = frame.warp.block.rank === 0;
    if (!isOwn || !takesAll(frame, mask, address, 0, viewOf(frame).byteLength - bytes)) locateAll(frame, mask);
    else noteAccess(frame, space, bytes);
  };
}

function noteAccess({ warp }: Frame, space: NonNullable<BoundAddress["space"]>, bytes: number): void {
  const { access } = warp.block.launch;
  access.space = space;
  access.bytes = bytes;
}

/**
 * Stores the lanes' addresses in `launch.access`, computed like addressOf in access.ts. Returns whether all are in `base` to
 * `base + last`.
 */
function takesAll(
  frame: Frame,
  mask: number,
  { register, offset, isNarrow = false }: AddressShape,
  base: number,
  last: number,
): boolean {
  const { addresses } = frame.warp.block.launch.access;
  const { words, unsigned } = frame;
  const word = register?.word ?? 0;
  const stride = register?.stride ?? 0;
  const isWide = stride === 2 && !isNarrow;
  let [least, most] = [Infinity, -Infinity];
  for (let lane = 0; lane < LANES; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const at = word + stride * lane;
    const value =
      stride === 0
        ? offset
        : isWide
          ? words[at + 1]! * TWO_32 + unsigned[at]! + offset
          : (unsigned[at]! + offset) >>> 0;
    addresses[lane] = value;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least >= base && most - base <= last;
}
