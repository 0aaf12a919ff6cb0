// MAXREG_COUNT of a kernel: the limit of registers per thread, so that the blocks that its performance directives promise fit an
// SM. PTX ISA 9.0 section 11.4 for the directives. The arithmetic was measured with ptxas 13.0 for each of sm_75 to sm_121, and
// agrees with CUDA's occupancy calculator: registers are allocated by warp, for four warps at a time.

import { MIN_REGISTERS, MAX_REGISTERS, SM_REGISTERS, targetFacts } from "../../../formats/cuda/index.js";
import type { CodeSymbol } from "../object.js";

const WARP = 32;
/** Allocation units: warps, and registers of a thread. */
const WARP_UNIT = 4;
const REGISTER_UNIT = 8;

/** Registers per thread, 24 to 255. */
export function registerLimit(directives: CodeSymbol["directives"], sm: number): number {
  const valuesOf = (name: string) => directives.find((directive) => directive.name === name)?.values;
  const { residentWarps, residentBlocks } = targetFacts(sm);
  const [asked] = valuesOf("maxnreg") ?? [];
  const threads = (valuesOf("reqntid") ?? valuesOf("maxntid"))?.reduce((product, extent) => product * extent, 1);
  const warps = threads === undefined ? undefined : Math.ceil(threads / WARP);
  // A promise that no SM can keep is ignored, and so is one without a block size.
  const limitFor = (blocks: number | undefined): number | undefined => {
    if (warps === undefined || blocks === undefined) return undefined;
    const all = warps * blocks;
    return all > residentWarps || blocks > residentBlocks ? undefined : registersFor(all);
  };
  const promised = limitFor(valuesOf("minnctapersm")?.[0]);
  if (asked === undefined) return promised ?? limitFor(1) ?? MAX_REGISTERS;
  const wanted = Math.min(Math.max(asked, MIN_REGISTERS), MAX_REGISTERS);
  return Math.min(wanted, promised ?? MAX_REGISTERS);
}

function registersFor(warps: number): number {
  const allotted = Math.ceil(warps / WARP_UNIT) * WARP_UNIT * WARP;
  return Math.min(Math.floor(SM_REGISTERS / allotted / REGISTER_UNIT) * REGISTER_UNIT, MAX_REGISTERS);
}
