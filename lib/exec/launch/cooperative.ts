// Cooperative launches (CUDA C++ programming guide, "cooperative groups", grid synchronisation): all blocks of the grid are
// there together, and the driver gives the grid a workspace, whose address code finds in %envreg1 (its high word) and %envreg2.
// grid.sync() of nvcc's headers counts arrivals in it and traps where there is none.

import type { LoadedKernel, Process } from "../../load/process.js";
import type { Region } from "../../load/region-list.js";
import { readsSpecial } from "../machine/reads-special.js";

/** The workspace's contents, as the headers lay it out: its size and a counter, words of 32 bits. */
const WORKSPACE_BYTES = 8;

export function createWorkspace(process: Process): Region {
  const region = process.memory.allocate(WORKSPACE_BYTES);
  region.view.setUint32(0, WORKSPACE_BYTES, true);
  return region;
}

/** Whether the kernel asks for the workspace. */
export function usesWorkspace(process: Process, kernel: LoadedKernel): boolean {
  return readsSpecial(process, kernel, (name) => name === "envreg1" || name === "envreg2");
}
