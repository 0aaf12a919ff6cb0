// Makes the watch of an instruction: guards that decide, addresses, memory, synchronisation. For all other instructions it
// propagates definedness and the objects of addresses from operands to results.

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Operand } from "../../isa/instruction.js";
import type { Watched } from "../operands/watched.js";
import type { Group, Warp } from "../state/warp.js";
import { firstLane } from "../machine/warp.js";
import { asyncWatches } from "./async-watch.js";
import type { LaunchContext } from "./context.js";
import { flowOf } from "./flow.js";
import { reportUse } from "./initialisation.js";
import { objectOfVariable, placeOfOperand, type WatchLanes, type WatchOf } from "./instruction.js";
import { mbarrierWatches } from "./mbarrier-watch.js";
import { matrixWatches, otherMemory } from "./matrix-watch.js";
import { memoryWatches } from "./memory-watch.js";
import { isUndefined, shadowOf } from "./register-shadow.js";
import { syncWatches } from "./sync-watch.js";
import { warpWatches } from "./warp-watch.js";
import { slotObject } from "./objects.js";

function watchOf(watched: Watched): { readonly watch: WatchOf | undefined; readonly flows: boolean } {
  const { form } = watched.opcode;
  const { id, opcode } = form;
  const ofAsync = asyncWatches[id];
  if (ofAsync !== undefined) return { watch: ofAsync, flows: false };
  if (opcode === "mbarrier") return { watch: mbarrierWatches[id.split(".").slice(0, 2).join(".")], flows: true };
  const sync = syncWatches[id] ?? syncWatches[opcode];
  if (sync !== undefined) return { watch: sync, flows: true };
  const ofWarp = warpWatches[opcode];
  if (ofWarp !== undefined) return { watch: ofWarp, flows: true };
  // Bulk stores, and asynchronous ones that signal nothing, complete at once.
  if (hasTrait(watched.opcode, "asynchronous") || typeOf(watched.opcode) === undefined)
    return { watch: otherMemory, flows: true };
  const memory = memoryWatches[opcode] ?? matrixWatches[opcode];
  return memory === undefined ? { watch: otherMemory, flows: true } : { watch: memory, flows: false };
}

/** Operands that name a variable's address, in computing instructions. */
export function namedBy(watched: Watched): readonly (Operand & { readonly kind: "address-of" })[] {
  return watched.instruction.operands.flatMap((operand) => (operand?.kind === "address-of" ? [operand] : []));
}

/** The instruction's check before it executes; undefined if it needs none. */
export function instrument(
  watched: Watched,
): ((context: LaunchContext, warp: Warp, group: Group, active: number) => void) | undefined {
  const { opcode, instruction, places } = watched;
  const { guard } = instruction;
  const found = watchOf(watched);
  const watch = found.watch?.(watched);
  const guardPlace = guard === undefined ? undefined : places.register(guard.register);
  const parts: WatchLanes[] = [];
  if (watch !== undefined) parts.push(watch);
  if (hasTrait(opcode, "branch-table")) parts.push(decidedBy(watched, 0, "decides"));
  if (hasTrait(opcode, "call")) {
    const index = opcode.form.operands.findIndex((spec) => spec.name === "f");
    if (instruction.operands[index]?.kind === "register") parts.push(decidedBy(watched, index, "call"));
  } else if ((found.flows || watch === undefined) && watched.writes.length > 0) {
    const named = namedBy(watched);
    let ofContext: LaunchContext | undefined;
    const flow = flowOf({
      opcode,
      writes: watched.writes,
      reads: watched.reads,
      named: (frame) => {
        for (const { base } of named) {
          if (base.kind === "symbol") {
            const { fn } = frame.program;
            const id = slotObject(ofContext!.objects, frame.warp.block.launch, fn.slots[base.symbol]!);
            if (id !== 0) return id;
          } else if (base.kind === "variable") return objectOfVariable(ofContext!, watched, frame, base.variable);
        }
        return 0;
      },
    });
    parts.push((context, _, { frame }, active) => {
      ofContext = context;
      flow(frame, active);
    });
  }
  if (guardPlace === undefined && parts.length === 0) return undefined;
  return (context, warp, group, active) => {
    const { frame, pc, mask } = group;
    if (guardPlace !== undefined) {
      const undecided = shadowOf(frame).undef[guardPlace.word]! & mask;
      for (let rest = undecided; rest !== 0; rest &= rest - 1)
        reportUse(context, { warp, frame, pc, lane: firstLane(rest) }, guardPlace, "decides");
    }
    if (active !== 0) for (const part of parts) part(context, warp, group, active);
  };
}

/** Reports an undefined register that decides where lanes go. */
function decidedBy(watched: Watched, index: number, use: "decides" | "call"): WatchLanes {
  const place = placeOfOperand(watched, watched.instruction.operands[index]);
  return (context, warp, { frame, pc }, active) => {
    if (place === undefined) return;
    for (let rest = active; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      if (isUndefined(shadowOf(frame), place, lane)) reportUse(context, { warp, frame, pc, lane }, place, use);
    }
  };
}
