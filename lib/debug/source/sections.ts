// The debug sections of one module of an image, for the DWARF reader: concatenated bytes, and the labels to which references in
// them refer. Code and variables are found by the module's own names, which need no relocations.

import { readDebugUnits, type DebugUnit } from "../../../formats/dwarf/index.js";
import { decoding } from "../../../formats/bytes/malformed.js";
import { openSection, walk, type DebugSection } from "../../object/dwarf/debug-sections.js";
import type { LinkedImage } from "../../object/object.js";
import type { SectionReference } from "../../ptx/section-data.js";

/** The concatenated parts of one section of a module. */
export interface JoinedSection {
  readonly bytes: Uint8Array;
  /** References by the offset of their bytes. */
  readonly references: ReadonlyMap<number, SectionReference>;
}

export interface ModuleDebug {
  /** Index into the image's modules. */
  readonly module: number;
  readonly units: readonly DebugUnit[];
  readonly info: JoinedSection;
  readonly locations: JoinedSection;
  readonly ranges: JoinedSection;
  /** The offset of a reference's target (a section, or a label in one) in its section. */
  offsetOf(reference: SectionReference): number | undefined;
}

const known = new WeakMap<LinkedImage, Map<number, ModuleDebug | undefined>>();

/** The debug sections of a module; undefined if it has no `.debug_info` or an unreadable one. */
export function moduleDebug(image: LinkedImage, module: number): ModuleDebug | undefined {
  let modules = known.get(image);
  if (modules === undefined) known.set(image, (modules = new Map<number, ModuleDebug | undefined>()));
  if (!modules.has(module)) modules.set(module, readModule(image, module));
  return modules.get(module);
}

function readModule({ debugSections = [] }: LinkedImage, module: number): ModuleDebug | undefined {
  const own = debugSections.filter((section) => section.module === module);
  if (!own.some(({ name }) => name === ".debug_info")) return undefined;
  const read = decoding(() => {
    const labels = new Map<string, number>();
    const sections = new Map(
      [...new Set(own.map(({ name }) => name))].map((name) => [name, joined(own, name, labels)]),
    );
    return { labels, sections };
  });
  if (!read.ok) return undefined;
  const { labels, sections } = read.value;
  const section = (name: string): JoinedSection => sections.get(name) ?? NO_SECTION;
  const offsetOf = ({ name, minus, offset = 0n }: SectionReference): number | undefined => {
    if (minus !== undefined) return undefined;
    const start = sections.has(name) ? 0 : labels.get(name);
    return start === undefined ? undefined : start + Number(offset);
  };
  const info = section(".debug_info");
  const units = readDebugUnits({
    info: info.bytes,
    abbreviations: section(".debug_abbrev").bytes,
    strings: section(".debug_str").bytes,
    lineStrings: section(".debug_line_str").bytes,
    offsetAt(at) {
      const reference = info.references.get(at);
      return reference && offsetOf(reference);
    },
  });
  if (!units.ok) return undefined;
  const [locations, ranges] = [section(".debug_loc"), section(".debug_ranges")];
  return { module, units: units.value, info, locations, ranges, offsetOf };
}

const NO_SECTION: JoinedSection = { bytes: new Uint8Array(), references: new Map() };

/** Concatenates the parts of one section, and adds their labels to `labels`. Throws as a decoder. */
function joined(sections: readonly DebugSection[], wanted: string, labels: Map<string, number>): JoinedSection {
  const parts = sections.filter(({ name }) => name === wanted);
  const bytes = new Uint8Array(parts.reduce((sum, { data }) => sum + data.length, 0));
  const references = new Map<number, SectionReference>();
  let start = 0;
  for (const part of parts) {
    bytes.set(part.data, start);
    walk(openSection(part), {
      integers() {},
      label: (name, at) => void labels.set(name, start + at),
      reference: (reference, at) => void references.set(start + at, reference),
    });
    start += part.data.length;
  }
  return { bytes, references };
}
