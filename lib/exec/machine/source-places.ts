// Source location of an instruction: its .loc, and the calls that it is inlined into.

import { inlinedInto } from "../../isa/inlined.js";
import type { Instruction } from "../../isa/instruction.js";
import type { LoadedFunction } from "../../load/process.js";

/** Source file and line of an instruction: those of the .loc in force, otherwise those in the PTX text. */
export function sourcePlace(
  fn: LoadedFunction,
  instruction: Instruction,
): { readonly file: string; readonly line: number } {
  const location = fn.code.locations[instruction.location];
  const file = location && fn.files.get(location.file);
  return file === undefined ? { file: fn.file, line: instruction.line } : { file, line: location!.line };
}

/** Call sites that an instruction is inlined into, innermost first. */
export function inliningPlaces(
  { code, files }: LoadedFunction,
  { location }: Instruction,
): readonly { readonly file: string; readonly line: number }[] {
  if (code.locations[location]?.inlinedAt === undefined) return [];
  const callers = inlinedInto(code.locations);
  const places: { file: string; line: number }[] = [];
  for (let at = callers[location]!; at >= 0; at = callers[at]!) {
    const { file, line } = code.locations[at]!;
    places.push({ file: files.get(file) ?? `.file ${file}`, line });
  }
  return places;
}
