// Tells an observer the addresses of an access before it is made. Most lanes' are in the allocation that the access found last:
// for those nothing has to be looked up.

import type { BoundAddress, Spot } from "./access.js";
import { addressOf } from "./access.js";
import type { Frame } from "./frame.js";

/** Fills `launch.access` for the lanes of a mask; throws the fault of a lane that can access nothing. */
export function watcher({ locate, home, address }: BoundAddress, bytes: number): (frame: Frame, mask: number) => void {
  const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
  if (home.kind !== "near")
    return (frame, mask) => {
      for (let rest = mask; rest !== 0; rest &= rest - 1) locate(frame, 31 - Math.clz32(rest & -rest), spot);
    };
  const { near } = home;
  const valueOf = addressOf(address);
  return (frame, mask) => {
    const { access } = frame.warp.block.launch;
    if (near.releases !== near.memory.releases) {
      near.last = -1;
      near.releases = near.memory.releases;
    }
    access.space = "global";
    access.bytes = bytes;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const value = valueOf(frame, lane);
      const offset = value - near.base;
      if (offset >= 0 && offset <= near.last) access.addresses[lane] = value;
      else locate(frame, lane, spot);
    }
  };
}
