// The waits of a warp at instructions that synchronise it with memory, copies, callees and clusters.

import type { GpuModel } from "../gpus/model.js";
import type { Step } from "../schedule/step.js";
import { stall } from "../trace/stalls.js";
import type { Sm, Warp, Fences } from "./sm-state.js";

export const createFences = (): Fences => ({ systemAt: -Infinity, systemBy: undefined });

/** The cycle at which the warp may continue after `step`, issued at cycle `at`, and the reason of the wait. */
export function afterSync(
  sm: Sm,
  warp: Warp,
  { kind, instruction }: Step,
  at: number,
): readonly [earliest: number, reason: number] {
  const { model } = sm.machine;
  switch (kind) {
    case "call":
      return [
        at + (instruction.form === "ret" ? model.call.returnCycles : callCycles(model, instruction.isIndirect)),
        stall.branch_resolving,
      ];
    case "fence":
      return [Math.ceil(fenceEnd(sm, warp, instruction.fence, at)), stall.membar];
    case "commit":
      groupsOf(warp, instruction.groups).push(
        (instruction.groups === "matrix" ? sm.machine.multiplied : sm.machine.copied)[warp.place]!,
      );
      return [at + 1, stall.wait];
    case "wait": {
      const groups = groupsOf(warp, instruction.groups);
      const last = groups.length - 1 - instruction.groupsLeft;
      const until = last < 0 ? 0 : groups[last]!;
      return [Math.ceil(Math.max(at + 4, until)), instruction.groups === "matrix" ? stall.wait : stall.long_scoreboard];
    }
    case "clusterWait":
      return [
        Math.ceil(at + model.cluster.barrierCycles + model.cluster.barrierCyclesPerWarp * warp.block.warps),
        stall.barrier,
      ];
    default:
      return [at + 1, stall.wait];
  }
}

const callCycles = ({ call }: GpuModel, isIndirect: boolean): number =>
  isIndirect ? call.indirectCycles : call.cycles;

/**
 * Block scope affects the SM only. Larger scopes wait for an acknowledgement of the L2, after the last store's. System scope
 * takes longer if other warps of the SM wait as well.
 */
function fenceEnd(sm: Sm, warp: Warp, reach: string, at: number): number {
  const { machine, fences } = sm;
  const { model, stored, reduced } = machine;
  const { fence } = model;
  const begin = at + Math.max(0, warp.block.warps - fence.overlapped) * fence.cyclesPerWarp;
  const afterStores = Math.max(stored[warp.place]!, reduced[warp.place]!) + fence.afterStoreCycles;
  switch (reach) {
    case "gpu":
      return Math.max(begin + fence.gpuCycles, afterStores);
    case "system": {
      const isShared = fences.systemBy !== warp && at < fences.systemAt + fence.systemCycles;
      fences.systemAt = at;
      fences.systemBy = warp;
      return Math.max(at + (isShared ? fence.sharedSystemCycles : fence.systemCycles), afterStores);
    }
    default:
      // The path has to have taken the warp's stores.
      return Math.max(begin, warp.subcore.handed) + fence.blockCycles;
  }
}

function groupsOf(warp: Warp, kind: "copies" | "matrix"): number[] {
  return kind === "matrix" ? (warp.matrixGroups ??= []) : (warp.groups ??= []);
}
