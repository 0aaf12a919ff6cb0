// Watches collectives of a warp: their masks, and shuffles from absent lanes. PTX ISA 9.0 sections 9.7.9.6 and 9.7.13.9 to .14.

import { exchangeSeen } from "./barrier-order.js";
import { warpOrder } from "./order.js";
import { modifier } from "../../isa/opcode.js";
import { sourceOf } from "../meanings/collective.js";
import { lanesIn } from "../machine/walk.js";
import { report } from "./context.js";
import { numberOf, operandNamed, type WatchOf } from "./instruction.js";
import { checkMasks } from "./sync-watch.js";

const collective: WatchOf = (watched) => {
  const mask = operandNamed(watched, "mask");
  if (mask === undefined) return undefined;
  const maskOf = numberOf(watched, mask, -1);
  return (context, warp, { frame, pc }, active) => {
    checkMasks(context, warp, frame, pc, active, (lane) => maskOf(frame, lane), watched.opcode.spelling);
    exchangeSeen(warpOrder(context.order, warp), active);
  };
};

const shuffle: WatchOf = (watched) => {
  const masks = collective(watched);
  const mode = modifier(watched.opcode, "mode")!;
  const maskOf = numberOf(watched, operandNamed(watched, "mask"), -1);
  const [bOf, cOf] = [2, 3].map((i) => numberOf(watched, watched.instruction.operands[i], 0));
  return (context, warp, group, active) => {
    masks?.(context, warp, group, active);
    const { frame, pc } = group;
    for (const lane of lanesIn(active)) {
      const { from, valid } = sourceOf(mode, lane, bOf!(frame, lane), cOf!(frame, lane));
      // Lanes that the mask names may still be on their way here; those that it does not name do not come.
      const mayArrive = ((maskOf(frame, lane) >>> from) & (warp.live >>> from) & 1) !== 0;
      if (!valid || mayArrive) continue;
      report(
        context,
        { warp, frame, pc, lane },
        () => ({
          kind: "warp-mask",
          message: `lane ${lane} reads the register of lane ${from}, which ${((warp.live >>> from) & 1) === 0 ? "has exited" : "is not in the mask"}`,
          remedy: "read only from lanes that execute the shuffle, or let all lanes of the mask reach it",
        }),
        "mask:source",
      );
    }
  };
};

/** By base opcode. */
export const warpWatches: Readonly<Record<string, WatchOf>> = {
  shfl: shuffle,
  vote: collective,
  match: collective,
  redux: collective,
  elect: collective,
};
