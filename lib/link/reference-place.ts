// Where a reference stands in its source, for messages: the line of the first instruction that uses the symbol's slot, or
// the declaration of the variable whose initialiser holds it. Decodes the function, so it is asked only about errors.

import type { LinePlace } from "../diag/diagnostic.js";
import { decodeFunction } from "../object/decode.js";
import type { ObjectSymbol, RelocObject } from "../object/object.js";
import { referencesOf } from "../object/references.js";
import { placeOf, type Inputs } from "./inputs.js";
import type { Reference } from "./references.js";

export interface ReferencePlace {
  readonly place: LinePlace | undefined;
  /** The function or variable that refers; undefined when the bytes belong to none. */
  readonly holder: ObjectSymbol | undefined;
}

export function placeOfReference(inputs: Inputs, reference: Reference): ReferencePlace {
  const { object } = reference;
  const input = inputs[object]!;
  const index = holderOf(input, reference);
  const holder = input.symbols[index];
  if (holder === undefined) return { place: undefined, holder };
  const place = placeOf(inputs, { object, index, symbol: holder });
  const line = lineInCode(input, reference);
  return { place: line === undefined ? place : { ...place, line }, holder };
}

/** Index of the symbol whose bytes the relocation patches, or -1. */
function holderOf(input: RelocObject, { section, relocation }: Reference): number {
  return input.symbols.findIndex(({ kind, placement, ...rest }) => {
    if (placement.kind !== "section" || placement.section !== section) return false;
    if (kind === "function") return true;
    const size = "layout" in rest ? rest.layout.size : 0;
    return relocation.offset >= placement.offset && relocation.offset < placement.offset + size;
  });
}

function lineInCode(input: RelocObject, { section, relocation }: Reference): number | undefined {
  const { role, data } = input.sections[section]!;
  if (role.kind !== "text" || data === undefined) return undefined;
  const decoded = decodeFunction(data);
  if (!decoded.ok) return undefined;
  const { code, slots } = decoded.value;
  const slot = slots.findIndex(({ offset }) => offset === relocation.offset);
  const user = code.instructions.find((instruction) =>
    referencesOf({ ...code, callTargets: [], instructions: [instruction] }).all.includes(slot),
  );
  return user === undefined || user.line === 0 ? undefined : user.line;
}
