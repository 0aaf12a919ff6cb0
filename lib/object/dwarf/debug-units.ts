// Prepares the debug sections of several modules for one text: one table of abbreviations, which is the first module's part, and
// one numbering of files (dwarf-units.ts). Entries that become longer move other entries, so references are updated; if that is
// impossible, the sections cannot be put into one text.

import { decoding, malformed, need } from "../../../formats/bytes/malformed.js";
import { addBytes, createSectionData, markOf, partSince } from "../../ptx/section-data.js";
import {
  directiveOf,
  encodeDebugSection,
  openSection,
  walk,
  type DebugSection,
  type OpenSection,
} from "./debug-sections.js";
import { checkLocations, joinedMacros } from "./dwarf-tables.js";
import { joinUnits, type JoinedUnit } from "./dwarf-units.js";
import type { MergedFiles } from "./merged-files.js";
import type { ModuleOrigin } from "../object.js";

export const [INFO, ABBREV] = [".debug_info", ".debug_abbrev"];
const [MACINFO, MACRO, LOC] = [".debug_macinfo", ".debug_macro", ".debug_loc"];

/** A section before it is placed in the text. */
export interface Unplaced {
  readonly section: DebugSection;
  /** The changed units; undefined for unchanged sections. */
  readonly unit?: JoinedUnit;
}

/** Inside a decoder: replaces the sections by ones with common abbreviations and file numbers. */
export function withCommonUnits(
  sections: readonly DebugSection[],
  modules: readonly ModuleOrigin[],
  files: MergedFiles,
): readonly Unplaced[] {
  const renumbers = modules.map((module, i) => module.files.some(({ index }) => files.numberOf(i, index) !== index));
  const infos = sections.filter(({ name }) => name === INFO);
  const tables = sections.filter(({ name }) => name === ABBREV);
  const isAlone = [infos, tables].every((all) => new Set(all.map(({ module }) => module)).size < 2);
  const isRenumbered = (module: number): boolean => renumbers[module]!;
  if (isAlone && !infos.some(({ module }) => isRenumbered(module))) return sections.map((section) => ({ section }));
  if (sections.some(({ name, module, data }) => name === MACRO && isRenumbered(module) && data.some((b) => b !== 0)))
    malformed("unsupported", 0, `${MACRO} has numbers of files that are others in one text`);
  const numbersOf = (module: number): ((file: number) => number) => {
    const own = new Set(modules[module]!.files.map(({ index }) => index));
    return (file) => (own.has(file) ? files.numberOf(module, file) : 0);
  };
  const { infos: common, abbrev } = need(
    joinUnits(
      infos.map(({ module, data }) => ({ info: data, numberOf: numbersOf(module) })),
      joined(tables.map(({ data }) => data)),
    ),
  );
  const isLonger = new Set(infos.flatMap(({ module }, i) => (common[i]!.edits.length > 0 ? [module] : [])));
  let next = 0;
  return sections.map((section): Unplaced => {
    const { name, module, data } = section;
    if (name === INFO) return edited(section, common[next++]!);
    if (name === ABBREV) return { section: bytesSection(section, section === tables[0] ? abbrev : NOTHING) };
    if (name === MACINFO && isRenumbered(module)) return edited(section, joinedMacros(data, numbersOf(module)));
    if (name === LOC && isLonger.has(module)) {
      const places = placesIn(openSection(section));
      const checked = decoding(() => checkLocations(data, (at) => places.has(at)));
      // Bytes that are not a valid list refer to no entry.
      if (!checked.ok && checked.error.code === "unsupported") need(checked);
    }
    return { section };
  });
}

/** Offsets of the references in a section. */
function placesIn(open: OpenSection): ReadonlySet<number> {
  const places = new Set<number>();
  walk(open, { label: () => {}, integers: () => {}, reference: (_, at) => void places.add(at) });
  return places;
}

/** A section after its edits. Checks that each edit is in `.b8` directives. */
function edited(section: DebugSection, unit: JoinedUnit): Unplaced {
  const { edits } = unit;
  let next = 0;
  const behind = (end: number): void => {
    while (next < edits.length && edits[next]!.at + edits[next]!.length <= end) next++;
  };
  const without = (what: string): never =>
    malformed("unsupported", edits[next]!.at, `${section.name} has entries in ${what}`);
  if (edits.length > 0)
    walk(openSection(section), {
      label: () => {},
      reference(_, at, type) {
        if (next < edits.length && edits[next]!.at < at + (1 << type)) without("references");
      },
      integers({ at, type, each, count }) {
        const end = at + each * count * (1 << type);
        if (type === 0) behind(end);
        if (next < edits.length && edits[next]!.at < end) without("words");
      },
    });
  return { section: { ...section, data: unit.info }, unit };
}

const NOTHING = new Uint8Array();

/** The section with other bytes and no layout besides. */
function bytesSection(section: DebugSection, bytes: Uint8Array): DebugSection {
  const hasLabels = (): never => malformed("unsupported", 0, `${section.name} has labels`);
  const open = openSection(section);
  walk(open, { label: hasLabels, reference: hasLabels, integers: () => {} });
  const data = createSectionData();
  const begin = markOf(data);
  addBytes(data, begin.row, bytes);
  return encodeDebugSection(directiveOf(section.name, open.isLegacy, partSince(data, begin)), section.module);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
