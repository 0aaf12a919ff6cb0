// What a function's code does with its references, which relocations do not tell: whether one is a value, and not only a callee.

import { decodeFunction } from "../../object/code/decode.js";
import { referencesOf } from "../../object/code/references.js";

/** The slots of encoded code that are used as values, by offset in bytes; undefined where the code cannot be read. */
export function namedSlots(data: Uint8Array): ReadonlySet<number> | undefined {
  const decoded = decodeFunction(data);
  if (!decoded.ok) return undefined;
  const { code, slots } = decoded.value;
  return new Set(referencesOf(code).named.map((slot) => slots[slot]!.offset));
}
