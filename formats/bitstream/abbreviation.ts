// Abbreviations of an LLVM bitstream ("LLVM Bitcode File Format", "Abbreviations"): how the fields of a record are encoded.
import { malformed } from "../bytes/malformed.js";
import { offsetOf, readFixed, readVariable, type BitReader } from "./bits.js";

/** Encoding of a scalar field. */
export type Field =
  | { readonly kind: "literal"; readonly value: number; readonly wide: bigint | undefined }
  | { readonly kind: "fixed" | "variable"; readonly width: number }
  | { readonly kind: "char6" };

/** The scalar fields in order, the first of which is the record's code, and the array or blob after them. */
export interface Abbreviation {
  readonly fields: readonly Field[];
  readonly tail: { readonly kind: "array"; readonly element: Field } | { readonly kind: "blob" } | undefined;
}

/** LLVM's own have about twenty. The bound limits the work that two bits of a malicious file can cause. */
const MAX_FIELDS = 256;

const FIXED = 1;
const VARIABLE = 2;
const ARRAY = 3;
const CHAR6 = 4;
const BLOB = 5;

/** Reads the definition of an abbreviation, after the id DEFINE_ABBREV (2). */
export function readAbbreviation(bits: BitReader): Abbreviation {
  const offset = offsetOf(bits);
  const count = readVariable(bits, 5);
  if (!(count >= 1 && count <= MAX_FIELDS)) malformed("limit", offset, `an abbreviation of ${count} fields`);
  const fields: Field[] = [];
  for (let i = 0; i < count; i++) {
    const field = readField(bits);
    if (i === 0 && typeof field === "string")
      malformed("malformed", offset, `an abbreviation that begins with ${field}`);
    if (field === "array") {
      const element = i === count - 2 ? readField(bits) : undefined;
      if (element === undefined || typeof element === "string" || element.kind === "literal")
        return malformed("malformed", offset, "an array in an abbreviation is not followed by one encoding");
      return { fields, tail: { kind: "array", element } };
    }
    if (field === "blob") {
      if (i !== count - 1) malformed("malformed", offset, "a blob in an abbreviation is not its last field");
      return { fields, tail: { kind: "blob" } };
    }
    fields.push(field);
  }
  return { fields, tail: undefined };
}

function readField(bits: BitReader): Field | "array" | "blob" {
  const offset = offsetOf(bits);
  if (readFixed(bits, 1) === 1) {
    const value = readVariable(bits, 8);
    return { kind: "literal", value, wide: Number.isNaN(value) ? bits.wide : undefined };
  }
  const encoding = readFixed(bits, 3);
  switch (encoding) {
    case FIXED:
    case VARIABLE: {
      const width = readVariable(bits, 5);
      // A field of width 0 has the value zero.
      if (width === 0) return { kind: "literal", value: 0, wide: undefined };
      if (!(width <= 32) || (encoding === VARIABLE && width < 2))
        malformed("out-of-range", offset, `a field of ${width} bits`);
      return { kind: encoding === FIXED ? "fixed" : "variable", width };
    }
    case ARRAY:
      return "array";
    case CHAR6:
      return { kind: "char6" };
    case BLOB:
      return "blob";
    default:
      return malformed("malformed", offset, `unknown encoding ${encoding} in an abbreviation`);
  }
}
