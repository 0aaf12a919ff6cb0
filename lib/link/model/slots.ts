// Distinguishes references in code that relocations do not: whether a symbol is used as a value, or only called.

import { decodeFunction } from "../../object/code/decode.js";
import { referencesOf } from "../../object/code/references.js";

/** Offsets in bytes of the slots of encoded code that are used as values; undefined if the code cannot be decoded. */
export function namedSlots(data: Uint8Array): ReadonlySet<number> | undefined {
  const decoded = decodeFunction(data);
  if (!decoded.ok) return undefined;
  const { code, slots } = decoded.value;
  return new Set(referencesOf(code).named.map((slot) => slots[slot]!.offset));
}
