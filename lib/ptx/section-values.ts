// Values of debug sections. Nearly all are bytes, of which a file has millions: these share a value each.

import type { SectionValue } from "./tree.js";

const bytes: readonly SectionValue[] = Array.from({ length: 256 }, (_, i) => ({ kind: "integer", value: BigInt(i) }));

export function sectionInteger(value: bigint): SectionValue {
  return value >= 0n && value < 256n ? bytes[Number(value)]! : { kind: "integer", value };
}

/** The same of what is a byte. */
export const sectionByte = (value: number): SectionValue => bytes[value]!;
