// The interface through which disassemble.ts reads an object or image. Symbols and sections may be created on demand: lib/link
// prints objects of thousands of modules that are never in memory at once.

import type { Series } from "../../base/series.js";
import type { DebugSection } from "../dwarf/debug-sections.js";
import { textSections } from "../dwarf/debug-text.js";
import type { ObjectFile, ObjectSymbol, Relocation, Section } from "../object.js";
import { slotResolver, type SlotResolver, type SlotTarget } from "../code/slot-names.js";
import type { StoredSlot } from "../code/slots.js";

export interface PrintedObject extends Pick<ObjectFile, "type" | "target" | "version" | "modules"> {
  readonly symbols: Series<ObjectSymbol>;
  readonly sections: Series<Pick<Section, "role" | "data" | "fileOffset">>;
  /** Whether a section has bytes, without making them. */
  hasBytes(section: number): boolean;
  /** The relocations of a section, by its number. */
  relocationsOf(section: number): readonly Relocation[];
  /** The targets of the slots of the code in a section. */
  targetsOf(section: number, slots: readonly StoredSlot[]): readonly SlotTarget[];
  /** Whether to print code without data for debuggers (../strip.ts). */
  readonly isStripped: boolean;
  /** The debug sections for a text. For several modules, references are resolved in their bytes. */
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
