// Forms of attribute values (DWARF 5 section 7.5.6; versions 2 to 4 have a subset): the encoding and the meaning of each.

import type { ByteReader } from "../bytes/reader.js";
import { readVarU } from "../bytes/varint.js";

/**
 * "offset": in the section, as wide as an address in version 2. "counted": bytes preceded by their count of `countBytes` bytes.
 */
export type FormEncoding =
  | { readonly kind: "fixed"; readonly bytes: number }
  | { readonly kind: "address" | "offset" | "text" | "uleb" | "sleb" }
  | { readonly kind: "counted"; readonly countBytes: 1 | 2 | 4 | "uleb" };

/** "reference": bytes from the start of the unit to an entry; "strings" and "line-strings": an offset in that section. */
export type FormMeaning = "value" | "flag" | "reference" | "strings" | "line-strings" | "bytes";

export interface Form {
  readonly name: string;
  readonly encoding: FormEncoding;
  readonly meaning: FormMeaning;
}

/** DW_FORM_implicit_const: the value is in the abbreviation. */
export const IMPLICIT_CONST = 0x21;

const fixed = (name: string, bytes: number, meaning: FormMeaning = "value"): Form => ({
  name,
  encoding: { kind: "fixed", bytes },
  meaning,
});
const encoded = (
  name: string,
  kind: "address" | "offset" | "text" | "uleb" | "sleb",
  meaning: FormMeaning = "value",
): Form => ({ name, encoding: { kind }, meaning });
const counted = (name: string, countBytes: 1 | 2 | 4 | "uleb"): Form => ({
  name,
  encoding: { kind: "counted", countBytes },
  meaning: "bytes",
});

/** Reads the number of bytes in a block. */
export function blockSize(reader: ByteReader, encoding: FormEncoding): number {
  if (encoding.kind === "fixed") return encoding.bytes;
  const count = encoding.kind === "counted" ? encoding.countBytes : "uleb";
  if (count === "uleb") return readVarU(reader, "size of a block");
  return count === 1
    ? reader.u8("size of a block")
    : count === 2
      ? reader.u16("size of a block")
      : reader.u32("size of a block");
}

/** Forms by DW_FORM_*. */
export const FORMS: ReadonlyMap<number, Form> = new Map([
  [0x01, encoded("addr", "address")],
  [0x03, counted("block2", 2)],
  [0x04, counted("block4", 4)],
  [0x05, fixed("data2", 2)],
  [0x06, fixed("data4", 4)],
  [0x07, fixed("data8", 8)],
  [0x08, encoded("string", "text")],
  [0x09, counted("block", "uleb")],
  [0x0a, counted("block1", 1)],
  [0x0b, fixed("data1", 1)],
  [0x0c, fixed("flag", 1)],
  [0x0d, encoded("sdata", "sleb")],
  [0x0e, fixed("strp", 4, "strings")],
  [0x0f, encoded("udata", "uleb")],
  [0x10, encoded("ref_addr", "offset")],
  [0x11, fixed("ref1", 1, "reference")],
  [0x12, fixed("ref2", 2, "reference")],
  [0x13, fixed("ref4", 4, "reference")],
  [0x14, fixed("ref8", 8, "reference")],
  [0x15, encoded("ref_udata", "uleb", "reference")],
  [0x17, fixed("sec_offset", 4)],
  [0x18, counted("exprloc", "uleb")],
  [0x19, fixed("flag_present", 0, "flag")],
  [0x1e, fixed("data16", 16, "bytes")],
  [0x1f, fixed("line_strp", 4, "line-strings")],
  [0x20, fixed("ref_sig8", 8)],
]);
