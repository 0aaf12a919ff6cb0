// Reads values of attributes by their forms (DWARF 5 section 7.5.6; versions 2 to 4 have a subset). Offsets in other sections
// come from `offsetAt`, because PTX writes them as labels.

import { malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import { readSleb128, readVarU64 } from "../bytes/varint.js";
import { blockSize, FORMS, type FormEncoding } from "./forms.table.js";

/** References are offsets in `.debug_info`; blocks and expressions are bytes. */
export type AttributeContent = bigint | string | Uint8Array;

/** The properties of a unit on which its forms depend. */
export interface FormContext {
  /** Bytes per address. */
  readonly addressBytes: number;
  /** Version of DWARF. */
  readonly version: number;
  /** Offset of the unit in its section; the unit's references are relative to it. */
  readonly unitStart: number;
  /** The offset in another debug section to which the label at `at` resolves; undefined if the bytes are a number. */
  readonly offsetAt: (at: number) => number | undefined;
  /** The contents of `.debug_str` and `.debug_line_str`. */
  readonly strings: Uint8Array;
  readonly lineStrings: Uint8Array;
}

const WHAT = "value of an attribute";

/** Inside a decoder: reads one value. */
export function readForm(reader: ByteReader, form: number, context: FormContext): AttributeContent {
  const row = FORMS.get(form);
  if (row === undefined) malformed("unsupported", reader.position, `a value of form 0x${form.toString(16)}`);
  const { encoding, meaning } = row;
  switch (meaning) {
    case "value":
      return readValue(reader, encoding, context);
    case "flag":
      return 1n;
    case "reference":
      return (
        BigInt(context.unitStart) + (readValue(reader, encoding, { ...context, offsetAt: () => undefined }) as bigint)
      );
    case "strings":
      return textAt(context.strings, readValue(reader, encoding, context));
    case "line-strings":
      return textAt(context.lineStrings, readValue(reader, encoding, context));
    case "bytes":
      return reader.view8(blockSize(reader, encoding), WHAT);
  }
}

function readValue(reader: ByteReader, encoding: FormEncoding, context: FormContext): AttributeContent {
  switch (encoding.kind) {
    case "fixed":
      return readInteger(reader, encoding.bytes, context);
    case "address":
      return readInteger(reader, context.addressBytes, context);
    case "offset":
      return readInteger(reader, context.version === 2 ? context.addressBytes : 4, context);
    case "text":
      return reader.cstring(WHAT);
    case "uleb":
      return readVarU64(reader, WHAT);
    case "sleb":
      return readSleb128(reader, WHAT);
    case "counted":
      return reader.view8(blockSize(reader, encoding), WHAT);
  }
}

function readInteger(reader: ByteReader, bytes: number, { offsetAt }: FormContext): bigint {
  const label = offsetAt(reader.position);
  const own = reader.view8(bytes, WHAT).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return label === undefined ? own : BigInt(label);
}

function textAt(section: Uint8Array, offset: AttributeContent): string {
  const strings = new ByteReader(section);
  strings.seek(Number(offset), "text of an attribute");
  return strings.cstring("text of an attribute");
}
