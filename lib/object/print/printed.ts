// What disassemble.ts reads of an object or image. Symbols and sections may be created on demand: lib/link prints
// objects of thousands of modules that are never in memory at once.

import type { Series } from "../../base/series.js";
import type { DebugSection } from "../dwarf/debug-sections.js";
import { textSections } from "../dwarf/debug-text.js";
import type { ObjectFile, ObjectSymbol, Relocation, Section } from "../object.js";
import { slotResolver, type SlotResolver, type SlotTarget } from "../code/slot-names.js";
import type { StoredSlot } from "../code/slots.js";

export interface PrintedObject extends Pick<ObjectFile, "type" | "target" | "version" | "modules"> {
  readonly symbols: Series<ObjectSymbol>;
  readonly sections: Series<Pick<Section, "role" | "data" | "fileOffset">>;
  /** Whether a section has bytes, which may have to be made. */
  hasBytes(section: number): boolean;
  /** Of a section, by its number. */
  relocationsOf(section: number): readonly Relocation[];
  /** What the slots of the code in a section refer to. */
  targetsOf(section: number, slots: readonly StoredSlot[]): readonly SlotTarget[];
  /** Whether code is printed without what only debuggers want (../strip.ts). */
  readonly isStripped: boolean;
  /** Those that are for a text; of several modules, with what references mean in their bytes. */
  readonly debugSections: readonly DebugSection[];
}

export function printedOf(object: ObjectFile): PrintedObject {
  const { type, target, version, modules, symbols, sections } = object;
  let resolve: SlotResolver | undefined;
  return {
    type,
    target,
    version,
    modules,
    symbols,
    sections,
    hasBytes: (section) => sections[section]!.data !== undefined,
    relocationsOf: (section) => sections[section]!.relocations,
    targetsOf(section, slots) {
      resolve ??= slotResolver(object);
      return resolve(sections[section]!, slots);
    },
    isStripped: false,
    debugSections: textSections(object.debugSections),
  };
}
