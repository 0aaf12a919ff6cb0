// Checks that a .sync instruction's mask names the lane that executes it: anything else is undefined by PTX ISA 9.0 sections
// 9.7.9.6 and 9.7.13.2. The sanitizer reports it and continues; without the sanitizer it is a fault.

import { KernelFault } from "../state/fault.js";
import type { Frame } from "../state/frame.js";
import { firstLane } from "./warp.js";

const maskText = (lanes: number): string => `0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

/** Throws a fault if some of `lanes` are missing in their mask `named`. `name` is the instruction's name. */
export function checkOwnLanes({ warp }: Frame, lanes: number, named: number, name: string): void {
  const outside = lanes & ~named;
  if (outside === 0 || warp.block.launch.sanitizer !== undefined) return;
  const lane = firstLane(outside);
  const others = outside & ~(1 << lane);
  throw new KernelFault(
    "trap",
    `lane ${lane} executes ${name} with the mask ${maskText(named)}, which does not include it`,
    {
      lane,
      ...(others === 0
        ? {}
        : { details: [`the mask does not include lanes ${maskText(others)} either, which also execute it`] }),
      remedy: "include every lane that executes the instruction in its mask",
    },
  );
}
