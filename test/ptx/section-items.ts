// Debug sections as lists of directives, for tests: to make sections of, and to compare them by.

import {
  addInteger,
  addIntegers,
  addLabel,
  addReference,
  addSection,
  addText,
  createSectionData,
  integerAt,
  isBelowHalf,
  markOf,
  partSince,
  SECTION_TYPES,
  sectionBytes,
  visitSection,
  type SectionPart,
  type SectionReference,
} from "../../lib/ptx/section-data.js";
import { printSection } from "../../lib/ptx/print-section.js";
import type { SectionDirective } from "../../lib/ptx/tree.js";

type Type = (typeof SECTION_TYPES)[number];

export type SectionItem =
  /** Where one more section of the name begins. */
  | { readonly isNext: true }
  | { readonly label: string }
  | ({ readonly type: Type } & SectionReference)
  | { readonly type: Type; readonly values: readonly bigint[] };

export function sectionOf(name: string, items: readonly SectionItem[], isLegacy = false): SectionDirective {
  const data = createSectionData();
  const begin = markOf(data);
  for (const item of items) {
    if ("isNext" in item) {
      addSection(data);
      continue;
    }
    if ("label" in item) {
      addLabel(data, addText(data, item.label));
      continue;
    }
    const type = SECTION_TYPES.indexOf(item.type);
    if ("values" in item) {
      for (const value of item.values) addInteger(data, type, value);
      const isSigned =
        item.values.some((value) => value < 0n) && item.values.every((value) => isBelowHalf(value, type));
      addIntegers(data, begin.row, type, item.values.length, 1, isSigned);
    } else {
      const minus = item.minus === undefined ? -1 : addText(data, item.minus);
      addReference(data, type, addText(data, item.name), minus, item.offset);
    }
  }
  const legacy = isLegacy ? { legacy: true as const } : {};
  return { kind: "section", start: 0, end: 0, name, ...legacy, part: partSince(data, begin) };
}

export function itemsOf(part: SectionPart): readonly SectionItem[] {
  const items: SectionItem[] = [];
  const bytes = sectionBytes(part);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  visitSection(part, {
    section: () => void items.push({ isNext: true }),
    label: (label) => void items.push({ label }),
    reference: (reference, _, type) => void items.push({ type: SECTION_TYPES[type]!, ...reference }),
    integers({ isSigned, at, type, each, count }) {
      for (let i = 0, next = at; i < count; i++)
        items.push({
          type: SECTION_TYPES[type]!,
          values: Array.from({ length: each }, () => BigInt(integerAt(view, (next += 1 << type) - (1 << type), type, isSigned))), // prettier-ignore
        });
    },
  });
  return items;
}

export const printedSection = (section: SectionDirective): string => [...printSection(section)].join("");
