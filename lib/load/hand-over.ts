// A process for other threads of the host: what they are sent (values that structured cloning takes, and the one memory that
// all share), and the process that each makes of it. Variables are initialised and stay where they are; functions are decoded
// in each thread.

import type { WasmMemory } from "../base/web-assembly.js";
import type { LinkedImage } from "../object/object.js";
import { joinArena } from "./arena.js";
import { addressSpaceOf, placedProcess } from "./load.js";
import { createRegion, joinMemory } from "./memory.js";
import type { Process } from "./process.js";

export interface ProcessHandover {
  readonly image: LinkedImage;
  readonly memory: WasmMemory;
  readonly ledger: number;
  readonly limitBytes: number;
  readonly sectionBases: Process["sectionBases"];
  readonly constants: { readonly offset: number; readonly size: number };
}

/** Undefined where other threads cannot reach all of the process's memory. */
export function handOver({ image, memory, sectionBases, constants }: Process): ProcessHandover | undefined {
  if (memory.arena === undefined || constants.offset < 0) return undefined;
  const ledger = memory.share();
  if (ledger === undefined) return undefined;
  return {
    image,
    memory: memory.arena.memory,
    ledger,
    limitBytes: memory.limitBytes,
    sectionBases,
    constants: { offset: constants.offset, size: constants.size },
  };
}

/** The process in another thread. */
export function joinProcess({ image, memory, ledger, limitBytes, sectionBases, constants }: ProcessHandover): Process {
  const arena = joinArena(memory);
  return placedProcess(
    image,
    joinMemory(arena, ledger, limitBytes, addressSpaceOf(image)),
    sectionBases,
    createRegion(0, arena.at(constants.offset, constants.size), false),
  );
}
