// MAXREG_COUNT of a kernel: how many registers a thread may have, so that what its performance directives promise fits an SM.
// PTX ISA 9.0 section 11.4 for the directives; the arithmetic was found by asking ptxas 13.0 for each of sm_75 to sm_121, and
// is what CUDA's occupancy calculator counts: registers are given out to warps, four warps at a time.

import { LEAST_REGISTERS, MOST_REGISTERS, SM_REGISTERS, targetFacts } from "../../../formats/cuda/index.js";
import type { CodeSymbol } from "../object.js";

const WARP = 32;
/** Warps are allotted in groups of this many, registers of a thread in groups of that many. */
const WARP_UNIT = 4;
const REGISTER_UNIT = 8;

/** Registers of a thread, 24 to 255. */
export function registerLimit(directives: CodeSymbol["directives"], sm: number): number {
  const valuesOf = (name: string) => directives.find((directive) => directive.name === name)?.values;
  const { residentWarps, residentBlocks } = targetFacts(sm);
  const [asked] = valuesOf("maxnreg") ?? [];
  const threads = (valuesOf("reqntid") ?? valuesOf("maxntid"))?.reduce((product, extent) => product * extent, 1);
  const warps = threads === undefined ? undefined : Math.ceil(threads / WARP);
  // A promise that no SM can keep is passed over, and so is one without a size of the block.
  const limitFor = (blocks: number | undefined): number | undefined => {
    if (warps === undefined || blocks === undefined) return undefined;
    const all = warps * blocks;
    return all > residentWarps || blocks > residentBlocks ? undefined : registersFor(all);
  };
  const promised = limitFor(valuesOf("minnctapersm")?.[0]);
  if (asked === undefined) return promised ?? limitFor(1) ?? MOST_REGISTERS;
  const wanted = Math.min(Math.max(asked, LEAST_REGISTERS), MOST_REGISTERS);
  return Math.min(wanted, promised ?? MOST_REGISTERS);
}

function registersFor(warps: number): number {
  const allotted = Math.ceil(warps / WARP_UNIT) * WARP_UNIT * WARP;
  return Math.min(Math.floor(SM_REGISTERS / allotted / REGISTER_UNIT) * REGISTER_UNIT, MOST_REGISTERS);
}
