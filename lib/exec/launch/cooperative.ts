// Cooperative launches (CUDA C++ programming guide, "cooperative groups", grid synchronisation): all blocks of the grid exist at
// the same time. The driver provides a workspace for the grid, whose address code reads from %envreg1 (its high word) and
// %envreg2. grid.sync() of nvcc's headers counts arrivals in it, and traps if there is none.

import type { LoadedKernel, Process } from "../../load/process.js";
import type { Region } from "../../load/region-list.js";
import { readsSpecial } from "../machine/reads-special.js";

/** Bytes of the workspace as the headers lay it out: its size and a counter, words of 32 bits. */
const WORKSPACE_BYTES = 8;

export function createWorkspace(process: Process): Region {
  const region = process.memory.allocate(WORKSPACE_BYTES);
  region.view.setUint32(0, WORKSPACE_BYTES, true);
  return region;
}

/** Whether the kernel uses the workspace. */
export function usesWorkspace(process: Process, kernel: LoadedKernel): boolean {
  return readsSpecial(process, kernel, (name) => name === "envreg1" || name === "envreg2");
}
