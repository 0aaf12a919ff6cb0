// Shares a process with other host threads. The message has values that structured cloning supports, and the one shared memory;
// each receiving thread makes a process of it. Variables are already initialised; each thread decodes functions itself.

import type { WasmMemory } from "../base/web-assembly.js";
import type { LinkedImage } from "../object/object.js";
import { joinArena } from "./arena.js";
import { addressSpaceOf, placedProcess } from "./load.js";
import { createRegion, joinMemory } from "./memory.js";
import type { Process } from "./process.js";

export interface ProcessTransfer {
  readonly image: LinkedImage;
  readonly memory: WasmMemory;
  readonly allocationLog: number;
  readonly limitBytes: number;
  readonly sectionBases: Process["sectionBases"];
  readonly constants: { readonly offset: number; readonly size: number };
}

/** The message; undefined if other threads cannot access all of the process's memory. */
export function transferOf({ image, memory, sectionBases, constants }: Process): ProcessTransfer | undefined {
  if (memory.arena === undefined || constants.offset < 0) return undefined;
  const allocationLog = memory.share();
  if (allocationLog === undefined) return undefined;
  return {
    image,
    memory: memory.arena.memory,
    allocationLog,
    limitBytes: memory.limitBytes,
    sectionBases,
    constants: { offset: constants.offset, size: constants.size },
  };
}

/** The process in the receiving thread. */
export function joinProcess({
  image,
  memory,
  allocationLog,
  limitBytes,
  sectionBases,
  constants,
}: ProcessTransfer): Process {
  const arena = joinArena(memory);
  return placedProcess(
    image,
    joinMemory(arena, allocationLog, limitBytes, addressSpaceOf(image)),
    sectionBases,
    createRegion(0, arena.at(constants.offset, constants.size), false),
  );
}
