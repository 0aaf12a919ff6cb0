// Representations shared by all views: how a number with a name, a set of flags, a 64-bit number and raw bytes appear in JSON.
// The vocabulary is that of llvm-readobj's JSON ({Value, RawValue}, {RawFlags, Flags}), with two of its defects corrected. A
// number without a name has `value: null`; a 64-bit number, which JSON readers round, also has its exact hexadecimal form.

import { bitNames, type NamedValue } from "../../../formats/bytes/named.js";

/** A number and its name; `value` is null for a number without a name. */
export interface Named {
  readonly value: string | null;
  readonly rawValue: number;
}

/** Names of the set bits; bits without a name are last, as one hexadecimal number. */
export interface Flags {
  readonly flags: readonly string[];
  readonly rawFlags: number;
}

/** A 64-bit number: `value` is the nearest double, `hex` is exact. */
export interface Wide {
  readonly value: number;
  readonly hex: string;
}

/** Bytes that no view decodes. `hex` has all of them, or only the first ones of a long range. */
export interface RawBytes {
  /** Total number of bytes. */
  readonly size: number;
  readonly hex: string;
}

/** Number of bytes of an undecoded section or record that are shown. */
const SHOWN_BYTES = 256;

export const named = (value: string | undefined, rawValue: number): Named => ({ value: value ?? null, rawValue });

export const flagsOf = (table: readonly NamedValue[], rawFlags: number): Flags => ({
  flags: bitNames(table, rawFlags),
  rawFlags,
});

export function wide(value: bigint | number): Wide {
  const exact = BigInt(value);
  return { value: Number(value), hex: exact < 0n ? `-0x${(-exact).toString(16)}` : `0x${exact.toString(16)}` };
}

export function rawBytes(bytes: Uint8Array, shown = SHOWN_BYTES): RawBytes {
  return { size: bytes.length, hex: Buffer.from(bytes.subarray(0, shown)).toString("hex") };
}

/** The name of a value, or its number in hexadecimal. */
export function nameOf({ value, rawValue }: Named): string {
  return value ?? `0x${rawValue.toString(16)}`;
}
