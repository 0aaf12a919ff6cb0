// Values of debug sections. Nearly all are bytes, of which a file has millions: these share a value each, and where they
// stand at no place of a text, the directive.

import type { SectionItem, SectionValue } from "./tree.js";

const bytes: readonly SectionValue[] = Array.from({ length: 256 }, (_, i) => ({ kind: "integer", value: BigInt(i) }));

export function sectionInteger(value: bigint): SectionValue {
  return value >= 0n && value < 256n ? bytes[Number(value)]! : { kind: "integer", value };
}

/** The same of what is a byte. */
export const sectionByte = (value: number): SectionValue => bytes[value]!;

const byteItems: readonly SectionItem[] = bytes.map((value) => ({
  kind: "data",
  start: 0,
  end: 0,
  type: "b8",
  values: [value],
}));

/** `.b8` of one byte, at no place. */
export const sectionByteItem = (value: number): SectionItem => byteItems[value]!;
