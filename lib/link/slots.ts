// What a function's code does with each of its references, which relocations do not tell: whether one is a value, and not only a
// callee, and the lines that use it.

import { decodeFunction } from "../object/decode.js";
import { referencesOf } from "../object/references.js";

/** The slots of encoded code that are used as values, by offset in bytes; undefined where the code cannot be read. */
export function namedSlots(data: Uint8Array): ReadonlySet<number> | undefined {
  const decoded = decodeFunction(data);
  if (!decoded.ok) return undefined;
  const { code, slots } = decoded.value;
  return new Set(referencesOf(code).named.map((slot) => slots[slot]!.offset));
}

/** Lines on which encoded code uses each slot, in the code's order, by the slot's offset in bytes. */
export function slotLines(data: Uint8Array): ReadonlyMap<number, readonly number[]> {
  const lines = new Map<number, number[]>();
  const decoded = decodeFunction(data);
  if (!decoded.ok) return lines;
  const { code, slots } = decoded.value;
  for (const instruction of code.instructions) {
    const { line } = instruction;
    if (line === 0) continue;
    for (const slot of referencesOf({ callTargets: [], instructions: [instruction] }).all) {
      const { offset } = slots[slot]!;
      const known = lines.get(offset);
      if (known === undefined) lines.set(offset, [line]);
      else if (known.at(-1) !== line) known.push(line);
    }
  }
  return lines;
}
