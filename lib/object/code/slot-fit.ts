// Checks that a function's relocations fit its slots: each patches a whole slot, refers to a symbol of the kind for which the
// code was encoded, and slots that only the loader can fill have one. docs/format.md, "Encoded functions".

import { spaceOf } from "../assemble.js";
import type { ObjectFile, ObjectSymbol, Relocation } from "../object.js";
import type { SlotSpace, StoredSlot } from "./slots.js";

export interface SlotFault {
  /** Bytes from the start of the encoded function. */
  readonly offset: number;
  readonly what: string;
}

/** Slots that the linker fills in an image, so that no relocation remains. */
const resolved: ReadonlySet<SlotSpace> = new Set(["const", "shared", "local"]);

export function slotFaults(
  type: ObjectFile["type"],
  slots: readonly StoredSlot[],
  relocations: readonly Relocation[],
  symbolAt: (index: number) => ObjectSymbol,
): readonly SlotFault[] {
  const faults: SlotFault[] = [];
  const open = new Map(slots.map((slot) => [slot.offset, slot.space]));
  for (const { offset, symbol: index } of relocations) {
    const symbol = symbolAt(index);
    const [space, wanted] = [open.get(offset), spaceOf(symbol)];
    open.delete(offset);
    if (space === undefined)
      faults.push({
        offset,
        what: `the relocation for ${symbol.name} at ${offset} is at no slot, or at one that has one`,
      });
    else if (space !== wanted) faults.push({ offset, what: `${symbol.name} is of ${wanted}, in a slot for ${space}` });
  }
  for (const [offset, space] of open)
    if (type === "relocatable" || !resolved.has(space))
      faults.push({ offset, what: `the slot at ${offset}, for ${space}, has no relocation` });
  return faults;
}
