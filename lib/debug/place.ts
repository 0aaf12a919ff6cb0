// The place of a thread: source line, PTX line, instruction, and the coordinates of its block and thread.

import type { Dimensions } from "../base/dimensions.js";
import { sourcePlace } from "../exec/machine/source-places.js";
import type { LaunchState } from "../exec/state/launch.js";
import type { Warp } from "../exec/state/warp.js";
import type { LoadedFunction, Process } from "../load/process.js";
import { createInstructionText } from "../exec/machine/instruction-text.js";

/** The place that faults and findings report: the `.loc` place if there is one, otherwise the PTX line. */
export interface InstructionPlace {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly ptx: { readonly file: string; readonly line: number; readonly instruction: string };
}

/** Returns places of a process's instructions; each is computed once. */
export function createPlaces(process: Process): (fn: LoadedFunction, pc: number) => InstructionPlace {
  const textOf = createInstructionText(process);
  const known = new Map<LoadedFunction, (InstructionPlace | undefined)[]>();
  return (fn, pc) => {
    let ofFunction = known.get(fn);
    if (ofFunction === undefined) known.set(fn, (ofFunction = []));
    return (ofFunction[pc] ??= placeOf(fn, pc, textOf));
  };
}

function placeOf(fn: LoadedFunction, pc: number, textOf: ReturnType<typeof createInstructionText>): InstructionPlace {
  const instruction = fn.code.instructions[pc];
  const last = fn.code.instructions.at(-1);
  if (instruction === undefined) {
    const line = last?.line ?? 1;
    return { function: fn.name, file: fn.file, line, ptx: { file: fn.file, line, instruction: "the function's end" } };
  }
  return {
    function: fn.name,
    ...sourcePlace(fn, instruction),
    ptx: { file: fn.file, line: instruction.line, instruction: textOf(fn, pc) },
  };
}

/** The place as text: "k.cu:5, ld.global.f32 %f1, [%rd4]; (k.ptx:12)". */
export function placeText({ file, line, ptx }: InstructionPlace): string {
  const own = file === ptx.file && line === ptx.line;
  return own
    ? `${ptx.file}:${ptx.line}, ${ptx.instruction}`
    : `${file}:${line}, ${ptx.instruction} (${ptx.file}:${ptx.line})`;
}

export const coordinates = (index: number, [x, y]: Dimensions): Dimensions => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];

export const threadOf = (launch: LaunchState, warp: Warp, lane: number): Dimensions =>
  coordinates(32 * warp.index + lane, launch.config.block);

export const dimensionsText = (dimensions: Dimensions): string => `(${dimensions.join(",")})`;
