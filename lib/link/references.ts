// Who refers to whom in what is kept: each relocation of a kept function or of data, with the merged symbol that it means.
// Read by the checks of undefined symbols and by whoever leaves out what nothing refers to.

import type { Relocation } from "../object/object.js";
import type { Inputs } from "./inputs.js";
import { isDataRole } from "./layout/layout.js";
import type { Resolution } from "./names/resolve.js";
import type { KeptTexts } from "./layout/texts.js";

export interface Reference {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  readonly relocation: Relocation;
}

/** Calls `visit` for each reference, functions and data of each module together, in command-line order. */
export function forEachReference(
  inputs: Inputs,
  { mergedOf }: Resolution,
  texts: KeptTexts,
  visit: (symbol: number, reference: Reference) => void,
): void {
  const kept = inputs.map(() => new Set<number>());
  for (const { object, section } of texts) kept[object]!.add(section);
  inputs.forEach(({ sections }, object) => {
    sections.forEach(({ role, relocations }, section) => {
      if (!isDataRole(role) && !kept[object]!.has(section)) return;
      for (const relocation of relocations)
        visit(mergedOf[object]![relocation.symbol]!, { object, section, relocation });
    });
  });
}
